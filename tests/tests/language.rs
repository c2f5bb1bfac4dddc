//! What C++ that courses teach leaves on the embedded device, compiled by the workbook's own compiler.
//!
//! Each kernel writes a list of numbers; what it must be follows from the language alone, and NVRTC's code leaves the same.

use device::{Arg, Device, Embedded, Launch};
use tests::Result;

/// Numbers that thread 0 of a kernel `run(int *out)` leaves, up to the first zero.
fn left(text: &str) -> Result<Vec<i32>> {
    left_by(text, 1)
}

/// The same of a block of that many threads.
fn left_by(text: &str, threads: u32) -> Result<Vec<i32>> {
    let input = cuda::Input { name: "test.cu", text, include: &|_| None };
    let arch = cuda::Arch { number: 90, suffix: None };
    let output = cuda::compile(&input, &cuda::Options { arch, ..cuda::Options::default() })
        .map_err(|failure| cuda::diagnostic::render(&failure.diagnostics, &failure.sources, false))?;
    let mut device = Embedded::new(labs::CHIP)?;
    let module = device.load("test.ptx", &output.ptx)?;
    let mut bytes = vec![0; 256];
    let out = device.allocate(bytes.len() as u64)?;
    device.fill(out, 0)?;
    device.launch(&Launch::new(module, "run", [1, 1, 1], [threads, 1, 1], vec![Arg::from(out)]))?;
    device.read(out, 0, &mut bytes)?;
    let numbers = bytes.chunks_exact(4).map(|word| i32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    Ok(numbers.take_while(|number| *number != 0).collect())
}

#[test]
fn a_part_of_a_group_knows_its_number_and_how_many_there_are() -> Result {
    let parts = |by: &str| {
        let text = format!(
            "#include <cooperative_groups.h>
extern \"C\" __global__ void run(int *out) {{
    auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    int lane = threadIdx.x;
    auto part = cooperative_groups::{by};
    if (lane == 0 || lane == 7 || lane == 31)
        out[lane / 6] = 100 * part.meta_group_size() + 10 * part.meta_group_rank() + 1;
    if (lane < 32 && lane / 6 > 1 && lane / 6 < 5 && lane % 6 == 0)
        out[lane / 6] = 9;
}}"
        );
        left_by(&text, 32)
    };
    assert_eq!(parts("labeled_partition(warp, 5 - lane / 8)")?, [401, 401, 9, 9, 9, 431]);
    assert_eq!(parts("labeled_partition(warp, lane % 7)")?, [701, 701, 9, 9, 9, 731]);
    assert_eq!(parts("labeled_partition(warp, lane > 3)")?, [201, 211, 9, 9, 9, 211]);
    assert_eq!(parts("binary_partition(warp, lane != 31)")?, [211, 211, 9, 9, 9, 201]);
    assert_eq!(parts("binary_partition(warp, true)")?, [101, 101, 9, 9, 9, 101]);
    Ok(())
}

/// A log, and a class that writes when it begins and ends.
const GUARD: &str = "
struct Log { int *at; int n; __device__ Log(int *at) : at(at), n(0) {} __device__ void put(int x) { at[n++] = x; } };
struct Guard {
    Log &log; int id;
    __device__ Guard(Log &log, int id) : log(log), id(id) { log.put(id); }
    __device__ ~Guard();
};
__device__ Guard::~Guard() { log.put(-id); }
";

/// What statements with guards leave; `functions` are before the kernel.
fn logged(functions: &str, statements: &str) -> Result<Vec<i32>> {
    left(&format!(
        "{GUARD}{functions}\nextern \"C\" __global__ void run(int *out) {{ Log log(out); {statements} }}"
    ))
}

