//! What the checker makes of small sources, as a manual.

use crate::diagnostic::{Diagnostics, Severity};
use crate::evaluate::{self, Constant, Known};
use crate::hir::{Program, StmtKind};
use crate::options::Arch;
use crate::source::Sources;

/// Program of a source, and all messages.
pub(super) fn checked(text: &str) -> (Option<Program>, Vec<String>) {
    let (program, found, _) = diagnostics(text);
    (program, found.iter().map(|one| format!("{:?}: {}", one.severity, one.message)).collect())
}

fn diagnostics(text: &str) -> (Option<Program>, Vec<crate::diagnostic::Diagnostic>, Sources) {
    let mut sources = Sources::default();
    let mut sink = Diagnostics::default();
    sources.add("test.cu", text.to_owned(), false).expect("a small file");
    let environment = crate::preprocess::Environment {
        arch: Arch::default(),
        side: crate::side::Side::Device,
        fast_math: false,
        defines: &[],
        loader: &|_: &str| None,
        language: crate::Language::Cuda,
        before: &[],
        behind: None,
    };
    let tokens = crate::preprocess::preprocess(&mut sources, 0, &environment, &mut sink);
    let tree = crate::parse::parse(tokens, &sources, &mut sink);
    let program = super::check(&tree, crate::side::Side::Device, &sources, &mut sink);
    (program, sink.list, sources)
}

fn program(text: &str) -> Program {
    let (program, messages) = checked(text);
    program.unwrap_or_else(|| panic!("{text}\n{messages:#?}"))
}

/// Errors of a source.
pub(super) fn errors(text: &str) -> Vec<String> {
    let (_, messages) = checked(text);
    let prefix = format!("{:?}: ", Severity::Error);
    messages.iter().filter_map(|one| one.strip_prefix(&prefix)).map(str::to_owned).collect()
}

/// Value of an integer expression after declarations, as a kernel sees it in a constant expression.
pub(super) fn value(declarations: &str, expression: &str) -> i128 {
    let text = format!(
        "{declarations}\n__device__ constexpr long long answer = (long long)({expression});\n\
         extern \"C\" __global__ void kernel(long long *out) {{ *out = answer; }}"
    );
    let program = program(&text);
    let kernel = program.functions.iter().find(|one| one.kernel).expect("the kernel");
    for statement in &kernel.body {
        if let StmtKind::Place(place) = &statement.kind
            && let crate::hir::PlaceKind::Assign(_, value) = &place.kind
        {
            return match evaluate::evaluate(&program, Known::default(), value) {
                Ok(Constant::Integer(value)) => value,
                other => panic!("{text}\n{other:?}"),
            };
        }
    }
    panic!("{text}: nothing is stored")
}

pub(super) fn kernel(body: &str) -> String {
    format!("__global__ void kernel(int *out, float *values, int n) {{ {body} }}")
}

#[test]
fn overloads_are_ranked_exact_promotion_conversion() {
    let f = "__device__ constexpr int f(int) { return 1; } __device__ constexpr int f(long) { return 2; }\
             __device__ constexpr int f(double) { return 3; } __device__ constexpr int f(const char *) { return 4; }";
    assert_eq!(value(f, "f(1)"), 1);
    assert_eq!(value(f, "f('a')"), 1);
    assert_eq!(value(f, "f(1L)"), 2);
    assert_eq!(value(f, "f(1.0f)"), 3);
    assert_eq!(value(f, "f(\"a\")"), 4);
    assert_eq!(value(f, "f(nullptr)"), 4);
}

#[test]
fn a_function_goes_before_a_template_and_a_more_special_template_before_another() {
    let f = "template <class T> __device__ constexpr int f(T) { return 1; }\
             template <class T> __device__ constexpr int f(T *) { return 2; }\
             template <class T> __device__ constexpr int f(const T *) { return 3; }\
             __device__ constexpr int f(int) { return 4; }";
    assert_eq!(value(f, "f(1)"), 4);
    assert_eq!(value(f, "f(1.0)"), 1);
    assert_eq!(value(f, "f((int *)nullptr)"), 2);
    assert_eq!(value(f, "f((const int *)nullptr)"), 3);
}

