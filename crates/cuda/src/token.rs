//! Tokens that the parser sees: after preprocessing, without white space or comments.
//!
//! Enters: nothing. Leaves: the types. This module must never know the grammar.

use std::rc::Rc;

use crate::{diagnostic::Diagnostic, source::Span};

/// Token with its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is written.
    pub span: Span,
    /// Whether nothing lies between it and the token before it: what tells `>>` from `> >`, also in a macro, where the
    /// spans of both are the same.
    pub joined: bool,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TokenKind {
    /// Name or keyword; the parser distinguishes them.
    Word(Rc<str>),
    /// Integer literal: value, and suffix in lower case, sorted so that `u` comes first (``, `u`, `l`, `ul`, `ll`, `ull`).
    Integer {
        /// Value; a literal over 64 bits is an error of the lexer.
        value: u64,
        /// Whether it was written in decimal, which decides whether it may become unsigned.
        decimal: bool,
        /// Suffix.
        suffix: Rc<str>,
    },
    /// Floating literal: its text without suffix (decimal or hexadecimal), and `f`, `l` or nothing.
    Float {
        /// Digits, point and exponent, digit separators removed.
        text: Rc<str>,
        /// Suffix in lower case.
        suffix: Rc<str>,
    },
    /// Character literal: value. (`char` for plain ones; others are an error of the lexer.)
    Character(u32),
    /// String literal with escapes resolved, neighbouring ones not yet joined.
    String(Rc<[u8]>),
    /// Punctuation, longest first as in C++, except that `>>` and `>>=` come as single `>`, `>` (`>=`), the second with
    /// [`Token::joined`], for templates' sake. Digraphs and words (`and`, `not_eq`) come as what they stand for.
    Punctuation(&'static str),
    /// `#pragma` line: its words as tokens, macros expanded, such as `unroll 4`.
    Pragma(Rc<[Token]>),
    /// What is written wrong or refused, with the error to tell. It is reported only when the parser needs the token, as
    /// functions for the host are skipped over, and may hold what a kernel may not (`100ms`, `L"wide"`).
    Invalid(Rc<Diagnostic>),
    /// End of the last file.
    End,
}
