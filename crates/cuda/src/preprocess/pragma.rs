//! `#pragma` and `_Pragma`.
//!
//! Enters: the words of a pragma. Leaves: a token for the parser where the pragma changes the program; nothing where it
//! is about messages or the host. This module must never know what a pragma does to the code.

use crate::{
    diagnostic::{Diagnostic, Diagnostics},
    lex::{Lexer, Raw, RawKind},
    source::Span,
    token::Token,
};

use super::{
    Preprocessor,
    intern::{Symbol, known, punctuation},
    literal,
};

/// What becomes of a pragma.
enum Fate {
    /// The parser gets it.
    Parser,
    /// It says nothing about the code for the device.
    Ignored,
    /// It would change what the code means, and is not known here.
    Refused(&'static str),
}

/// Pragmas by their first word.
const PRAGMAS: [(&str, Fate); 24] = [
    ("unroll", Fate::Parser),
    ("nounroll", Fate::Parser),
    ("clang", Fate::Ignored),
    ("GCC", Fate::Ignored),
    ("comment", Fate::Ignored),
    ("diag_default", Fate::Ignored),
    ("diag_error", Fate::Ignored),
    ("diag_suppress", Fate::Ignored),
    ("diag_warning", Fate::Ignored),
    ("endregion", Fate::Ignored),
    ("hd_warning_disable", Fate::Ignored),
    ("ident", Fate::Ignored),
    ("mark", Fate::Ignored),
    ("message", Fate::Ignored),
    ("nv_abi", Fate::Refused("leave it out: there are no calls in the PTX whose registers could be chosen")),
    ("nv_diagnostic", Fate::Ignored),
    ("nv_exec_check_disable", Fate::Ignored),
    ("omp", Fate::Ignored),
    ("pack", Fate::Parser),
    ("pop_macro", Fate::Refused("write `#undef` and `#define`")),
    ("push_macro", Fate::Refused("write `#undef` and `#define`")),
    ("region", Fate::Ignored),
    ("warning", Fate::Ignored),
    (
        "STDC",
        Fate::Refused(
            "contraction to `fma` is a matter of `__fmul_rn` and `__fadd_rn`, which are never contracted",
        ),
    ),
];

impl Preprocessor<'_> {
    /// `#pragma`, from behind its name on.
    pub(super) fn pragma_directive(&mut self, span: Span) -> Option<Raw> {
        let words = self.line();
        if words.first().is_some_and(|word| word.symbol == known::ONCE) {
            self.read_once();
            return None;
        }
        self.pragma(words, span)
    }

    /// `_Pragma("words")`, from behind its name on.
    pub(super) fn pragma_operator(&mut self, name: Raw) -> Option<Raw> {
        let open = self.next();
        let string = if open.is(const { punctuation("(") }) { self.next() } else { open };
        let closed = string.kind == RawKind::String && self.next().is(const { punctuation(")") });
        let text = closed.then(|| literal::unquote(self.spelling(string))).flatten();
        let Some(text) = text else {
            self.error("directive", name.span, "`_Pragma` needs a string in parentheses behind it");
            return None;
        };
        let mut quiet = Diagnostics::default();
        let mut lexer = Lexer::new(text.as_str().into(), 0);
        let mut words = vec![];
        while let Some(word) = lexer.next_in_line(&mut self.interner, &mut quiet) {
            words.push(Raw { span: name.span, ..word });
        }
        if !self.spend(words.len(), name.span) {
            return None;
        }
        self.pragma(words, name.span)
    }

    fn pragma(&mut self, words: Vec<Raw>, span: Span) -> Option<Raw> {
        let first = *words.first()?;
        let text = self.spelling(first);
        let fate = PRAGMAS
            .iter()
            .find(|(name, _)| *name == text || text.starts_with("nv_diag_") && *name == "nv_diagnostic");
        match fate {
            Some((_, Fate::Parser)) => {
                let symbol = Symbol(self.pragmas.len() as u32);
                self.pragmas.push(words.into());
                Some(Raw {
                    span,
                    symbol,
                    kind: RawKind::Pragma,
                    space: true,
                    line_start: true,
                    painted: false,
                })
            }
            Some((_, Fate::Ignored)) => None,
            Some((name, Fate::Refused(instead))) => {
                let message = format!("`#pragma {name}` is refused");
                self.sink.push(Diagnostic::error("refused-pragma", span, message).help(*instead));
                None
            }
            None => {
                let message = format!("`#pragma {text}` is not known and does nothing");
                let mut warning = Diagnostic::warning("unknown-pragma", span, message);
                if let Some(near) = crate::diagnostic::nearest(text, PRAGMAS.iter().map(|(name, _)| *name)) {
                    warning = warning.help(format!("did you mean `#pragma {near}`?"));
                }
                self.sink.push(warning);
                None
            }
        }
    }

    /// Tokens of a pragma for the parser: all behind its first word with macros expanded.
    pub(super) fn pragma_tokens(&mut self, words: &[Raw]) -> Vec<Token> {
        let mut tokens = vec![];
        let Some((first, rest)) = words.split_first() else { return tokens };
        self.emit(*first, &mut tokens);
        for word in self.expand_all(rest.to_vec(), first.span) {
            // A pragma within a pragma cannot be: `_Pragma` is none here.
            if word.kind != RawKind::Pragma {
                self.emit(word, &mut tokens);
            }
        }
        tokens
    }
}
