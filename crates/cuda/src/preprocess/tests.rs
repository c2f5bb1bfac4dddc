//! What the preprocessor does, seen from outside: a source in, the spellings of its tokens out.

use super::*;
use crate::{diagnostic::Severity, source::Expansion};

struct Done {
    sources: Sources,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

fn read(text: &str, files: &[(&str, &str)], defines: &[(&str, &str)]) -> Done {
    let mut sources = Sources::default();
    sources.add("dir/main.cu", text.to_owned(), false).unwrap();
    let mut sink = Diagnostics::default();
    let loader =
        |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned().into());
    let defines: Vec<_> =
        defines.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let environment = Environment {
        arch: Arch { number: 52, suffix: None },
        side: crate::side::Side::Device,
        fast_math: false,
        defines: &defines,
        loader: &loader,
        language: crate::Language::Cuda,
        before: &[],
        behind: None,
    };
    let tokens = preprocess(&mut sources, 0, &environment, &mut sink).concat();
    Done { sources, tokens, diagnostics: sink.list }
}

fn spell(tokens: &[Token]) -> String {
    let words: Vec<String> = tokens
        .iter()
        .filter_map(|token| {
            Some(match &token.kind {
                TokenKind::Word(word) => word.to_string(),
                TokenKind::Integer { value, suffix, .. } => format!("{value}{suffix}"),
                TokenKind::Float { text, suffix } => format!("{text}{suffix}"),
                TokenKind::Character(value) => format!("'{value}'"),
                TokenKind::String(bytes) => format!("\"{}\"", String::from_utf8_lossy(bytes)),
                TokenKind::Punctuation(text) => (*text).to_owned(),
                TokenKind::Pragma(words) => format!("[{}]", spell(words)),
                TokenKind::Invalid(problem) => format!("<{}>", problem.code),
                TokenKind::End => return None,
            })
        })
        .collect();
    words.join(" ")
}

/// Tokens of a source that has no errors.
#[track_caller]
fn tokens(text: &str) -> String {
    let done = read(text, &[], &[]);
    assert_eq!(done.diagnostics, [], "{text}");
    spell(&done.tokens)
}

/// Messages of a source.
fn messages(text: &str) -> Vec<String> {
    read(text, &[], &[]).diagnostics.into_iter().map(|one| one.message).collect()
}

/// Number of an expression after macros.
#[track_caller]
fn holds(condition: &str) -> bool {
    match &*tokens(&format!("#if {condition}\nyes\n#else\nno\n#endif")) {
        "yes" => true,
        "no" => false,
        other => panic!("{condition}: {other}"),
    }
}

#[test]
fn comments_and_continued_lines_are_white_space() {
    assert_eq!(tokens("a/* b\n */c // d\n e"), "a c e");
    assert_eq!(tokens("int var\\\niable = 1 +\\  \n2;"), "int variable = 1 + 2 ;");
    assert_eq!(tokens("a // b \\\n c\nd /\\\n* x */ e"), "a d e");
    assert_eq!(tokens("\u{feff}a\u{a0}b"), "a b");
}

#[test]
fn punctuation_is_the_longest_that_fits_but_for_closing_angles() {
    assert_eq!(tokens("a<<=b>>=c->d->*e...f::g"), "a <<= b > >= c -> d ->* e ... f :: g");
    assert_eq!(tokens("a and not b or c xor_eq d"), "a && ! b || c ^= d");
    assert_eq!(tokens("x<:0:> y<::z> <% %>"), "x [ 0 ] y < :: z > { }");
    let done = read("a >> b > > c", &[], &[]);
    let joined: Vec<bool> = done
        .tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Punctuation(">"))
        .map(|token| token.joined)
        .collect();
    assert_eq!(joined, [false, true, false, false]);
}

#[test]
fn closing_angles_are_joined_in_a_macro_too() {
    let done = read("#define HALF(x) ((x) >> 1)\nHALF(a)", &[], &[]);
    let angles: Vec<&Token> =
        done.tokens.iter().filter(|token| token.kind == TokenKind::Punctuation(">")).collect();
    assert!(!angles[0].joined && angles[1].joined);
}

