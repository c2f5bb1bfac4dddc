//! C++ as kernels use it, chapter by chapter: values that the language says, sources that it refuses. Each line was compared
//! with NVRTC.

use super::tests::{checked, errors, kernel, value};

/// Values of expressions after declarations.
fn values(all: &[(&str, &str, i128)]) {
    for (declarations, expression, expected) in all {
        assert_eq!(value(declarations, expression), *expected, "{declarations}\n{expression}");
    }
}

/// Kernels that are refused with one error, which says something.
fn refused(all: &[(&str, &str, &str)]) {
    for (declarations, body, expected) in all {
        let text = format!("{declarations}\n{}", kernel(body));
        let found = errors(&text);
        assert_eq!(found.len(), 1, "{text}\n{found:#?}");
        assert!(found[0].contains(expected), "{text}\n{found:#?}");
    }
}

/// Kernels that compile.
fn accepted(all: &[(&str, &str)]) {
    for (declarations, body) in all {
        let text = format!("{declarations}\n{}", kernel(body));
        let found = errors(&text);
        assert!(found.is_empty(), "{text}\n{found:#?}");
    }
}

#[test]
fn enumerators_are_computed_in_the_first_type_from_int_on_that_holds_all() {
    let e = "enum A { X, Y }; enum B { BIG = 5000000000 }; enum C { TOP = 4294967295 }; enum D : unsigned char { M = 255 };\
             enum class F { P = 3 }; enum class G : unsigned char { P = 1, Q = P << 1, ALL = P | Q, LAST = ALL + 252 };";
    values(&[
        (e, "(int)G::ALL * 1000 + (int)G::LAST", 3255),
        (e, "X - 1 < 0", 1),
        (e, "(X - 1) / 2", 0),
        (e, "BIG - BIG - 1 < 0", 1),
        (e, "TOP - TOP - 1 < 0", 0),
        (e, "M - 256 < 0", 1),
        (e, "sizeof(BIG)", 8),
        (e, "(int)F::P", 3),
    ]);
    let f = "enum A : char { X = 1 }; enum B { Y }; __device__ constexpr int f(char) { return 1; }\
             __device__ constexpr int f(int) { return 2; } __device__ constexpr int f(unsigned) { return 3; }";
    values(&[(f, "f(X)", 1), (f, "f(Y)", 2), (f, "f(Y + Y)", 2)]);
}

#[test]
fn operators_of_enumerations_go_before_the_languages_own() {
    let e = "enum A { X = 1, Y = 2 }; __device__ constexpr A operator|(A a, A b) { return A(int(a) | int(b) | 64); }\
             __device__ constexpr bool operator<(A a, A b) { return int(a) > int(b); }\
             enum class F { P = 1, Q = 2 }; __device__ constexpr F operator&(F a, F b) { return F(int(a) & int(b)); }";
    values(&[(e, "X | Y", 67), (e, "X < Y", 0), (e, "X + Y", 3), (e, "(int)(F::P & F::Q)", 0)]);
}

#[test]
fn a_list_is_an_array_where_a_reference_to_one_is_wanted() {
    let f = "template <int N> __device__ constexpr int count(const int (&)[N]) { return N; }\
             template <class T, int N> __device__ constexpr T last(const T (&v)[N]) { return v[N - 1]; }\
             template <class T, unsigned long A, unsigned long B> __device__ constexpr int area(T (&&)[A][B]) { return A * B; }\
             __device__ constexpr int second(const int (&v)[2]) { return v[1]; }\
             template <class T> __device__ constexpr T only(const T (&v)[1]) { return v[0]; }";
    values(&[
        (f, "count({1, 2, 3})", 3),
        (f, "last({1, 2, 7}) + only({4})", 11),
        (f, "second({1, 5})", 5),
        (f, "second({1})", 0),
    ]);
    accepted(&[(f, "int m[2][3] = {}; out[0] = count({out[1], 2}) + area(static_cast<int (&&)[2][3]>(m));")]);
    let g = "template <class T, int N> __device__ int g(const T (&)[N]) { return N; }\
             __device__ int h(int (&)[2]) { return 2; }";
    refused(&[
        (g, "out[0] = g({1, 2.0f});", "could not infer"),
        (g, "out[0] = h({1, 2});", "cannot convert"),
        (g, "out[0] = g({1, m});", "use of undeclared identifier `m`"),
    ]);
}

#[test]
fn a_builtin_function_that_has_no_overloads_is_passed_to_a_template_by_its_name() {
    let f = "template <class F> __device__ float twice(F f, float x) { return f(f(x)); }\
             template <class F> __device__ int both(F f, int a, int b) { return f(a, b) + f(b, a); }";
    accepted(&[(
        f,
        "out[0] = twice(sqrtf, 2.0f) + twice(__frcp_rn, 3.0f) + both(__vmaxs2, 1, 2) + both(__mul24, 3, 4);",
    )]);
    refused(&[(f, "out[0] = both(max, 1, 2);", "could not infer")]);
}

