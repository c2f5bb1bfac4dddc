//! Statements, by construct.

use super::{in_kernel, in_kernel_with};

#[test]
fn branches() {
    assert_eq!(in_kernel("if (a) b; else if (c) d; else e;"), "(if a b (if c d e))");
    assert_eq!(in_kernel("if constexpr (a) { b; }"), "(if-constexpr a (block b))");
    assert_eq!(
        in_kernel("if (int x = f(); x > 0) g(x);"),
        "(if (variable x int (= (call f))) (> x 0) (call g x))"
    );
    assert_eq!(in_kernel("if (int x = f()) g(x);"), "(if (variable x int (= (call f))) (call g x))");
}

#[test]
fn loops() {
    assert_eq!(
        in_kernel("for (int i = 0, j = 1; i < n; ++i, j *= 2) a[i] = j;"),
        "(for (variable i int (= 0)) (variable j int (= 1)) (< i n) (, (++ i) (*= j 2)) (= ([] a i) j))"
    );
    assert_eq!(in_kernel("for (;;) break;"), "(for empty _ _ break)");
    assert_eq!(in_kernel("while (i < n) i++;"), "(while (< i n) (post++ i))");
    assert_eq!(in_kernel("do { continue; } while (a);"), "(do (block continue) a)");
    assert_eq!(in_kernel("for (auto &x : a) x = 0;"), "(range-for (variable x (& auto)) a (= x 0))");
    assert_eq!(
        in_kernel("for (float x : {1.f, 2.f}) f(x);"),
        "(range-for (variable x float) ({} 1.f 2.f) (call f x))"
    );
    assert_eq!(in_kernel("for (auto [a, b] : c) f(a);"), "(range-for (binding auto a b) c (call f a))");
    assert_eq!(
        in_kernel("for (int n = 3; auto x : a) f(x);"),
        "(range-for (variable n int (= 3)) (variable x auto) a (call f x))"
    );
}

#[test]
fn pragmas_belong_to_the_loop_behind_them() {
    assert_eq!(in_kernel("\n#pragma unroll\nfor (;;) ;"), "(for unroll empty _ _ empty)");
    assert_eq!(in_kernel("\n#pragma unroll 4\nwhile (a) ;"), "(while (unroll 4) a empty)");
    assert_eq!(
        in_kernel("\n#pragma unroll (N * 2)\nfor (;;) ;"),
        "(for (unroll (paren (* N 2))) empty _ _ empty)"
    );
    assert_eq!(in_kernel("\n#pragma nounroll\ndo ; while (a);"), "(do (unroll 1) empty a)");
}

#[test]
fn switches() {
    assert_eq!(
        in_kernel(
            "switch (a) { case 1: case 2: f(); break; case 3 ... 5: { g(); } [[fallthrough]]; default: h(); }"
        ),
        "(switch a (block (case 1 empty) (case 2 (call f)) break (case 3 to 5 (block (call g))) fallthrough (default (call h))))"
    );
    assert_eq!(in_kernel("switch (a) case 1: case 2: f();"), "(switch a (case 1 (case 2 (call f))))");
    assert_eq!(in_kernel("switch (a) { default: }"), "(switch a (block (default empty)))");
}

#[test]
fn jumps_and_labels() {
    assert_eq!(in_kernel("again: if (a) goto again; return;"), "(label again (if a (goto again))) (return)");
    assert_eq!(in_kernel("return {1, 2};"), "(return ({} 1 2))");
}

#[test]
fn assembly() {
    assert_eq!(
        in_kernel("asm volatile(\"add %0, %1, %2;\\n\" : \"=r\"(a) : \"r\"(b), \"n\"(3) : \"memory\");"),
        "(asm-volatile \"add %0, %1, %2;\\n\" : (_ \"=r\" a) : (_ \"r\" b) (_ \"n\" 3) : \"memory\")"
    );
    assert_eq!(in_kernel("asm(\"bar;\" \"x;\" :: \"l\"(p));"), "(asm \"bar;x;\" : : (_ \"l\" p) :)");
    assert_eq!(in_kernel("asm(\"%[a]\" : [a] \"+f\"(x[0]));"), "(asm \"%[a]\" : (a \"+f\" ([] x 0)) : :)");
    assert_eq!(in_kernel("asm volatile(\"\" ::: \"memory\");"), "(asm-volatile \"\" : : : \"memory\")");
}

#[test]
fn declarations_are_told_from_expressions() {
    assert_eq!(
        in_kernel("int a = 1, *b, c[2][3];"),
        "(variable a int (= 1)) (variable b (* int)) (variable c (array (array int 3) 2))"
    );
    assert_eq!(in_kernel("float a(3), b{4};"), "(variable a float (() 3)) (variable b float ({} 4))");
    assert_eq!(
        in_kernel_with("struct T {};", "T * a; T b(c); T(c);"),
        "(variable a (* T)) (variable b T (() c)) (construct T (() c))"
    );
    assert_eq!(in_kernel("int b, c; b * c;"), "(variable b int) (variable c int) (* b c)");
    assert_eq!(
        in_kernel("Unknown * a = b; Unknown c; ns::T<int> d;"),
        "(variable a (* Unknown) (= b)) (variable c Unknown) (variable d (:: ns (<> T (type int))))"
    );
    assert_eq!(in_kernel("auto [x, y] = f();"), "(binding auto x y (= (call f)))");
    assert_eq!(
        in_kernel("int (*p)[4] = q; int (*f)(int, float);"),
        "(variable p (* (array int 4)) (= q)) (variable f (* (fn int (_ int) (_ float))))"
    );
    assert_eq!(in_kernel("int(a);"), "(construct int (() a))");
    assert_eq!(
        in_kernel("static_assert(sizeof(int) == 4, \"why\");"),
        "(static_assert (== (sizeof-type int) 4) \"why\")"
    );
    assert_eq!(
        in_kernel("typedef float T; using U = T *; U a; T(b);"),
        "(alias T float) (alias U (* T)) (variable a U) (construct T (() b))"
    );
}

#[test]
fn memory_spaces_and_alignment() {
    assert_eq!(
        in_kernel("__shared__ float tile[32][33];"),
        "(variable tile __shared__ (array (array float 33) 32))"
    );
    assert_eq!(
        in_kernel("extern __shared__ __align__(16) unsigned char s[];"),
        "(variable s __shared__ (align 16) extern (array unsignedchar))"
    );
    assert_eq!(in_kernel("__shared__ alignas(128) int a;"), "(variable a __shared__ (align 128) int)");
    assert_eq!(in_kernel("static constexpr int n = 3;"), "(variable n static constexpr int (= 3))");
    assert_eq!(
        in_kernel("const float *const __restrict__ p = q;"),
        "(variable p (const restrict (* (const float))) (= q))"
    );
}

#[test]
fn a_variable_hides_a_type() {
    assert_eq!(
        in_kernel_with("struct a {};", "int a = 3; int b; a * b;"),
        "(variable a int (= 3)) (variable b int) (* a b)"
    );
}
