//! Directives: lines that begin with `#`.
//!
//! Enters: the `#` of such a line. Leaves: what the preprocessor knows or reads after it. This module must never know how
//! macros expand or conditions are computed.

use crate::{
    diagnostic::{Diagnostic, Diagnostics},
    lex::{Raw, RawKind},
    source::Span,
};

use super::{
    Preprocessor,
    intern::{known, punctuation},
};

/// `#if` that has no `#endif` yet.
pub(super) struct Conditional {
    /// Its `#if`.
    span: Span,
    /// Whether one of its parts was read.
    taken: bool,
    /// Its `#else`.
    otherwise: Option<Span>,
}

const DIRECTIVES: [&str; 15] = [
    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif",
    "error", "warning", "pragma", "line",
];

impl Preprocessor<'_> {
    /// The next token of the directive's line.
    pub(super) fn line_token(&mut self) -> Option<Raw> {
        self.files.last_mut()?.lexer.next_in_line(&mut self.interner, self.sink)
    }

    /// All that is left of the directive's line.
    pub(super) fn line(&mut self) -> Vec<Raw> {
        let mut line = vec![];
        while let Some(token) = self.line_token() {
            line.push(token);
        }
        self.spend(line.len(), line.last().map_or(Span::default(), |last| last.span));
        line
    }

    fn rest_of_line(&mut self) -> String {
        self.files.last_mut().map_or(String::new(), |open| open.lexer.rest_of_line().to_owned())
    }

    /// Obeys a directive; a `#pragma` that concerns the parser comes back as a token.
    pub(super) fn directive(&mut self, hash: Raw) -> Option<Raw> {
        self.last = hash.span.lo;
        let name = self.line_token()?;
        let text = self.interner.text(name.symbol).clone();
        match (name.kind, &*text) {
            (RawKind::Word, "define") => {
                let line = self.line();
                self.define(name, line);
            }
            (RawKind::Word, "undef") => {
                let mut line = self.line().into_iter();
                if let Some(found) = self.macro_name(name, &mut line)
                    && let Some(slot) = self.macros.get_mut(found.symbol.0 as usize)
                {
                    let built_in = slot.as_ref().is_some_and(|one| one.built_in);
                    *slot = self.covered.remove(&found.symbol).filter(|_| built_in);
                }
            }
            (RawKind::Word, "include") => self.include(name),
            (RawKind::Word, "if" | "ifdef" | "ifndef") => {
                let taken = self.condition(name, &text);
                if let Some(open) = self.files.last_mut() {
                    open.conditionals.push(Conditional {
                        span: hash.span.to(name.span),
                        taken,
                        otherwise: None,
                    });
                }
                if !taken {
                    self.skip();
                }
            }
            (RawKind::Word, "elif" | "elifdef" | "elifndef" | "else") => {
                // The part before was read, so all others are not.
                if self.alternative(hash, name, &text) {
                    self.line();
                    self.skip();
                }
            }
            (RawKind::Word, "endif") => self.endif(hash, name),
            (RawKind::Word, "error") => {
                let words = self.rest_of_line();
                self.sink.push(Diagnostic::error(
                    "error",
                    hash.span.to(name.span),
                    format!("#error: {words}"),
                ));
            }
            (RawKind::Word, "warning") => {
                let words = self.rest_of_line();
                self.sink.push(Diagnostic::warning(
                    "warning",
                    hash.span.to(name.span),
                    format!("#warning: {words}"),
                ));
            }
            (RawKind::Word, "pragma") => return self.pragma_directive(hash.span.to(name.span)),
            (RawKind::Word, "ident") => drop(self.line()),
            (RawKind::Word, "line") | (RawKind::Number, _) => {
                self.line();
                self.sink.push(
                    Diagnostic::error(
                        "refused-directive",
                        hash.span.to(name.span),
                        "`#line` is not supported",
                    )
                    .help("remove it: messages and line tables show the lines of this file"),
                );
            }
            _ => {
                self.line();
                self.unknown(hash, name, &text);
            }
        }
        None
    }

    fn unknown(&mut self, hash: Raw, name: Raw, text: &str) {
        let mut diagnostic = Diagnostic::error(
            "directive",
            hash.span.to(name.span),
            format!("invalid preprocessing directive `#{text}`"),
        );
        if let Some(near) = crate::diagnostic::nearest(text, DIRECTIVES) {
            diagnostic = diagnostic.help(format!("did you mean `#{near}`?"));
        } else {
            diagnostic = diagnostic.help("if this is meant as a comment, begin it with `//`");
        }
        self.sink.push(diagnostic);
    }

    /// Condition of `#if` and the like; the name of the directive is read.
    fn condition(&mut self, name: Raw, text: &str) -> bool {
        let line = self.line();
        if matches!(text, "if" | "elif") {
            return self.evaluate(name, line);
        }
        let mut line = line.into_iter();
        let Some(asked) = self.macro_name(name, &mut line) else { return false };
        self.macro_of(asked.symbol).is_some() != text.ends_with("ndef")
    }

    /// Notes an `#else` or `#elif`; false where it is out of place.
    fn alternative(&mut self, hash: Raw, name: Raw, text: &str) -> bool {
        let span = hash.span.to(name.span);
        let Some(conditional) = self.files.last_mut().and_then(|open| open.conditionals.last_mut()) else {
            self.error("directive", span, format!("`#{text}` without `#if`"));
            return false;
        };
        if let Some(before) = conditional.otherwise {
            let problem = Diagnostic::error("directive", span, format!("`#{text}` after `#else`"))
                .related(before, "the `#else`")
                .related(conditional.span, "of this conditional");
            self.sink.push(problem);
        }
        if text == "else" {
            conditional.otherwise = Some(span);
            let condition = self.line().into_iter().find(|one| &**self.interner.text(one.symbol) == "if");
            if let Some(condition) = condition {
                let problem =
                    Diagnostic::error("directive", span.to(condition.span), "`#else` takes no condition");
                self.sink.push(problem.help("write `#elif` and the condition"));
            }
        }
        true
    }

    fn endif(&mut self, hash: Raw, name: Raw) {
        self.line();
        if self.files.last_mut().and_then(|open| open.conditionals.pop()).is_none() {
            self.error("directive", hash.span.to(name.span), "`#endif` without `#if`");
        }
    }

    /// Skips to the part of the condition that is to be read, or after its `#endif`.
    fn skip(&mut self) {
        let mut nested = 0usize;
        loop {
            // What is skipped need not be right; only where its tokens end counts.
            let mut quiet = Diagnostics::default();
            let Some(open) = self.files.last_mut() else { return };
            let hash = open.lexer.next(&mut self.interner, &mut quiet);
            if hash.kind == RawKind::End || !self.spend(1, hash.span) {
                return;
            }
            if !hash.line_start || !hash.is(const { punctuation("#") }) {
                continue;
            }
            let Some(open) = self.files.last_mut() else { return };
            let Some(name) = open.lexer.next_in_line(&mut self.interner, &mut quiet) else { continue };
            let text = self.interner.text(name.symbol).clone();
            match &*text {
                "if" | "ifdef" | "ifndef" => nested += 1,
                "endif" if nested > 0 => nested -= 1,
                "endif" => return self.endif(hash, name),
                "else" | "elif" | "elifdef" | "elifndef" if nested == 0 => {
                    self.last = hash.span.lo;
                    if self.alternative(hash, name, &text) && self.chosen(name, &text) {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether the part after an `#else` or `#elif` is to be read.
    fn chosen(&mut self, name: Raw, text: &str) -> bool {
        let taken = self.files.last().and_then(|open| open.conditionals.last()).is_none_or(|one| one.taken);
        if taken {
            return false;
        }
        let chosen = text == "else" || self.condition(name, text);
        if let Some(conditional) = self.files.last_mut().and_then(|open| open.conditionals.last_mut()) {
            conditional.taken = chosen;
        }
        if chosen && text == "else" {
            self.line();
        }
        chosen
    }

    /// Closes the file that is read.
    pub(super) fn close_file(&mut self) {
        let Some(open) = self.files.pop() else { return };
        for conditional in open.conditionals {
            let kind = self.sources.text(conditional.span).trim_start_matches('#').trim().to_owned();
            self.sink.push(
                Diagnostic::error(
                    "unterminated-conditional",
                    conditional.span,
                    format!("unterminated `#{kind}`"),
                )
                .help("write `#endif` where the conditional lines end"),
            );
        }
    }

    /// Names that are known without a definition.
    pub(super) fn is_known(&self, name: Raw) -> bool {
        self.macro_of(name.symbol).is_some()
            || [known::HAS_INCLUDE, known::HAS_CPP_ATTRIBUTE].contains(&name.symbol)
    }
}
