//! Brackets: which closes which, and repair where one is missing or too many.
//!
//! Enters: the stream of tokens. Leaves: the same, balanced, and for every bracket its partner. What is missing is reported
//! here, once, where a reader would look for it: line breaks and indentation are taken as hints, but only in sources that
//! do not balance. This module must never know more of the grammar than where a semicolon may stand in parentheses.

use super::kind::{Kind, Stream, Tok};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{Sources, Span};

/// No partner.
pub(super) const NONE: u32 = u32::MAX;

/// Open bracket.
#[derive(Clone, Copy, Debug)]
struct Open {
    at: usize,
    kind: Kind,
    /// Keyword before it: decides which semicolons may be inside.
    head: Kind,
    semicolons: u32,
    /// First token directly inside that begins a line and does not continue the one before.
    line_break: Option<usize>,
}

/// Finds the partners of all brackets; what does not balance is repaired and reported.
pub(super) fn balance(stream: &mut Stream, sources: &Sources, sink: &mut Diagnostics) -> Vec<u32> {
    if let Some(partners) = partners(&stream.toks) {
        return partners;
    }
    stream.toks = Parentheses { input: &stream.toks, output: vec![], stack: vec![], sink }.repair();
    let extra = stream.toks.iter().any(|tok| tok.kind == Kind::ExtraBrace);
    if let Some(partners) = partners(&stream.toks).filter(|_| !extra) {
        return partners;
    }
    stream.toks = braces(&stream.toks, sources, sink);
    partners(&stream.toks).unwrap_or_else(|| vec![NONE; stream.toks.len()])
}

/// Partners of all brackets, or `None` where something is missing. A [`Kind::ExtraBrace`] is no bracket.
fn partners(toks: &[Tok]) -> Option<Vec<u32>> {
    let mut partners = vec![NONE; toks.len()];
    let mut stack: Vec<Open> = vec![];
    for (at, tok) in toks.iter().enumerate() {
        match tok.kind {
            Kind::LeftParen | Kind::LeftBracket | Kind::LeftBrace => {
                if tok.kind == Kind::LeftBrace
                    && stack.last().is_some_and(|open| open.kind != Kind::LeftBrace)
                {
                    // Directly inside parentheses: whether it is a block that misses a `)` before it is looked at below.
                    let in_head = stack.last().is_some_and(|open| open.head != Kind::End);
                    if in_head && is_misplaced_block(toks, at) {
                        return None;
                    }
                }
                stack.push(open(toks, at));
            }
            Kind::RightParen | Kind::RightBracket | Kind::RightBrace => {
                let open = stack.pop()?;
                if closer(open.kind) != tok.kind {
                    return None;
                }
                *partners.get_mut(at)? = open.at as u32;
                *partners.get_mut(open.at)? = at as u32;
            }
            Kind::Semicolon => {
                if let Some(open) = stack.last_mut() {
                    if !may_hold_semicolon(toks, open, at) {
                        return None;
                    }
                    open.semicolons += 1;
                }
            }
            _ => {}
        }
    }
    stack.is_empty().then_some(partners)
}

fn closer(kind: Kind) -> Kind {
    match kind {
        Kind::LeftParen => Kind::RightParen,
        Kind::LeftBracket => Kind::RightBracket,
        _ => Kind::RightBrace,
    }
}

fn open(toks: &[Tok], at: usize) -> Open {
    let tok = toks.get(at).copied().unwrap_or(Tok::END);
    let before = at.checked_sub(1).and_then(|at| toks.get(at)).map_or(Kind::End, |tok| tok.kind);
    let head = match before {
        Kind::For | Kind::If | Kind::Switch | Kind::While => before,
        Kind::Constexpr => Kind::If,
        _ => Kind::End,
    };
    Open { at, kind: tok.kind, head, semicolons: 0, line_break: None }
}

/// Whether a semicolon may stand directly inside of this bracket.
fn may_hold_semicolon(toks: &[Tok], open: &Open, at: usize) -> bool {
    if open.kind == Kind::LeftBrace {
        return true;
    }
    match open.head {
        Kind::For => open.semicolons < 2 || toks.get(at + 1).is_some_and(|tok| tok.kind == Kind::RightParen),
        // `if (int x = f(); x)`: then a `)` comes before any other `;` or brace.
        Kind::If | Kind::Switch => open.semicolons < 1 && closes_soon(toks, at + 1),
        _ => false,
    }
}