#[test]
fn arguments_of_templates_are_found_in_arrays_classes_and_packs() {
    let f = "template <class T, int N> __device__ constexpr int length(T (&)[N]) { return N; }\
             template <int R> struct Tile { int x[R]; };\
             template <int R> __device__ constexpr int rows(const Tile<R> &) { return R; }\
             template <class... T> __device__ constexpr int count(T...) { return sizeof...(T); }\
             template <class... T> __device__ constexpr int sum(T... t) { return (t + ... + 0); }\
             __device__ int seven[7]; __device__ Tile<5> tile;";
    assert_eq!(value(f, "length(seven)"), 7);
    assert_eq!(value(f, "rows(tile)"), 5);
    assert_eq!(value(f, "count(1, 2.0, 'c')"), 3);
    assert_eq!(value(f, "sum(1, 2, 3)"), 6);
    assert_eq!(value(f, "sum()"), 0);
}

#[test]
fn the_most_special_specialisation_that_fits_is_taken() {
    let f = "template <class T> struct Kind { static constexpr int value = 0; };\
             template <class T> struct Kind<T *> { static constexpr int value = 1 + Kind<T>::value; };\
             template <class T, int N> struct Kind<T[N]> { static constexpr int value = 100 + N; };\
             template <> struct Kind<float> { static constexpr int value = 1000; };";
    assert_eq!(value(f, "Kind<int>::value"), 0);
    assert_eq!(value(f, "Kind<int **>::value"), 2);
    assert_eq!(value(f, "Kind<int[3]>::value"), 103);
    assert_eq!(value(f, "Kind<float *>::value"), 1001);
}

#[test]
fn a_failed_substitution_only_drops_the_candidate() {
    let f = "template <bool B, class T = void> struct enable_if {};\
             template <class T> struct enable_if<true, T> { using type = T; };\
             template <class T> __device__ constexpr typename enable_if<sizeof(T) == 4, int>::type f(T) { return 4; }\
             template <class T> __device__ constexpr typename enable_if<sizeof(T) == 8, int>::type f(T) { return 8; }";
    assert_eq!(value(f, "f(1) * 10 + f(1.0)"), 48);
}

#[test]
fn records_are_laid_out_as_on_linux() {
    let all = [
        ("struct S { char c; int i; short s; };", "sizeof(S)", 12),
        ("struct __align__(16) S { float x; };", "sizeof(S)", 16),
        ("struct __attribute__((packed)) S { char c; int i; };", "sizeof(S)", 5),
        ("struct S { unsigned a : 3; int b : 5; unsigned c : 25; };", "sizeof(S)", 8),
        ("struct S { unsigned long long a : 40; char b; };", "sizeof(S)", 8),
        ("struct E {}; struct S : E { int x; };", "sizeof(S)", 4),
        ("struct E {}; struct S : E { E e; int x; };", "sizeof(S)", 8),
        ("union S { double d; char c[9]; };", "sizeof(S)", 16),
        ("struct A { __device__ A() {} int i; char c; }; struct S : A { char d; };", "sizeof(S)", 8),
        ("struct S {};", "sizeof(S)", 1),
    ];
    for (declaration, expression, expected) in all {
        assert_eq!(value(declaration, expression), expected, "{declaration}");
    }
}

#[test]
fn arithmetic_converts_as_c_says() {
    let all = [
        ("-1 < 1u", 0),
        ("sizeof('a' + 'b')", 4),
        ("sizeof(1 ? 1 : 2L)", 8),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("(unsigned char)300", 44),
        ("(int)-2.9f", -2),
        ("1u - 2 > 0", 1),
        ("-8 >> 1", -4),
        ("0xffffffff + 1", 0),
        ("2147483647 + 1L", 2_147_483_648),
        ("true + true", 2),
    ];
    for (expression, expected) in all {
        assert_eq!(value("", expression), expected, "{expression}");
    }
}

#[test]
fn classes_construct_convert_and_operate_by_their_functions() {
    let f = "struct V { int x, y; __device__ constexpr V(int a, int b = 4) : x(a), y(b) {}\
             __device__ constexpr V operator+(const V &o) const { return V(x + o.x, y + o.y); }\
             __device__ constexpr operator int() const { return x * 10 + y; }\
             __device__ constexpr int operator[](int i) const { return i ? y : x; } };\
             __device__ constexpr V operator*(int k, const V &v) { return {k * v.x, k * v.y}; }";
    assert_eq!(value(f, "V(1, 2) + V(3)"), 46);
    assert_eq!(value(f, "(2 * V(1))[1]"), 8);
    assert_eq!(value(f, "V{7}[0]"), 7);
}

