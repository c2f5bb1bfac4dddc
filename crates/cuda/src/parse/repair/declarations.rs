//! Repairs of declarations: names, classes, lists of constructors, and what a comment looks like without its second stroke.
//!
//! As in the file above: tokens in, tokens and errors out; what is taken for a mistake here no valid source has.

use super::{MOST, begins, closing, kind, missing, text, told};
use crate::diagnostic::{Diagnostics, nearest};
use crate::parse::kind::{Kind, Stream, Tok};

/// Repairs what can be at a place.
pub(super) fn repair(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    restrict_of_c(stream, at, sink);
    type_missing(stream, at, sink);
    type_behind_function(stream, at, sink);
    parenthesis_of_parameters(stream, at, sink);
    body_without_braces(stream, at, sink);
    angle_not_closed(stream, at, sink);
    constructor_without_body(stream, at, sink);
    enumerators_with_semicolons(stream, at, sink);
    value_without_equals(stream, at, sink);
    semicolon_before_next(stream, at, sink);
    name_of_two_words(stream, at, sink);
    comparison_for_value(stream, at, sink);
    class_without_brace(stream, at, sink);
    initializers_without_colon(stream, at, sink);
    initializers_without_comma(stream, at, sink);
    else_in_switch(stream, at, sink);
    case_with_two_colons(stream, at, sink);
    comment_of_one_stroke(stream, at, sink);
    operator_misspelt(stream, at, sink);
}

/// Token that the source lacks, after one that it has.
fn put_in(kind: Kind, before: Tok) -> Tok {
    Tok { span: before.span.after(), ..super::put_in(kind, before) }
}

/// `float *restrict a`.
fn restrict_of_c(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let [star, word, name] = [0, 1, 2].map(|on| kind(stream, at + on));
    if [star, word, name] == [Kind::Star, Kind::Word, Kind::Word] && text(stream, at + 1) == "restrict" {
        let span = stream.toks[at + 1].span;
        sink.push(told(span, "`restrict` is not a C++ keyword", "write `__restrict__`"));
        stream.toks.remove(at + 1);
    }
}

/// `__shared__ tile[32];` and `const n = 4;`.
fn type_missing(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let is_specifier = |at: usize| {
        let one = kind(stream, at);
        let of_variables = matches!(one, Kind::Shared | Kind::Constant | Kind::Device);
        of_variables || matches!(one, Kind::Const | Kind::Constexpr | Kind::Static | Kind::Extern)
    };
    if !is_specifier(at) || !begins(stream, at) {
        return;
    }
    let Some(name) = (at + 1..at + 6).find(|at| !is_specifier(*at)) else { return };
    let behind = kind(stream, name + 1);
    if kind(stream, name) != Kind::Word || !matches!(behind, Kind::Equal | Kind::LeftBracket) {
        return;
    }
    let (called, tok) = (text(stream, name), stream.toks[name]);
    let before = (at..name).map(|at| text(stream, at)).collect::<Vec<_>>().join(" ");
    let (ty, shown, rest) = match behind {
        Kind::Equal => (Kind::Auto, "int", " = …"),
        _ => (Kind::Float_, "float", "[…]"),
    };
    let help = format!("write it before the name, such as `{before} {shown} {called}{rest}`");
    sink.push(told(tok.span, format!("the type of `{called}` is missing"), help));
    stream.toks.insert(name, super::put_in(ty, tok));
}

/// Whether the type of a function may stand at a place: after its attributes, or where a declaration begins.
fn begins_function(stream: &Stream, at: usize) -> bool {
    let before = at.checked_sub(1).map_or(Kind::Semicolon, |at| kind(stream, at));
    before.is_attribute() || matches!(before, Kind::Semicolon | Kind::RightBrace)
}

