//! Expressions, by construct.

use super::{in_kernel, in_kernel_with};

#[test]
fn operators_bind_as_in_c() {
    assert_eq!(in_kernel("a + b * c - d;"), "(- (+ a (* b c)) d)");
    assert_eq!(in_kernel("a << b + c;"), "(<< a (+ b c))");
    assert_eq!(in_kernel("a & b == c;"), "(& a (== b c))");
    assert_eq!(in_kernel("a || b && c | d ^ e & f;"), "(|| a (&& b (| c (^ d (& e f)))))");
    assert_eq!(in_kernel("a < b == c >= d;"), "(== (< a b) (>= c d))");
    assert_eq!(in_kernel("a % b / c;"), "(/ (% a b) c)");
}

#[test]
fn assignments_and_conditions_group_to_the_right() {
    assert_eq!(in_kernel("a = b = c;"), "(= a (= b c))");
    assert_eq!(in_kernel("a += b -= c;"), "(+= a (-= b c))");
    assert_eq!(in_kernel("a ? b : c ? d : e;"), "(? a b (? c d e))");
    assert_eq!(in_kernel("a ? b : c = d;"), "(? a b (= c d))");
    assert_eq!(in_kernel("x = a, y = b;"), "(, (= x a) (= y b))");
}

#[test]
fn shifts_to_the_right_are_two_tokens_that_touch() {
    assert_eq!(in_kernel("a >> b;"), "(>> a b)");
    assert_eq!(in_kernel("a >>= b;"), "(>>= a b)");
    assert_eq!(in_kernel("a > b;"), "(> a b)");
    assert_eq!(in_kernel("a >= b >> c;"), "(>= a (>> b c))");
}

#[test]
fn unary_operators_stand_before_postfix_ones() {
    assert_eq!(in_kernel("-a[i]++;"), "(- (post++ ([] a i)))");
    assert_eq!(in_kernel("*p++ = !~x;"), "(= (* (post++ p)) (! (~ x)))");
    assert_eq!(in_kernel("&a->b.c;"), "(& (. (-> a b) c))");
    assert_eq!(in_kernel("- -a;"), "(- (- a))");
}

#[test]
fn a_cast_needs_a_type_in_its_parentheses() {
    assert_eq!(in_kernel("(float)a * b;"), "(* (cast float a) b)");
    assert_eq!(in_kernel("(a) * b;"), "(* (paren a) b)");
    assert_eq!(in_kernel("(unsigned long long)-a;"), "(cast unsignedlonglong (- a))");
    assert_eq!(in_kernel("*(float4 *)&a[i];"), "(* (cast (* float4) (& ([] a i))))");
    assert_eq!(
        in_kernel("(const volatile int * __restrict__)p;"),
        "(cast (restrict (* (const volatile int))) p)"
    );
    assert_eq!(
        in_kernel_with("typedef int T;", "(T)(a) + (T)-1;"),
        "(+ (cast t (paren a)) (cast t (- 1)))".replace(" t ", " T ")
    );
    assert_eq!(in_kernel_with("typedef int T;", "(T(a) + 1);"), "(paren (+ (construct T (() a)) 1))");
}

#[test]
fn a_cast_to_an_unknown_type_is_seen_by_what_follows() {
    assert_eq!(in_kernel("(Unknown)a;"), "(cast Unknown a)");
    assert_eq!(in_kernel("(Unknown *)(a);"), "(cast (* Unknown) (paren a))");
    assert_eq!(in_kernel("(unknown)(a);"), "(call (paren unknown) a)");
    assert_eq!(in_kernel("(unknown) - a;"), "(- (paren unknown) a)");
}

#[test]
fn types_may_be_called() {
    assert_eq!(
        in_kernel("x = float(a) + int{3};"),
        "(= x (+ (construct float (() a)) (construct int ({} 3))))"
    );
    assert_eq!(
        in_kernel_with("struct S { int a; };", "x = S{1}.a + S().a;"),
        "(= x (+ (. (construct S ({} 1)) a) (. (construct S (())) a)))"
    );
    assert_eq!(in_kernel("x = unsigned(a);"), "(= x (construct unsignedint (() a)))");
}

#[test]
fn casts_with_words() {
    assert_eq!(in_kernel("static_cast<float>(a);"), "(static_cast float a)");
    assert_eq!(
        in_kernel("reinterpret_cast<const int4 *>(p)[i];"),
        "([] (reinterpret_cast (* (const int4)) p) i)"
    );
    assert_eq!(in_kernel("const_cast<int &>(a);"), "(const_cast (& int) a)");
    assert_eq!(in_kernel("dynamic_cast<T *>(a);"), "(dynamic_cast (* T) a)");
}

#[test]
fn sizes_of_types_and_values() {
    assert_eq!(in_kernel("sizeof(int) * n;"), "(* (sizeof-type int) n)");
    assert_eq!(in_kernel("sizeof(a) / sizeof a[0];"), "(/ (sizeof (paren a)) (sizeof ([] a 0)))");
    assert_eq!(in_kernel("alignof(double);"), "(alignof-type double)");
    assert_eq!(in_kernel("sizeof(int *[4]);"), "(sizeof-type (array (* int) 4))");
}

#[test]
fn less_than_is_no_template() {
    assert_eq!(in_kernel("a < b;"), "(< a b)");
    assert_eq!(in_kernel("a < b && c > d;"), "(&& (< a b) (> c d))");
    assert_eq!(in_kernel("f(a < b, c > d);"), "(call f (< a b) (> c d))");
    assert_eq!(in_kernel("i < n ? x : y;"), "(? (< i n) x y)");
    assert_eq!(in_kernel("p.n < q.n && q.n > (3);"), "(&& (< (. p n) (. q n)) (> (. q n) (paren 3)))");
}