#[test]
fn operators_of_others_take_no_part_where_the_language_has_its_own() {
    let f = "struct H { int v; __device__ constexpr H(int x) : v(x) {} };\
             __device__ constexpr bool operator==(const H &, const H &) { return false; }\
             struct X { __device__ constexpr operator int() const { return 3; } };\
             struct Y { int v; __device__ constexpr Y(int x) : v(x) {} __device__ constexpr Y(X) : v(0) {} };\
             __device__ constexpr int operator+(const Y &, const Y &) { return 100; } enum E { A, B };";
    assert_eq!(value(f, "B == B"), 1);
    assert_eq!(value(f, "X() + 1"), 4);
    assert_eq!(value(f, "Y(1) + 1"), 100);
}

#[test]
fn a_mistake_is_one_error_that_names_what_was_meant() {
    let all = [
        ("int x = thread_count;", "`thread_count`"),
        ("int i = threadIdx.w;", "`threadIdx`"),
        ("__shared__ int tile[n];", "compile time"),
        ("__shared__ int x = 3;", "shared variable"),
        ("const int x = 3; x = 4;", "cannot assign to `x`"),
        ("int *p = values;", "`int *`"),
        ("std::sort(out, out + n);", "`std::sort`"),
        ("break;", "`break`"),
        ("goto there;", "`there`"),
        ("int x[2] = {1, 2, 3};", "excess elements"),
        ("n.x = 1;", "`x`"),
        ("out[values] = 2;", "index"),
    ];
    for (body, expected) in all {
        let found = errors(&kernel(body));
        assert_eq!(found.len(), 1, "{body}: {found:#?}");
        assert!(found[0].contains(expected), "{body}: {found:#?}");
    }
}

#[test]
fn what_only_the_host_has_is_refused_by_name() {
    let all = [
        ("int host(int x) { return x; }", "out[0] = host(1);", "`host` is a host function"),
        ("int total = 3;", "out[0] = total;", "`total` is a host variable"),
        ("__global__ void other() {}", "other();", "a kernel cannot be called"),
    ];
    for (declarations, body, expected) in all {
        let found = errors(&format!("{declarations}\n{}", kernel(body)));
        assert!(found.iter().any(|one| one.contains(expected)), "{declarations} {body}: {found:#?}");
    }
}

#[test]
fn a_function_of_both_sides_may_use_what_the_host_has_where_no_kernel_calls_it() {
    let both = "const char letters[3] = \"ab\"; int of_host(int x); struct Grid; \
        __host__ __device__ int letter(int i) { return letters[i]; } \
        __host__ __device__ int ask(int i) { int *all = new int[i]; cudaMallocManaged(&all, i); return of_host(rand()) + all[0]; } \
        __host__ __device__ std::string text(int i) { std::cout << i << std::endl; return std::to_string(i); } \
        __host__ __device__ int twice(int i) { return 2 * i; }\n";
    assert_eq!(errors(&format!("{both}{}", kernel("out[0] = twice(n);"))), Vec::<String>::new());
    for (call, expected) in [("letter(n)", "`letters` is a host variable"), ("ask(n)", "`cudaMallocManaged`")]
    {
        let found = errors(&format!("{both}{}", kernel(&format!("out[0] = {call};"))));
        assert!(found.iter().any(|one| one.contains(expected)), "{call}: {found:#?}");
    }
    // By a function of the device alone it is called as by a kernel, and types are wrong on either side.
    let device = format!("{both}__device__ int last() {{ return letter(1); }}\n{}", kernel(""));
    assert_eq!(errors(&device).len(), 1);
    let wrong = "__host__ __device__ int wrong(int i) { int *p = i; return *p; }\n";
    assert_eq!(errors(&format!("{wrong}{}", kernel(""))).len(), 1);
}

#[test]
fn macros_of_the_source_do_not_change_what_headers_of_the_library_say() {
    let macros: String = [
        "N", "M", "T", "x", "y", "a", "b", "n", "size", "rank", "value", "mask", "group", "Size", "lanes",
        "B", "W", "F",
    ]
    .map(|name| format!("#define {name} 17\n"))
    .concat();
    for header in [
        "cooperative_groups/reduce.h",
        "cuda_fp16.h",
        "cuda_bf16.h",
        "type_traits",
        "limits",
        "utility",
        "cuda_pipeline.h",
    ] {
        let text = format!("{macros}#include <{header}>\n__global__ void one(int *o) {{ *o = N + size; }}");
        assert_eq!(errors(&text), Vec::<String>::new(), "{header}");
    }
    // A macro of the library that the source calls takes the source's macros.
    let called = "#define N 17\n#include <assert.h>\n__global__ void one(int *o) { assert(*o < N); }";
    assert_eq!(errors(called), Vec::<String>::new());
}