/// Whether the bracket around a place is closed before a semicolon or a brace that opens a block.
fn closes_soon(toks: &[Tok], from: usize) -> bool {
    let mut depth = 0_u32;
    for tok in toks.iter().skip(from).take(200) {
        match tok.kind {
            Kind::LeftParen | Kind::LeftBracket => depth += 1,
            Kind::RightParen | Kind::RightBracket if depth > 0 => depth -= 1,
            Kind::RightParen => return !toks.get(from).is_some_and(|tok| tok.first),
            Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace | Kind::ExtraBrace => return false,
            _ => {}
        }
    }
    false
}

/// Whether `{` directly inside of parentheses opens a block of statements that is no lambda's.
fn is_misplaced_block(toks: &[Tok], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| toks.get(at)).map_or(Kind::End, |tok| tok.kind);
    if matches!(before, Kind::LeftParen | Kind::Comma | Kind::Equal | Kind::LeftBrace) {
        return false;
    }
    let mut depth = 0_u32;
    let mut block = false;
    for tok in toks.iter().skip(at + 1).take(4000) {
        match tok.kind {
            Kind::LeftBrace | Kind::LeftParen | Kind::LeftBracket => depth += 1,
            Kind::RightBrace | Kind::RightParen | Kind::RightBracket => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => break,
            },
            Kind::Semicolon if depth == 0 => {
                block = true;
                break;
            }
            _ => {}
        }
    }
    block && !is_lambda(toks, at)
}

/// Whether the brace at a place opens the body of a lambda: `[…] {`, `[…](…) {`, with words in between.
fn is_lambda(toks: &[Tok], at: usize) -> bool {
    let mut at = at;
    for _ in 0..64 {
        let Some(before) = at.checked_sub(1) else { return false };
        at = before;
        match toks.get(at).map_or(Kind::End, |tok| tok.kind) {
            Kind::RightParen => match open_before(toks, at) {
                Some(open) => at = open,
                None => return false,
            },
            Kind::RightBracket => {
                let Some(open) = open_before(toks, at) else { return false };
                let before =
                    open.checked_sub(1).and_then(|at| toks.get(at)).map_or(Kind::End, |tok| tok.kind);
                return !matches!(before, Kind::Word | Kind::RightParen | Kind::RightBracket | Kind::This);
            }
            Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace | Kind::LeftParen | Kind::LeftBracket => {
                return false;
            }
            _ => {}
        }
    }
    false
}