#[test]
fn recursive_constexpr_functions_of_constants_are_not_called() {
    let text = "__host__ __device__ constexpr int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }\
                constexpr __device__ bool odd(unsigned n); constexpr __device__ bool even(unsigned n) { return n == 0 || odd(n - 1); }\
                constexpr __device__ bool odd(unsigned n) { return n != 0 && even(n - 1); }\
                __global__ void k(int *out) { const int n = 4; out[9] = factorial(n) + odd(7); for (int i = 0; i < factorial(3); i++) out[i] = i; }";
    let input = crate::Input { name: "k.cu", text, include: &|_| None };
    let ptx = crate::compile(&input, &crate::Options::default()).unwrap().ptx;
    assert!(!ptx.contains("call") && ptx.contains("25"), "{ptx}");
}

#[test]
fn a_name_that_nobody_knows_is_no_failure_of_a_substitution() {
    let t = "template <class T, class = void> struct S { static const int v = 1; };\
             template <class T> struct S<T, decltype(std::nonsense<T>(), void())> { static const int v = 2; };";
    let f = "template <class T> __device__ decltype(std::declval<T>()) f(T x) { return x; }";
    let g = "namespace n { struct A {}; } template <class T, class = n::B<T>> __device__ int g(T) { return 1; } __device__ int g(...) { return 2; }";
    refused(&[
        (t, "out[0] = S<int>::v;", "`std::nonsense`"),
        (f, "out[0] = f(n);", "`std::declval` is not known without its header"),
        (g, "out[0] = g(n);", "no type named `B<T>` in `n`"),
        (
            "template <class T> __device__int twice(T x) { return 2 * x; }",
            "out[0] = twice(n);",
            "unknown type name `__device__int`",
        ),
    ]);
}

#[test]
fn functions_that_only_types_are_asked_of_need_no_bodies() {
    let f = "template <class T> T made(); struct S { __device__ int size() const; };\
             template <class...> using Void = void; template <class T, class = void> struct H { static const int v = 1; };\
             template <class T> struct H<T, Void<decltype(made<T>().size())>> { static const int v = sizeof(made<T>().size()); };";
    accepted(&[(f, "out[0] = H<S>::v + H<int>::v;")]);
    refused(&[(f, "S s; out[0] = H<S>::v + s.size();", "`S::size` is called, but not defined in this file")]);
    let u = "#include <utility>\n#include <type_traits>\nstruct S { int n; };";
    accepted(&[(
        u,
        "decltype(std::declval<S &>().n) a = 3; out[0] = a + std::is_same<decltype(std::declval<S>()), S &&>::value;",
    )]);
}

#[test]
fn sequences_of_integers_are_made_and_their_packs_found() {
    let f = "#include <utility>\n\
             template <unsigned long... I> __device__ constexpr int sum(std::index_sequence<I...>) { return (int(I) + ... + 0); }\
             template <class... T> struct L {}; template <class... T> using M = L<int, T...>;\
             template <class... T> __device__ constexpr int count(M<T...>) { return sizeof...(T); }\
             template <class... T> __device__ constexpr int types(T...) { return std::index_sequence_for<T...>::size(); }";
    values(&[
        (f, "sum(std::make_index_sequence<5>{})", 10),
        (f, "sum(std::make_index_sequence<0>{}) + sum(std::index_sequence<7>{})", 7),
        (f, "std::make_integer_sequence<int, 1000>::size()", 1000),
        (f, "count(L<int, float, char>{}) * 10 + count(L<int>{})", 20),
        (f, "types(1, 2.0f, 'c')", 3),
    ]);
}

#[test]
fn the_standards_min_and_max_take_values_of_one_type() {
    let h = "#include <algorithm>";
    accepted(&[(
        h,
        "values[0] = std::max<float>(values[1], 2.0) + max(values[2], 3.0) + std::min(values[3], values[4]); out[0] = std::max(n, 4) + std::min(2u, 7u);",
    )]);
    refused(&[
        (
            h,
            "values[0] = std::max(values[1], 2.0);",
            "`std::max` requires two values of the same type, not `float` and `double`",
        ),
        (h, "out[0] = std::min(n, 2u);", "not `int` and `unsigned int`"),
    ]);
}

