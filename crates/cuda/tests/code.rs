//! What becomes of sources, where it decides what is counted: which variables are values and which lie in local memory.

use cuda::{Input, Options, compile, diagnostic::render};

fn ptx(text: &str) -> String {
    match compile(&Input { name: "test.cu", text, include: &|_| None }, &Options::default()) {
        Ok(output) => output.ptx,
        Err(failure) => panic!("{}", render(&failure.diagnostics, &failure.sources, false)),
    }
}

#[test]
fn a_tile_of_registers_that_is_written_under_a_condition_is_no_local_array() {
    let text = "
__global__ void tile(const float *a, float *c, int m, int n)
{
    float sums[8 * 8] = {0.0f};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                sums[i * 8 + j] += a[k * 64 + i] * a[k * 64 + 32 + j];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int y = threadIdx.y * 8 + i, x = threadIdx.x * 8 + j;
            if (y < m && x < n)
                c[y * n + x] = 1.5f * sums[i * 8 + j] + 0.5f * c[y * n + x];
        }
}";
    let ptx = ptx(text);
    assert!(!ptx.contains(".local"), "{ptx}");
    assert_eq!(ptx.matches("st.global").count(), 64);
}

#[test]
fn a_long_loop_without_local_arrays_stays_one() {
    let text = "__global__ void k(float *c, int n) { for (int i = 0; i < 128; i++) if (i * n < 999) c[i * n] += c[i * n + 1] * n; }";
    assert!(ptx(text).matches("st.global").count() < 128);
}

#[test]
fn one_of_two_variables_that_is_chosen_to_be_written_is_a_value() {
    let text = "
struct V { float x, y, z; };
__global__ void k(float *o, const float *p, int n)
{
    V v = {p[0], p[1], p[2]};
    (n > 3 ? v.x : v.y) = 7.0f;
    float &chosen = n > 5 ? v.z : v.x;
    chosen += 2;
    o[0] = v.x; o[1] = v.y; o[2] = v.z;
}";
    let ptx = ptx(text);
    assert!(!ptx.contains(".local"), "{ptx}");
}

#[test]
fn members_of_an_aligned_struct_that_is_chosen_stay_apart() {
    let text = "
struct __align__(8) Part { float most, sum; };
__device__ Part both(Part a, Part b)
{
    bool more = a.most > b.most;
    Part x = more ? a : b, y = more ? b : a;
    return {x.most, x.sum + y.sum * (y.most - x.most)};
}
__global__ void k(const float *p, float *o, int n)
{
    Part all = {-1e30f, 0};
    for (int i = threadIdx.x; i < n; i += 32)
        all = both(all, {p[i], 1.0f});
    o[0] = all.most / all.sum;
}";
    let ptx = ptx(text);
    assert!(!ptx.contains("and.b64") && !ptx.contains("or.b64"), "{ptx}");
}

#[test]
fn shifts_both_ways_of_one_word_are_a_rotation() {
    let text = "__global__ void k(unsigned *p, unsigned n) { unsigned x = p[0]; \
        p[1] = x << 7 | x >> 25; p[2] = (x >> 3) + (x << 29); p[3] = x << n | x >> (32 - n); p[4] = x << 7 | n >> 25; }";
    let ptx = ptx(text);
    assert_eq!(ptx.matches("shf.l.wrap.b32").count(), 3, "{ptx}");
}

/// How many loads and stores of global memory are left of a body.
fn accesses(body: &str) -> usize {
    let text = format!("__global__ void k(float *p, float *o, float *q, int n) {{ {body} }}");
    let ptx = ptx(&text);
    ptx.matches("ld.global").count() + ptx.matches("st.global").count()
}

#[test]
fn each_access_with_a_cache_hint_is_kept() {
    assert_eq!(accesses("o[0] = __ldg(p) + *p;"), 3);
    assert_eq!(accesses("o[0] = __ldcg(p) + __ldcg(p);"), 3);
    assert_eq!(accesses("*p = 3; o[0] = __ldcs(p);"), 3);
    assert_eq!(accesses("__stcg(p, 1.0f); __stcg(p, 2.0f);"), 2);
    assert_eq!(accesses("__ldg(p);"), 1);
    assert_eq!(accesses("o[0] = *p + *p;"), 2);
}

#[test]
fn ordinary_accesses_do_not_move_across_one_with_a_cache_hint() {
    assert_eq!(accesses("float x = *p; float y = __ldcg(q); o[0] = x + y + *p;"), 4);
    assert_eq!(accesses("*p = 1; float y = __ldg(q); *p = 2; o[0] = y;"), 4);
}

#[test]
fn a_load_by_ldg_has_its_operator_only_where_memory_is_known_to_be_global() {
    assert!(
        ptx("__global__ void k(const float *p, float *o) { o[0] = __ldg(p); }").contains("ld.global.nc.f32")
    );
    let generic = ptx(
        "__device__ __noinline__ float f(const float *p) { return __ldg(p); } __global__ void k(float *o, int n) { __shared__ float s[4]; s[0] = n; o[0] = f(n ? s : o); }",
    );
    assert!(!generic.contains(".nc"), "{generic}");
}