/// `__device__ square float(float x) {`.
fn type_behind_function(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let [name, ty, open] = [0, 1, 2].map(|on| kind(stream, at + on));
    if !begins_function(stream, at) || name != Kind::Word || !ty.is_builtin_type() || open != Kind::LeftParen
    {
        return;
    }
    let body = closing(stream, at + 2).is_some_and(|close| kind(stream, close + 1) == Kind::LeftBrace);
    if body {
        let (called, ty) = (text(stream, at), text(stream, at + 1));
        let span = stream.toks[at + 1].span;
        sink.push(told(
            span,
            "the return type of a function comes before its name",
            format!("write `{ty} {called}(…)`"),
        ));
        stream.toks.swap(at, at + 1);
    }
}

/// `__global__ void k float *a) {`.
fn parenthesis_of_parameters(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let [ty, name, parameter] = [0, 1, 2].map(|on| kind(stream, at + on));
    let is_head = (ty == Kind::Void || ty.is_builtin_type()) && name == Kind::Word;
    if !is_head || !begins_function(stream, at) || !(parameter.is_builtin_type() || parameter == Kind::Const)
    {
        return;
    }
    let ends = |at: &usize| {
        matches!(
            kind(stream, *at),
            Kind::LeftParen
                | Kind::RightParen
                | Kind::Semicolon
                | Kind::LeftBrace
                | Kind::RightBrace
                | Kind::End
        )
    };
    let close = (at + 2..at + MOST).find(ends).filter(|at| kind(stream, *at) == Kind::RightParen);
    if close.is_some_and(|close| kind(stream, close + 1) == Kind::LeftBrace) {
        let name = stream.toks[at + 1];
        sink.push(missing("(", name));
        stream.toks.insert(at + 2, put_in(Kind::LeftParen, name));
    }
}

/// `__device__ float f(float x) return x;`.
fn body_without_braces(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let [ty, name, open] = [0, 1, 2].map(|on| kind(stream, at + on));
    if !ty.is_builtin_type() || name != Kind::Word || open != Kind::LeftParen {
        return;
    }
    let Some(body) = closing(stream, at + 2).map(|close| close + 1) else { return };
    if kind(stream, body) != Kind::Return {
        return;
    }
    let Some(end) = (body..body + MOST).find(|at| kind(stream, *at) == Kind::Semicolon) else { return };
    sink.push(told(stream.toks[body].span, "a function body must be in braces", "write `{ return …; }`"));
    stream.toks.insert(end + 1, put_in(Kind::RightBrace, stream.toks[end]));
    stream.toks.insert(body, put_in(Kind::LeftBrace, stream.toks[body - 1]));
}

/// `Stack<float s;`.
fn angle_not_closed(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let [template, open, ty, name, end] = [0, 1, 2, 3, 4].map(|on| kind(stream, at + on));
    let is_one = template == Kind::Word && open == Kind::Less && ty.is_builtin_type() && name == Kind::Word;
    if is_one && begins(stream, at) && matches!(end, Kind::Semicolon | Kind::Equal | Kind::LeftParen) {
        let ty = stream.toks[at + 2];
        sink.push(missing(">", ty));
        stream.toks.insert(at + 3, put_in(Kind::Greater, ty));
    }
}

/// `float my sum = 0;` and `float my-sum = 0;`.
fn name_of_two_words(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if text(stream, at) == "let" && text(stream, at + 1) == "mut" && kind(stream, at + 2) == Kind::Word {
        // That C has no `let` is reported where it is read.
        stream.toks.remove(at + 1);
        return;
    }
    if !kind(stream, at).is_builtin_type() || kind(stream, at + 1) != Kind::Word {
        return;
    }
    let minus = kind(stream, at + 2) == Kind::Minus;
    let second = at + if minus { 3 } else { 2 };
    let ends: &[Kind] = match minus {
        // `for (int i = n; float x - y = …` is nothing either, but `sizeof(int) - x` is no declaration.
        true => &[Kind::Equal],
        false => &[Kind::Equal, Kind::Semicolon, Kind::Comma, Kind::LeftBracket],
    };
    if kind(stream, second) != Kind::Word
        || !ends.contains(&kind(stream, second + 1))
        || stream.toks[second].first
    {
        return;
    }
    let (one, other) = (text(stream, at + 1), text(stream, second));
    let span = stream.toks[at + 1].span.to(stream.toks[second].span);
    let help = match minus {
        true => format!("write `{one}_{other}`"),
        false => format!("write `{one}_{other}`, or `,` between two names"),
    };
    sink.push(told(span, "a name must be one word of letters, digits and `_`", help));
    // Both are names from here on, so that what uses either is no error.
    let comma = put_in(Kind::Comma, stream.toks[at + 1]);
    match minus {
        true => stream.toks[at + 2] = comma,
        false => stream.toks.insert(at + 2, comma),
    }
}