#[test]
fn what_is_trivially_copyable_is_as_the_language_says() {
    let t = "#include <type_traits>\n#define T(X) std::is_trivially_copyable<X>::value\n\
             struct A { A(const A &) = delete; }; struct B { __device__ B(const B &) {} };\
             struct C { __device__ C &operator=(const C &) { return *this; } }; struct D { A a; }; struct E { int &r; };\
             struct F { __device__ ~F() {} }; struct G { B b[2]; }; struct H { H(const H &) = default; H &operator=(H &&) = default; };\
             struct I { template <class X> __device__ I(X) {} }; struct J : C {};";
    let all = "(T(A) << 0 | T(B) << 1 | T(C) << 2 | T(D) << 3 | T(E) << 4 | T(F) << 5 | T(G) << 6 | T(H) << 7 | T(I) << 8 | T(J) << 9 \
               | T(int[2]) << 10 | T(void) << 11 | T(int &) << 12)";
    values(&[(t, all, 1 | 1 << 3 | 1 << 4 | 1 << 7 | 1 << 8 | 1 << 10)]);
}

#[test]
fn kinds_of_types_and_their_common_type_are_told() {
    let t = "#include <type_traits>\n#include <cstdint>\n";
    values(&[
        (
            t,
            "std::is_lvalue_reference_v<int &> + std::is_rvalue_reference<int &>::value * 2 + std::is_rvalue_reference_v<int &&> * 4",
            5,
        ),
        (
            t,
            "std::is_scalar_v<int *> + std::is_fundamental_v<void> * 2 + std::is_compound_v<int &> * 4 + std::is_volatile_v<int> * 8",
            7,
        ),
        (
            t,
            "std::is_same<std::common_type_t<char, int, float>, float>::value + std::alignment_of<double>::value",
            9,
        ),
        (t, "UINT64_C(1) << 40 | INT64_C(3)", (1 << 40) | 3),
    ]);
}

#[test]
fn an_index_of_a_class_is_what_it_converts_to() {
    let i = "struct I { int v; __device__ constexpr operator unsigned() const { return v; }\
             __device__ constexpr explicit operator bool() const { return true; } };\
             struct R { int a[4]; __device__ constexpr int at(I i) const { return a[i]; } };";
    values(&[(i, "R{{5, 6, 7, 8}}.at(I{3})", 8)]);
}

#[test]
fn explicit_specialisations_of_members_go_before_the_templates() {
    let s = "template <class T> struct S { __device__ constexpr int f() const { return 1; } static constexpr int n = 2; };\
             template <> __device__ constexpr int S<int>::f() const { return 3; }\
             template <> constexpr int S<char>::n = 4;";
    values(&[(s, "S<int>().f()", 3), (s, "S<float>().f()", 1), (s, "S<char>::n", 4), (s, "S<int>::n", 2)]);
}

#[test]
fn of_specialisations_for_arrays_the_more_special_is_chosen() {
    let e = "template <class T, unsigned D = 0> struct E { static constexpr int v = 1; };\
             template <class T, int N> struct E<T[N], 0> { static constexpr int v = N; };\
             template <class T, int N, unsigned D> struct E<T[N], D> { static constexpr int v = E<T, D - 1>::v; };\
             template <class T> struct F { static constexpr int v = 1; };\
             template <class T, int N> struct F<T[N]> { static constexpr int v = 2; };\
             template <class T, int N, int M> struct F<T[N][M]> { static constexpr int v = 3; };\
             template <int N> struct F<float[N]> { static constexpr int v = 4; };";
    values(&[
        (e, "E<int[5]>::v", 5),
        (e, "E<int[2][7], 1>::v", 7),
        (e, "F<int[5]>::v", 2),
        (e, "F<int[5][6]>::v", 3),
        (e, "F<float[5]>::v", 4),
    ]);
}

#[test]
fn packs_are_taken_apart_by_partial_specialisations() {
    let t = "template <class... T> struct Count { static constexpr int n = 0; };\
             template <class H, class... T> struct Count<H, T...> : Count<T...> { static constexpr int n = Count<T...>::n + 1; };\
             template <class... T> struct Last; template <class A> struct Last<A> { using type = A; };\
             template <class A, class... B> struct Last<A, B...> : Last<B...> {};";
    values(&[
        (t, "Count<>::n", 0),
        (t, "Count<int, char, float>::n", 3),
        (t, "sizeof(Last<char, int, double>::type)", 8),
    ]);
}

#[test]
fn members_of_dependent_bases_need_an_object() {
    let d = "__device__ constexpr int x = 7; template <class T> struct B { T x; };\
             template <class T> struct D : B<T> { __device__ constexpr int outer() const { return x; }\
             __device__ constexpr int own() const { return this->x; } };";
    values(&[(d, "D<int>{{3}}.outer()", 7), (d, "D<int>{{3}}.own()", 3)]);
    refused(&[(
        "template <class T> struct B { T y; }; template <class T> struct D : B<T> { __device__ T f() { return y; } };",
        "D<int> d; out[0] = d.f();",
        "`y`",
    )]);
}