#[test]
fn powers_of_numbers_of_any_types_are_known() {
    let all = [
        ("1, 1", 8),
        ("1u, 1.0f", 8),
        ("1.0f, 1.0", 8),
        ("1.0f, 1u", 8),
        ("1.0f, 1", 4),
        ("1.0f, 1.0f", 4),
        ("1.0, 1", 8),
    ];
    for (arguments, size) in all {
        assert_eq!(value("", &format!("sizeof(pow({arguments}))")), size, "{arguments}");
    }
    assert_eq!(value("", "sizeof(float_t) + sizeof(double_t) + sizeof(u_int16_t)"), 14);
}

#[test]
fn an_error_in_an_instance_tells_what_it_was_made_for() {
    let places = |text: &str| {
        let (_, found, sources) = diagnostics(text);
        let line = |span: crate::source::Span| {
            sources.position(span.lo).map(|place| (!place.file.ours).then_some(place.line))
        };
        let related = |one: &crate::diagnostic::Diagnostic| {
            one.related.iter().map(|one| line(one.0)).collect::<Vec<_>>()
        };
        found.iter().map(|one| (line(one.span), related(one))).collect::<Vec<_>>()
    };
    // In a template of the source it is there.
    let own = "template <class T> __device__ int part(T x) {\n return x.y; }\n__global__ void one(int *o) {\n *o = part(*o);\n *o = part(*o); }";
    assert_eq!(places(own), [(Some(Some(2)), vec![Some(Some(4))])]);
    // In the library no one looks for it.
    let library = "#include <cooperative_groups.h>\n__global__ void one() {\n auto block = cooperative_groups::this_thread_block();\n cooperative_groups::tiled_partition<7>(block); }";
    assert_eq!(places(library), [(Some(Some(4)), vec![Some(None)])]);
}

#[test]
fn constants_of_namespaces_are_known_to_the_compiler() {
    assert_eq!(value("const int rows = 3; constexpr int columns = rows * 2;", "columns"), 6);
}

#[test]
fn a_module_has_the_variables_that_nvrtc_gives_it_in_its_order() {
    let source = "
        namespace n { struct S { static constexpr int of_class = 1; }; __device__ int inner; namespace { __device__ int nobody; } }
        template <int N> struct Sizes { static constexpr int twice = 2 * N; };
        struct Plain { static constexpr float of_plain = 1; };
        const int rows = 3;
        const int table[2] = {1, 2};
        static __device__ int unused;
        int of_the_host = 4;
        const int computed = of_the_host;
        __global__ void kernel(int *out) { static int calls; *out = Sizes<4>::twice + sizeof(Sizes<5>) + calls++; }
        __constant__ float last;";
    let symbols: Vec<String> = program(source).variables.iter().map(|one| one.symbol.clone()).collect();
    let expected = [
        "rows",
        "table",
        "unused",
        "_ZZ6kernelPiE5calls",
        "last",
        "_ZN5Plain8of_plainE",
        "_ZN5SizesILi4EE5twiceE",
        "_ZN5SizesILi5EE5twiceE",
        "_ZN1n1S8of_classE",
        "_ZN1n13_GLOBAL__N__16nobodyE",
        "_ZN1n5innerE",
    ];
    assert_eq!(symbols, expected);
}