/// `float sum == 0;`.
fn comparison_for_value(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let [ty, name, operator] = [0, 1, 2].map(|on| kind(stream, at + on));
    let before = at.checked_sub(1).map_or(Kind::Semicolon, |at| kind(stream, at));
    let declares = matches!(before, Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace | Kind::Const)
        || before == Kind::LeftParen && at > 1 && kind(stream, at - 2) == Kind::For;
    if declares && ty.is_builtin_type() && name == Kind::Word && operator == Kind::EqualEqual {
        let name = text(stream, at + 1);
        let span = stream.toks[at + 2].span;
        let message = format!("invalid `==` in the declaration of `{name}`");
        sink.push(told(span, message, "write `=` to initialise it"));
        stream.toks[at + 2].kind = Kind::Equal;
    }
}

/// `struct S` and its members, without `{`.
fn class_without_brace(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let is_head = matches!(kind(stream, at), Kind::Struct | Kind::Class | Kind::Union)
        && kind(stream, at + 1) == Kind::Word;
    let member = kind(stream, at + 2);
    let is_member =
        member.is_builtin_type() || matches!(member, Kind::Public | Kind::Private | Kind::Protected);
    if is_head && is_member {
        let name = stream.toks[at + 1];
        sink.push(missing("{", name));
        stream.toks.insert(at + 2, put_in(Kind::LeftBrace, name));
    }
}

/// Where the list of a constructor ends that begins with `a(1)` at a place: the `{` after it, or a `;` in its place. Also the
/// places in it where a comma is missing.
fn initializers(stream: &Stream, from: usize) -> Option<(usize, Vec<usize>)> {
    let mut lacking = vec![];
    let mut at = from;
    for _ in 0..MOST {
        if kind(stream, at) != Kind::Word || kind(stream, at + 1) != Kind::LeftParen {
            return None;
        }
        let close = closing(stream, at + 1)?;
        match kind(stream, close + 1) {
            Kind::LeftBrace | Kind::Semicolon => return Some((close + 1, lacking)),
            Kind::Comma => at = close + 2,
            Kind::Word => {
                lacking.push(close + 1);
                at = close + 1;
            }
            _ => return None,
        }
    }
    None
}

/// Whether the word at a place is the name of a class that was begun before. To be asked last: it looks at all that is before.
fn is_class(stream: &Stream, at: usize) -> bool {
    let name = stream.toks[at].data;
    (1..at).any(|at| {
        let tok = stream.toks[at];
        let begins = matches!(kind(stream, at - 1), Kind::Struct | Kind::Class | Kind::Union);
        tok.kind == Kind::Word && tok.data == name && begins
    })
}