#[test]
fn constructors_and_overloads_are_inherited_by_using() {
    let b = "struct A { int x; __device__ constexpr A(int v) : x(v) {} __device__ constexpr A(int v, int w) : x(v * w) {}\
             __device__ constexpr int f(int) const { return 1; } };\
             struct B : A { using A::A; using A::f; int y = 4; __device__ constexpr int f(float) const { return 2; } };\
             struct C : B { using B::B; };";
    values(&[
        (b, "B(5).x + B(5).y", 9),
        (b, "B(2, 3).x", 6),
        (b, "C(6, 7).x", 42),
        (b, "B(1).f(1)", 1),
        (b, "B(1).f(1.0f)", 2),
    ]);
}

#[test]
fn references_to_lvalues_are_more_special_than_those_that_forward() {
    let t = "template <class T> __device__ constexpr int f(T &) { return 1; }\
             template <class T> __device__ constexpr int f(T &&) { return 2; }\
             __device__ constexpr int g(int x) { return f(x); }";
    values(&[(t, "g(1)", 1), (t, "f(1)", 2)]);
}

#[test]
fn access_is_checked_for_all_kinds_of_members() {
    let c = "class C { int v; typedef int T; enum { N = 3 }; __device__ C(int) {} __device__ void f() {} public: __device__ C() {} };\
             class A { public: int p; }; class B : A {}; struct P { protected: int q; };";
    refused(&[
        (c, "C c; c.v = 1;", "`v` is a private member"),
        (c, "C c; c.f();", "`f` is a private member"),
        (c, "C c(1);", "`C` is a private member"),
        (c, "C::T x = 1;", "`T` is a private member"),
        (c, "out[0] = C::N;", "`N` is a private member"),
        (c, "B b; b.p = 1;", "private base class `A`"),
        (c, "B b; A *a = &b;", "private base class `A`"),
        (c, "P x; x.q = 1;", "`q` is a protected member"),
    ]);
    accepted(&[(
        "class A { protected: int p = 1; class I { int x = 2; friend class A; }; public: static __device__ A make() { return A(); } };\
         class B : public A { public: __device__ int f() { return p; } }; struct D : protected A { using A::p; };",
        "B b; out[0] = b.f(); A a = A::make(); D d; out[1] = d.p;",
    )]);
}

#[test]
fn names_of_heads_are_not_declared_again_by_what_follows() {
    refused(&[
        ("", "int n = 1;", "redefinition of `n`"),
        ("", "for (int i = 0; i < n; ++i) { int i = 1; }", "redefinition of `i`"),
        ("", "if (int x = n) { int x = 1; }", "redefinition of `x`"),
        ("", "while (int x = n) { int x = 1; }", "redefinition of `x`"),
        ("", "int a[2] = {1, 2}; for (int x : a) { int x = 3; }", "redefinition of `x`"),
        ("", "auto f = [](int q) { int q = 1; return q; };", "redefinition of `q`"),
    ]);
    accepted(&[(
        "",
        "{ int n = 1; out[0] = n; } for (int i = 0; i < 2; ++i) { { int i = 4; out[i] = i; } }",
    )]);
}

#[test]
fn jumps_do_not_pass_the_start_of_a_class() {
    let s = "struct S { int a; __device__ S() : a(1) {} };";
    refused(&[
        (s, "if (n) goto in; { S s; out[0] = s.a; in: out[1] = 2; }", "jump bypasses"),
        (s, "switch (n) { case 0: S s; out[0] = s.a; break; default: out[1] = 2; }", "jump bypasses"),
        ("", "if (n) goto e; auto f = [=] { return n; }; out[0] = f(); e: out[1] = 2;", "jump bypasses"),
    ]);
    accepted(&[
        (s, "switch (n) { case 0: { S s; out[0] = s.a; break; } default: out[1] = 2; }"),
        ("", "int i = 0; again: int x = i; out[x] = 1; if (i++ < n) goto again;"),
        ("", "if (n) goto e; int x; x = 2; out[0] = x; e: out[1] = 2;"),
    ]);
}