/// Opening bracket of a closing one, looking back.
fn open_before(toks: &[Tok], close: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for at in (0..=close).rev().take(4000) {
        match toks.get(at)?.kind {
            Kind::RightParen | Kind::RightBracket | Kind::RightBrace => depth += 1,
            Kind::LeftParen | Kind::LeftBracket | Kind::LeftBrace => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether an expression goes on after this token, so that a line break there says nothing.
fn continues(kind: Kind) -> bool {
    use Kind as K;
    matches!(
        kind,
        K::Comma
            | K::LeftParen
            | K::LeftBracket
            | K::LeftBrace
            | K::RightParen
            | K::RightBracket
            | K::Plus
            | K::Minus
            | K::Star
            | K::Slash
            | K::Percent
            | K::Caret
            | K::Amp
            | K::Pipe
            | K::Less
            | K::Greater
            | K::LessLess
            | K::EqualEqual
            | K::BangEqual
            | K::LessEqual
            | K::GreaterEqual
            | K::AmpAmp
            | K::PipePipe
            | K::Question
            | K::Colon
            | K::ColonColon
            | K::Equal
            | K::Dot
            | K::Arrow
            | K::String
            | K::Semicolon
    )
}

/// Repair of parentheses and square brackets; braces are taken as they are.
struct Parentheses<'a> {
    input: &'a [Tok],
    output: Vec<Tok>,
    stack: Vec<Open>,
    sink: &'a mut Diagnostics,
}

impl Parentheses<'_> {
    fn repair(mut self) -> Vec<Tok> {
        for (at, tok) in self.input.iter().enumerate() {
            let tok = *tok;
            if tok.first {
                self.mark_line_break(tok);
            }
            match tok.kind {
                Kind::LeftBrace => {
                    if self.in_parentheses() && is_misplaced_block(self.input, at) {
                        self.close_to_brace();
                    }
                    self.open(tok, at);
                }
                Kind::LeftParen | Kind::LeftBracket => self.open(tok, at),
                Kind::RightParen | Kind::RightBracket if !self.close(tok) => continue,
                Kind::RightBrace => {
                    if self.stack.iter().any(|open| open.kind == Kind::LeftBrace) {
                        self.close_to_brace();
                        self.stack.pop();
                    } else {
                        self.close_to_brace();
                        self.output.push(Tok { kind: Kind::ExtraBrace, ..tok });
                        continue;
                    }
                }
                Kind::Semicolon => self.semicolon(at),
                Kind::End => self.close_to_brace(),
                _ => {}
            }
            self.output.push(tok);
        }
        self.output
    }

    fn in_parentheses(&self) -> bool {
        self.stack.last().is_some_and(|open| open.kind != Kind::LeftBrace)
    }

    fn mark_line_break(&mut self, tok: Tok) {
        let before = self.output.last().map_or(Kind::End, |tok| tok.kind);
        let at = self.output.len();
        if continues(before)
            || continues(tok.kind) && !matches!(tok.kind, Kind::Star | Kind::LeftParen | Kind::LeftBrace)
        {
            // `f(a)` and a line break ends a line too, where the next one begins like a statement.
            let ends = matches!(before, Kind::RightParen | Kind::RightBracket)
                && (tok.kind == Kind::Word || tok.kind.begins_statement() || tok.kind == Kind::LeftBrace);
            if !ends {
                return;
            }
        }
        if let Some(open) = self.stack.last_mut() {
            open.line_break = open.line_break.or(Some(at));
        }
    }

    fn open(&mut self, tok: Tok, at: usize) {
        let mut entry = open(self.input, at);
        entry.at = self.output.len();
        entry.kind = tok.kind;
        self.stack.push(entry);
    }

    /// Takes a closing parenthesis or bracket; false where it closes nothing and is left out.
    fn close(&mut self, tok: Tok) -> bool {
        let matching = |open: &Open| closer(open.kind) == tok.kind;
        if self.stack.last().is_some_and(matching) {
            self.stack.pop();
            return true;
        }
        let Some(found) = self.stack.iter().rposition(matching) else {
            return tok.kind == Kind::RightParen && self.put_in_opening() || self.extra(tok);
        };
        let between = self.stack.get(found + 1..).unwrap_or_default();
        let block = between.iter().any(|open| open.kind == Kind::LeftBrace && open.semicolons > 0);
        if block || between.len() > 3 {
            return tok.kind == Kind::RightParen && self.put_in_opening() || self.extra(tok);
        }
        while self.stack.len() > found + 1 {
            self.put_in();
        }
        self.stack.pop();
        true
    }

    fn semicolon(&mut self, at: usize) {
        while let Some(open) = self.stack.last_mut() {
            if may_hold_semicolon(self.input, open, at) {
                open.semicolons += 1;
                return;
            }
            self.put_in();
        }
    }

    fn close_to_brace(&mut self) {
        while self.in_parentheses() {
            self.put_in();
        }
    }

    /// Closes the innermost bracket where it should have been closed.
    fn put_in(&mut self) {
        let Some(open) = self.stack.pop() else { return };
        let kind = closer(open.kind);
        let end = open.line_break.unwrap_or(self.output.len()).clamp(open.at + 1, self.output.len());
        let at = self.before_assignment(&open).unwrap_or(end).min(end);
        let place =
            at.checked_sub(1).and_then(|at| self.output.get(at)).map_or(Span::default(), |tok| tok.span);
        let from = self.output.get(open.at).map_or(place, |tok| tok.span);
        let (text, opener) = (kind.text().unwrap_or_default(), open.kind.text().unwrap_or_default());
        self.sink.push(
            Diagnostic::error("syntax", place.after(), format!("expected `{text}`"))
                .label(format!("write `{text}` here"))
                .related(from, format!("to match this `{opener}`")),
        );
        let tok = Tok::put_in(kind, place.after());
        self.output.insert(at, tok);
    }

    /// Where an index ends that an assignment follows, as in `a[i = x;`: none assigns within.
    fn before_assignment(&self, open: &Open) -> Option<usize> {
        let mut depth = 0_u32;
        let inside = self.output.iter().enumerate().skip(open.at + 1);
        let mut ends = inside.filter(|(_, tok)| {
            match tok.kind {
                Kind::LeftParen | Kind::LeftBracket | Kind::LeftBrace => depth += 1,
                Kind::RightParen | Kind::RightBracket | Kind::RightBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && tok.kind == Kind::Equal
        });
        // The captures of a lambda have `=` too.
        let is_index =
            open.kind == Kind::LeftBracket
                && open.at.checked_sub(1).and_then(|at| self.output.get(at)).is_some_and(|tok| {
                    matches!(tok.kind, Kind::Word | Kind::RightParen | Kind::RightBracket)
                });
        ends.next().map(|(at, _)| at).filter(|at| is_index && *at > open.at + 1)
    }

    /// Opens the parentheses of an `if` or loop that has none, for a `)` that closes nothing.
    fn put_in_opening(&mut self) -> bool {
        let ends = |tok: &Tok| {
            matches!(tok.kind, Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace | Kind::ExtraBrace)
        };
        let heads = |tok: &Tok| matches!(tok.kind, Kind::If | Kind::While | Kind::For | Kind::Switch);
        let statement = self.output.iter().rposition(ends).map_or(0, |at| at + 1);
        let Some(head) = self.output.iter().skip(statement).position(heads).map(|at| at + statement) else {
            return false;
        };
        if self.output.get(head + 1).is_none_or(|next| next.kind == Kind::LeftParen) {
            return false;
        }
        let place = self.output.get(head).map_or(Span::default(), |tok| tok.span).after();
        self.sink.push(Diagnostic::error("syntax", place, "expected `(`").label("write `(` here"));
        let tok = Tok::put_in(Kind::LeftParen, place);
        self.output.insert(head + 1, tok);
        true
    }

    /// Reports a closing bracket that closes nothing; it is left out.
    fn extra(&mut self, tok: Tok) -> bool {
        let text = tok.kind.text().unwrap_or_default();
        self.sink.push(
            Diagnostic::error("syntax", tok.span, format!("unmatched closing `{text}`"))
                .help(format!("remove the `{text}`")),
        );
        false
    }
}

/// Open brace, for the repair of braces.
#[derive(Clone, Copy, Debug)]
struct Brace {
    at: usize,
    /// Column of the first token of the line where its statement begins.
    indent: u32,
    /// Whether functions may be defined in it.
    holds_functions: bool,
    /// Whether it is a list of values, in which no `;` is.
    list: bool,
}

struct Braces<'a> {
    input: &'a [Tok],
    sources: &'a Sources,
    sink: &'a mut Diagnostics,
    output: Vec<Tok>,
    stack: Vec<Brace>,
    missing: usize,
    extra: usize,
    /// Columns of the first tokens of the lines so far, by token.
    indent: u32,
    indents: Vec<u32>,
}

/// Repair of braces: what is between the others balances already.
fn braces(input: &[Tok], sources: &Sources, sink: &mut Diagnostics) -> Vec<Tok> {
    let (mut missing, mut extra) = (0_usize, 0_usize);
    for tok in input {
        match tok.kind {
            Kind::LeftBrace => missing += 1,
            Kind::RightBrace => missing = missing.saturating_sub(1),
            Kind::ExtraBrace => extra += 1,
            _ => {}
        }
    }
    let repair = Braces {
        input,
        sources,
        sink,
        output: vec![],
        stack: vec![],
        missing,
        extra,
        indent: 1,
        indents: Vec::with_capacity(input.len()),
    };
    repair.run()
}

impl Braces<'_> {
    fn run(mut self) -> Vec<Tok> {
        for (at, tok) in self.input.iter().enumerate() {
            let tok = *tok;
            if tok.first {
                self.indent = self.sources.position(tok.span.lo).map_or(1, |position| position.column());
                self.before_line(tok);
            }
            self.indents.push(self.indent);
            match tok.kind {
                Kind::LeftBrace => {
                    let brace = Brace {
                        at: self.output.len(),
                        indent: self.statement_indent(at),
                        holds_functions: self.holds_functions(at),
                        list: self.is_list(at),
                    };
                    self.stack.push(brace);
                }
                Kind::RightBrace | Kind::ExtraBrace => {
                    self.close(tok);
                    continue;
                }
                Kind::Semicolon => {
                    while self.missing > 0
                        && let Some(open) = self.stack.pop_if(|open| open.list)
                    {
                        self.missing -= 1;
                        self.put_in(open);
                    }
                }
                Kind::End => {
                    while let Some(open) = self.stack.pop() {
                        self.never_closed(open);
                    }
                }
                _ => {}
            }
            self.output.push(tok);
        }
        self.output
    }

    /// Before the first token of a line: what is indented less than the block it would be in, or cannot be in a block.
    fn before_line(&mut self, tok: Tok) {
        while self.missing > 0 {
            let Some(open) = self.stack.last().copied() else { return };
            let cannot_be_inside = !open.holds_functions
                && matches!(tok.kind, Kind::Global | Kind::Template | Kind::Namespace)
                && self.indent <= self.stack.first().map_or(1, |open| open.indent).max(open.indent);
            let dedented = match tok.kind {
                Kind::RightBrace | Kind::ExtraBrace => self.indent < open.indent,
                Kind::LeftBrace
                | Kind::Case
                | Kind::Default
                | Kind::Public
                | Kind::Private
                | Kind::Protected
                | Kind::PragmaUnroll
                | Kind::PragmaNoUnroll
                | Kind::PragmaOmp
                | Kind::End => false,
                _ => self.indent <= open.indent && self.output.len() > open.at + 1,
            };
            if !cannot_be_inside && !dedented {
                return;
            }
            self.stack.pop();
            self.missing -= 1;
            self.put_in(open);
        }
    }

    /// Takes a closing brace, or leaves it out where it closes the wrong block and one is too many.
    fn close(&mut self, tok: Tok) {
        let Some(open) = self.stack.last() else {
            self.extra = self.extra.saturating_sub(1);
            self.output.push(Tok { kind: Kind::ExtraBrace, ..tok });
            return;
        };
        if self.extra > 0 && tok.first && self.indent > open.indent {
            self.extra -= 1;
            self.sink.push(
                Diagnostic::error("syntax", tok.span, "unmatched closing `}`".to_owned())
                    .help("remove the `}`, or write the `{` that it should match"),
            );
            return;
        }
        self.stack.pop();
        self.output.push(Tok { kind: Kind::RightBrace, ..tok });
    }

    fn put_in(&mut self, open: Brace) {
        let place = self.output.last().map_or(Span::default(), |tok| tok.span).after();
        let from = self.output.get(open.at).map_or(place, |tok| tok.span);
        self.sink.push(
            Diagnostic::error("syntax", place, "expected `}`")
                .label("write `}` after this")
                .related(from, "to match this `{`"),
        );
        self.output.push(Tok::put_in(Kind::RightBrace, place));
    }

    fn never_closed(&mut self, open: Brace) {
        let place = self.output.last().map_or(Span::default(), |tok| tok.span).after();
        if self.missing > 0 {
            self.missing -= 1;
            let from = self.output.get(open.at).map_or(place, |tok| tok.span);
            self.sink.push(
                Diagnostic::error("syntax", from, "this `{` is never closed")
                    .related(place, "the file ends here without a `}`"),
            );
        }
        self.output.push(Tok::put_in(Kind::RightBrace, place));
    }

    /// Column of the line on which the statement begins whose `{` this is: that of the `(` before it.
    fn statement_indent(&self, at: usize) -> u32 {
        let here = self.indent;
        let before = at.checked_sub(1).and_then(|at| self.input.get(at)).map_or(Kind::End, |tok| tok.kind);
        if before != Kind::RightParen {
            return here;
        }
        let open = open_before(self.input, at - 1).and_then(|open| self.indents.get(open)).copied();
        open.map_or(here, |open| open.min(here))
    }

    /// Whether the braces hold what a variable or a list of variables starts as.
    fn is_list(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.input.get(at)).map_or(Kind::End, |tok| tok.kind);
        match before {
            Kind::Equal => true,
            Kind::LeftBrace | Kind::Comma => self.stack.last().is_some_and(|open| open.list),
            _ => false,
        }
    }

    /// Whether functions may be defined in the braces: of a namespace, a class or `extern "C"`.
    fn holds_functions(&self, at: usize) -> bool {
        for tok in self.input.get(..at).unwrap_or_default().iter().rev().take(64) {
            match tok.kind {
                Kind::Namespace | Kind::Struct | Kind::Class | Kind::Union | Kind::Extern => return true,
                Kind::RightParen | Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace => return false,
                _ => {}
            }
        }
        false
    }
}
