//! What is written in another order or with other signs than C has, but can mean one thing only.
//!
//! Enters: tokens, before their brackets are balanced. Leaves: the tokens as they should have been, and an error for each place,
//! so that nothing that follows from it is an error too. What is taken for a mistake here no valid source has.

mod declarations;
mod languages;

use super::kind::{Kind, Stream, Tok};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::source::Span;
use std::collections::BTreeSet;

/// Tokens of a list of parameters, or of a launch, that are looked at.
const MOST: usize = 256;
/// Errors after which nothing is repaired any more.
const MOST_ERRORS: usize = 100;

/// Repairs what can be.
pub(super) fn repair(stream: &mut Stream, sink: &mut Diagnostics) {
    let kernels = kernels(stream);
    let told = sink.list.len();
    let mut at = 0;
    // Each repair moves what follows; no one reads a hundred messages.
    while at + 1 < stream.toks.len() && sink.list.len() < told + MOST_ERRORS {
        if !stream.toks[at].ours {
            operator(stream, at, sink);
            star_before_type(stream, at, sink);
            brackets_after_type(stream, at, sink);
            semicolons_in_parameters(stream, at, sink);
            launch_of_two(stream, at, &kernels, sink);
            comma_in_for(stream, at, sink);
            brackets_of_two_kinds(stream, at, sink);
            function_of_other_languages(stream, at, sink);
            keyword_misspelt(stream, at, sink);
            parenthesis_behind_step(stream, at, sink);
            comma_before_type(stream, at, sink);
            list_without_braces(stream, at, sink);
            directive_without_hash(stream, at, sink);
            template_without_angles(stream, at, sink);
            semicolon_in_condition(stream, at, sink);
            semicolon_of_macro(stream, at, sink);
            declarations::repair(stream, at, sink);
            languages::repair(stream, at, sink);
        }
        at += 1;
    }
}

/// Names of kernels, by their numbers.
fn kernels(stream: &Stream) -> BTreeSet<u32> {
    let heads = (0..stream.toks.len()).filter(|at| kind(stream, *at) == Kind::Global);
    let is_name = |at: &usize| kind(stream, *at) == Kind::Word && kind(stream, at + 1) == Kind::LeftParen;
    heads.filter_map(|at| (at..at + 12).find(is_name)).map(|at| stream.toks[at].data).collect()
}

fn kind(stream: &Stream, at: usize) -> Kind {
    stream.toks.get(at).map_or(Kind::End, |tok| tok.kind)
}

/// The token as it is written.
fn text(stream: &Stream, at: usize) -> String {
    match stream.toks.get(at) {
        Some(Tok { kind: Kind::Word, data, .. }) => {
            stream.words.get(*data as usize).map_or_else(String::new, |word| word.to_string())
        }
        Some(tok) => tok.kind.text().unwrap_or("…").to_owned(),
        None => String::new(),
    }
}

fn told(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::error("syntax", span, message.into()).help(help.into())
}

/// `=<`, `===` and others, for one operator of C.
fn operator(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let (first, second) = (stream.toks[at], stream.toks[at + 1]);
    if !second.joined {
        return;
    }
    // After `operator` and in `template <…>`, `=` and `>` stand side by side.
    let is_operand = |kind: Kind| {
        matches!(kind, Kind::Word | Kind::Integer | Kind::Float | Kind::RightParen | Kind::RightBracket)
    };
    let before = at.checked_sub(1).map_or(Kind::End, |at| kind(stream, at));
    let after = kind(stream, at + 2);
    if !is_operand(before) || !(is_operand(after) || matches!(after, Kind::LeftParen | Kind::Minus)) {
        return;
    }
    let (written, meant, kind) = match (first.kind, second.kind) {
        (Kind::Equal, Kind::Less) => ("=<", "<=", Kind::LessEqual),
        (Kind::EqualEqual, Kind::Equal) => ("===", "==", Kind::EqualEqual),
        (Kind::BangEqual, Kind::Equal) => ("!==", "!=", Kind::BangEqual),
        (Kind::Colon, Kind::Equal) => (":=", "=", Kind::Equal),
        // Elsewhere, `T <> x;` declares something.
        (Kind::Less, Kind::Greater) if is_in_condition(stream, at) => ("<>", "!=", Kind::BangEqual),
        _ => return,
    };
    let span = first.span.to(second.span);
    sink.push(told(span, format!("C has no `{written}`"), format!("write `{meant}`")));
    stream.toks[at] = Tok { kind, span, ..first };
    stream.toks.remove(at + 1);
}