#[test]
fn object_like_macros_expand_but_not_in_themselves() {
    assert_eq!(tokens("#define N 10\nN M"), "10 M");
    assert_eq!(tokens("#define a b\n#define b a\na b"), "a b");
    assert_eq!(tokens("#define a a + 1\na"), "a + 1");
    assert_eq!(tokens("#define EMPTY\nx EMPTY y"), "x y");
    assert_eq!(tokens("#define N 1\n#undef N\nN"), "N");
    assert_eq!(tokens("#define H # x ## y\nH"), "# xy");
}

#[test]
fn function_like_macros_take_arguments_expanded_first() {
    assert_eq!(tokens("#define ADD(a, b) ((a) + (b))\nADD(1, f(2, 3))"), "( ( 1 ) + ( f ( 2 , 3 ) ) )");
    assert_eq!(tokens("#define F(x) x\n F (1) F\n(2) F;"), "1 2 F ;");
    assert_eq!(tokens("#define F() 1\nF() F( )"), "1 1");
    assert_eq!(tokens("#define F(x) <x>\nF() F(F(F(1)))"), "< > < < < 1 > > >");
    assert_eq!(tokens("#define N 3\n#define TWICE(x) x x\nTWICE(N)"), "3 3");
    assert_eq!(tokens("#define F (1)\nF"), "( 1 )");
}

#[test]
fn rescanning_follows_the_examples_of_the_standard() {
    // C++ [cpp.rescan], the long example.
    let text = "#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
 (f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };";
    assert_eq!(
        tokens(text),
        "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; \
         f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ; \
         int i [ ] = { 1 , 23 , 4 , 5 , } ; \
         char c [ 2 ] [ 6 ] = { \"hello\" , \"\" } ;"
    );
    assert_eq!(tokens("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)"), "2 * 9 * g");
}

#[test]
fn arguments_become_strings_as_they_are_written() {
    assert_eq!(tokens("#define S(x) #x\nS( a  +  b )"), "\"a + b\"");
    assert_eq!(
        tokens(
            r#"#define S(x) #x
S("a\n" '\'')"#
        ),
        r#"""a\n" '\''""#
    );
    assert_eq!(tokens("#define S(x) #x\n#define T(x) S(x)\n#define N 7\nS(N) T(N)"), "\"N\" \"7\"");
    assert_eq!(
        tokens("#define S(x) #x\n#define T(...) S((__VA_ARGS__))\n#define E\nT(a E, b)"),
        "\"(a , b)\""
    );
    assert_eq!(tokens("#define S(...) #__VA_ARGS__\nS(a, b,c)"), "\"a, b,c\"");
}

#[test]
fn tokens_are_joined() {
    assert_eq!(tokens("#define J(a, b) a ## b\nJ(x, 1) J(1, .5f) J(<, <=) J(, y)"), "x1 1.5f <<= y");
    assert_eq!(tokens("#define hash_hash # ## #\nhash_hash"), "##");
    assert_eq!(tokens("#define CAT3(a,b,c) a##b##c\nCAT3(made_,of,4)(1)"), "made_of4 ( 1 )");
    assert_eq!(tokens("#define N 5\n#define J(a,b) a##b\n#define xN ok\nJ(x,N)"), "ok");
    assert_eq!(
        messages("#define J(a, b) a ## b\nJ(+, /)"),
        ["pasting `+` and `/` with `##` does not give a valid token"]
    );
}

#[test]
fn the_last_parameter_may_take_the_rest() {
    assert_eq!(tokens("#define P(f, ...) p(f, __VA_ARGS__)\nP(1, 2, 3)"), "p ( 1 , 2 , 3 )");
    assert_eq!(tokens("#define P(f, ...) p(f, ## __VA_ARGS__)\nP(1) P(1, 2)"), "p ( 1 ) p ( 1 , 2 )");
    assert_eq!(tokens("#define P(f, a...) p(f, ## a)\nP(1) P(1, 2, 3)"), "p ( 1 ) p ( 1 , 2 , 3 )");
    assert_eq!(
        tokens("#define P(f, ...) p(f __VA_OPT__(,) __VA_ARGS__)\nP(1) P(1, 2)"),
        "p ( 1 ) p ( 1 , 2 )"
    );
    assert_eq!(tokens("#define E\n#define P(f, ...) f __VA_OPT__(x)\nP(1, E)"), "1");
    assert_eq!(tokens("#define P(...) [__VA_ARGS__]\nP() P(a,b)"), "[ ] [ a , b ]");
}

