//! Repairs of what other languages write in the place of C's expressions and declarations.
//!
//! As in the file above: tokens in, tokens and errors out; what is taken for a mistake here no valid source has.

use super::{MOST, closing, kind, put_in, text, told};
use crate::diagnostic::Diagnostics;
use crate::parse::kind::{Kind, Stream};

/// What a condition between two values is written as.
const CONDITIONAL: &str = "write `condition ? value : other`";

/// Repairs what can be at a place.
pub(super) fn repair(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    type_behind_let(stream, at);
    conditional_of_python(stream, at, sink);
    conditional_of_rust(stream, at, sink);
    loop_of_other_languages(stream, at, sink);
}

/// `let x: f32 = 1;`. That C has no `let` is reported where it is read.
fn type_behind_let(stream: &mut Stream, at: usize) {
    let is_let = kind(stream, at) == Kind::Word && matches!(text(stream, at).as_str(), "let" | "var" | "val");
    if !is_let || kind(stream, at + 1) != Kind::Word || kind(stream, at + 2) != Kind::Colon {
        return;
    }
    let ends = |at: &usize| {
        matches!(
            kind(stream, *at),
            Kind::Equal | Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace | Kind::End
        )
    };
    if let Some(end) = (at + 3..at + MOST).find(ends) {
        stream.toks.drain(at + 2..end);
    }
}

/// `x = a if c else b;`: no value is before an `if` on its line.
fn conditional_of_python(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let is_value = matches!(kind(stream, at), Kind::Word | Kind::Integer | Kind::Float | Kind::RightBracket)
        && !(kind(stream, at) == Kind::RightBracket && at > 0 && kind(stream, at - 1) == Kind::RightBracket);
    if !is_value || kind(stream, at + 1) != Kind::If || stream.toks[at + 1].first {
        return;
    }
    let ends = |at: &usize| {
        matches!(kind(stream, *at), Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace | Kind::End)
    };
    let Some(end) = (at + 2..at + MOST).find(ends) else { return };
    let Some(other) = (at + 2..end).find(|at| kind(stream, *at) == Kind::Else) else { return };
    let span = stream.toks[at + 1].span.to(stream.toks[other].span);
    sink.push(told(span, "C has no `if` inside an expression", CONDITIONAL));
    stream.toks.drain(at + 1..end);
}

/// `x = if c { a } else { b };`.
fn conditional_of_rust(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if !matches!(kind(stream, at), Kind::Equal | Kind::Return) || kind(stream, at + 1) != Kind::If {
        return;
    }
    let brace = |from: usize, wanted: Kind| {
        (from..from + MOST)
            .take_while(|at| !matches!(kind(stream, *at), Kind::Semicolon | Kind::End))
            .find(|at| matches!(kind(stream, *at), Kind::LeftBrace | Kind::RightBrace))
            .filter(|at| kind(stream, *at) == wanted)
    };
    let Some(open) = brace(at + 2, Kind::LeftBrace) else { return };
    let Some(close) = brace(open + 1, Kind::RightBrace) else { return };
    if kind(stream, close + 1) != Kind::Else {
        return;
    }
    let Some(last) = brace(close + 2, Kind::LeftBrace).and_then(|open| brace(open + 1, Kind::RightBrace))
    else {
        return;
    };
    sink.push(told(stream.toks[at + 1].span, "`if` is a statement in C and has no value", CONDITIONAL));
    stream.toks.drain(close..=last);
    stream.toks.drain(at + 1..=open);
}

/// `for int i = 0; i < n; i++ {` and `foreach (int x : list)`.
fn loop_of_other_languages(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) == Kind::Word
        && text(stream, at) == "foreach"
        && kind(stream, at + 1) == Kind::LeftParen
    {
        let of_range = closing(stream, at + 1)
            .is_some_and(|close| (at..close).any(|at| kind(stream, at) == Kind::Colon));
        if of_range {
            let span = stream.toks[at].span;
            sink.push(told(span, "C++ has no `foreach`", "write `for (float x : array)`"));
            stream.toks[at].kind = Kind::For;
        }
        return;
    }
    if kind(stream, at) != Kind::For
        || !kind(stream, at + 1).begins_type() && kind(stream, at + 1) != Kind::Word
    {
        return;
    }
    let ends = |at: &usize| matches!(kind(stream, *at), Kind::LeftBrace | Kind::RightBrace | Kind::End);
    let Some(open) = (at + 1..at + MOST).find(ends).filter(|at| kind(stream, *at) == Kind::LeftBrace) else {
        return;
    };
    let semicolons = (at..open).filter(|at| kind(stream, *at) == Kind::Semicolon).count();
    if semicolons == 2 {
        let span = stream.toks[at + 1].span.to(stream.toks[open - 1].span);
        sink.push(told(
            span,
            "the header of `for` must be in parentheses",
            "write `for (start; condition; step)`",
        ));
        stream.toks.insert(open, put_in(Kind::RightParen, stream.toks[open - 1]));
        stream.toks.insert(at + 1, put_in(Kind::LeftParen, stream.toks[at + 1]));
    }
}
