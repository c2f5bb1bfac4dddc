//! Expansion of macros.
//!
//! Enters: the name of a macro and the tokens after it. Leaves: what it stands for, as tokens to be read next; they are
//! read again for further macros, all but those whose expansion they are in. This module must never know directives.

use std::rc::Rc;

use crate::{
    diagnostic::Diagnostic,
    lex::{Lexer, Raw, RawKind},
    source::{Expansion, Span},
};

use super::{
    Frame, MOST_NESTED_CALLS, Preprocessor,
    define::{Computed, Macro, MacroPart, Piece},
    intern::{known, punctuation},
    literal,
};

/// Call of a macro while its body is written.
struct Call<'a> {
    of: &'a Macro,
    name: Raw,
    arguments: Vec<Vec<Raw>>,
    /// Arguments after their own expansion, where it was needed.
    expanded: Vec<Option<Rc<[Raw]>>>,
}

impl Preprocessor<'_> {
    /// Expands a macro whose name was read; false where it is not called, and the name stands for itself.
    pub(super) fn enter(&mut self, name: Raw, found: &Rc<Macro>) -> bool {
        if let Some(computed) = found.computed {
            return self.compute(name, computed);
        }
        let arguments = match found.parameters {
            None => vec![],
            Some(count) => {
                if !self.opens() {
                    return false;
                }
                match self.arguments(name, found, count) {
                    Some(arguments) => arguments,
                    None => {
                        // Something stands for the call, so that the parser finds no second error.
                        let nothing = self.number("0", name);
                        self.push(vec![nothing], None);
                        return true;
                    }
                }
            }
        };
        let expanded = vec![None; arguments.len()];
        let mut call = Call { of: found, name, arguments, expanded };
        let mut tokens = vec![];
        self.substitute(&mut call, &found.body, &mut tokens);
        if let Some(first) = tokens.first_mut() {
            first.space = name.space;
        }
        // The white space before nothing is that before what follows it.
        let mut space = tokens.is_empty() && name.space;
        tokens.retain_mut(|token: &mut Raw| {
            token.space |= space;
            space = token.kind == RawKind::Placemarker && token.space;
            token.kind != RawKind::Placemarker
        });
        self.push(tokens, Some(name));
        self.space |= space;
        true
    }

    fn push(&mut self, tokens: Vec<Raw>, of: Option<Raw>) {
        // A chain of macros that end in each other must not pile up frames that have ended.
        while self
            .frames
            .last()
            .is_some_and(|frame| frame.at >= frame.tokens.len() && !frame.barrier && frame.of.is_none())
        {
            self.pop_frame();
        }
        self.active.extend(of.map(|name| name.symbol));
        self.frames.push(Frame { tokens, at: 0, of: of.map(|name| name.symbol), barrier: false });
    }

    /// Whether the next token opens a call; that token is read then.
    fn opens(&mut self) -> bool {
        let last = self.last;
        self.collecting += 1;
        let next = self.pull();
        self.collecting -= 1;
        if next.is(const { punctuation("(") }) {
            return true;
        }
        if next.kind != RawKind::End {
            self.last = last;
            self.frames.push(Frame { tokens: vec![next], at: 0, of: None, barrier: false });
        }
        false
    }

    /// Arguments of a call whose `(` is read; `None` after an error.
    fn arguments(&mut self, name: Raw, found: &Macro, count: usize) -> Option<Vec<Vec<Raw>>> {
        let mut arguments = vec![vec![]];
        let mut open = 0usize;
        self.collecting += 1;
        loop {
            let token = self.pull();
            let takes_rest = found.variadic && arguments.len() == count;
            if token.kind == RawKind::End {
                self.collecting -= 1;
                if !self.exhausted {
                    let message =
                        format!("unterminated call of macro `{}`: missing `)`", self.spelling(name));
                    self.sink.push(
                        Diagnostic::error("macro-call", name.span, message)
                            .related(found.name, "macro defined here"),
                    );
                }
                return None;
            } else if token.is(const { punctuation(")") }) && open == 0 {
                break;
            } else if token.is(const { punctuation(",") }) && open == 0 && !takes_rest {
                arguments.push(vec![]);
                continue;
            } else if token.is(const { punctuation("(") }) {
                open += 1;
            } else if token.is(const { punctuation(")") }) {
                open -= 1;
            }
            if let Some(argument) = arguments.last_mut() {
                argument.push(token);
            }
        }
        self.collecting -= 1;
        if count == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if found.variadic && arguments.len() + 1 == count {
            arguments.push(vec![]);
        }
        if arguments.len() == count {
            return Some(arguments);
        }
        let plural = if count == 1 { "" } else { "s" };
        let least = if found.variadic { "at least " } else { "" };
        let needs = if found.variadic { count - 1 } else { count };
        let message = format!(
            "macro `{}` takes {least}{needs} argument{plural}, but is given {}",
            self.spelling(name),
            arguments.len()
        );
        self.sink.push(
            Diagnostic::error("macro-call", name.span, message).related(found.name, "macro defined here"),
        );
        None
    }

    /// Writes a body with its arguments.
    fn substitute(&mut self, call: &mut Call<'_>, steps: &[MacroPart], out: &mut Vec<Raw>) {
        for step in steps {
            let start = out.len();
            match &step.piece {
                Piece::Token(token) => out.push(self.placed(call, *token)),
                Piece::Stringify(hash, index) => {
                    let text = self.stringify(call.arguments.get(*index).map_or(&[][..], Vec::as_slice));
                    let symbol = self.interner.intern(&text);
                    let token = Raw { kind: RawKind::String, symbol, ..*hash };
                    out.push(self.placed(call, token));
                }
                Piece::Parameter(name, index) => self.parameter(call, step, *name, *index, out),
                Piece::Optional(name, steps) => {
                    let rest = call.arguments.len().saturating_sub(1);
                    let before = out.len();
                    if self.expanded(call, rest).is_empty() {
                        out.push(Raw { kind: RawKind::Placemarker, ..*name });
                    } else {
                        self.substitute(call, steps, out);
                    }
                    if out.len() == before {
                        out.push(Raw { kind: RawKind::Placemarker, ..*name });
                    }
                }
            }
            if step.paste && start > 0 && start < out.len() {
                self.paste(call, start, out);
            }
            if !self.spend(out.len() - start.min(out.len()), call.name.span) {
                return;
            }
        }
    }

    fn parameter(
        &mut self,
        call: &mut Call<'_>,
        step: &MacroPart,
        name: Raw,
        index: usize,
        out: &mut Vec<Raw>,
    ) {
        let start = out.len();
        let rest = call.of.variadic && index + 1 == call.arguments.len();
        let comma = out.last().is_some_and(|last| last.is(const { punctuation(",") }));
        if step.paste && rest && comma {
            // GNU's `, ## __VA_ARGS__`: the comma goes where there is nothing after it.
            let argument = self.expanded(call, index);
            if argument.is_empty() {
                out.pop();
            }
            // A placemarker takes the `##`.
            out.push(Raw { kind: RawKind::Placemarker, ..name });
            out.extend_from_slice(&argument);
            return;
        }
        if step.paste || step.pasted {
            out.extend_from_slice(call.arguments.get(index).map_or(&[][..], Vec::as_slice));
        } else {
            let argument = self.expanded(call, index);
            out.extend_from_slice(&argument);
        }
        match out.get_mut(start) {
            Some(first) => first.space = name.space,
            None => out.push(Raw { kind: RawKind::Placemarker, ..name }),
        }
    }

    /// Argument after its own expansion.
    fn expanded(&mut self, call: &mut Call<'_>, index: usize) -> Rc<[Raw]> {
        if let Some(Some(done)) = call.expanded.get(index) {
            return done.clone();
        }
        let Some(argument) = call.arguments.get(index) else { return [].into() };
        let done: Rc<[Raw]> = self.expand_all(argument.clone(), call.name.span).into();
        call.expanded[index] = Some(done.clone());
        done
    }

    /// Tokens after expansion, as if nothing stood after them.
    pub(super) fn expand_all(&mut self, tokens: Vec<Raw>, span: Span) -> Vec<Raw> {
        let has_macro = |token: &Raw| token.kind == RawKind::Word && self.macro_of(token.symbol).is_some();
        if !tokens.iter().any(has_macro) {
            return tokens;
        }
        if self.nested >= MOST_NESTED_CALLS {
            self.exhaust(span, "macro calls are nested more than 100 deep");
            return vec![];
        }
        self.nested += 1;
        self.frames.push(Frame { tokens, at: 0, of: None, barrier: true });
        let mut out = vec![];
        loop {
            let token = self.next();
            if token.kind == RawKind::End {
                break;
            }
            out.push(token);
        }
        self.pop_frame();
        self.nested -= 1;
        out
    }

    /// Token of a body, with the place of the call.
    fn placed(&mut self, call: &Call<'_>, token: Raw) -> Raw {
        let expansion = Expansion { name: call.of.name, call: call.name.span, spelled: token.span };
        let expansion = self.sources.expand(expansion);
        let painted = token.painted || call.of.built_in && self.is_hidden(token);
        Raw { span: Span { expansion, ..call.name.span }, line_start: false, painted, ..token }
    }

    /// Argument as a string literal.
    fn stringify(&self, argument: &[Raw]) -> String {
        let mut text = String::new();
        for (index, token) in argument.iter().enumerate() {
            // The beginning of a line is white space too.
            if index > 0 && (token.space || token.line_start) {
                text.push(' ');
            }
            text.push_str(self.spelling(*token));
        }
        // In a literal, its own quotes and backslashes are escaped; elsewhere a backslash cannot be.
        literal::quote(&text)
    }

    /// Joins the token at `start` to the one before.
    fn paste(&mut self, call: &Call<'_>, start: usize, out: &mut Vec<Raw>) {
        let (Some(left), Some(right)) = (out.get(start - 1).copied(), out.get(start).copied()) else {
            return;
        };
        if right.kind == RawKind::Placemarker {
            out.remove(start);
            return;
        }
        if left.kind == RawKind::Placemarker {
            out.remove(start - 1);
            return;
        }
        let text = format!("{}{}", self.spelling(left), self.spelling(right));
        let mut quiet = crate::diagnostic::Diagnostics::default();
        let mut lexer = Lexer::new(text.as_str().into(), 0);
        let joined = lexer.next(&mut self.interner, &mut quiet);
        let whole = lexer.next(&mut self.interner, &mut quiet).kind == RawKind::End && quiet.list.is_empty();
        if !whole || matches!(joined.kind, RawKind::End | RawKind::Other) {
            let message = format!(
                "pasting `{}` and `{}` with `##` does not give a valid token",
                self.spelling(left),
                self.spelling(right)
            );
            self.sink.push(
                Diagnostic::error("macro-call", call.name.span, message)
                    .related(call.of.name, "in the macro defined here"),
            );
            return;
        }
        // Spelled where the body has the left one; an argument's token keeps the place of the call.
        let spelled = self.sources.expansion(left.span).map_or(left.span, |expansion| expansion.spelled);
        let token = self.placed(call, Raw { span: spelled, space: left.space, painted: false, ..joined });
        out.splice(start - 1..=start, [token]);
    }

    fn number(&mut self, text: &str, name: Raw) -> Raw {
        Raw {
            symbol: self.interner.intern(text),
            kind: RawKind::Number,
            line_start: false,
            painted: false,
            ..name
        }
    }

    fn compute(&mut self, name: Raw, computed: Computed) -> bool {
        let token = match computed {
            Computed::Line => {
                let line = self.sources.position(self.last).map_or(0, |place| place.line).to_string();
                self.number(&line, name)
            }
            Computed::Counter => {
                let value = self.counter.to_string();
                self.counter += 1;
                self.number(&value, name)
            }
            Computed::File => {
                let file = self.sources.position(name.span.lo).map_or("", |place| &place.file.name);
                let symbol = self.interner.intern(&literal::quote(file));
                Raw { symbol, kind: RawKind::String, line_start: false, painted: false, ..name }
            }
            Computed::Time => {
                // The beginning of Unix's time, as other compilers say it that are to make the same of the same.
                let time = match self.spelling(name) {
                    "__DATE__" => "\"Jan  1 1970\"",
                    "__TIME__" => "\"00:00:00\"",
                    _ => "\"Thu Jan  1 00:00:00 1970\"",
                };
                let message = format!(
                    "`{}` is always {time} in this compiler: the same source gives the same PTX",
                    self.spelling(name)
                );
                self.sink.push(Diagnostic::warning("fixed-time", name.span, message));
                Raw { symbol: self.interner.intern(time), kind: RawKind::String, ..name }
            }
            Computed::Condition => {
                let message = format!("`{}` can only be used in `#if` and `#elif`", self.spelling(name));
                self.error("directive", name.span, message);
                Raw { symbol: known::EMPTY, kind: RawKind::Placemarker, ..name }
            }
        };
        self.push(vec![token], None);
        true
    }
}
