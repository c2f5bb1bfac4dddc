//! Mistakes: each is one error, where a reader would look for it.

use super::parsed;

/// Errors of a source.
fn errors(text: &str) -> Vec<String> {
    let mut parsed = parsed(text);
    parsed.all_bodies();
    parsed.errors()
}

#[track_caller]
fn one(text: &str, error: &str) {
    assert_eq!(errors(text), [error], "{text}");
}

const KERNEL: &str = "__global__ void k(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = a[i] * 2.0f;
    }
    for (int j = 0; j < n; ++j) {
        a[j] += f(a[i], j);
    }
    a[i] = 1;
}

__global__ void second(float *a)
{
    a[threadIdx.x] = 0;
}
";

/// The kernel with a part of it, which occurs once, written in another way.
fn with(part: &str, other: &str) -> String {
    assert_eq!(KERNEL.matches(part).count(), 1, "{part}");
    KERNEL.replacen(part, other, 1)
}

#[test]
fn the_kernel_itself_is_right() {
    assert_eq!(errors(KERNEL), Vec::<String>::new());
}

#[test]
fn a_missing_semicolon_is_one_error_behind_what_it_ends() {
    one(&with("threadIdx.x;", "threadIdx.x"), "3:50: expected `;` after this declaration");
    one(&with("2.0f;", "2.0f"), "5:27: expected `;` after this expression");
    one(&with("a[i] = 1;", "a[i] = 1"), "10:13: expected `;` after this expression");
    one(
        "struct P { float x; float y }; __global__ void k(P p) { p.x = p.y; }",
        "1:28: expected `;` after this declaration, found `}`",
    );
    one(
        "struct P { float x; }\n__global__ void k(P p) { p.x = 1; }",
        "1:22: expected `;` after this `struct`",
    );
    one("int n = 3\n__global__ void k() { }", "1:10: expected `;` after this declaration");
    one("__global__ void k() { return }", "1:29: expected `;` after `return`, found `}`");
    one(
        "__global__ void k(int *a) { int x = 3 int y = 4; a[x] = y; }",
        "1:38: expected `;` after this declaration, found `int`",
    );
    one(
        "__global__ void k(int *a) { do { a[0]++; } while (a[0] < 3) }",
        "1:60: expected `;` after `do … while (…)`, found `}`",
    );
    one(
        "__global__ void k(int *a) { __syncthreads() a[0] = 1; }",
        "1:44: expected `;` after this expression, found `a`",
    );
}

#[test]
fn a_missing_parenthesis_is_one_error() {
    one(&with("if (i < n) {", "if (i < n {"), "4:14: expected `)`");
    one(&with("f(a[i], j);", "f(a[i], j;"), "8:26: expected `)`");
    one(&with("++j) {", "++j {"), "7:31: expected `)`");
    one(&with("a[j] +=", "a[j +="), "8:26: expected `]`");
    one(&with("if (i < n) {", "if i < n) {"), "4:7: expected `(`");
    one(&with("f(a[i], j);", "f(a[i], j));"), "8:27: unmatched closing `)`");
    one(&with("int n)", "int n"), "1:34: expected `)`");
    one(&with("if (i < n) {", "if i < n {"), "4:7: expected `(` after `if`, found `i`");
}

#[test]
fn a_missing_brace_is_one_error() {
    one(&with("2.0f;\n    }", "2.0f;\n"), "5:28: expected `}`");
    one(&with("j);\n    }", "j);\n"), "8:28: expected `}`");
    one(&with("= 1;\n}", "= 1;\n"), "10:14: expected `}`");
    one(&with("a[threadIdx.x] = 0;\n}\n", "a[threadIdx.x] = 0;\n"), "14:1: this `{` is never closed");
    one(&with("if (i < n) {", "if (i < n)"), "6:5: unmatched closing `}`");
    one(&with("int n)\n{", "int n)\n"), "1:35: expected `{` at the beginning of the function body");
    one(&with("    a[i] = 1;\n}", "    a[i] = 1;\n}\n}"), "12:1: unmatched closing `}`");
}

#[test]
fn a_brace_too_many_in_the_middle_is_one_error() {
    one(&with("2.0f;\n    }", "2.0f;\n    }\n    }"), "7:5: unmatched closing `}`");
}

#[test]
fn a_directive_without_its_sign_may_be_the_last_line() {
    one("void f();\ninclude <cmath>", "2:1: a directive begins with `#`");
}