#[test]
fn kernels_have_the_symbols_of_nvcc() {
    let all = [
        ("__global__ void k(const float *a, float *__restrict__ b, int n) {}", "_Z1kPKfPfi"),
        ("extern \"C\" __global__ void k(int) {}", "k"),
        ("namespace a { struct S { int x; }; __global__ void k(S s, const S *p) {} }", "_ZN1a1kENS_1SEPKS0_"),
        (
            "template <class T> __global__ void k(T *p, const T *q, T v) {} template __global__ void k<float>(float *, const float *, float);",
            "_Z1kIfEvPT_PKS0_S0_",
        ),
        (
            "template <int R> struct Tiles { int x[R]; }; template <int R> __global__ void k(Tiles<R> t, Tiles<R> *u) {} template __global__ void k<4>(Tiles<4>, Tiles<4> *);",
            "_Z1kILi4EEv5TilesIXT_EEPS1_",
        ),
        (
            "template <class... T> __global__ void k(T... t) {} template __global__ void k<int, float *>(int, float *);",
            "_Z1kIJiPfEEvDpT_",
        ),
        (
            "namespace std { struct A { int x; }; template <class T> struct B { T x; }; namespace c { struct D { int x; }; } } \
             __global__ void k(std::A a, std::B<std::A> b, std::A *p, std::c::D d) {}",
            "_Z1kSt1ASt1BIS_EPS_NSt1c1DE",
        ),
        (
            "namespace n { template <class T, int N> struct A { T x; }; template <int N> using B = A<float, N>; template <class T> using P = T *; } \
             template <int N, class T> __global__ void k(n::B<N> a, n::P<T> p) {} template __global__ void k<3>(n::A<float, 3>, int *);",
            "_Z1kILi3EiEvN1n1AIfXT_EEEPT0_",
        ),
        (
            "template <int N> struct A { int x; }; template <int N> __global__ void k(A<N * 2 + 1> a) {} \
             template __global__ void k<2>(A<5>);",
            "_Z1kILi2EEv1AIXplmlT_Li2ELi1EEE",
        ),
        (
            "using F = void (*)(float *, int); __device__ void f(float *p, int n) {} template <F g> __global__ void k(float *p, int n) { g(p, n); } \
             template __global__ void k<f>(float *, int);",
            "_Z1kIXadL_Z1fPfiEEEvS0_i",
        ),
        (
            "template <class T> struct W { typedef T type; T x; }; template <class T> __global__ void k(typename W<T>::type *p, typename T::type *q) {} template __global__ void k<W<int>>(W<int> *, int *);",
            "_Z1kI1WIiEEvPNS0_IT_E4typeEPNS2_4typeE",
        ),
        (
            "template <class T, int N> __global__ void k(T (*p)[N], T (*q)[4]) {} template __global__ void k<int, 5>(int (*)[5], int (*)[4]);",
            "_Z1kIiLi5EEvPAT0__T_PA4_S0_",
        ),
        (
            "template <class T> struct A { T x; }; template <template <class> class B, class T> __global__ void k(B<T> b, T *p, B<T> *q) {} \
             template __global__ void k<A, int>(A<int>, int *, A<int> *);",
            "_Z1kI1AiEvT_IT0_EPS2_PS3_",
        ),
        (
            "template <class... T> struct L { int x; }; template <template <class...> class B, class... T> __global__ void k(B<T...> b) {} \
             template __global__ void k<L, int, float>(L<int, float>);",
            "_Z1kI1LJifEEvT_IJDpT0_EE",
        ),
        (
            "template <class... T> struct L { int x; }; template <class... T> __global__ void k(L<T...> l, L<int, T...> *m) {} \
             template __global__ void k<float>(L<float>, L<int, float> *);",
            "_Z1kIJfEEv1LIJDpT_EEPS0_IJiS2_EE",
        ),
    ];
    for (text, expected) in all {
        let program = program(text);
        let found = program.functions.last().map(|one| &*one.symbol);
        assert_eq!(found, Some(expected), "{text}");
    }
}

#[test]
fn symbols_of_device_templates_have_their_results() {
    let program = program(
        "template <class T> __device__ T twice(T x) { return x + x; } template <class T> __device__ auto half(T x) { return x / 2; }
         __global__ void kernel(int *out) { *out = twice(1) + half(2); }",
    );
    let mut symbols: Vec<&str> = program.functions.iter().map(|one| &*one.symbol).collect();
    symbols.sort_unstable();
    assert_eq!(symbols, ["_Z4halfIiEDaT_", "_Z5twiceIiET_S0_", "_Z6kernelPi"]);
}

#[test]
fn instances_of_kernels_are_weak_and_those_of_the_unit_alone_internal() {
    let program = program(
        "template <class T> __global__ void instance(T *p) {} template <> __global__ void instance<float>(float *p) {}
         template __global__ void instance<int>(int *); inline __global__ void repeated() {} static __global__ void own() {}
         namespace { __global__ void nobody() {} } __global__ void plain() {}",
    );
    let all: Vec<_> = program.functions.iter().map(|one| (&*one.name, one.linkage)).collect();
    use crate::ir::Linkage::{Internal, Visible, Weak};
    let expected = [
        ("repeated", Weak),
        ("own", Internal),
        ("nobody", Internal),
        ("plain", Visible),
        ("instance<int>", Weak),
        ("instance<float>", Visible),
    ];
    assert_eq!(all, expected);
}