#[test]
fn objects_end_with_their_block_the_last_first() -> Result {
    assert_eq!(logged("", "{ Guard a(log, 1), b(log, 2); log.put(9); } log.put(8);")?, [1, 2, 9, -2, -1, 8]);
    assert_eq!(logged("", "Guard a = Guard(log, 1); auto b = Guard(log, 2);")?, [1, 2, -2, -1]);
    assert_eq!(logged("", "if (log.n == 0) Guard a(log, 1); else Guard b(log, 2); log.put(8);")?, [1, -1, 8]);
    assert_eq!(logged("", "if (Guard a(log, 1); log.n) log.put(8); log.put(9);")?, [1, 8, -1, 9]);
    assert_eq!(logged("", "if constexpr (Guard a(log, 1); true) log.put(8); log.put(9);")?, [1, 8, -1, 9]);
    Ok(())
}

#[test]
fn each_iteration_of_a_loop_ends_its_objects() -> Result {
    let turns = "for (int i = 1; i < 9; i++) { Guard a(log, i); if (i == 2) continue; Guard b(log, 10 * i); if (i == 3) break; }";
    assert_eq!(logged("", turns)?, [1, 10, -10, -1, 2, -2, 3, 30, -30, -3]);
    let head = "for (Guard a(log, 1); log.n < 4;) log.put(5); log.put(6);";
    assert_eq!(logged("", head)?, [1, 5, 5, 5, -1, 6]);
    let last = "do { Guard a(log, 1); if (log.n == 3) continue; } while (log.n < 5); while (true) { Guard b(log, 7); break; }";
    assert_eq!(logged("", last)?, [1, -1, 1, -1, 1, -1, 7, -7]);
    Ok(())
}

#[test]
fn what_is_returned_is_found_out_before_objects_end() -> Result {
    let functions = "
__device__ int early(Log &log, int x) { Guard a(log, 1); if (x > 2) { Guard b(log, 2); return log.n; } return x; }
__device__ float2 pair(Log &log) { Guard a(log, 3); return make_float2(log.n, 1.0f); }
__device__ int &first(Log &log) { Guard a(log, 4); return log.at[0]; }
__device__ int depth(Log &log, int n) { Guard a(log, 40 + n); return n == 0 ? 7 : depth(log, n - 1); }
";
    assert_eq!(
        logged(functions, "log.put(early(log, 3)); log.put(early(log, 2));")?,
        [1, 2, -2, -1, 2, 1, -1, 2]
    );
    assert_eq!(logged(functions, "log.put(6); log.put(pair(log).x); first(log) = 5;")?, [5, 3, -3, 2, 4, -4]);
    assert_eq!(logged(functions, "log.put(depth(log, 2));")?, [42, 41, 40, -40, -41, -42, 7]);
    assert_eq!(logged("", "Guard a(log, 1); if (log.n) return; log.put(9);")?, [1, -1]);
    Ok(())
}

#[test]
fn members_end_after_their_class_and_bases_last() -> Result {
    let classes = "
struct Base { Log &log; __device__ Base(Log &log) : log(log) { log.put(50); } __device__ ~Base() { log.put(-50); } };
struct Both : Base {
    Guard a, b[2];
    __device__ Both(Log &log) : Base(log), a(log, 1), b{Guard(log, 2), Guard(log, 3)} {}
    __device__ ~Both() { if (log.n > 100) return; log.put(60); }
};
template <typename T, int N> struct Many { T items[N]; };
";
    assert_eq!(logged(classes, "Both both(log);")?, [50, 1, 2, 3, 60, -3, -2, -1, -50]);
    assert_eq!(logged(classes, "Many<Guard, 2> two{{{log, 1}, {log, 2}}};")?, [1, 2, -2, -1]);
    assert_eq!(
        logged("", "{ Guard a(log, 1); auto f = [a] { return a.id; }; log.put(f() + 6); } log.put(8);")?,
        [1, 7, -1, -1, 8]
    );
    Ok(())
}

#[test]
fn a_switch_ends_the_objects_of_the_case_that_ran() -> Result {
    let choose = "
__device__ void choose(Log &log, int x)
{
    switch (x) {
    case 0: { Guard a(log, 1); if (log.n > 1) break; }
    case 1: { Guard b(log, 2); log.put(9); break; }
    default: Guard c(log, 3);
    }
}
";
    assert_eq!(
        logged(choose, "choose(log, 0); choose(log, 0); choose(log, 1);")?,
        [1, -1, 2, 9, -2, 1, -1, 2, 9, -2]
    );
    assert_eq!(logged(choose, "choose(log, 4);")?, [3, -3]);
    Ok(())
}