#[test]
fn templates_are_known_by_their_declaration() {
    let f = "template <class T, int N> __device__ T f(T a);";
    assert_eq!(in_kernel_with(f, "f<int, 3>(a);"), "(call (<> f (type int) 3) a)");
    assert_eq!(in_kernel_with(f, "f<float, (a > b)>(x);"), "(call (<> f (type float) (paren (> a b))) x)");
    let s = "template <class T> struct S { static const int n = 1; T t; };";
    assert_eq!(in_kernel_with(s, "S<S<int>>::n;"), "(:: (<> S (type (<> S (type int)))) n)");
    assert_eq!(in_kernel_with(s, "S<int>{3}.t;"), "(. (construct (<> S (type int)) ({} 3)) t)");
    assert_eq!(in_kernel_with(s, "sizeof(S<float4 *>) > 3;"), "(> (sizeof-type (<> S (type (* float4)))) 3)");
}

#[test]
fn unknown_templates_are_seen_by_their_call() {
    assert_eq!(in_kernel("std::max<int>(a, b);"), "(call (:: std (<> max (type int))) a b)");
    assert_eq!(in_kernel("g<3>(a);"), "(call (<> g 3) a)");
    assert_eq!(in_kernel("x = is_same_v<a, int> ? b : c;"), "(= x (? (<> is_same_v a (type int)) b c))");
    assert_eq!(in_kernel("a.template get<0>();"), "(call (. a (<> get 0)))");
}

#[test]
fn names_may_be_qualified() {
    assert_eq!(in_kernel("::a::b = c::d;"), "(= (:: global a b) (:: c d))");
    assert_eq!(in_kernel("x.Base::y;"), "(. x (:: Base y))");
    assert_eq!(in_kernel("x.operator+(y);"), "(call (. x operator+) y)");
    assert_eq!(in_kernel("p->~T();"), "(call (-> p ~T))");
}

#[test]
fn literals_keep_what_is_written() {
    assert_eq!(in_kernel("1 + 2u + 3ll + 0x10 + 1.5f + 1e3;"), "(+ (+ (+ (+ (+ 1 2u) 3ll) 16) 1.5f) 1e3)");
    assert_eq!(in_kernel("f('a', \"b\" \"c\", true, nullptr);"), "(call f '97' \"bc\" true nullptr)");
}

#[test]
fn lists_and_designators() {
    assert_eq!(in_kernel("a = {1, {2, 3}, };"), "(= a ({} 1 ({} 2 3)))");
    assert_eq!(in_kernel("P p = {.x = 1, .y = 2};"), "(variable p P (= ({} .x 1 .y 2)))");
    assert_eq!(in_kernel("int a[4] = {[2] = 1};"), "(variable a (array int 4) (= ({} ([] 2) 1)))");
    assert_eq!(in_kernel("(float2){1, 2};"), "(compound float2 ({} 1 2))");
}

#[test]
fn lambdas() {
    assert_eq!(
        in_kernel("auto f = [=, &a] (int x) mutable -> float { return x; };"),
        "(variable f auto (= (lambda (captures = &a) (fn float (x int)) mutable (block (return x)))))"
    );
    assert_eq!(in_kernel("[] {}();"), "(call (lambda (captures) (fn auto) (block)))");
    assert_eq!(
        in_kernel("auto f = [n = 3, this] __device__ (auto x) { return x < n; };"),
        "(variable f auto (= (lambda (captures n (= 3) &this) __device__ (fn auto (x auto)) (block (return (< x n))))))"
    );
    assert_eq!(
        in_kernel("f([&](int i) { g(i); });"),
        "(call f (lambda (captures &) (fn auto (i int)) (block (call g i))))"
    );
}

#[test]
fn folds_and_packs() {
    let text = "template <class... A> __device__ int f(A... a) { g(a...); h((a + ...), (... + a), (a + ... + 1)); ((s += a), ...); return sizeof...(A); }";
    assert_eq!(
        super::unit(text),
        "(template ((pack class A)) (function f __device__ (fn int (a (... A))) (block (call g (... a)) \
         (call h (fold + a ...) (fold + ... a) (fold + a 1)) (fold , (paren (+= s a)) ...) (return (sizeof... A)))))"
    );
}

#[test]
fn launches_are_read() {
    assert_eq!(in_kernel("k<<<grid, block, 0, s>>>(a, b);"), "(launch k (<<<>>> grid block 0 s) a b)");
    assert_eq!(in_kernel("k<<<n >> 1, 2>>>(a);"), "(launch k (<<<>>> (>> n 1) 2) a)");
    // As editors space it, and out of a macro, whose tokens have no spaces to be looked at.
    assert_eq!(in_kernel("k << <n >> 1, 2 >> > (a);"), "(launch k (<<<>>> (>> n 1) 2) a)");
    assert_eq!(in_kernel("\n#define L(k, n) k<<<n, n>>>(a)\nL(k, 2);"), "(launch k (<<<>>> 2 2) a)");
}

#[test]
fn what_kernels_may_not_do_is_read_and_kept() {
    assert_eq!(in_kernel("int *p = new int[3];"), "(variable p (* int) (= (new int 3)))");
    assert_eq!(in_kernel("delete[] p;"), "(delete p)");
    assert_eq!(in_kernel("throw 3;"), "(throw 3)");
    assert_eq!(in_kernel("a = typeid(b);"), "(= a (typeid b))");
}
