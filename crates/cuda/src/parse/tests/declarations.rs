//! Declarations, by construct.

use super::unit;

#[test]
fn kernels_and_their_attributes() {
    assert_eq!(
        unit(
            "extern \"C\" __global__ void __launch_bounds__(256, 2) k(const __grid_constant__ int a, float *b = nullptr);"
        ),
        "(function k __global__ (launch_bounds 256 2) extern \"C\" (fn void (a __grid_constant__ (const int)) (b (* float) nullptr)))"
    );
    assert_eq!(
        unit("__global__ __maxnreg__(32) void k();"),
        "(function k __global__ (maxnreg 32) (fn void))"
    );
    assert_eq!(
        unit("void __global__ __cluster_dims__(2, 1, 1) k(void);"),
        "(function k __global__ (cluster_dims 2 1 1) (fn void))"
    );
    assert_eq!(
        unit("static __device__ __forceinline__ float4 *f() { return a; }"),
        "(function f __device__ __forceinline__ static (fn (* float4)) (block (return a)))"
    );
    assert_eq!(
        unit("__device__ auto f(int a) -> decltype(a) { }"),
        "(function f __device__ (fn (decltype a) (a int)) (block))"
    );
    assert_eq!(
        unit("[[nodiscard]] __device__ int f() noexcept;"),
        "(function f (attribute nodiscard) __device__ (fn int))"
    );
}

#[test]
fn variables_of_the_device() {
    assert_eq!(
        unit("__constant__ float c[3] = {1, 2, 3};"),
        "(variable c __constant__ (array float 3) (= ({} 1 2 3)))"
    );
    assert_eq!(
        unit("__device__ __managed__ int a, b;"),
        "(variable a __device__ __managed__ int)\n(variable b __device__ __managed__ int)"
    );
    assert_eq!(unit("extern __shared__ float s[];"), "(variable s __shared__ extern (array float))");
    assert_eq!(
        unit("constexpr int n = 3; __device__ int a[n * 2];"),
        "(variable n constexpr int (= 3))\n(variable a __device__ (array int (* n 2)))"
    );
}

#[test]
fn types_of_several_words() {
    assert_eq!(
        unit(
            "unsigned a; long unsigned int b; long long c; short int d; signed char e; long double f; unsigned long long g;"
        ),
        "(variable a unsignedint)\n(variable b unsignedlong)\n(variable c longlong)\n(variable d short)\n(variable e signedchar)\n(variable f longdouble)\n(variable g unsignedlonglong)"
    );
    assert_eq!(unit("int const volatile a;"), "(variable a (const volatile int))");
}

#[test]
fn classes() {
    assert_eq!(
        unit(
            "struct __align__(8) P : A, public B<int> { float x = 1, y; int n : 3, : 5; static constexpr int k = 2; __device__ P(float a) : x(a), y{2} { } \
              __device__ ~P(); P() = default; P(const P &) = delete; __device__ P operator+(const P &o) const { return P(x + o.x); } \
              __device__ explicit operator float() const { return x; } __device__ float &operator[](int i); __device__ void operator()() { } \
              private: friend __device__ int f(P); };"
        ),
        "(struct P (align 8) (base A) (base (<> B (type int))) (variable x float (= 1)) (variable y float) (variable n int (bits 3)) (variable _ int (bits 5)) \
         (variable k static constexpr int (= 2)) (constructor P __device__ (fn void (a float)) (init x (() a)) (init y ({} 2)) (block)) \
         (destructor ~P __device__ (fn void)) (constructor P (fn void) default) (constructor P (fn void (_ (& (const P)))) delete) \
         (function operator+ __device__ (fn P (o (& (const P))) const) (block (return (construct P (() (+ x (. o x))))))) \
         (conversion (operator float) __device__ explicit (fn float const) (block (return x))) (function operator[] __device__ (fn (& float) (i int))) \
         (function operator() __device__ (fn void) (block)) private: (friend (function f __device__ friend (fn int (_ P)))))"
    );
    assert_eq!(
        unit("struct S; struct S *p; typedef struct T { int a; } T; struct { int b; } v;"),
        "(struct S declared)\n(variable p (* (tag S)))\n(struct T (variable a int))\n(alias T (tag T))\n(variable v (struct _ (variable b int)))"
    );
    assert_eq!(
        unit("union U { int i; struct { short a, b; }; };"),
        "(union U (variable i int) (struct _ (variable a short) (variable b short)))"
    );
    assert_eq!(
        unit("struct S { int a; } __attribute__((packed, aligned(4)));"),
        "(struct S packed (align 4) (variable a int))"
    );
}

#[test]
fn methods_see_what_comes_later_in_their_class() {
    assert_eq!(
        unit("struct S { __device__ int f() { T a; return a * b; } struct T { }; int b; };"),
        "(struct S (function f __device__ (fn int) (block (variable a T) (return (* a b)))) (struct T) (variable b int))"
    );
}

