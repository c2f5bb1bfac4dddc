//! Diagnostics as a reader sees them: as text for a terminal, or as plain data for an editor.
//!
//! Enters: what the stages found, and the files. Leaves: the same in the order of places, each once, with the macros that
//! a place came out of. This module must never know what the stages do.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Severity};
use crate::hash::Set;
use crate::source::{Sources, Span};

/// Most errors that are shown, and most warnings.
const MOST_SHOWN: usize = 20;
/// Most macros that are named for one place, the outermost first.
const MOST_MACROS: usize = 4;

/// Place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Line of the beginning, from 1.
    pub line: u32,
    /// Column of the beginning in characters, from 1.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column after the end.
    pub end_column: u32,
}

/// Diagnostic with its places as lines and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// Whether PTX was made in spite of it.
    pub severity: Severity,
    /// Short name of its kind.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub place: Place,
    /// What is there, in a few words; empty for none.
    pub label: String,
    /// Other places that matter, each with a few words; also those in the macros that the place came out of.
    pub related: Vec<(Place, String)>,
    /// What to write instead.
    pub help: Option<String>,
}

/// Diagnostics that are shown.
struct Shown<'a> {
    list: Vec<&'a Diagnostic>,
    /// How many errors and warnings are left out.
    more: [usize; 2],
}

/// Diagnostics in the order of their places, without those that say the same, warnings about our own headers, and what is
/// too many to be read.
fn choose<'a>(diagnostics: &'a [Diagnostic], sources: &Sources) -> Shown<'a> {
    let ours = |span: Span| sources.position(span.lo).is_some_and(|place| place.file.ours);
    let mut list: Vec<&Diagnostic> =
        diagnostics.iter().filter(|one| one.severity == Severity::Error || !ours(one.span)).collect();
    crate::sort::by_key(&mut list, |one| (one.span.lo, one.span.hi));
    drop_consequences(&mut list);
    let mut seen = Set::default();
    list.retain(|one| seen.insert((one.severity, one.span.lo, one.span.hi, &one.message)));
    let mut more = [0; 2];
    let mut shown = [0; 2];
    list.retain(|one| {
        let kind = usize::from(one.severity == Severity::Warning);
        shown[kind] += 1;
        more[kind] += usize::from(shown[kind] > MOST_SHOWN);
        shown[kind] <= MOST_SHOWN
    });
    Shown { list, more }
}

/// Codes of errors in a token itself. What is reported about anything around it is most likely a consequence.
const TOKENS: [&str; 7] = [
    "stray-character",
    "literal",
    "literal-suffix",
    "wide-literal",
    "escape",
    "unterminated-string",
    "unterminated-character",
];

/// Takes out what follows from something else that is reported: messages about what a wrong token is in, warnings where there
/// is an error, and unknown names after the first time.
fn drop_consequences(list: &mut Vec<&Diagnostic>) {
    let tokens: Vec<Span> =
        list.iter().filter(|one| TOKENS.contains(&one.code)).map(|one| one.span).collect();
    let errors: Set<u32> =
        list.iter().filter(|one| one.severity == Severity::Error).map(|one| one.span.lo).collect();
    // `for (int i = 0, i < n, …)`: what seems declared again is not a declaration.
    let syntax: Set<u32> = list.iter().filter(|one| one.code == "syntax").map(|one| one.span.lo).collect();
    // `f x;`: more than a `;` is missing.
    let uncalled: Set<u32> =
        list.iter().filter(|one| one.code == "uncalled").map(|one| one.span.hi).collect();
    let mut names = Set::default();
    list.retain(|one| {
        let around = |token: &Span| one.span.lo <= token.lo && token.hi <= one.span.hi;
        let consequence = !TOKENS.contains(&one.code) && tokens.iter().any(around);
        let warned = one.severity == Severity::Warning && errors.contains(&one.span.lo);
        let again = one.unknown.as_ref().is_some_and(|name| !names.insert((one.code, name)));
        let declared = one.code == "redefinition" && syntax.contains(&one.span.hi);
        let argument = one.code == "syntax" && uncalled.contains(&one.span.lo);
        !consequence && !warned && !again && !declared && !argument
    });
}