#[test]
fn templates_that_host_code_launches_are_instantiated() {
    let program = program(
        "#include <vector>
         template <class T> __global__ void add(const T *a, T *b, int n) {} template <int N, class T = float> __global__ void fill(T *a) {}
         template <class F> __global__ void map(float *a, F f) {} struct Square {}; const int SIZE = 64;
         int main(int argc, char **argv) {
             float *a; double *d = nullptr; std::vector<float> v(10); cudaMalloc(&a, 4);
             add<<<SIZE / 32, 32>>>(a, a, argc);
             if (argc > 1) { add<double><<<1, 2>>>(d, d, v.size()); }
             constexpr int BLOCK = SIZE * 2;
             for (int i = 0; i < 3; i++) fill<BLOCK><<<1, 1>>>(a); 
             map<<<1, 1>>>(a, Square{}); map<Square><<<1, 1>>>(a, Square{}); unknown<int><<<1, 1>>>(a); add<<<1, 1>>>(v);
         }",
    );
    let names: Vec<&str> = program.functions.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["add<float>", "add<double>", "fill<128, float>", "map<Square>"]);
}

#[test]
fn instances_of_kernels_that_host_code_names_are_made() {
    let kernels = |text: &str| {
        let all = program(text)
            .functions
            .iter()
            .filter(|one| one.kernel)
            .map(|one| one.name.to_string())
            .collect::<Vec<_>>();
        all.join(" ")
    };
    let template = "template <class T, int N> __global__ void fill(T *x) { *x = N; }\n";
    for body in [
        "void *all[] = {}; cudaLaunchCooperativeKernel((void *)fill<float, 3>, dim3(1), dim3(1), all, 0, 0);",
        "auto kernel = fill<float, 3>; launch(kernel);",
        "cudaError_t error = cudaFuncSetAttribute(fill<float, 3>, limit, 65536);",
        "launch(fill<float, 3>, 5);",
    ] {
        assert_eq!(kernels(&format!("{template}void host() {{ {body} }}")), "fill<float, 3>", "{body}");
    }
    // A kernel may be defined after its launch; one that never is has no instance.
    let behind = "template <class T> __global__ void late(T *x, int n);\nvoid host() { late<int><<<1, 1>>>(nullptr, 3); }\n";
    let text = format!("{behind}template <class T> __global__ void late(T *x, int n) {{ *x = n; }}");
    let found = program(&text);
    assert_eq!(
        found
            .functions
            .iter()
            .map(|one| (one.kernel, one.params.len(), one.body.is_empty()))
            .collect::<Vec<_>>(),
        [(true, 2, false)]
    );
    assert_eq!(kernels(&format!("{behind}{}", kernel(""))), "kernel");
    // A host template may be called before its definition, and take what the host alone has.
    let later = "template <class T> void host(std::string name, T x);\nvoid all() { host<int>(\"a\", 1); }\n\
        template <class T> void host(std::string name, T x) { fill<T, 2><<<1, 1>>>(nullptr); }";
    assert_eq!(kernels(&format!("{template}{later}")), "fill<int, 2>");
}

/// As nvcc; llm.c's `trimat_forward` and `matmul_backward_bias` do so.
#[test]
fn templates_that_host_templates_launch_are_instantiated_too() {
    let program = program(
        "#include <type_traits>
         using Update = void (*)(float *, int); __device__ void first(float *p, int n) { p[n] = 1; } __device__ void second(float *p, int n) { p[n] = 2; }
         template <Update update> __global__ void kernel(float *p, int n) { update(p, n); }
         template <Update update> void launcher(float *p, int n) { assert(n > 0); kernel<update><<<dim3(n / 128, n), 32>>>(p, n); }
         void one(float *p, int n) { launcher<first>(p, n); } void two(float *p, int n) { return launcher<&second>(p, n); }
         template <class T, bool Atomic> __global__ void sum(T *p, std::bool_constant<Atomic>) {}
         template <class T> void both(T *p) { sum<<<1, 32>>>(p, std::bool_constant<true>{}); sum<<<1, 32>>>(p, std::bool_constant<false>()); }
         template <int N> void endless(float *p) { both<float>(p); endless<N + 1>(p); }
         int main() { float *p; cudaMalloc(&p, 4); both((double *)p); endless<0>(p); }",
    );
    let names: Vec<&str> = program.functions.iter().filter(|one| one.kernel).map(|one| &*one.name).collect();
    let expected = [
        "kernel<first>",
        "kernel<second>",
        "sum<double, true>",
        "sum<double, false>",
        "sum<float, true>",
        "sum<float, false>",
    ];
    assert_eq!(names, expected);
}