#[test]
fn members_defined_outside_of_their_class() {
    assert_eq!(
        unit("struct S { struct T {}; S(); T f(T *); static int n; }; S::S() { } S::T S::f(T *a) { T * b; } int S::n = 3;")
            .lines().skip(1).collect::<Vec<_>>(),
        ["(constructor (:: S S) (fn void) (block))", "(function (:: S f) (fn (:: S T) (a (* T))) (block (variable b (* T))))", "(variable (:: S n) int (= 3))"]
    );
    assert_eq!(
        unit("template <class T> struct S { S(); T f(); }; template <class T> S<T>::S() { } template <class T> T S<T>::f() { return T(); }")
            .lines().skip(1).collect::<Vec<_>>(),
        ["(template ((parameter class T)) (constructor (:: (<> S (type T)) S) (fn void) (block)))",
         "(template ((parameter class T)) (function (:: (<> S (type T)) f) (fn T) (block (return (construct T (()))))))"]
    );
}

#[test]
fn enumerations() {
    assert_eq!(
        unit("enum { a, b = 3, }; enum class E : unsigned char { x }; enum F { y } z;"),
        "(enum _ (a) (b 3))\n(enum-class E unsignedchar (x))\n(enum F (y))\n(variable z (tag F))"
    );
    assert_eq!(unit("enum class E : int;"), "(enum-class E int)");
}

#[test]
fn namespaces_and_using() {
    assert_eq!(
        unit("namespace a::b { struct T {}; template <class X> struct V {}; inline namespace v1 { struct W {}; } } namespace { int n; } using namespace a; \
              namespace c = a::b; using a::b::T; T *p; c::T *q; c::V<int> r; c::W s; using U = c::T; template <class X> using V2 = c::V<X>; V2<int> t;")
            .lines().skip(1).collect::<Vec<_>>(),
        ["(namespace _ (variable n int))", "(using-namespace a)", "(namespace-alias c (:: a b))", "(using (:: a b T))", "(variable p (* T))",
         "(variable q (* (:: c T)))", "(variable r (:: c (<> V (type int))))", "(variable s (:: c W))", "(alias U (:: c T))",
         "(template ((parameter class X)) (alias V2 (:: c (<> V (type X)))))", "(variable t (<> V2 (type int)))"]
    );
}

#[test]
fn templates() {
    assert_eq!(
        unit("template <typename T = int, int N = 3 + 1, bool B = (N > 2), class... R> struct S { };"),
        "(template ((parameter class T int) (parameter int N (+ 3 1)) (parameter bool B (paren (> N 2))) (pack class R)) (struct S))"
    );
    assert_eq!(unit("template <class T> struct S {}; template <> struct S<int> { }; template <class T> struct S<T *> { }; template struct S<float>;").lines().skip(1).collect::<Vec<_>>(),
        ["(template () (struct (<> S (type int))))".to_owned(), "(template ((parameter class T)) (struct (<> S (type (* T)))))".to_owned(), "(instantiate (struct (<> S (type float)) declared))".to_owned()]);
    assert_eq!(
        unit(
            "template <class T> __device__ T f(T a) { typename T::type b; typename T::template X<int>::Y c; T::g(a); return (T)a; }"
        ),
        "(template ((parameter class T)) (function f __device__ (fn T (a T)) (block (variable b (typename T type)) (variable c (typename T (<> X (type int)) Y)) (call (:: T g) a) (return (cast T a)))))"
    );
    assert_eq!(
        unit("template <class T, T V> __device__ T v = V; template <typename T::x N> void f();"),
        "(template ((parameter class T) (parameter T V)) (variable v __device__ T (= V)))\n(template ((parameter (typename T x) N)) (function f (fn void)))"
    );
    assert_eq!(unit("template <class T> struct A { template <class U> void f(U); }; template <class T> template <class U> void A<T>::f(U) { }").lines().nth(1),
        Some("(template ((parameter class T)) (template ((parameter class U)) (function (:: (<> A (type T)) f) (fn void (_ U)) (block))))"));
}

#[test]
fn linkage() {
    assert_eq!(
        unit("extern \"C\" { __global__ void k(); int a; }"),
        "(extern-c (function k __global__ \"C\" (fn void)) (variable a \"C\" int))"
    );
}

#[test]
fn host_code_is_read_late_and_without_noise() {
    let mut parsed = super::parsed(
        "#include <vector>\nint main() { std::vector<int> a(3); k<<<1, 2>>>(a.data()); for (auto &x : a) std::cout << x << std::endl; }\n\
        MACRO_OF_SOMEBODY(x, y) { weird } ;\nstd::vector<float> g(const std::vector<std::pair<int, int>> &a, size_t n);\nvoid CALLBACK h(int a) { }\n__global__ void k() { }",
    );
    assert_eq!(parsed.errors(), Vec::<String>::new());
    parsed.all_bodies();
    assert_eq!(parsed.errors(), Vec::<String>::new());
    let text = super::super::print::unit(&parsed.tree, &parsed.sources);
    assert!(text.contains("(opaque MACRO_OF_SOMEBODY)"), "{text}");
    assert!(text.contains("(opaque CALLBACK)") || text.contains("(opaque h)"), "{text}");
}