/// Places in the macros that a span came out of, each with the macro's name, the outermost first.
fn macros(span: Span, sources: &Sources) -> Vec<(Span, String)> {
    let mut chain = vec![];
    let mut inner = span;
    while let Some(expansion) = sources.expansion(inner) {
        chain.push((expansion.spelled, sources.text(expansion.name).to_owned()));
        // An expansion is added after those it is called in, so numbers fall and this ends.
        if expansion.call.expansion >= inner.expansion {
            break;
        }
        inner = expansion.call;
    }
    chain.reverse();
    chain.truncate(MOST_MACROS);
    chain
}

/// Diagnostics as plain data, for an editor.
pub fn locate(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Located> {
    let place = |span: Span| {
        let start = sources.position(span.lo)?;
        let end = sources.position(span.hi.max(span.lo))?;
        Some(Place {
            file: start.file.name.clone(),
            line: start.line,
            column: start.column(),
            end_line: end.line,
            end_column: end.column(),
        })
    };
    let located = choose(diagnostics, sources).list.into_iter().filter_map(|one| {
        let related = one.related.iter().map(|(span, words)| (*span, words.clone()));
        let macros = macros(one.span, sources).into_iter().map(|(span, name)| (span, in_macro(&name)));
        Some(Located {
            severity: one.severity,
            code: one.code,
            message: one.message.clone(),
            place: place(one.span)?,
            label: one.label.clone(),
            related: related.chain(macros).filter_map(|(span, words)| Some((place(span)?, words))).collect(),
            help: one.help.clone(),
        })
    });
    located.collect()
}

fn in_macro(name: &str) -> String {
    format!("in the expansion of macro `{name}`")
}

/// Lines of one file that are shown together.
struct Window {
    file: usize,
    /// Offsets of the first line's beginning and the last one's end.
    lo: u32,
    hi: u32,
    /// Spans within one line each, with what is said of them, and whether it is the place itself.
    marks: Vec<(Span, String, bool)>,
}

/// The lines that a span's first line has; a span is marked to that line's end at most.
fn line_of(span: Span, sources: &Sources) -> Option<(usize, Span, Span)> {
    let place = sources.position(span.lo)?;
    let text = &*place.file.text;
    let at = (span.lo - place.file.start) as usize;
    let start = text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
    let end = text.get(at..)?.find('\n').map_or(text.len(), |length| at + length);
    let end = start + text.get(start..end)?.trim_end_matches('\r').len();
    let base = place.file.start;
    let line = Span { lo: base + start as u32, hi: base + end as u32, expansion: 0 };
    let marked = Span { hi: span.hi.max(span.lo).min(line.hi.max(span.lo)), ..span };
    Some((place.index, line, marked))
}

/// Windows of the places of a diagnostic, that of the place itself first.
fn windows(marks: impl IntoIterator<Item = (Span, String, bool)>, sources: &Sources) -> Vec<Window> {
    let mut windows: Vec<Window> = vec![];
    for (span, words, primary) in marks {
        let Some((file, line, marked)) = line_of(span, sources) else { continue };
        match windows.iter_mut().find(|window| window.file == file) {
            Some(window) => {
                window.lo = window.lo.min(line.lo);
                window.hi = window.hi.max(line.hi);
                window.marks.push((marked, words, primary));
            }
            None => {
                windows.push(Window { file, lo: line.lo, hi: line.hi, marks: vec![(marked, words, primary)] })
            }
        }
    }
    windows
}

fn add<'a>(group: Group<'a>, windows: &'a [Window], sources: &'a Sources) -> Group<'a> {
    windows.iter().fold(group, |group, window| {
        let Some(file) = sources.files().get(window.file) else { return group };
        let text = file.text.get((window.lo - file.start) as usize..(window.hi - file.start) as usize);
        let line = sources.position(window.lo).map_or(1, |place| place.line);
        let mut snippet =
            Snippet::source(text.unwrap_or_default()).path(&*file.name).line_start(line as usize);
        for (span, words, primary) in &window.marks {
            let kind = if *primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let range = (span.lo - window.lo) as usize..(span.hi - window.lo) as usize;
            let words = Some(words.as_str()).filter(|words| !words.is_empty());
            snippet = snippet.annotation(kind.span(range).label(words));
        }
        group.element(snippet)
    })
}