#[test]
fn an_end_may_hold_a_barrier() -> Result {
    let text = "
struct Together { __device__ ~Together() { __syncthreads(); } };
extern \"C\" __global__ void run(int *out)
{
    __shared__ int tile[2];
    { Together all; tile[threadIdx.x] = 3; }
    out[threadIdx.x] = tile[threadIdx.x];
}
";
    assert_eq!(left(text)?, [3]);
    Ok(())
}

#[test]
fn objects_whose_end_is_not_known_are_refused_by_name() {
    for (functions, statements) in [
        ("", "Guard(log, 1);"),
        ("", "const Guard &a = Guard(log, 1);"),
        ("", "log.put(Guard(log, 1).id);"),
        ("", "static Guard a(log, 1);"),
        ("", "__shared__ Guard a;"),
        ("", "Guard a(log, 1); goto end; end: log.put(1);"),
        ("", "Guard a(log, 1); a.~Guard();"),
        ("__device__ void take(Guard a) {}", "Guard a(log, 1); take(a);"),
        ("__device__ Guard make(Log &log) { return Guard(log, 1); }", "Guard a = make(log);"),
        ("union Either { Guard a; int b; __device__ Either() {} };", "Either one;"),
    ] {
        let message = logged(functions, statements).map_err(|problem| problem.to_string());
        let found = message
            .as_ref()
            .err()
            .is_some_and(|text| text.contains("not supported") || text.contains("destroys only"));
        assert!(found, "{functions} {statements}: {message:?}");
    }
}

#[test]
fn parameters_are_found_out_through_what_an_alias_stands_for() -> Result {
    let functions = "
template <class T, T v> struct Constant { static constexpr T value = v; };
template <bool B> using Truth = Constant<bool, B>;
template <class T> using Pointer = const T *;
template <class T, int N> using Row = T[N];
template <class T, int N = 4> struct Vector { T items[N]; };
template <int N> using Floats = Vector<float, N>;
template <class T> using Four = Vector<T>;
template <class T, class U> using First = T;
template <bool B> __device__ int truth(Truth<B>) { return B + 1; }
template <class T> __device__ int size(Pointer<T> p) { return sizeof(T); }
template <class T, int N> __device__ int length(const Row<T, N> &row) { return N; }
template <int N> __device__ int floats(const Floats<N> &all) { return N; }
template <class T> __device__ int which(Vector<T, 2>) { return 10; }
template <class T> __device__ int which(Four<T>) { return sizeof(T); }
template <class T> __device__ int first(First<T, int> one) { return sizeof(T); }
";
    let statements = "
int row[5]; Vector<float, 3> three; Vector<double> four; Vector<int, 2> two;
log.put(truth(Truth<true>{})); log.put(truth(Constant<bool, false>{})); log.put(size((double *)nullptr)); log.put(length(row));
log.put(floats(three)); log.put(which(two)); log.put(which(four)); log.put(first((short)2));
";
    assert_eq!(logged(functions, statements)?, [2, 1, 8, 5, 3, 10, 8, 2]);
    Ok(())
}

#[test]
fn a_pointer_that_is_an_argument_of_a_template_is_null() -> Result {
    let functions = "
#include <type_traits>
template <typename T, typename std::enable_if<std::is_same<float, T>::value>::type * = nullptr>
__device__ int kind(T) { return 1; }
template <typename T, typename std::enable_if<!std::is_same<float, T>::value>::type * = nullptr>
__device__ int kind(T) { return 2; }
template <const int *P> __device__ int is_null() { const int *p = P; return p == nullptr && P == nullptr ? 3 : 4; }
";
    let statements = "log.put(kind(1.0f)); log.put(kind(1)); log.put(is_null<nullptr>());";
    assert_eq!(logged(functions, statements)?, [1, 2, 3]);
    Ok(())
}