/// Whether the parentheses around a place are those of `if` or `while`.
fn is_in_condition(stream: &Stream, at: usize) -> bool {
    let mut depth = 0;
    for at in (1..at).rev().take(MOST) {
        match kind(stream, at) {
            Kind::RightParen => depth += 1,
            Kind::LeftParen if depth == 0 => return matches!(kind(stream, at - 1), Kind::If | Kind::While),
            Kind::LeftParen => depth -= 1,
            Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace => return false,
            _ => {}
        }
    }
    false
}

/// `*float a` in a list of parameters.
fn star_before_type(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let begins = matches!(kind(stream, at), Kind::LeftParen | Kind::Comma);
    if !begins || kind(stream, at + 1) != Kind::Star {
        return;
    }
    let ends = (at + 2..at + 6)
        .find(|at| !(kind(stream, *at).is_builtin_type() || kind(stream, *at) == Kind::Const));
    let Some(name) = ends.filter(|name| *name > at + 2 && kind(stream, *name) == Kind::Word) else { return };
    // `(*const f)(int)` is a pointer to functions.
    let is_type = (at + 2..name).any(|at| kind(stream, at).is_builtin_type());
    if !is_type || !matches!(kind(stream, name + 1), Kind::Comma | Kind::RightParen | Kind::LeftBracket) {
        return;
    }
    let ty = (at + 2..name).map(|at| text(stream, at)).collect::<Vec<_>>().join(" ");
    let help = format!("write `{ty} *{}`", text(stream, name));
    sink.push(told(stream.toks[at + 1].span, "the `*` of a pointer comes after its type", help));
    let star = stream.toks.remove(at + 1);
    stream.toks.insert(name - 1, star);
}

/// `float[4] c` and `float[] a`.
fn brackets_after_type(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if !kind(stream, at).is_builtin_type() || kind(stream, at + 1) != Kind::LeftBracket {
        return;
    }
    let Some(close) = (at + 2..at + 8).find(|at| kind(stream, *at) == Kind::RightBracket) else { return };
    let inside = (at + 2..close).all(|at| {
        matches!(kind(stream, at), Kind::Word | Kind::Integer | Kind::Star | Kind::Plus | Kind::Slash)
    });
    let name = close + 1;
    let ends =
        matches!(kind(stream, name + 1), Kind::Semicolon | Kind::Equal | Kind::Comma | Kind::RightParen);
    if !inside || kind(stream, name) != Kind::Word || !ends {
        return;
    }
    let (ty, called) = (text(stream, at), text(stream, name));
    let size = match &stream.toks[at + 2..close] {
        [] => String::new(),
        [one] if one.kind == Kind::Word => text(stream, at + 2),
        _ => "…".to_owned(),
    };
    let is_parameter = matches!(kind(stream, name + 1), Kind::Comma | Kind::RightParen);
    let help = match is_parameter && size.is_empty() {
        true => format!("write `{ty} *{called}`: an array is passed as a pointer"),
        false => format!("write `{ty} {called}[{size}]`"),
    };
    let span = stream.toks[at + 1].span.to(stream.toks[close].span);
    sink.push(told(
        span,
        "brackets are not allowed here: to declare an array, place them after the name",
        help,
    ));
    let moved = stream.toks.remove(name);
    stream.toks.insert(at + 1, moved);
}

