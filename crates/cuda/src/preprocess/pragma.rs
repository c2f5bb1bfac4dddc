//! `#pragma` and `_Pragma`.
//!
//! Enters: the words of a pragma. Leaves: a token for the parser where the pragma changes the program; nothing where it
//! is about messages or the host. This module must never know what a pragma does to the code.

use crate::{
    diagnostic::{Diagnostic, Diagnostics},
    lex::{Lexer, Raw, RawKind},
    source::Span,
    token::{Token, TokenKind},
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
    /// The parser gets it of code for the host.
    Host,
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
    ("nv_abi", Fate::Refused("remove it: the PTX has no calls whose registers could be chosen")),
    ("nv_diagnostic", Fate::Ignored),
    ("nv_exec_check_disable", Fate::Ignored),
    ("omp", Fate::Host),
    ("pack", Fate::Parser),
    ("pop_macro", Fate::Refused("write `#undef` and `#define`")),
    ("push_macro", Fate::Refused("write `#undef` and `#define`")),
    ("region", Fate::Ignored),
    ("warning", Fate::Ignored),
    (
        "STDC",
        Fate::Refused(
            "to prevent contraction to `fma`, use `__fmul_rn` and `__fadd_rn`, which are never contracted",
        ),
    ),
];

/// What a `#pragma pack` asks for. Numbers are alignments in bytes, 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// From here on.
    Set(u8),
    /// What holds is put aside; perhaps another from here on.
    Push(Option<u8>),
    /// What was put aside last.
    Pop,
}

/// Reads `#pragma pack(…)` from after the word on; `None` where it is not understood.
pub(crate) fn packing(words: &[Token]) -> Option<Packing> {
    let mut plain = vec![];
    for word in words {
        plain.push(match &word.kind {
            TokenKind::Word(text) => text.to_string(),
            TokenKind::Punctuation(text) => (*text).to_owned(),
            TokenKind::Integer { value, .. } => value.to_string(),
            _ => String::new(),
        });
    }
    let plain: Vec<&str> = plain.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse().ok().filter(|value| matches!(value, 1 | 2 | 4 | 8 | 16));
    match plain[..] {
        ["(", ")"] => Some(Packing::Set(0)),
        ["(", "push", ")"] => Some(Packing::Push(None)),
        ["(", "push", ",", value, ")"] => number(value).map(|value| Packing::Push(Some(value))),
        ["(", "pop", ")"] => Some(Packing::Pop),
        ["(", value, ")"] => number(value).map(Packing::Set),
        _ => None,
    }
}

impl Preprocessor<'_> {
    /// `#pragma`, from after its name on.
    pub(super) fn pragma_directive(&mut self, span: Span) -> Option<Raw> {
        let words = self.line();
        if words.first().is_some_and(|word| word.symbol == known::ONCE) {
            self.read_once();
            return None;
        }
        self.pragma(words, span)
    }

    /// `_Pragma("words")`, from after its name on.
    pub(super) fn pragma_operator(&mut self, name: Raw) -> Option<Raw> {
        let open = self.next();
        let string = if open.is(const { punctuation("(") }) { self.next() } else { open };
        let closed = string.kind == RawKind::String && self.next().is(const { punctuation(")") });
        let text = closed.then(|| literal::unquote(self.spelling(string))).flatten();
        let Some(text) = text else {
            self.error("directive", name.span, "`_Pragma` requires a string in parentheses after it");
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
        let host = self.environment.side.is_host();
        match fate {
            Some((_, Fate::Host)) if !host => None,
            Some((_, Fate::Parser | Fate::Host)) => {
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
                let message = format!("`#pragma {name}` is not supported");
                self.sink.push(Diagnostic::error("refused-pragma", span, message).help(*instead));
                None
            }
            None => {
                let message = format!("unknown `#pragma {text}` ignored");
                let mut warning = Diagnostic::warning("unknown-pragma", span, message);
                if let Some(near) = crate::diagnostic::nearest(text, PRAGMAS.iter().map(|(name, _)| *name)) {
                    warning = warning.help(format!("did you mean `#pragma {near}`?"));
                }
                self.sink.push(warning);
                None
            }
        }
    }

    /// Tokens of a pragma for the parser: all after its first word with macros expanded.
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
        if self.spelling(*first) == "pack" && packing(tokens.get(1..).unwrap_or_default()).is_none() {
            let wrong = Diagnostic::error("refused-pragma", first.span, "invalid `#pragma pack`")
                .help("write `#pragma pack(push, 1)` and `#pragma pack(pop)`");
            self.sink.push(wrong);
        }
        tokens
    }
}