/// As nvcc, but that it looks only at methods which are called.
#[test]
fn templates_that_methods_of_host_classes_launch_are_instantiated_too() {
    let program = program(
        "template <class T, int N> __global__ void scale(T *a, T by, int n) { a[N * n] *= by; }
         template <class T> __global__ void add(const T *a, T *b) { *b += *a; }
         template <class T, int N> class Vector {
             T *data; std::vector<T> host; int n;
         public:
             Vector(int n) : n(n) { cudaMalloc(&data, n * sizeof(T)); }
             void by(T f) { scale<T, N><<<(n + 255) / 256, 256>>>(data, f, n); }
             void add_to(const Vector &other);
             template <class U> void to(U) { add<U><<<1, 1>>>(nullptr, nullptr); }
         };
         template <class V, int M> void Vector<V, M>::add_to(const Vector<V, M> &other) { add<<<1, n>>>(other.data, this->data); }
         struct Plain {
             std::string name; double *x;
             void run() { add<<<1, 1>>>(x, x); }
             struct Inner { short *s; void run(); void here() { add<<<1, 1>>>(s, s); } };
             void outside();
         };
         void Plain::outside() { scale<<<1, 1>>>(x, 1.0, 2); scale<double, 5><<<1, 1>>>(x, 1.0, 2); }
         struct Owner { Vector<unsigned, 3> v; };
         int main() { Vector<int, 4> v(10); auto w = Vector<float, 8>(3); v.by(2); }",
    );
    let mut names: Vec<&str> =
        program.functions.iter().filter(|one| one.kernel).map(|one| &*one.name).collect();
    names.sort_unstable();
    let expected = [
        "add<double>",
        "add<float>",
        "add<int>",
        "add<short>",
        "add<unsigned int>",
        "scale<double, 5>",
        "scale<float, 8>",
        "scale<int, 4>",
        "scale<unsigned int, 3>",
    ];
    assert_eq!(names, expected);
}

#[test]
fn nothing_that_no_kernel_reaches_is_left() {
    let program = program(
        "__device__ int used(int x) { return x; } __device__ int unused(int x) { return x + 1; }\
         __global__ void kernel(int *out) { *out = used(1); }",
    );
    let names: Vec<&str> = program.functions.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["used", "kernel"]);
}

#[test]
fn functions_that_nobody_calls_are_checked_too() {
    assert_eq!(errors("__device__ int f() { return missing; }").len(), 1);
    // Templates are looked at when they are used.
    assert_eq!(errors("template <class T> __device__ int f(T t) { return t.missing; }").len(), 0);
}

#[test]
fn lambdas_capture_what_they_name() {
    let text = kernel(
        "int a = 1, b = 2; auto copy = [=] { return a + b; }; auto change = [&](int by) { a += by; };\
         auto any = [](auto x, auto y) { return x * y; }; change(3); out[0] = copy() + any(2, 2.5f);",
    );
    assert_eq!(errors(&text), Vec::<String>::new());
    let found = errors(&kernel("int a = 1; auto f = [] { return a; }; out[0] = f();"));
    assert!(found.iter().any(|one| one.contains("does not capture `a`")), "{found:#?}");
}