#[test]
fn wrong_calls_of_macros_are_one_error() {
    assert_eq!(messages("#define F(a, b) a\nF(1);"), ["macro `F` takes 2 arguments, but is given 1"]);
    assert_eq!(messages("#define F(a) a\nF(1, 2, 3);"), ["macro `F` takes 1 argument, but is given 3"]);
    assert_eq!(
        messages("#define F(a, ...) a\n#define G() 1\nG(1)"),
        ["macro `G` takes 0 arguments, but is given 1"]
    );
    assert_eq!(messages("#define F(a) a\nF(1"), ["unterminated call of macro `F`: missing `)`"]);
}

#[test]
fn wrong_definitions_say_what_is_wrong() {
    assert_eq!(messages("#define"), ["macro name missing"]);
    assert_eq!(messages("#define 3"), ["macro name must be an identifier, not `3`"]);
    assert_eq!(messages("#define F(a"), ["missing `)` in macro parameter list"]);
    assert_eq!(messages("#define F(a,a) a"), ["duplicate macro parameter name `a`"]);
    assert_eq!(messages("#define F(a) #b"), ["`#` is not followed by a macro parameter"]);
    assert_eq!(messages("#define F ## a"), ["`##` cannot appear at the start of a macro expansion"]);
    assert_eq!(messages("#define F a ##"), ["`##` cannot appear at the end of a macro expansion"]);
    assert_eq!(messages("#define defined 1"), ["`defined` cannot be defined as a macro"]);
    assert_eq!(messages("#define A __VA_ARGS__"), ["`__VA_ARGS__` can only appear in a macro with `...`"]);
    assert_eq!(
        messages("#define A 1\n#define A 1\n#define A 2"),
        ["macro `A` redefined with a different body"]
    );
}

#[test]
fn a_number_with_a_semicolon_in_a_macro_is_warned_of() {
    assert_eq!(
        messages("#define N 256;"),
        ["the `;` is part of macro `N` and is inserted wherever the macro is used"]
    );
    assert!(messages("#define DO f();\n#define F(x) x;\n#define N 256 // ;").is_empty());
}

#[test]
fn conditions_choose_the_first_part_that_holds() {
    let text = |n: u32| {
        format!("#define N {n}\n#if N == 1\na\n#elif N == 2\nb\n#elif N == 3\nc\n#else\nd\n#endif e")
    };
    assert_eq!(tokens(&text(1)), "a");
    assert_eq!(tokens(&format!("{}\ne", text(2))), "b e");
    assert_eq!(tokens(&format!("{}\ne", text(3))), "c e");
    assert_eq!(tokens(&format!("{}\ne", text(4))), "d e");
    assert_eq!(tokens("#ifdef A\n1\n#elifdef B\n2\n#elifndef C\n3\n#else\n4\n#endif"), "3");
    assert_eq!(tokens("#ifndef A\n#if 0\n#if 1\nx\n#else\ny\n#endif\n#else\nz\n#endif\n#endif"), "z");
    assert_eq!(tokens("#if 0\ndon't \"do\n/* this */ #error\n#error no\n#nonsense\n#endif\nok"), "ok");
    assert_eq!(tokens("#if 1\na\n#elif 1/0\nb\n#endif"), "a");
}

#[test]
fn conditions_have_the_operators_of_c_with_64_bits() {
    assert!(holds("1 + 2 * 3 == 7 && (1 + 2) * 3 == 9"));
    assert!(holds("-1 < 0 && !(-1 < 0u)"));
    assert!(holds("0xffffffffffffffff == -1 && 1 << 40 > 1"));
    assert!(holds("(2 || 1/0) && !(0 && 1/0) && (1 ? 2 : 1/0) == 2"));
    assert!(holds("~0 == -1 && 7 % 4 == 3 && -7 / 2 == -3 && -8 >> 1 == -4"));
    assert!(holds("'a' == 97 && '\\xff' < 0 && true && !false && undefined == 0"));
    assert!(holds("(5 & 3) == 1 and (5 | 3) == 7 and (5 ^ 3) == 6 and not 0"));
    assert!(holds("1 ? 0 ? 0 : 1 : 0"));
    assert!(holds("9223372036854775807 + 1 < 0"));
    assert!(holds("__CUDA_ARCH__ >= 520 && defined(__CUDACC__) && defined __CUDA_ARCH__ && !defined X"));
    assert!(holds("__cplusplus >= 201703L"));
}