/// `S(int a) : x(a);`.
fn constructor_without_body(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) != Kind::Word || kind(stream, at + 1) != Kind::LeftParen {
        return;
    }
    // Not in `c ? P(1) : P(2);`.
    let [access, before] = [2, 1].map(|back| at.checked_sub(back).map_or(Kind::End, |at| kind(stream, at)));
    let begins = match before {
        Kind::Colon => matches!(access, Kind::Public | Kind::Private | Kind::Protected),
        Kind::LeftBrace | Kind::RightBrace | Kind::Semicolon | Kind::Explicit | Kind::Constexpr => true,
        other => other.is_attribute(),
    };
    if !begins {
        return;
    }
    let Some(colon) = closing(stream, at + 1).map(|close| close + 1) else { return };
    if kind(stream, colon) != Kind::Colon || !is_class(stream, at) {
        return;
    }
    let end = initializers(stream, colon + 1).map(|(end, _)| end);
    if let Some(end) = end.filter(|end| kind(stream, *end) == Kind::Semicolon) {
        let tok = stream.toks[end];
        let message = "a constructor that initialises members must have a body";
        sink.push(told(tok.span, message, "write `{}` instead of `;`"));
        stream.toks[end] = put_in(Kind::LeftBrace, stream.toks[end - 1]);
        stream.toks.insert(end + 1, put_in(Kind::RightBrace, stream.toks[end]));
    }
}

/// `enum Mode { ADD; SUB };`.
fn enumerators_with_semicolons(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) != Kind::Enum {
        return;
    }
    let Some(open) = (at + 1..at + 8).find(|at| kind(stream, *at) == Kind::LeftBrace) else { return };
    let inside = |at: &usize| {
        let one = kind(stream, *at);
        matches!(one, Kind::Word | Kind::Equal | Kind::Integer | Kind::Minus | Kind::Comma | Kind::Semicolon)
    };
    let end = (open + 1..open + MOST).find(|at| !inside(at));
    let Some(end) = end.filter(|end| kind(stream, *end) == Kind::RightBrace) else { return };
    let wrong: Vec<usize> = (open..end).filter(|at| kind(stream, *at) == Kind::Semicolon).collect();
    if let Some(first) = wrong.first() {
        let span = stream.toks[*first].span;
        sink.push(told(span, "enumerators are separated by commas", "write `,` instead of `;`"));
        wrong.into_iter().for_each(|at| stream.toks[at].kind = Kind::Comma);
    }
}

/// `int n 32;`.
fn value_without_equals(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let [ty, name, value, end] = [0, 1, 2, 3].map(|on| kind(stream, at + on));
    let declares = ty.is_builtin_type() && name == Kind::Word && end == Kind::Semicolon;
    if declares && matches!(value, Kind::Integer | Kind::Float) && !stream.toks[at + 2].first {
        let name = stream.toks[at + 1];
        sink.push(missing("=", name));
        stream.toks.insert(at + 2, put_in(Kind::Equal, name));
    }
}

/// `const int n = 4,` and `using real = float`, before the next declaration.
fn semicolon_before_next(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let next = |at: usize| {
        let one = kind(stream, at);
        stream.toks.get(at).is_some_and(|tok| tok.first)
            && matches!(one, Kind::Global | Kind::Device | Kind::Host)
    };
    if kind(stream, at) == Kind::Comma && next(at + 1) {
        let span = stream.toks[at].span;
        sink.push(told(span, "a declaration ends with `;`", "write `;` instead of `,`"));
        stream.toks[at].kind = Kind::Semicolon;
        return;
    }
    if [0, 1, 2].map(|on| kind(stream, at + on)) != [Kind::Using, Kind::Word, Kind::Equal] {
        return;
    }
    let is_type = |at: &usize| kind(stream, *at).is_builtin_type() || kind(stream, *at) == Kind::Star;
    let Some(end) = (at + 3..at + 8).find(|at| !is_type(at)) else { return };
    if end > at + 3 && next(end) {
        let before = stream.toks[end - 1];
        sink.push(missing(";", before));
        stream.toks.insert(end, put_in(Kind::Semicolon, before));
    }
}

/// `S(int a) x(a) { … }`.
fn initializers_without_colon(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) != Kind::Word || kind(stream, at + 1) != Kind::LeftParen {
        return;
    }
    let Some(close) = closing(stream, at + 1).filter(|close| kind(stream, close + 1) == Kind::Word) else {
        return;
    };
    let ends_in_body = |(end, _): (usize, _)| kind(stream, end) == Kind::LeftBrace;
    if initializers(stream, close + 1).is_some_and(ends_in_body) && is_class(stream, at) {
        let before = stream.toks[close];
        sink.push(missing(":", before).help("after it, a constructor initialises the members"));
        stream.toks.insert(close + 1, put_in(Kind::Colon, before));
    }
}