#[test]
fn what_the_language_refuses_is_refused() {
    refused(&[
        ("struct S { int v; __device__ explicit S(int x) : v(x) {} };", "S s = {3};", "explicit"),
        ("struct S { const int a; };", "S s{1}, t{2}; s = t;", "cannot be assigned"),
        (
            "struct A { int x; }; struct B { int x; }; struct C : A, B {};",
            "C c; c.x = 1;",
            "member `x` found in multiple base classes",
        ),
        ("__device__ int operator+(int a, int b) { return a; }", "", "class or enumeration type"),
        ("__device__ int f(int a = 1, int b) { return a; }", "", "missing default argument"),
        (
            "__device__ int f(int a = 1); __device__ int f(int a = 1) { return a; }",
            "",
            "redefinition of default argument",
        ),
        ("__device__ int f(auto x) { return 1; }", "", "cannot be `auto`"),
        ("struct A { static __device__ int c; };", "A a;", "static member"),
        (
            "template <class T> __device__ int f(T) { T::type x = 1; return x; } struct S { typedef int type; };",
            "out[0] = f(S());",
            "`T::type`",
        ),
        ("__global__ __device__ void g() {}", "", "cannot also be a `__device__`"),
        ("", "const int c = 3; int *p = static_cast<int *>(&c);", "casts away `const`"),
        ("", "int i = const_cast<int>(3);", "cannot cast"),
        ("", "auto x = 1, y = 2.0;", "`auto` deduced as both"),
        ("", "int a; auto f = [a, a] { return a; };", "captured twice"),
        ("", "int a[0];", "at least one element"),
        ("", "alignas(2) int x = 1;", "alignment"),
        ("", "switch (n) { case 5000000000ll: out[0] = 1; }", "does not fit"),
        ("", "switch (n) { case 1 ... 4: out[0] = 1; }", "range"),
        ("", "long double x = 1;", "long double"),
        ("", "out[0] = noexcept(n);", "noexcept"),
        ("struct S { int a; __device__ S(int x) : a(x) {} };", "S s{2.5};", "cannot be narrowed"),
    ]);
}

#[test]
fn what_the_language_has_is_accepted() {
    accepted(&[
        ("", "out[0] = sizeof(size_t) + sizeof(ptrdiff_t *);"),
        ("", "for (int x : {7, 8}) out[x] = x;"),
        ("struct S { ~S() = default; }; struct T { __device__ ~T() {} };", "S s; T t; (void)s; (void)t;"),
        (
            "__device__ int twice(int x) { return 2 * x; } template <class F> __device__ int call(F f, int x) { return f(x); }\
          template <class F> __device__ int pass(F &&f, int x) { return f(x); }",
            "out[0] = call(twice, 3) + pass(twice, 4);",
        ),
        (
            "struct A { int x; }; struct C { int z; }; struct B : A, C { int y; };",
            "B b; C *c = &b; B *d = static_cast<B *>(c); out[0] = d->y;",
        ),
    ]);
}

#[test]
fn functions_as_arguments_are_not_taken_for_classes() {
    let f = "__device__ int f(int x) { return x; } template <class T> struct Is { static const int n = 1; };";
    refused(&[
        (
            &format!("{f} template <class F> __device__ int g(F) {{ return sizeof(F); }}"),
            "out[0] = g(f);",
            "function pointers",
        ),
        (
            &format!("{f} template <class F> __device__ int g(F) {{ return Is<F>::n; }}"),
            "out[0] = g(f);",
            "function pointers",
        ),
    ]);
}

#[test]
fn constants_that_change_by_conversion_are_warned_of() {
    let all = [
        ("unsigned char c = 300; out[0] = c;", true),
        ("int i = 3000000000; out[0] = i;", true),
        ("int i = 2.5; out[0] = i;", true),
        ("unsigned u = -1; out[0] = u;", false),
        ("unsigned u = 0xffffffff; int i = 0xffffffff; out[0] = u + i;", false),
        ("char c = 'a'; float f = 1; out[0] = c + (int)f;", false),
        ("unsigned char c = (unsigned char)300; out[0] = c;", false),
    ];
    for (body, expected) in all {
        let (_, messages) = checked(&kernel(body));
        assert_eq!(
            messages.iter().any(|one| one.contains("changes the value")),
            expected,
            "{body}\n{messages:#?}"
        );
    }
}

#[test]
fn headers_of_the_standard_library_say_what_types_are() {
    let traits = "#include <type_traits>
         template <class T, class = void> struct HasX : std::false_type {};
         template <class T> struct HasX<T, std::void_t<decltype(T::x)>> : std::true_type {}; struct X { static constexpr int x = 1; };
         template <class T> __device__ constexpr std::enable_if_t<std::is_integral_v<T>, int> kind(T) { return 1; }
         template <class T> __device__ constexpr typename std::enable_if<std::is_floating_point<T>::value, int>::type kind(T) { return 2; }";
    values(&[
        (traits, "kind(3) * 10 + kind(3.0f)", 12),
        (traits, "HasX<X>::value * 10 + HasX<int>::value", 10),
        (traits, "std::is_same_v<std::conditional_t<std::is_same_v<int, float>, double, long>, long>", 1),
        (traits, "std::is_same<std::decay_t<const int[3]>, const int *>::value", 1),
        (
            traits,
            "std::conjunction_v<std::is_class<X>, std::is_pointer<int *>> + std::integral_constant<int, 4>()",
            5,
        ),
    ]);
    let more = "#include <cuda/std/type_traits>\n#include <cuda/std/utility>\n#include <cuda/std/cstdint>\n#include <limits>";
    values(&[
        (more, "cuda::std::rank_v<int[2][3]> * 10 + cuda::std::extent_v<int[2][7], 1>", 27),
        (more, "cuda::std::is_unsigned_v<cuda::std::make_unsigned_t<int>>", 1),
        (more, "sizeof(cuda::std::uint64_t)", 8),
        (more, "cuda::std::move(7)", 7),
        (more, "std::numeric_limits<short>::max() + std::numeric_limits<unsigned char>::digits", 32775),
        (
            more,
            "std::numeric_limits<float>::lowest() < -3.4e38f && std::numeric_limits<double>::infinity() > 1.7e308",
            1,
        ),
        (
            more,
            "std::numeric_limits<float>::epsilon() == 1.1920929e-07f && std::numeric_limits<int>::is_signed",
            1,
        ),
    ]);
}