#[test]
fn what_is_missing_in_an_expression_is_told_there() {
    one(&with("= 1;", "= ;"), "10:12: expected an expression, found `;`");
    one(&with("= 1;", "= 3 + ;"), "10:16: expected an expression, found `;`");
    one(&with("f(a[i], j)", "f(a[i] j)"), "8:23: expected `,` or `)` after this argument, found `j`");
    one(&with("f(a[i], j)", "f(a[i], )"), "8:25: expected another argument, found `)`");
    one(&with("a[j] +=", "a[] +="), "8:11: expected an index between `[` and `]`");
    one(&with("a[j] +=", "a[j k] +="), "8:12: expected an operator or `]` after this expression, found `k`");
    one(&with("if (i < n)", "if ()"), "4:9: expected a condition between `(` and `)`");
}

#[test]
fn a_loop_s_head_is_read_in_parts() {
    one(
        &with("int j = 0; j < n; ++j", "int j = 0, j < n, ++j"),
        "7:22: expected `;` after the first part of `for`, found `<`",
    );
    one(&with("int j = 0; j < n; ++j", "int j = 0; j < n; ++j;"), "7:31: extra `;`: `for` has three parts");
    one(
        &with("int j = 0; j < n; ++j", "int j = 0; j < n, ++j"),
        "7:26: expected `;` before the step of `for`",
    );
}

#[test]
fn words_of_the_language_are_no_names() {
    one("__global__ void k() { int new = 3; }", "1:27: expected a name, found keyword `new`");
    one("__global__ void k(int class) { }", "1:23: expected a name, found keyword `class`");
}

#[test]
fn missing_types_are_told_with_what_to_write() {
    one(
        "__device__ int n;\n__global__ void k(n, int b) { }",
        "2:19: the type of the parameter `n` is missing",
    );
    one("__global__ k(int b) { }", "1:12: the return type of `k` is missing");
    one("__device__ n = 3;", "1:12: the type of `n` is missing");
}

#[test]
fn an_else_without_its_if() {
    one(&with("a[i] = 1;", "if (i) a[i] = 1; ; else a[i] = 2;"), "10:24: `else` without a previous `if`");
}

#[test]
fn a_function_within_a_function() {
    one(
        "__global__ void k() { int f(int a) { return a; } f(3); }",
        "1:27: function definition is not allowed here: `f` is inside another function",
    );
}

#[test]
fn statements_outside_of_functions() {
    let text = with("a[i] = 1;\n", "a[i] = 1;\n}\n    for (;;) ;\n");
    assert_eq!(errors(&text).len(), 1, "{:?}", errors(&text));
}

#[test]
fn several_mistakes_are_several_errors() {
    let text = with("threadIdx.x;", "threadIdx.x").replace("= 1;", "= ;");
    assert_eq!(
        errors(&text),
        ["3:50: expected `;` after this declaration", "10:12: expected an expression, found `;`"]
    );
}

#[test]
fn deep_nesting_is_told() {
    for (open, close) in [("(", ")"), ("{", "}"), ("-(", ")"), ("[](){", "}"), ("a[", "]"), ("f<(", ")>()")] {
        let text = format!("__global__ void k() {{ {}1{}; }}", open.repeat(2000), close.repeat(2000));
        let found = errors(&text);
        assert!(found.iter().any(|one| one.contains("nested too deeply")), "{open}: {found:?}");
    }
    for text in [
        "1+".repeat(3000),
        "a,".repeat(3000),
        "!".repeat(3000),
        "a.".repeat(3000),
        "a?b:".repeat(3000),
        "a=".repeat(3000),
    ] {
        let found = errors(&format!("__global__ void k() {{ {text}1; }}"));
        assert!(found.iter().any(|one| one.contains("nested too deeply")), "{found:?}");
    }
    for text in [
        format!("int {}a;", "*".repeat(3000)),
        format!("A{} a;", "<A".repeat(500)),
        "namespace a {".repeat(3000),
        "struct a {".repeat(3000),
        "template <> ".repeat(3000),
        "if (a) ".repeat(3000),
        "else ".repeat(300),
        "case 1:".repeat(3000),
        "int f(".repeat(3000),
    ] {
        errors(&text);
        errors(&format!("__global__ void k() {{ {text}1; }}"));
    }
}
