//! What beginners get wrong most, and the compiler's messages about it: `mistakes/SUBJECT/NAME.cu`.
//!
//! A file holds the source, then a line `// ANCHOR: errors` or `// ANCHOR: warnings`, then the messages; with an mdBook anchor
//! a page can show them. `UPDATE=1 cargo test -p cuda --test all mistakes::` rewrites the messages; then read them as a
//! student would. A new mistake is a file with its source alone.

use std::{
    fs,
    path::{Path, PathBuf},
};

use cuda::{Input, Options, compile, diagnostic::render};

/// Lines between a source and its messages, by whether the source compiles.
const SEPARATORS: [&str; 2] = ["// ANCHOR: errors\n", "// ANCHOR: warnings\n"];

/// The files in the folders of mistakes.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let entries =
        |folder: &Path| fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        entries(&folder).flat_map(|subject| entries(&subject).collect::<Vec<_>>()).collect();
    files.sort();
    files
}

/// The source in the text of a file.
fn source(text: &str) -> &str {
    let end = SEPARATORS.iter().filter_map(|separator| text.find(separator)).min();
    &text[..end.unwrap_or(text.len())]
}

/// A source with the messages about it.
fn with_messages(name: &str, source: &str) -> String {
    let input = Input { name, text: source, include: &|_| None };
    let (separator, diagnostics, sources) = match compile(&input, &Options::default()) {
        Ok(output) => (SEPARATORS[1], output.warnings, output.sources),
        Err(failure) => (SEPARATORS[0], failure.diagnostics, failure.sources),
    };
    format!("{source}{separator}{}\n", render(&diagnostics, &sources, false).trim_end())
}

#[test]
fn every_mistake_gets_the_messages_in_its_file() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut wrong = vec![];
    for path in files() {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let text = fs::read_to_string(&path).expect("the file");
        let expected = with_messages(name, source(&text));
        if update && text != expected {
            fs::write(&path, expected).expect("the file");
        } else if text != expected {
            wrong.push(expected);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_only_looks_like_a_mistake_compiles() {
    let text = "
template <class T = int> struct S { T x = 3; };
struct B { int bits : 3; B &operator=(int x) { bits = x; return *this; } };
template <int N, bool M = (N >= 2)> __device__ int f(int *p, int = 4) { S <> s; return p[N] + s.x + M; }
__device__ int g(float, const int, S<> *) { return 2; }
template <typename T, typename U> __device__ T h(T, const U) { return T(); }
__device__ int proto(int, float);
__device__ int shifts(int a, int b) { a << 1, b >> (2); return a << 1 >> (b); }
typedef int fn;
typedef int def;
template struct S<float>;
struct Whle { int x; __device__ Whle(int x) { this->x = x; } };
struct fr { __device__ void operator()(int) {} };
enum Kinds { One = 1, Two = One << 1 };
struct Both { int a, b; __device__ Both(int x) : a(x), b(a) {} __device__ Both max(Both o) { return a > o.a ? Both(a) : o.a > b ? b > 0 ? Both(b) : Both(a) : Both(o); } };
template <class T, class U, int N> __device__ int three(T, U) { int last = sizeof(T), more = three<int, float, 2>(1, 2.f), end; return end = N, last + more; }
__device__ fn twice(fn x) { return 2 * x; }
__global__ void k(int *p, int n)
{
    int i, j = 0, *q = p;
    Whle w(2); fr r; r(w.x);
    for (i = 0, j = n; i < j; i++, j--) q[i] = f<1>(p);
    do { i--; while (i > n) do i--; while (i > n + 1); } while (i > 0);
    while (j < 3) do { j++; } while (j < 2);
    if (p[i] == -n && p[i] >=+ 2 && n<2) p[(i)] = g(1.f, 2, nullptr) + h(1, 2.f) + shifts(i, j) + twice(i);
    switch (n) { case 1: ; default: j = n > 0 ? 1 :-1; }
    auto both = [=](int x, int) { return x + n; };
    p[0] = both(1, 2) + (n > 2 ? i :j);
    float *restrict = nullptr, minus = 2 - n;
    int list[2] = {1, 2}, half = n
        / 2;
    for (int m = 0; int one : list) p[one] = m, half == m;
    for (; i > 0, j > 0; i--) p[i = 2] = [i = 1] { return i; }() + Both(half).b + (restrict ? 1 : int(minus));
again:
    if (n < p[1]) goto again;
}
";
    let input = Input { name: "valid.cu", text, include: &|_| None };
    if let Err(failure) = compile(&input, &Options::default()) {
        panic!("{}", render(&failure.diagnostics, &failure.sources, false));
    }
}

#[test]
fn a_text_that_explains_an_assertion_is_not_told_of() {
    let text = "__global__ void k(int *p, int n) { assert(n > 0 && \"n is positive\"); p[0] = n; }";
    let input = Input { name: "valid.cu", text, include: &|_| None };
    let output =
        compile(&input, &Options::default()).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    assert!(output.warnings.is_empty(), "{:?}", output.warnings);
}

#[test]
fn truths_that_are_combined_by_bits_are_not_told_of() {
    let text = "__global__ void k(int *p, bool on, int n) { int c = p[1]; p[0] = c == 3 | (c == 2 & p[2] != 0); p[3] = on & c > n; }";
    let input = Input { name: "valid.cu", text, include: &|_| None };
    let output =
        compile(&input, &Options::default()).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    assert!(output.warnings.is_empty(), "{:?}", output.warnings);
}

#[test]
fn every_mistake_has_a_message() {
    let files = files();
    assert!(files.len() > 300, "{} mistakes", files.len());
    for path in files {
        let text = fs::read_to_string(&path).expect("the file");
        let messages = &text[source(&text).len()..];
        assert!(messages.contains("error: ") || messages.contains("warning["), "{}", path.display());
        assert!(!messages.contains("internal error"), "{}", path.display());
    }
}