#[test]
fn questions_may_come_out_of_macros() {
    assert_eq!(tokens("#define HAS_A defined(A) && !defined(B)\n#define A\n#if HAS_A\nyes\n#endif"), "yes");
    assert!(holds(
        "__has_include(<cuda_fp16.h>) && !__has_include(\"nothing.h\") && __has_include(<vector>)"
    ));
    assert!(holds("defined __has_include && !__has_cpp_attribute(nodiscard)"));
}

#[test]
fn wrong_conditions_are_one_error() {
    assert_eq!(messages("#if\n#endif"), ["`#if` with no condition"]);
    assert_eq!(messages("#if 1 +\n#endif"), ["expected a value at the end of the condition"]);
    assert_eq!(messages("#if 1/0\n#endif"), ["division by zero"]);
    assert_eq!(messages("#if (1\n#endif"), ["expected `)`"]);
    assert_eq!(messages("#if 1.5\n#endif"), ["`1.5` is not an integer, which a condition requires"]);
    assert_eq!(messages("#if F(1)\n#endif"), ["the name before this `(` is not a macro with parameters"]);
    assert_eq!(messages("#if 1 2\n#endif"), ["unexpected `2`"]);
    assert_eq!(messages("#if 1\n"), ["unterminated `#if`"]);
    assert_eq!(messages("#endif"), ["`#endif` without `#if`"]);
    assert_eq!(messages("#else"), ["`#else` without `#if`"]);
    assert_eq!(messages("#if 1\n#else\n#else\n#endif"), ["`#else` after `#else`"]);
}

#[test]
fn files_are_found_beside_the_one_that_names_them() {
    let files = [
        ("a.h", "#include \"sub/b.h\"\na"),
        ("sub/b.h", "#include \"c.h\"\nb"),
        ("sub/c.h", "c"),
        ("../up.h", "up"),
    ];
    let done = read("#include \"a.h\"\n#include \"../up.h\"\nmain", &files, &[]);
    assert_eq!(done.diagnostics, []);
    assert_eq!(spell(&done.tokens), "c b a up main");
    let names: Vec<&str> = done.sources.files().iter().map(|file| &*file.name).collect();
    assert!(names.contains(&"dir/sub/c.h") && names.contains(&"up.h"), "{names:?}");
}

#[test]
fn a_file_with_pragma_once_is_read_once() {
    let files = [("a.h", "#pragma once\na"), ("b.h", "b")];
    let text = "#include \"a.h\"\n#include <a.h>\n#define B \"b.h\"\n#include B\n#include \"b.h\"";
    assert_eq!(spell(&read(text, &files, &[]).tokens), "a b b");
}

#[test]
fn headers_of_the_host_are_empty_and_others_are_told() {
    assert_eq!(tokens("#include <vector>\n#include <thrust/sort.h>\n#include \"helper_cuda.h\"\nx"), "x");
    let done =
        read("#include <cuda_fp16.hh>\n#include <curand_mtgp32.h>\n#include <>\n#include \"x", &[], &[]);
    let codes: Vec<&str> = done.diagnostics.iter().map(|one| one.code).collect();
    assert_eq!(codes, ["missing-header", "refused-header", "directive", "unterminated-string"]);
    assert_eq!(done.diagnostics[0].help.as_deref(), Some("did you mean `<cuda_fp16.h>`?"));
}

#[test]
fn directives_that_are_none_or_refused_are_told() {
    let done = read("#inlcude <vector>\n#error so it is\n#warning careful\n#line 7\n#\nx", &[], &[]);
    let told: Vec<(Severity, &str)> =
        done.diagnostics.iter().map(|one| (one.severity, one.message.as_str())).collect();
    assert_eq!(
        told,
        [
            (Severity::Error, "invalid preprocessing directive `#inlcude`"),
            (Severity::Error, "#error: so it is"),
            (Severity::Warning, "#warning: careful"),
            (Severity::Error, "`#line` is not supported"),
        ]
    );
    assert_eq!(done.diagnostics[0].help.as_deref(), Some("did you mean `#include`?"));
    assert_eq!(spell(&done.tokens), "x");
}