#[test]
fn names_are_visible_after_their_declaration_alone() {
    let found = errors(
        "__global__ void kernel(int *out) { *out = later(1); } __device__ int later(int x) { return x; }",
    );
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn templates_that_instantiate_themselves_without_end_are_an_error() {
    let text = "template <int N> struct S { static constexpr int value = S<N + 1>::value; };\
                __global__ void kernel(int *out) { *out = S<0>::value; }";
    assert!(!errors(text).is_empty());
}

#[test]
fn types_that_grow_without_end_are_an_error_before_they_are_long() {
    // Forty steps of such a type would be a name of a terabyte.
    for step in [
        "template <class A, class B> struct P {}; template <class T> __device__ int f(T *) { return f((P<T, T> *)0); }",
        "template <class A, class B> struct P { struct I {}; }; template <class T> __device__ int f(T *) { return f((typename P<T, T>::I *)0); }",
        "template <class... T> struct P {}; template <class... T> __device__ int f(P<T...> *) { return f((P<T..., T...> *)0); }",
        "template <class A, class B> struct P {}; template <class T> struct f { enum { n = f<P<T, T>>::n }; };",
    ] {
        let begin = if step.contains("struct f") { "int n = f<int>::n;" } else { "f((int *)0);" };
        let begin = if step.contains("P<T...> *") { "f((P<int> *)0);" } else { begin };
        let found = errors(&format!("{step} __global__ void k() {{ {begin} }}"));
        assert!(
            found[0].contains("recursive template instantiation does not seem to end"),
            "{step} {found:?}"
        );
    }
}

#[test]
fn a_source_may_have_more_declarations_than_templates_may_have_instances() {
    let many = |of: &dyn Fn(u32) -> String| (0..super::INSTANCES as u32 + 10).map(of).collect::<String>();
    let text = "template <typename T> struct V { T x; }; __global__ void k(V<int> *v) { v->x = g3; }";
    assert_eq!(errors(&format!("{} {text}", many(&|at| format!("__device__ int g{at};")))), [""; 0]);
    let calls = many(&|at| format!("f<{at}>();"));
    let found =
        errors(&format!("template <int N> __device__ void f() {{}} __global__ void k() {{ {calls} }}"));
    assert!(found[0].contains("instantiates templates more than 20000 times"), "{found:?}");
}

#[test]
fn calls_of_thousands_of_overloads_end_with_the_limit_that_they_reach() {
    let overloads: String =
        (0..300).map(|at| format!("struct S{at} {{}}; __device__ void f(S{at}) {{}}")).collect();
    let calls = |count: u32| -> String { (0..count).map(|_| "f(s);".to_owned()).collect() };
    let text = |count| format!("{overloads} __global__ void k(S7 s) {{ {} }}", calls(count));
    assert_eq!(errors(&text(10)), [""; 0]);
    let found = errors(&text(150));
    assert!(found[0].contains("considered more than 40000 functions"), "{found:?}");
}

#[test]
fn what_would_be_chosen_wrongly_without_its_constraint_is_refused() {
    let body = "__device__ int f(T) { return 1; } __device__ int f(double) { return 2; }";
    let before =
        format!("template <class T> requires (sizeof(T) == 4) {body} {}", kernel("out[0] = f('c');"));
    let behind = "template <class T> __device__ int f(T) requires (sizeof(T) == 4) { return 1; }";
    for text in [before.as_str(), behind] {
        assert!(errors(text).iter().any(|one| one.contains("C++20 constraints")), "{text}");
    }
}

#[test]
fn several_names_at_once_have_no_storage_class() {
    let text = kernel("struct P { int x, y; } p = {1, 2}; static auto [a, b] = p; out[0] = a + b;");
    assert!(errors(&text).iter().any(|one| one.contains("storage class")), "{:?}", errors(&text));
    let text = kernel("struct P { int x, y; } p = {1, 2}; const auto [a, b] = p; out[0] = a + b;");
    assert_eq!(errors(&text), Vec::<String>::new());
}

#[test]
fn a_template_takes_a_function_that_has_the_type_of_its_parameter() {
    let functions = "constexpr __device__ int add(int a, int b) { return a + b; }
        constexpr __device__ long add(long a, long b) { return a + b + 1; }
        constexpr __device__ int twice(int a) { return 2 * a; }
        using Two = int (*)(int, int);
        template <Two op> constexpr __device__ int fold(int a) { return op(op(a, a), 1); }
        template <int (&op)(int, int), int N> struct S { static constexpr int value = op(N, N); };";
    assert_eq!(value(functions, "fold<add>(3)"), 7);
    assert_eq!(value(functions, "fold<&add>(4)"), 9);
    assert_eq!(value(functions, "S<add, 5>::value"), 10);
    let wrong = format!("{functions} {}", kernel("*out = fold<twice>(n);"));
    assert!(!errors(&wrong).is_empty());
}

#[test]
fn what_the_host_alone_instantiates_is_not_looked_at() {
    program(
        "template <class T> __global__ void kernel(T *p) { *p = 1; }
         template <class T> void start(T *p) { kernel<T><<<1, 1>>>(p); cudaDeviceSynchronize(); }
         template void start<int>(int *p);
         template __global__ void kernel<float>(float *p);",
    );
}

#[test]
fn a_pragma_packs_the_classes_between_it_and_its_end() {
    let classes = "#pragma pack(push, 1)\nstruct A { char c; int i; double d; short s; };\n\
        #pragma pack(2)\nstruct B { char c; int i; double d; };\n#pragma pack(pop)\nstruct C { char c; int i; };\n";
    assert_eq!(value(classes, "sizeof(A) * 10000 + sizeof(B) * 100 + sizeof(C)"), 151_408);
    assert_eq!(value(classes, "alignof(A) * 10000 + alignof(B) * 100 + alignof(C)"), 10_204);
    let wrong = format!("#pragma pack(some, 1)\n{}", kernel("*out = n;"));
    assert_eq!(errors(&wrong), ["invalid `#pragma pack`"]);
}