#[test]
fn records_travel_to_functions_and_back_by_their_parts() {
    let text = "
struct P { short a; unsigned b; float f[2]; };
__device__ __noinline__ P make(short a, float f) { P made; made.a = a; made.b = a + 1; made.f[0] = f; made.f[1] = 2 * f; return made; }
__device__ __noinline__ float sum(P p) { return p.a + p.b + p.f[0] + p.f[1]; }
__global__ void k(float *o) { o[threadIdx.x] = sum(make(threadIdx.x, 1.5f)); }";
    let ptx = ptx(text);
    assert!(ptx.contains("(.param .align 4 .b8 func_retval0[16]) _Z4makesf("), "{ptx}");
    assert!(ptx.contains("st.param.b16 \t[func_retval0+0]"), "{ptx}");
    assert!(ptx.contains("ld.param.f32 \t%f3, [retval0+12]"), "{ptx}");
    assert!(!ptx.contains(".local") && !ptx.contains("st.f32"), "{ptx}");
}

#[test]
fn a_record_that_says_how_it_is_copied_lies_where_its_caller_has_made_it() {
    let text = "
struct S { S *own; int v; __device__ S(int v) : own(this), v(v) {} __device__ S(const S &s) : own(this), v(s.v) {} };
__device__ __noinline__ S make(int v) { return S(v); }
__device__ __noinline__ int is_own(S s) { return s.own == &s; }
__global__ void k(int *o) { S s = make(o[1]); *o = is_own(s); }";
    let ptx = ptx(text);
    assert!(!ptx.contains("func_retval0[") && ptx.contains(".param .b64 _Z4makei_param_0"), "{ptx}");
}

#[test]
fn an_address_outside_of_its_parameter_is_in_a_register_where_no_thread_may_come() {
    let ptx = ptx("
struct Dims { int sizes[2]; };
__global__ void k(int *out, Dims d, int n)
{
#pragma unroll
    for (int i = 3; i >= -1; i--)
        if (i < n && i >= -n) out[i] = d.sizes[i];
}");
    assert!(ptx.contains("_Z1kPi4Dimsi_param_1+4]") && ptx.contains(", _Z1kPi4Dimsi_param_1;"), "{ptx}");
    assert!(!ptx.contains("param_1+8") && !ptx.contains("param_1+-4"), "{ptx}");
}

#[test]
fn fast_mathematics_has_the_instructions_that_nvrtc_has_with_that_option() {
    // As NVRTC 12.9 makes them with --use_fast_math for compute_90.
    let cases = [
        ("x + y", "add.ftz.f32"),
        ("x * y + z", "fma.rn.ftz.f32"),
        ("-x", "neg.ftz.f32"),
        ("x / y", "div.approx.ftz.f32"),
        ("1.0f / x", "rcp.approx.ftz.f32"),
        ("sqrtf(x)", "sqrt.approx.ftz.f32"),
        ("__fsqrt_rn(x)", "sqrt.rn.ftz.f32"),
        ("rsqrtf(x)", "rsqrt.approx.ftz.f32"),
        ("sinf(x)", "sin.approx.ftz.f32"),
        ("tanf(x)", "sin.approx.ftz.f32 cos.approx.ftz.f32 div.approx.ftz.f32"),
        ("expf(x)", "mul.ftz.f32 ex2.approx.ftz.f32"),
        ("logf(x)", "lg2.approx.ftz.f32 mul.ftz.f32"),
        ("powf(x, y)", "lg2.approx.ftz.f32 mul.ftz.f32 ex2.approx.ftz.f32"),
        ("tanhf(x)", "tanh.approx.f32"),
        ("fmaxf(x, y)", "max.ftz.f32"),
        ("x < y ? z : x", "setp.lt.ftz.f32 selp.f32"),
        ("(int)x", "cvt.rzi.ftz.s32.f32 cvt.rn.f32.s32"),
        ("floorf(x)", "cvt.rmi.ftz.f32.f32"),
    ];
    for (expression, instructions) in cases {
        let text = format!(
            "__global__ void k(float *p) {{ float x = p[0], y = p[1], z = p[2]; p[3] = ({expression}); }}"
        );
        let input = Input { name: "test.cu", text: &text, include: &|_| None };
        let arch = cuda::Arch { number: 90, suffix: None };
        let output =
            compile(&input, &Options { arch, fast_math: true, ..Options::default() }).expect("it compiles");
        let lines = output.ptx.lines().filter_map(|line| line.strip_prefix('\t'));
        let names = lines.filter_map(|line| line.split_once(' ').map(|(name, _)| name));
        let other = ["ld", "st", "cvta", "//"];
        let found: Vec<&str> = names
            .filter(|name| {
                !name.starts_with('.') && !other.contains(&name.split('.').next().unwrap_or_default())
            })
            .collect();
        assert_eq!(found.join(" "), instructions, "{expression}");
    }
}

#[test]
fn both_clocks_are_the_counter_of_64_bits() {
    let ptx = ptx("__global__ void k(long long *o) { o[0] = clock(); o[1] = clock64(); }");
    assert_eq!(ptx.matches("%clock64").count(), 2, "{ptx}");
}