#[test]
fn pragmas_that_change_the_code_are_tokens() {
    assert_eq!(tokens("#define N 4\n#pragma unroll N\nfor"), "[unroll 4] for");
    assert_eq!(tokens("#pragma nounroll\nfor _Pragma(\"unroll 8\") for"), "[nounroll] for [unroll 8] for");
    assert_eq!(tokens("#define UNROLL _Pragma(\"unroll\")\nUNROLL for"), "[unroll] for");
    assert_eq!(tokens("#define L(x) x\nL(\n#pragma unroll\nfor)"), "[unroll] for");
    assert_eq!(tokens("#pragma nv_diag_suppress 177\n#pragma GCC poison\nx"), "x");
    assert_eq!(tokens("#define N 2\n#pragma pack(push, N)\nx"), "[pack ( push , 2 )] x");
    assert_eq!(messages("#pragma push_macro(\"x\")"), ["`#pragma push_macro` is not supported"]);
    assert_eq!(messages("#pragma unrol 4"), ["unknown `#pragma unrol` ignored"]);
}

#[test]
fn the_place_is_told_by_macros() {
    assert_eq!(tokens("\n__LINE__ __FILE__ __COUNTER__ __COUNTER__"), "2 \"dir/main.cu\" 0 1");
    // As in other compilers, the line of a call is that of its closing parenthesis.
    assert_eq!(tokens("#define L(x) __LINE__\nL(1) L(\n1)"), "2 3");
    assert_eq!(
        messages("__DATE__"),
        ["`__DATE__` is always \"Jan  1 1970\" in this compiler: the same source gives the same PTX"]
    );
}

#[test]
fn macros_of_options_are_defined() {
    let done = read("N M", &[], &[("N", "1 + 2"), ("M", "")]);
    assert_eq!((spell(&done.tokens).as_str(), done.diagnostics), ("1 + 2", vec![]));
}

#[test]
fn macros_of_c_are_there_without_their_headers() {
    assert_eq!(tokens("CHAR_BIT"), "8");
    assert_eq!(tokens("#define CHAR_BIT 9\nCHAR_BIT"), "9");
    assert_eq!(tokens("#define F(x) x\nF(CHAR_BIT)"), "8");
}

#[test]
fn a_name_of_the_library_puts_its_file_before_the_source() {
    let done = read("make_float4", &[], &[]);
    assert!(done.tokens.len() > 100);
    let last = &done.tokens[done.tokens.len() - 2];
    assert_eq!(last.kind, TokenKind::Word("make_float4".into()));
    assert_eq!(done.sources.position(last.span.lo).unwrap().file.name, "dir/main.cu");
    assert!(done.sources.position(done.tokens[0].span.lo).unwrap().file.ours);
    // The source's macros change nothing there.
    let disturbed = read("#define x y\n#define float double\nmake_float4", &[], &[]);
    assert_eq!(spell(&disturbed.tokens), spell(&done.tokens));
}

#[test]
fn what_kernels_cannot_have_is_an_error_only_where_it_is_needed() {
    assert_eq!(
        tokens("L\"wide\" 100ms 'ab' größe \u{201c}"),
        "<wide-literal> <literal-suffix> <literal> <stray-character> <stray-character>"
    );
}

#[test]
fn literals_without_an_end_are_one_error_and_what_closes_a_call_is_kept() {
    let done = read("f(\"abc);\ng('x);\n", &[], &[]);
    assert_eq!(spell(&done.tokens), "f ( \"abc\" ) ; g ( '120' ) ;");
    assert_eq!(done.diagnostics.len(), 2);
    assert_eq!(messages("a /* b"), ["unterminated comment"]);
    assert_eq!(messages("R\"(abc"), ["unterminated raw string"]);
}