#[test]
fn complex_numbers_of_cucomplex_are_known() -> Result {
    let statements = "
cuComplex a = make_cuComplex(4, 2), b = make_cuFloatComplex(1, 1);
cuComplex q = cuCdivf(a, b), p = cuCmulf(a, b), s = cuCfmaf(a, b, cuCsubf(cuConjf(a), b));
log.put(cuCrealf(q)); log.put(cuCimagf(q)); log.put(cuCrealf(p)); log.put(cuCimagf(p)); log.put(s.x); log.put(s.y);
log.put(cuCabs(make_cuDoubleComplex(3e200, 4e200)) / 1e200 + 0.5);
cuDoubleComplex large = cuCdiv(make_cuDoubleComplex(3e300, 6e300), make_cuDoubleComplex(1e300, 2e300));
log.put(cuCreal(large) + cuCreal(cuCadd(large, cuComplexFloatToDouble(b))));
";
    assert_eq!(logged("#include <cuComplex.h>\n", statements)?, [3, -1, 2, 6, 5, 3, 5, 7]);
    Ok(())
}

#[test]
fn the_smaller_and_the_larger_of_two_constants_are_constant() -> Result {
    let statements = "
constexpr int n = std::min(4, 6) + max(1, 2), m = std::max(-1, -2);
int row[n]; log.put(sizeof(row) / 4); log.put(m); static_assert(min(2u, 3u) == 2, \"\");
constexpr float half = std::min(0.5f, 2.0f); constexpr auto wide = std::max<long long>(3, 4L); log.put(2 * half); log.put(wide + sizeof(wide));
";
    assert_eq!(logged("#include <algorithm>\n", statements)?, [6, -1, 1, 12]);
    Ok(())
}

#[test]
fn what_only_the_host_has_is_none_of_a_kernels_business() -> Result {
    let functions = "
#include <bits/stdc++.h>
class Operator {
    cudaStream_t stream; StopWatch *watch; std::vector<int> all; static int count;
public:
    Operator(); virtual ~Operator(); virtual void run() = 0; void stop();
};
int Operator::count = 0;
Operator::Operator() : watch(nullptr) { cudaStreamCreate(&stream); }
Operator::~Operator() { delete watch; }
void Operator::stop() { all.clear(); }
int min(int a, int b);
";
    assert_eq!(logged(functions, "log.put(min(3, 2));")?, [2]);
    Ok(())
}

#[test]
fn a_group_of_any_kind_is_parted_at_run_time() -> Result {
    let text = "#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern \"C\" __global__ void run(int *out) {
    auto block = cg::this_thread_block();
    cg::thread_group warp = cg::tiled_partition(block, 32), half = cg::tiled_partition(warp, 16);
    cg::thread_group four = cg::tiled_partition(cg::tiled_partition<8>(block), 4), same = cg::tiled_partition((cg::thread_group)block, 32);
    if (threadIdx.x == 61) {
        out[0] = warp.thread_rank(); out[1] = half.size(); out[2] = half.thread_rank(); out[3] = four.size();
        out[4] = four.thread_rank(); out[5] = same.thread_rank();
    }
}";
    assert_eq!(left_by(text, 64)?, [29, 16, 13, 4, 1, 29]);
    Ok(())
}

#[test]
fn what_decltype_finds_has_members() -> Result {
    let text = "
template <class T, int N> struct Row {
    using value_type = T; enum { twice = 2 * N }; struct In { int at = 5; };
    T data[N];
    static constexpr int length = N;
    static __device__ constexpr int size() { return N + 1; }
};
template <class V> __device__ int first(V v) { typename decltype(v)::value_type x = v.data[0]; return x * decltype(v)::size(); }
extern \"C\" __global__ void run(int *out) {
    Row<int, 4> row = {{7}};
    decltype(row)::value_type big = 3;
    __shared__ decltype(row)::value_type all[decltype(row)::length];
    all[3] = decltype(row)::twice;
    out[0] = decltype(row)::size() + big;
    out[1] = first(row);
    out[2] = decltype(row)::In{}.at + static_cast<decltype(row)::value_type>(2.5f);
    out[3] = all[3];
}";
    assert_eq!(left(text)?, [8, 35, 7, 8]);
    Ok(())
}