/// `(float *a; int n)` of a function of the device.
fn semicolons_in_parameters(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if !matches!(kind(stream, at), Kind::Global | Kind::Device) {
        return;
    }
    let ends = |kind: Kind| {
        matches!(kind, Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace | Kind::Equal | Kind::End)
    };
    let Some(open) = (at..at + MOST)
        .take_while(|at| !ends(kind(stream, *at)))
        .find(|at| kind(stream, *at) == Kind::LeftParen && kind(stream, at.saturating_sub(1)) == Kind::Word)
    else {
        return;
    };
    let Some(close) = (open..open + MOST)
        .take_while(|at| !matches!(kind(stream, *at), Kind::LeftBrace | Kind::RightBrace | Kind::End))
        .find(|at| kind(stream, *at) == Kind::RightParen)
    else {
        return;
    };
    let wrong: Vec<usize> = (open..close)
        .filter(|at| kind(stream, *at) == Kind::Semicolon && kind(stream, at + 1).begins_type())
        .collect();
    let Some(first) = wrong.first() else { return };
    // A `;` at the end of a line rather ends a declaration, whose `)` is missing.
    if stream.toks[*first + 1].first {
        return;
    }
    sink.push(told(
        stream.toks[*first].span,
        "parameters are separated by commas",
        "write `,` instead of `;`",
    ));
    wrong.into_iter().for_each(|at| stream.toks[at].kind = Kind::Comma);
}

/// `kernel<<1, 32>>(a);`.
fn launch_of_two(stream: &mut Stream, at: usize, kernels: &BTreeSet<u32>, sink: &mut Diagnostics) {
    let begins = matches!(kind(stream, at), Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace);
    if !begins || kind(stream, at + 1) != Kind::Word || kind(stream, at + 2) != Kind::LessLess {
        return;
    }
    let first = stream.toks[at + 2].span;
    if kind(stream, at + 3) == Kind::Less {
        return;
    }
    let inside = |at: &usize| !matches!(kind(stream, *at), Kind::Semicolon | Kind::LeftBrace | Kind::End);
    let is_close = |at: &usize| {
        let [one, two, three] = [0, 1, 2].map(|on| kind(stream, at + on));
        one == Kind::Greater && two == Kind::Greater && three == Kind::LeftParen
    };
    let Some(close) = (at + 3..at + MOST).take_while(inside).find(is_close) else { return };
    let has_comma = (at + 3..close).any(|at| kind(stream, at) == Kind::Comma);
    let Some(end) = (close..close + MOST).find(|at| kind(stream, *at) == Kind::Semicolon) else { return };
    if !has_comma || !kernels.contains(&stream.toks[at + 1].data) {
        return;
    }
    let name = text(stream, at + 1);
    sink.push(told(
        first,
        "a launch is written with `<<<` and `>>>`",
        format!("write `{name}<<<…, …>>>(…)`"),
    ));
    // Nothing is left of it: whether it may be launched here is another question.
    stream.toks.drain(at + 1..end);
}

/// Where the bracket closes that opens here, without leaving a statement.
fn closing(stream: &Stream, open: usize) -> Option<usize> {
    let mut depth = 0;
    for at in open..open + MOST {
        match kind(stream, at) {
            Kind::LeftParen | Kind::LeftBracket => depth += 1,
            Kind::RightParen | Kind::RightBracket => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            Kind::LeftBrace | Kind::RightBrace | Kind::End => return None,
            _ => {}
        }
    }
    None
}