#[test]
fn functions_are_passed_to_templates_of_which_there_are_several() {
    accepted(&[(
        "template <class T, class Op> __device__ T apply(T *p, T x, Op op) { return op(x, x); }
         template <class T, class Op> __device__ T apply(T x, const Op &op) { return op(x, x); }
         __device__ int product(int a, int b) { return a * b; }",
        "out[0] = apply(3, product) + apply(out, 4, product);",
    )]);
}

#[test]
fn launches_with_what_the_host_alone_knows_are_no_errors() {
    accepted(&[(
        "extern HostOnly properties; template <class T> __global__ void fill(T *p, int n) {}
         void run(float *p) { const int blocks = properties.count * 2; fill<<<blocks, 32>>>(p, properties.count); fill<int><<<1, 1>>>((int *)p, blocks); }",
        "",
    )]);
}

#[test]
fn a_class_may_be_named_by_a_type_before_it_is_defined() {
    let c = "typedef struct S S; struct S { int c; S *out; }; typedef struct U T, *P; struct U { int c; struct V *v; P p; };\
             struct V { int z; }; using W = struct X; struct X { int a; }; void host(struct A *a); struct A { int q; };\
             namespace n { typedef struct In In; struct In { int a; }; }";
    accepted(&[(
        c,
        "S s; s.c = 1; s.out = &s; V v; v.z = 2; T t; t.v = &v; t.p = &t; W w; w.a = 3; n::In i; i.a = 4; A a; a.q = 5;\
         out[0] = s.out->c + t.p->v->z + w.a + i.a + a.q;",
    )]);
    refused(&[
        ("typedef int A; typedef unsigned A;", "out[0] = A(1);", "redefinition of `A`"),
        ("struct B {}; typedef int B;", "", "redefinition of `B`"),
        ("typedef unsigned size_t;", "", "redefinition of `size_t`"),
    ]);
    accepted(&[(
        "typedef float F; typedef float F; using F = float; typedef int int32_t;",
        "F f = 1; out[0] = f;",
    )]);
    values(&[(
        "typedef unsigned char uint; typedef unsigned long long ulong;",
        "sizeof(uint) + sizeof(ulong)",
        9,
    )]);
}

#[test]
fn definitions_and_specialisations_know_what_was_declared_before_them() {
    let t = "template <class T> struct W; template <class T> struct P { static const int v = 1; };\
             template <class T> constexpr int cv = 1; struct late { int z; };\
             template <class T> struct W { late q; T t; }; template <class T> struct P<T *> { late l; static const int v = sizeof(late); };\
             template <> struct P<late> { typedef late type; }; template <> constexpr int cv<late> = sizeof(late) + 5;";
    values(&[(t, "sizeof(W<int>) + P<int *>::v * 10 + sizeof(P<late>::type) * 100 + cv<late> * 1000", 9448)]);
}

#[test]
fn a_template_is_specialised_for_what_it_returns() {
    let f = "template <class T> constexpr __device__ T f(int v) { return 0; } template <> constexpr __device__ int f(int v) { return v; }\
             template <> constexpr __device__ float f(int v) { return 2 * v; } template __device__ double f(int);";
    values(&[(f, "f<int>(3) + int(f<float>(3)) * 10 + int(f<double>(3)) * 100", 63)]);
}

#[test]
fn names_of_a_templates_parameters_hide_those_around_it() {
    let t = "typedef double T; typedef int N; enum { M = 3 };\
             template <class T, int M> struct A { T a; __device__ A(T v); __device__ constexpr T get() const; template <class N> __device__ N as(); static const int n; };\
             template <class T, int M> __device__ A<T, M>::A(T v) : a(v) {} template <class T, int M> __device__ constexpr T A<T, M>::get() const { return a; }\
             template <class T, int M> template <class N> __device__ N A<T, M>::as() { return N(a); } template <class T, int M> const int A<T, M>::n = M + 1;\
             template <> __device__ constexpr double A<double, 3>::get() const { return -1; }";
    accepted(&[(
        t,
        "A<float, 2> a(1.0f); A<T, 3> d(2); out[0] = a.get() + a.as<int>() + d.get() + A<float, 2>::n;",
    )]);
}