#[test]
fn functions_that_are_called_take_and_return_records_of_any_shape() -> Result {
    let text = "
union Cast { float f; unsigned u; unsigned char b[4]; };
struct Bits { unsigned a : 3, b : 7; int c : 5; short s; };
struct Base { char z; };
struct Mixed : Base { bool t; long long l; double x[2]; const int *p; };
struct Empty {};
__device__ __noinline__ Cast cast(float f, Empty) { Cast c; c.f = f; c.b[0] = 7; return c; }
__device__ __noinline__ int low(Cast c) { c.b[0] += c.b[3]; return c.b[0]; }
__device__ __noinline__ Bits bits(int a) { Bits b = {}; b.a = a; b.b = 3 * a; b.c = -a; b.s = a << 8; return b; }
__device__ __noinline__ int all(Bits b) { b.a++; return b.a + b.b + b.c + b.s; }
__device__ __noinline__ Mixed mixed(int a, const int *p) {
    Mixed m; m.z = a; m.t = a > 2; m.l = (long long)a << 33; m.x[0] = a; m.x[1] = a + 0.5; m.p = p + a; return m;
}
__device__ __noinline__ int at(Mixed m, int i, const int *p) { m.x[i] *= 2; return m.z + m.t + (int)(m.l >> 32) + (int)m.x[i] + (m.p - p); }
__device__ Empty nothing(Empty e) { return e; }
struct Pair { int a, b; };
__device__ Pair fibonacci(int n) {
    if (n < 2) return {n, 1};
    Pair p = fibonacci(n - 1), q = fibonacci(n - 2);
    return {p.a + q.a, p.b + q.b};
}
__device__ __noinline__ Pair turned(Pair p, const Pair &q) { return {q.b, p.a}; }
extern \"C\" __global__ void run(int *out) {
    out[0] = low(cast(1.5f, nothing(Empty())));
    out[1] = all(bits(5));
    out[2] = at(mixed(3, out), out[0] & 1, out);
    Pair p = fibonacci(7);
    out[3] = 100 * p.a + p.b;
    p = turned(p, p);
    out[4] = 100 * p.a + p.b;
}";
    // 7 + 0x3f; 6 + 15 - 5 + 5·256; 3 + 1 + 6 + 2·3 + 3; the seventh number and the calls that led to it.
    assert_eq!(left(text)?, [70, 1296, 19, 1321, 2113]);
    Ok(())
}

#[test]
fn a_kernel_takes_the_bytes_of_an_object_that_ends_at_the_host() -> Result {
    let text = "
struct Lock {
    int *mutex;
    __host__ Lock() { cudaMalloc((void **)&mutex, 4); }
    ~Lock() { cudaFree(mutex); }
    __device__ int taken() { return atomicAdd(mutex, 2); }
};
struct Ended { int *at; __device__ ~Ended() { *at = 9; } };
extern \"C\" __global__ void run(int *out, Lock lock, Ended ended) {
    if (out == nullptr) lock.taken();
    if (out == nullptr) ended.at[0] = 3;
    out[0] = __INT_MAX__ - 1;
    out[1] = -__FLT_MAX__ < -1e38f ? 4 : 0;
}";
    let input = cuda::Input { name: "test.cu", text, include: &|_| None };
    let ptx = cuda::compile(&input, &cuda::Options::default()).map(|output| output.ptx);
    let ptx =
        ptx.map_err(|failure| cuda::diagnostic::render(&failure.diagnostics, &failure.sources, false))?;
    assert!(ptx.contains(".param .align 8 .b8 run_param_1[8]") && ptx.contains(", 2147483646;"), "{ptx}");
    assert!(!ptx.contains(", 9;"), "its end is the host's: {ptx}");
    Ok(())
}