/// Diagnostics as text for a terminal, with colours if asked.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let shown = choose(diagnostics, sources);
    let mut out = String::new();
    for one in &shown.list {
        let related = one.related.iter().map(|(span, words)| (*span, words.clone(), false));
        let places: Vec<Window> =
            windows(std::iter::once((one.span, one.label.clone(), true)).chain(related), sources);
        let inner: Vec<(String, Vec<Window>)> = macros(one.span, sources)
            .into_iter()
            .map(|(span, name)| (in_macro(&name), windows([(span, String::new(), true)], sources)))
            .collect();
        let title = match one.severity {
            Severity::Error => Level::ERROR.primary_title(&*one.message),
            // The name by which a warning is known.
            Severity::Warning => Level::WARNING.primary_title(&*one.message).id(one.code),
        };
        let mut groups = vec![add(Group::with_title(title), &places, sources)];
        for (words, windows) in &inner {
            let group = Group::with_title(Level::NOTE.secondary_title(words.as_str()));
            groups.push(add(group, windows, sources));
        }
        let help =
            one.help.as_ref().map(|help| Group::with_title(Level::HELP.secondary_title(help.as_str())));
        if places.is_empty() {
            // Without lines of code above it, nothing leads to the help.
            let parts = groups.into_iter().chain(help).map(|group| renderer.render(&[group]));
            out.push_str(&parts.collect::<Vec<_>>().join("\n"));
        } else {
            groups.extend(help);
            out.push_str(&renderer.render(&groups));
        }
        out.push_str("\n\n");
    }
    for (more, what) in shown.more.into_iter().zip(["error", "warning"]) {
        if more > 0 {
            let plural = if more == 1 { "" } else { "s" };
            out.push_str(&format!("{more} more {what}{plural} not shown\n\n"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Expansion;

    fn sources(text: &str) -> Sources {
        let mut sources = Sources::default();
        sources.add("kernel.cu", text.to_owned(), false).unwrap();
        sources
    }

    /// Span of a piece of the main file.
    fn span(text: &str, piece: &str) -> Span {
        let lo = text.find(piece).unwrap() as u32;
        Span { lo, hi: lo + piece.len() as u32, expansion: 0 }
    }

    #[track_caller]
    fn shows(diagnostics: &[Diagnostic], sources: &Sources, expected: &str) {
        let text = render(diagnostics, sources, false);
        assert_eq!(text.trim_end(), expected.trim_matches('\n'), "\n{text}");
    }

    #[test]
    fn a_message_has_its_place_a_label_related_places_and_help() {
        let text = "__global__ void k(int n)\n{\n    int m = 1;\n\n\n    m = q;\n}\n";
        let one = Diagnostic::error("name", span(text, "q"), "there is no `q` here")
            .label("not declared")
            .related(span(text, "int n"), "there is `n`")
            .help("write `n`");
        shows(
            &[one],
            &sources(text),
            "
error: there is no `q` here
 --> kernel.cu:6:9
  |
1 | __global__ void k(int n)
  |                   ----- there is `n`
...
6 |     m = q;
  |         ^ not declared
  |
help: write `n`",
        );
    }

    #[test]
    fn a_message_without_a_place_is_followed_by_its_help() {
        let one = Diagnostic::error("launch", Span::NOWHERE, "there is no kernel `k`").help("write one");
        shows(&[one], &sources("int x;"), "\nerror: there is no kernel `k`\nhelp: write one");
    }

    #[test]
    fn tabs_and_wide_characters_do_not_shift_the_caret() {
        let text = "\tint größe = 1; // 漢字\n\t/* 漢字 */ int x y;\n";
        let one = Diagnostic::warning("odd", span(text, "x y"), "odd");
        shows(
            &[one],
            &sources(text),
            "
warning[odd]: odd
 --> kernel.cu:2:15
  |
2 |     /* 漢字 */ int x y;
  |                    ^^^",
        );
    }

    #[test]
    fn what_is_missing_at_the_end_of_a_line_is_marked_behind_it() {
        let text = "int x = 1\r\nint y;";
        let one = Diagnostic::error("expected", span(text, "1").after(), "a `;` is missing");
        shows(
            &[one],
            &sources(text),
            "
error: a `;` is missing
 --> kernel.cu:1:10
  |
1 | int x = 1
  |          ^",
        );
    }

    #[test]
    fn a_place_over_several_lines_is_marked_on_its_first() {
        let text = "f(1,\n  2);\n";
        let one = Diagnostic::error("call", span(text, text.trim_end()), "wrong call");
        shows(
            &[one],
            &sources(text),
            "
error: wrong call
 --> kernel.cu:1:1
  |
1 | f(1,
  | ^^^^",
        );
    }

    #[test]
    fn macros_that_a_place_came_out_of_are_named() {
        let text = "#define ONE uno\n#define ADD(x) x + ONE\nint y = ADD(2);\n";
        let mut sources = sources(text);
        let call = span(text, "ADD(2").lo;
        let call = Span { lo: call, hi: call + 3, expansion: 0 };
        let outer = sources.expand(Expansion {
            name: span(text, "ADD"),
            call,
            spelled: Span { lo: 35, hi: 38, expansion: 0 },
        });
        let call = Span { expansion: outer, ..call };
        let inner = sources.expand(Expansion { name: span(text, "ONE"), call, spelled: span(text, "uno") });
        let one = Diagnostic::error("name", Span { expansion: inner, ..call }, "there is no `uno` here");
        shows(
            &[one],
            &sources,
            "
error: there is no `uno` here
 --> kernel.cu:3:9
  |
3 | int y = ADD(2);
  |         ^^^
  |
note: in the expansion of macro `ADD`
 --> kernel.cu:2:20
  |
2 | #define ADD(x) x + ONE
  |                    ^^^
note: in the expansion of macro `ONE`
 --> kernel.cu:1:13
  |
1 | #define ONE uno
  |             ^^^",
        );
    }

    #[test]
    fn messages_are_in_the_order_of_places_each_once_and_not_too_many() {
        let text = "0123456789012345678901234567890123456789";
        let at = |at: u32| Span { lo: at, hi: at + 1, expansion: 0 };
        let mut all: Vec<Diagnostic> =
            (0..30).rev().map(|n| Diagnostic::error("e", at(n), "wrong")).collect();
        all.push(Diagnostic::error("e", at(3), "wrong"));
        all.push(Diagnostic::warning("w", at(35), "careful"));
        let located = locate(&all, &sources(text));
        let columns: Vec<u32> = located.iter().map(|one| one.place.column).collect();
        assert_eq!(columns, (1..=20).chain([36]).collect::<Vec<_>>());
        assert!(render(&all, &sources(text), false).ends_with("10 more errors not shown\n\n"));
    }

    #[test]
    fn what_follows_from_another_error_is_not_told() {
        let text = "f(1x, y); y;";
        let all = [
            Diagnostic::error("call", span(text, "f(1x, y)"), "wrong call"),
            Diagnostic::error("literal-suffix", span(text, "1x"), "wrong number"),
            Diagnostic::error("name", span(text, "y)"), "nothing is called `y`").unknown("y"),
            Diagnostic::warning("unused", span(text, "y)"), "not used"),
            Diagnostic::error("name", span(text, "y;"), "nothing is called `y`").unknown("y"),
        ];
        let told: Vec<String> = locate(&all, &sources(text)).into_iter().map(|one| one.message).collect();
        assert_eq!(told, ["wrong number", "nothing is called `y`"]);
    }

    #[test]
    fn warnings_about_our_own_headers_are_not_told_but_errors_are() {
        let mut sources = sources("x");
        let lo = sources.add("<a.h>", "y".to_owned(), true).unwrap().start;
        let span = Span { lo, hi: lo + 1, expansion: 0 };
        let all = [Diagnostic::warning("w", span, "careful"), Diagnostic::error("e", span, "wrong")];
        let located = locate(&all, &sources);
        assert_eq!(located.len(), 1);
        assert_eq!((located[0].severity, &*located[0].place.file), (Severity::Error, "<a.h>"));
    }

    #[test]
    fn colours_come_only_when_asked_for() {
        let all = [Diagnostic::error("e", Span::default(), "wrong")];
        assert!(!render(&all, &sources("x"), false).contains('\x1b'));
        assert!(render(&all, &sources("x"), true).contains('\x1b'));
    }
}