#[test]
fn types_of_the_library_are_types_behind_std() {
    values(&[("", "(std::uint16_t) (70000) + (std::size_t)(2) * 3", 4470)]);
    accepted(&[("", "unsigned h = n; out[0] = (std::uint8_t) (h >> 24) + (cuda::std::int32_t)(-n);")]);
}

#[test]
fn members_of_anonymous_members_are_initialised_each() {
    let v = "struct V { union { struct { float x, y; }; float a[2]; }; __device__ V(float x, float y) : y(y), x(x) {} };";
    accepted(&[(v, "V v(1, 2); out[0] = v.x + v.a[1];")]);
    let twice = "struct V { union { struct { float x, y; }; }; __device__ V(float v) : x(v), x(v) {} };";
    refused(&[(twice, "V v(1); out[0] = v.x;", "initialised twice")]);
}

#[test]
fn what_the_host_has_of_a_kernels_name_is_the_hosts() {
    let f = "using namespace std; vector<int> check(const vector<int> &v) { return v; } __global__ void check(int *p) { p[0] = 1; }";
    accepted(&[(f, "out[0] = n;")]);
}

#[test]
fn statements_of_a_macro_are_none_that_lack_anything() {
    let m = "#define SWAP(a, b) { t = *a; *a = *b; *b = t; }\n#define SET(a) *a = 0;\n#define TWICE(a) *a += 1; *a += 2\n";
    accepted(&[(m, "int t; SWAP(&out[0], &out[1]) SET(out) *out = 3; TWICE(&n); TWICE(out); out[2] = n;")]);
}

#[test]
fn what_a_specialisation_leaves_out_is_the_templates_default() {
    let t = "template <bool B, class T = void> struct enable {}; template <class T> struct enable<true, T> { typedef T type; };\
             template <class T, class E = void> struct S { static const int v = 1; }; template <> struct S<int> { static const int v = 2; };\
             template <class T> struct S<T *> { static const int v = 3; };\
             template <class T> struct S<T, typename enable<sizeof(T) == 2>::type> { static const int v = 4; };\
             template <class T, int N = 4, class... R> struct P { static const int v = 1; }; template <> struct P<char> { static const int v = 5; };\
             template <class T, class U = T *> struct D { static const int v = 1; }; template <class T> struct D<T, T *> { static const int v = 2; };\
             template <> struct D<int> { static const int v = 3; };";
    values(&[
        (t, "S<float>::v + S<int>::v * 10 + S<int *>::v * 100 + S<short>::v * 1000", 4321),
        (t, "P<char>::v + P<char, 4>::v * 10 + P<char, 5>::v * 100 + P<char, 4, int>::v * 1000", 1155),
        (t, "D<float>::v + D<int>::v * 10 + D<int, int>::v * 100 + D<int, int *>::v * 1000", 3132),
    ]);
}

#[test]
fn specialisations_of_methods_that_are_the_hosts_do_not_need_their_class() {
    let o = "struct O { template <class T> T get(const std::string &n) const; typedef std::map<int, int> M; M m; };\
             template <> inline std::string O::get<std::string>(const std::string &n) const { return n; }\
             struct Q { template <class T> __device__ T one() { return 1; } }; template <> __device__ int Q::one<int>() { return 5; }";
    accepted(&[(o, "Q q; out[0] = q.one<int>() + q.one<short>();")]);
}

#[test]
fn specialisations_for_functions_and_defaults_of_later_declarations_are_known() {
    let f = "template <class T> struct F { static const int v = 0; }; template <class R, class... A> struct F<R(A...)> { static const int v = 10 + sizeof...(A); };\
             template <class T, class U> struct S; template <class A, class B = A *> struct S; template <class T, class U> struct S { U u; };\
             template <class T, int N> struct D; template <class T, int N = 3> struct D { T a[N]; };\
             template <class T, class U> struct L; struct late { int z[5]; }; template <class T, class U = late> struct L { U u; };";
    values(&[
        (f, "F<int(char, float)>::v + F<void(void)>::v * 100 + F<int>::v", 1012),
        (f, "sizeof(S<char>) + sizeof(D<int>)", 20),
        (f, "sizeof(L<int>)", 20),
    ]);
}