/// `for (int i = 0, i < n; i++)`.
fn comma_in_for(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) != Kind::For || kind(stream, at + 1) != Kind::LeftParen {
        return;
    }
    let Some(close) = closing(stream, at + 1) else { return };
    let semicolons = (at..close).filter(|at| kind(stream, *at) == Kind::Semicolon).count();
    let is_condition = |at: &usize| {
        kind(stream, *at) == Kind::Comma
            && kind(stream, at + 1) == Kind::Word
            && matches!(
                kind(stream, at + 2),
                Kind::Less | Kind::Greater | Kind::LessEqual | Kind::GreaterEqual | Kind::BangEqual
            )
    };
    if semicolons != 1 {
        return;
    }
    let first = (at..close).take_while(|at| kind(stream, *at) != Kind::Semicolon).find(is_condition);
    // Of the elements of an array, `for (init; x : array)` has one `;` too.
    let is_step = |at: &usize| kind(stream, *at) == Kind::Comma && is_directly_in(stream, close, *at);
    let of_array = (at..close).any(|at| kind(stream, at) == Kind::Colon);
    let last = (at..close).rev().take_while(|at| kind(stream, *at) != Kind::Semicolon).find(is_step);
    let (comma, message) = match (first, last) {
        (Some(comma), _) => (comma, "expected `;` before the condition of `for`"),
        (None, Some(comma)) if !of_array => (comma, "expected `;` before the step of `for`"),
        _ => return,
    };
    sink.push(told(stream.toks[comma].span, message, "write `for (start; condition; step)`"));
    stream.toks[comma].kind = Kind::Semicolon;
}