/// `S(int a) : x(a) y(a) { … }`.
fn initializers_without_comma(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) != Kind::Colon || at == 0 || kind(stream, at - 1) != Kind::RightParen {
        return;
    }
    let Some((_, lacking)) = initializers(stream, at + 1) else { return };
    for place in lacking.into_iter().rev() {
        let before = stream.toks[place - 1];
        sink.push(missing(",", before));
        stream.toks.insert(place, put_in(Kind::Comma, before));
    }
}

/// `else:` among the cases of a `switch`.
fn else_in_switch(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) != Kind::Else || kind(stream, at + 1) != Kind::Colon {
        return;
    }
    let mut depth = 0_u32;
    let open = (0..at).rev().find(|at| {
        match kind(stream, *at) {
            Kind::RightBrace => depth += 1,
            Kind::LeftBrace if depth == 0 => return true,
            Kind::LeftBrace => depth -= 1,
            _ => {}
        }
        false
    });
    let head = open.filter(|open| *open > 0 && kind(stream, open - 1) == Kind::RightParen).and_then(|open| {
        (0..open)
            .rev()
            .take(MOST)
            .find(|at| kind(stream, *at) == Kind::LeftParen && closing(stream, *at) == Some(open - 1))
    });
    if head.is_some_and(|head| head > 0 && kind(stream, head - 1) == Kind::Switch) {
        sink.push(told(stream.toks[at].span, "a `switch` has no `else`", "write `default:`"));
        stream.toks[at].kind = Kind::Default;
    }
}

/// `case 0::`.
fn case_with_two_colons(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    let [case, value, colons] = [0, 1, 2].map(|on| kind(stream, at + on));
    let is_value = matches!(value, Kind::Integer | Kind::Character);
    if (case == Kind::Case && is_value || value == Kind::Default) && colons == Kind::ColonColon {
        sink.push(told(stream.toks[at + 2].span, "a `case` label ends with a single `:`", "write `:`"));
        stream.toks[at + 2].kind = Kind::Colon;
    }
}

/// `float &opertor()(int i)`.
fn operator_misspelt(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) != Kind::Word || nearest(&text(stream, at), ["operator"]).is_none() {
        return;
    }
    let open = match [1, 2].map(|on| kind(stream, at + on)) {
        [Kind::LeftParen, Kind::RightParen] | [Kind::LeftBracket, Kind::RightBracket] => at + 3,
        [Kind::Word | Kind::LeftParen | Kind::LeftBracket, _] => return,
        _ => at + 2,
    };
    let [parenthesis, ty, name] = [0, 1, 2].map(|on| kind(stream, open + on));
    let declares = parenthesis == Kind::LeftParen
        && (ty == Kind::Const || ty.is_builtin_type() && matches!(name, Kind::Word | Kind::Amp | Kind::Star));
    if declares {
        let written = text(stream, at);
        sink.push(told(
            stream.toks[at].span,
            format!("`{written}` is not a C++ keyword"),
            "did you mean `operator`?",
        ));
        stream.toks[at].kind = Kind::Operator;
    }
}

/// `/ what comes next`, as a line.
fn comment_of_one_stroke(stream: &mut Stream, at: usize, sink: &mut Diagnostics) {
    if kind(stream, at) != Kind::Slash || !stream.toks[at].first || !begins(stream, at) {
        return;
    }
    let Some(end) = (at + 1..at + MOST).find(|at| kind(stream, *at) == Kind::End || stream.toks[*at].first)
    else {
        return;
    };
    if at > 0 && kind(stream, at - 1) != Kind::RightParen {
        sink.push(told(
            stream.toks[at].span,
            "a statement cannot begin with `/`",
            "write `//` for a comment",
        ));
        stream.toks.drain(at..end);
    }
}