#[test]
fn a_template_that_is_a_parameter_is_deduced_from_an_instance() {
    let d = "template <class T> struct Box { T v; }; template <class T> struct Cell { T v; };\
             template <class T, class U = int> struct Pair { T v; U u; }; template <class T, int N> struct Array { T v[N]; };\
             template <class... T> struct List {}; struct Derived : Box<int> {}; template <class T> using Alias = Box<T>;\
             template <template <class> class B, class T> __device__ constexpr int get(const B<T> &b) { return b.v; }\
             template <template <class> class B> __device__ constexpr int of_int(B<int> b) { return b.v; }\
             template <template <class> class B, class T> __device__ constexpr int inner(B<B<T>> b) { return b.v.v; }\
             template <template <class, class> class B, class T, class U> __device__ constexpr int both(B<T, U> b) { return b.v + b.u; }\
             template <template <class, int> class A, class T, int N> __device__ constexpr int size(const A<T, N> &) { return N; }\
             template <template <class...> class B, class... T> __device__ constexpr int count(B<T...>) { return sizeof...(T); }\
             template <template <class, class...> class B, class T, class... R> __device__ constexpr int rest(B<T, R...>) { return sizeof...(R); }\
             template <class U, template <class> class B, class T> __device__ constexpr B<U> convert(B<T> b) { return B<U>{U(b.v)}; }";
    values(&[
        (d, "get(Box<int>{3}) * 10 + get(Cell<float>{2.5f})", 32),
        (d, "get(Derived{{4}})", 4),
        (d, "get(Alias<int>{5})", 5),
        // The second parameter has a default, and the argument is it: as C++17 says and g++ has it, NVRTC 12.9 refuses it.
        (d, "get(Pair<int>{6, 1})", 6),
        (d, "of_int(Box<int>{7})", 7),
        (d, "inner(Box<Box<int>>{{8}})", 8),
        (d, "both(Pair<int, char>{9, 1})", 10),
        (d, "size(Array<int, 11>{})", 11),
        (d, "count(List<int, float, char>{}) * 10 + count(Pair<int>{})", 32),
        (d, "rest(Pair<int, float>{})", 1),
        (d, "sizeof(convert<char>(Cell<int>{13}))", 1),
    ]);
    let call = |text: &str| format!("{d}{text}");
    let conflict =
        call("template <template <class> class A, class T> __device__ int add(A<T> a, A<T> b) { return 0; }");
    refused(&[
        (
            &conflict,
            "*out = add(Box<int>{1}, Cell<int>{2});",
            "argument 2 of type `Cell<int>` does not match",
        ),
        (d, "*out = get(3);", "argument 1 of type `int` does not match the template parameter"),
        (d, "*out = of_int(Box<float>{1});", "cannot convert argument 1"),
        (
            d,
            "*out = both(Box<int>{1});",
            "argument 1 of type `Box<int>` does not match the template parameter",
        ),
    ]);
}

#[test]
fn templates_that_are_parameters_take_part_in_partial_ordering() {
    let d = "template <class T> struct Box { T v; }; template <class T> struct Cell { T v; }; template <class A, class B> struct Pair {};\
             template <class T, int N> struct Array { T v[N]; }; template <class... T> struct List {};\
             template <class T> __device__ constexpr int f(T) { return 1; }\
             template <template <class> class B, class T> __device__ constexpr int f(B<T>) { return 2; }\
             template <class T> __device__ constexpr int f(Box<T>) { return 3; }\
             template <template <class, int> class A, class T, int N> __device__ constexpr int f(A<T, N>) { return 4; }\
             template <template <class...> class B, class... T> __device__ constexpr int g(B<T...>) { return 1; }\
             template <template <class> class B, class T> __device__ constexpr int g(B<T>) { return 2; }\
             template <template <class, class> class B, class T, class U> __device__ constexpr int g(B<T, U>) { return 3; }\
             template <class... T> __device__ constexpr int h(List<T...>) { return 1; }\
             template <class T> __device__ constexpr int h(List<T>) { return 2; }\
             template <class T> struct Kind { static constexpr int value = 0; };\
             template <template <class> class B, class T> struct Kind<B<T>> { static constexpr int value = 1; };\
             template <class T> struct Kind<Box<T>> { static constexpr int value = 2; };\
             template <template <class, int> class A, class T, int N> struct Kind<A<T, N>> { static constexpr int value = 3; };\
             template <class T> struct Count { static constexpr int value = -1; };\
             template <template <class...> class B, class... T> struct Count<B<T...>> { static constexpr int value = sizeof...(T); };";
    values(&[
        (d, "f(1) * 1000 + f(Cell<int>{1}) * 100 + f(Box<int>{1}) * 10 + f(Array<int, 2>{})", 1234),
        (d, "g(Cell<int>{1}) * 10 + g(Pair<int, float>{})", 23),
        (d, "h(List<int>{}) * 100 + h(List<int, float>{}) * 10 + h(List<>{})", 211),
        (d, "Kind<int>::value * 1000 + Kind<Cell<int>>::value * 100 + Kind<Box<int>>::value * 10", 120),
        (d, "Kind<Array<int, 2>>::value", 3),
        (d, "Count<int>::value * 100 + Count<Pair<int, float>>::value * 10 + Count<List<>>::value", -80),
    ]);
}