/// Whether a place is within the parentheses that close at another, and within none inside of them.
fn is_directly_in(stream: &Stream, close: usize, at: usize) -> bool {
    let mut depth = 0;
    for at in at..close {
        match kind(stream, at) {
            Kind::LeftParen | Kind::LeftBracket => depth += 1,
            Kind::RightParen | Kind::RightBracket => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// `a(i]` and `a[i)`.
fn brackets_of_two_kinds(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) != Kind::Word {
        return;
    }
    let (open, wrong) = match kind(stream, at + 1) {
        Kind::LeftParen => (at + 1, Kind::RightBracket),
        Kind::LeftBracket => (at + 1, Kind::RightParen),
        _ => return,
    };
    let Some(close) = closing(stream, open).filter(|close| kind(stream, *close) == wrong) else { return };
    // In the rest of the statement, brackets must be closed by their own kind: else something else is missing.
    let ends = |kind: Kind| {
        matches!(kind, Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace | Kind::ExtraBrace | Kind::End)
    };
    let start = (0..at).rev().take(MOST).find(|at| ends(kind(stream, *at))).map_or(0, |at| at + 1);
    let end = (close..close + MOST).find(|at| ends(kind(stream, *at))).unwrap_or(close);
    let mut counts = [0_i32; 2];
    for at in start..end {
        match kind(stream, at) {
            Kind::LeftParen => counts[0] += 1,
            Kind::RightParen => counts[0] -= 1,
            Kind::LeftBracket => counts[1] += 1,
            Kind::RightBracket => counts[1] -= 1,
            _ => {}
        }
    }
    let expected = if wrong == Kind::RightBracket { [1, -1] } else { [-1, 1] };
    if counts != expected {
        return;
    }
    let name = text(stream, at);
    let (first, last) = (text(stream, open), text(stream, close));
    sink.push(
        told(
            stream.toks[close].span,
            format!("mismatched closing `{last}`: it does not match `{first}`"),
            format!("write `{name}[…]` for an element, `{name}(…)` for a call"),
        )
        .related(stream.toks[open].span, "opened here"),
    );
    stream.toks[open].kind = Kind::LeftBracket;
    stream.toks[close].kind = Kind::RightBracket;
}

/// `def f(a, n):` and `fn f(x: f32) -> f32 { … }`.
fn function_of_other_languages(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let before = at.checked_sub(1).map_or(Kind::Semicolon, |at| kind(stream, at));
    let begins = before.is_attribute() || matches!(before, Kind::Semicolon | Kind::RightBrace);
    let is_head = [at, at + 1].iter().all(|at| kind(stream, *at) == Kind::Word);
    if !begins || !is_head || kind(stream, at + 2) != Kind::LeftParen {
        return;
    }
    let word = text(stream, at);
    let Some(close) = closing(stream, at + 2) else { return };
    let behind = kind(stream, close + 1);
    let is_one = match word.as_str() {
        "def" => behind == Kind::Colon || behind == Kind::Arrow,
        "fn" | "func" => behind == Kind::Arrow || (at..close).any(|at| kind(stream, at) == Kind::Colon),
        _ => false,
    };
    if is_one {
        let name = text(stream, at + 1);
        let help = format!("write the return type instead, such as `void {name}(float *a, int n) {{ … }}`");
        sink.push(told(stream.toks[at].span, format!("C has no `{word}`"), help));
        // What it has inside of it is another language too: its name is all that is left.
        if let Some(end) = body_end(stream, close + 1) {
            stream.toks[end].kind = Kind::Semicolon;
            stream.toks.drain(close + 1..end);
            stream.toks.drain(at + 3..close);
            if !before.is_attribute() {
                // What calls it is no mistake.
                let device = Tok { kind: Kind::Device, put_in: true, data: 0, ..stream.toks[at] };
                stream.toks.insert(at, device);
            }
        }
    }
}

/// Where the body of a function closes whose head ends before a place.
fn body_end(stream: &Stream, from: usize) -> Option<usize> {
    let open = (from..from + MOST).find(|at| {
        matches!(kind(stream, *at), Kind::LeftBrace | Kind::RightBrace | Kind::Semicolon | Kind::End)
    })?;
    if kind(stream, open) != Kind::LeftBrace {
        return None;
    }
    let mut depth = 0_u32;
    (open..stream.toks.len()).find(|at| {
        match kind(stream, *at) {
            Kind::LeftBrace => depth += 1,
            Kind::RightBrace => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Token that the source lacks, at the place of one that it has.
fn put_in(kind: Kind, beside: Tok) -> Tok {
    Tok { kind, first: false, joined: false, put_in: true, data: 0, ..beside }
}

/// That something is missing after a token.
fn missing(text: &str, before: Tok) -> Diagnostic {
    Diagnostic::error("syntax", before.span.after(), format!("expected `{text}`"))
        .label(format!("write `{text}` here"))
}

/// Whether a statement or a declaration begins at a place.
fn begins(stream: &Stream, at: usize) -> bool {
    let before = at.checked_sub(1).map_or(Kind::Semicolon, |at| kind(stream, at));
    matches!(before, Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace | Kind::RightParen | Kind::Else)
}

/// `fro (int i = 0; i < n; i++)` and `whlie (a < b) {`: a call has no semicolons, and no block follows it.
fn keyword_misspelt(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) != Kind::Word || kind(stream, at + 1) != Kind::LeftParen || !begins(stream, at) {
        return;
    }
    let Some(close) = closing(stream, at + 1) else { return };
    let semicolons = (at..close).filter(|at| kind(stream, *at) == Kind::Semicolon).count();
    let word = text(stream, at);
    let meant = if semicolons == 2 {
        nearest(&word, ["for"])
    } else if semicolons == 0 && kind(stream, close + 1) == Kind::LeftBrace {
        // A constructor looks the same, but its class has the name too.
        let once =
            stream.toks.iter().filter(|tok| tok.kind == Kind::Word && tok.data == stream.toks[at].data);
        if once.count() > 1 {
            return;
        }
        nearest(&word, ["while", "switch"]).or_else(|| (word == "fi").then_some("if"))
    } else {
        return;
    };
    let kind = match meant {
        Some("for") => Kind::For,
        Some("while") => Kind::While,
        Some("switch") => Kind::Switch,
        Some(_) => Kind::If,
        None => return,
    };
    let meant = kind.text().unwrap_or_default();
    sink.push(
        Diagnostic::error("name", stream.toks[at].span, format!("use of undeclared identifier `{word}`"))
            .unknown(&word)
            .help(format!("did you mean `{meant}`?")),
    );
    stream.toks[at].kind = kind;
}

/// `for (int i = 0; i < n; i++ a[i] = 0;`: after a step of 1 nothing of the expression can follow.
fn parenthesis_behind_step(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) != Kind::For || kind(stream, at + 1) != Kind::LeftParen {
        return;
    }
    let separators: Vec<usize> = (at..at + MOST)
        .take_while(|at| !matches!(kind(stream, *at), Kind::LeftBrace | Kind::RightBrace | Kind::End))
        .filter(|at| kind(stream, *at) == Kind::Semicolon)
        .take(2)
        .collect();
    let [_, second] = separators.as_slice() else { return };
    let is_step = |kind: Kind| matches!(kind, Kind::PlusPlus | Kind::MinusMinus);
    let behind = match [second + 1, second + 2].map(|at| kind(stream, at)) {
        [Kind::Word, step] if is_step(step) => second + 3,
        [step, Kind::Word] if is_step(step) => second + 3,
        _ => return,
    };
    if kind(stream, behind) != Kind::Word || closing(stream, at + 1).is_some_and(|close| close < behind) {
        return;
    }
    let before = stream.toks[behind - 1];
    sink.push(missing(")", before).related(stream.toks[at + 1].span, "to match this `(`"));
    let close = Tok { span: before.span.after(), ..put_in(Kind::RightParen, stream.toks[at]) };
    stream.toks.insert(behind, close);
}

/// `float x, float y;`.
fn comma_before_type(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) != Kind::Comma || !kind(stream, at + 1).is_builtin_type() {
        return;
    }
    let ends = |kind: Kind| matches!(kind, Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace);
    let Some(before) = (0..at).rev().take(MOST).find(|at| ends(kind(stream, *at))) else { return };
    let first = kind(stream, before + 1);
    let alone = is_directly_in(stream, at, before + 1);
    let name = (at + 1..at + 6).find(|at| kind(stream, *at) == Kind::Word);
    let is_type = |at: usize| kind(stream, at).is_builtin_type() || kind(stream, at) == Kind::Star;
    let Some(name) = name.filter(|name| {
        let follows = kind(stream, name + 1);
        (at + 1..*name).all(is_type)
            && matches!(follows, Kind::Semicolon | Kind::Comma | Kind::Equal | Kind::LeftBracket)
    }) else {
        return;
    };
    if !alone || !(first.is_builtin_type() || first == Kind::Const) {
        return;
    }
    let called = text(stream, name);
    sink.push(told(
        stream.toks[at].span,
        "expected another name of the same type after this comma, found a type",
        format!("write `;` instead of `,`, or remove the type of `{called}`"),
    ));
    stream.toks[at].kind = Kind::Semicolon;
}

/// `int a[3] = 1, 2, 3;` and `dim3 d = 3, 4;`.
fn list_without_braces(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let is_number = |at: usize| matches!(kind(stream, at), Kind::Integer | Kind::Float);
    if kind(stream, at) != Kind::Equal
        || !is_number(at + 1)
        || kind(stream, at + 2) != Kind::Comma
        || !is_number(at + 3)
    {
        return;
    }
    let Some(end) = (at + 3..at + MOST).find(|at| !is_number(*at) && kind(stream, *at) != Kind::Comma) else {
        return;
    };
    let declares_array = at > 0 && kind(stream, at - 1) == Kind::RightBracket;
    let declares_vector = at > 1 && kind(stream, at - 1) == Kind::Word && kind(stream, at - 2) == Kind::Word;
    if kind(stream, end) != Kind::Semicolon || !(declares_array || declares_vector) {
        return;
    }
    sink.push(told(
        stream.toks[at + 1].span.to(stream.toks[end - 1].span),
        "several values must be in braces",
        "write `{…}` around them",
    ));
    let (first, last) = (stream.toks[at + 1], stream.toks[end - 1]);
    stream.toks.insert(end, put_in(Kind::RightBrace, last));
    stream.toks.insert(at + 1, put_in(Kind::LeftBrace, first));
}

/// `include <stdio.h>` and `define N 16`.
fn directive_without_hash(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let (word, next) = (kind(stream, at), kind(stream, at + 1));
    if word != Kind::Word || !stream.toks[at].first || stream.toks[at + 1].first || !begins(stream, at) {
        return;
    }
    let Some(end) = (at + 1..at + MOST).find(|at| kind(stream, *at) == Kind::End || stream.toks[*at].first)
    else {
        return;
    };
    let written = text(stream, at);
    let is_one = match written.as_str() {
        "include" => matches!(next, Kind::Less | Kind::String),
        "define" => next == Kind::Word && kind(stream, end - 1) != Kind::Semicolon && end > at + 2,
        _ => false,
    };
    if is_one {
        let (span, help) = (stream.toks[at].span, format!("write `#{written} …`"));
        sink.push(told(span, "a directive begins with `#`", help));
        stream.toks.drain(at..end);
    }
}

/// `while (i < n;) {`.
fn semicolon_in_condition(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if !matches!(kind(stream, at), Kind::If | Kind::While) || kind(stream, at + 1) != Kind::LeftParen {
        return;
    }
    let Some(close) = closing(stream, at + 1) else { return };
    let semicolons: Vec<usize> = (at..close).filter(|at| kind(stream, *at) == Kind::Semicolon).collect();
    // What a macro brings is reported otherwise.
    if semicolons == [close - 1] && close > at + 3 && stream.toks[close - 1].span.expansion == 0 {
        sink.push(told(
            stream.toks[close - 1].span,
            "unexpected `;` at the end of the condition",
            "remove the `;`",
        ));
        stream.toks.remove(close - 1);
    }
}

/// `float a[N];` where `N` is a macro that ends with `;`.
fn semicolon_of_macro(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    use Kind::{
        Comma, Equal, Greater, LeftBracket, Less, Minus, MinusEqual, MinusMinus, Percent, Plus, PlusEqual,
        PlusPlus, RightBrace, RightBracket, RightParen, Semicolon, Slash, Star, StarEqual,
    };
    // The end is after every other token.
    if kind(stream, at) != Semicolon {
        return;
    }
    let (tok, next) = (stream.toks[at], stream.toks[at + 1]);
    let goes_on = match next.kind {
        RightBracket | RightParen | Comma | LeftBracket => true,
        // A statement may begin with a sign, but not on the line of the one before.
        Plus | Minus | Star | Slash | Percent | Less | Greater => !next.first,
        _ => false,
    };
    let same = |other: Tok| {
        other.span.expansion != 0 && (other.span.lo, other.span.hi) == (tok.span.lo, tok.span.hi)
    };
    // `{ t = *a; *a = *b; }` of one macro: the `;` is not its end.
    if tok.span.expansion == 0 || same(next) || !goes_on {
        return;
    }
    // Nor is it meant to be a value, if it is a statement.
    let is_statement = |kind: Kind| {
        matches!(
            kind,
            Equal | PlusEqual | MinusEqual | StarEqual | PlusPlus | MinusMinus | Semicolon | RightBrace
        )
    };
    let mut before = stream.toks[..at].iter().rev().take_while(|other| same(**other));
    if before.any(|other| is_statement(other.kind)) {
        return;
    }
    const SUBJECT: &str = "`;` of a macro";
    // The macro is one mistake, however often it is used.
    if !sink.list.iter().any(|one| one.subject.as_deref() == Some(SUBJECT)) {
        let help = "remove the `;` at the end of its `#define`";
        sink.push(told(tok.span, "unexpected `;` from this macro", help).about(SUBJECT));
    }
    stream.toks.remove(at);
}

/// `template typename T`.
fn template_without_angles(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let is_head = kind(stream, at) == Kind::Template
        && matches!(kind(stream, at + 1), Kind::Typename | Kind::Class)
        && kind(stream, at + 2) == Kind::Word;
    // `template class Array<int>;` is an instantiation.
    if !is_head || matches!(kind(stream, at + 3), Kind::Less | Kind::Semicolon | Kind::ColonColon) {
        return;
    }
    let (first, last) = (stream.toks[at + 1], stream.toks[at + 2]);
    let (word, name) = (text(stream, at + 1), text(stream, at + 2));
    sink.push(told(
        first.span.to(last.span),
        "template parameters must be in angle brackets",
        format!("write `template <{word} {name}>`"),
    ));
    stream.toks.insert(at + 3, put_in(Kind::Greater, last));
    stream.toks.insert(at + 1, put_in(Kind::Less, first));
}