#[test]
fn a_token_of_a_macro_has_the_place_of_the_outermost_call_and_where_it_is_spelled() {
    let text = "#define ONE 1\n#define ADD(x) x + ONE\nADD(y)";
    let done = read(text, &[], &[]);
    let at = |what: &str| text.rfind(what).unwrap() as u32;
    let [y, plus, one, _] = &done.tokens[..] else { panic!("{:?}", done.tokens) };
    assert_eq!((y.span.lo, y.span.expansion), (at("y"), 0));
    assert_eq!((plus.span.lo, plus.span.hi), (at("ADD"), at("ADD") + 3));
    let Expansion { name, call, spelled } = done.sources.expansion(plus.span).unwrap();
    assert_eq!((done.sources.text(*name), call.lo, done.sources.text(*spelled)), ("ADD", at("ADD"), "+"));
    assert_eq!(one.span.lo, at("ADD"));
    let Expansion { name, call, spelled } = done.sources.expansion(one.span).unwrap();
    assert_eq!((done.sources.text(*name), done.sources.text(*spelled)), ("ONE", "1"));
    assert_eq!(done.sources.text(done.sources.expansion(*call).unwrap().spelled), "ONE");
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn no_source_takes_longer_than_its_budget() {
    let bomb: String =
        (1..40).map(|n| format!("#define A{n} A{} A{}\n", n - 1, n - 1)).collect::<String>() + "A39";
    let exhausted = |text: &str, files: &[(&str, &str)]| {
        let codes: Vec<&str> = read(text, files, &[]).diagnostics.iter().map(|one| one.code).collect();
        assert_eq!(codes, ["budget"], "{}", &text[..text.len().min(40)]);
    };
    exhausted(&bomb, &[]);
    exhausted("#include \"a\"", &[("a", "#include \"a\"\n#include \"a\"")]);
    let nested = format!("#define F(x) x\n{}{}", "F(".repeat(1000), ")".repeat(1000));
    exhausted(&nested, &[]);
    let double: String =
        (1..40).map(|n| format!("#define F{n}(x) F{}(x x)\n", n - 1)).collect::<String>() + "F39(1)";
    exhausted(&double, &[]);
}

/// Sources that are damaged in all ways: bytes taken away, doubled, replaced by those that begin something.
#[test]
fn no_damaged_source_makes_a_panic() {
    const SEEDS: [&str; 3] = [
        "#define F(a, b...) a ## _x #b, ## b\n#if defined(A) && 1 + 2 * (3 > 4 ? 5 : 6)\nF(1, \"2\\n\", '3')\n#else\n#endif",
        "#include \"a.h\"\n#pragma unroll 4\n/* x */ for (int i = 0x1'0u; i < 1.5e+3f; ++i) R\"(raw)\" \\\nx; // y",
        "#define G(...) __VA_OPT__(a G) # # ## %: <: >>= _Pragma(\"unroll\") __LINE__\nG(G(G)) größe “ NULL assert(x)",
    ];
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    for round in 0..300 {
        let mut bytes = SEEDS[round % 3].as_bytes().to_vec();
        for _ in 0..1 + random(6) {
            let (at, from, length) = (random(bytes.len()), random(bytes.len()), random(8));
            let piece: Vec<u8> = bytes[from..(from + length).min(bytes.len())].to_vec();
            match random(3) {
                0 => drop(bytes.drain(at..(at + length).min(bytes.len()))),
                1 => drop(bytes.splice(at..at, piece)),
                _ => bytes[at] = b"\n\\\"'()#<>/*, \t\0"[random(15)],
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let done = read(&text, &[("a.h", &text)], &[]);
        let shown = crate::diagnostic::render(&done.diagnostics, &done.sources, false);
        assert_eq!(shown.is_empty(), done.diagnostics.is_empty(), "{text}");
    }
}

/// Run by hand.
mod by_hand {
    use super::*;

    /// Run by hand, in release: `cargo test --release -p cuda preprocessing_time -- --ignored --nocapture`.
    #[test]
    #[ignore = "a measurement"]
    fn preprocessing_time() {
        let line = "    sum = fmaf(a[(row * WIDTH + column) * 4 + lane], tile[ty][tx + 1], sum) >> 2u; // a comment\n";
        let mut text = "#define WIDTH 1024\n#include <cuda_fp16.h>\n".to_owned();
        (0..300).for_each(|_| text.push_str(line));
        let mut best = std::time::Duration::MAX;
        let mut count = 0;
        for _ in 0..20 {
            let start = std::time::Instant::now();
            let done = read(&text, &[], &[]);
            best = best.min(start.elapsed());
            count = done.tokens.len();
        }
        println!("{count} tokens, {} bytes: {best:?}", text.len());
    }
}
