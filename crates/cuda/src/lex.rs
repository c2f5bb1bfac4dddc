//! Text to preprocessing tokens.
//!
//! Enters: a file's text. Leaves: its tokens, one at a time, each with its spelling, place and the white space before it;
//! lines that a backslash continues are joined, comments are gone. This module must never know macros, keywords or what a
//! number is worth.

use std::sync::Arc;

use crate::{
    diagnostic::{Diagnostic, Diagnostics},
    preprocess::intern::{BY_FIRST_BYTE, Interner, PUNCTUATIONS, Symbol, known, punctuation},
    source::Span,
};

/// Kind of a preprocessing token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawKind {
    /// Name or keyword.
    Word,
    /// Number as the preprocessor sees it: also `1.2.3`.
    Number,
    /// String literal with its prefix and quotes.
    String,
    /// Character literal with its prefix and quotes.
    Character,
    /// Punctuation; the symbol is below `PUNCTUATIONS.len()`.
    Punctuation,
    /// `#pragma` line; the symbol is its number in the preprocessor's list.
    Pragma,
    /// Character that begins no token of C++, or a name with such characters.
    Other,
    /// Nothing, where an argument of `##` was empty.
    Placemarker,
    /// End of the file, or of what is to be expanded.
    End,
}

/// Preprocessing token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Raw {
    /// Where it is.
    pub(crate) span: Span,
    /// Its spelling, except where [`RawKind`] says otherwise.
    pub(crate) symbol: Symbol,
    /// What it is.
    pub(crate) kind: RawKind,
    /// Whether white space or a comment lies before it.
    pub(crate) space: bool,
    /// Whether it is the first of its line.
    pub(crate) line_start: bool,
    /// Whether it is the name of a macro that was met in that macro's own expansion, and so is no call for ever.
    pub(crate) painted: bool,
}

impl Raw {
    /// Whether it is a certain punctuation.
    pub(crate) fn is(&self, symbol: Symbol) -> bool {
        self.kind == RawKind::Punctuation && self.symbol == symbol
    }
}

const DIGRAPHS: [(Symbol, Symbol); 6] = [
    (punctuation("<:"), punctuation("[")),
    (punctuation(":>"), punctuation("]")),
    (punctuation("<%"), punctuation("{")),
    (punctuation("%>"), punctuation("}")),
    (punctuation("%:"), punctuation("#")),
    (punctuation("%:%:"), punctuation("##")),
];

const fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$'
}

/// Whether a byte goes on with a name; all of UTF-8's, so that a name in another script is one token.
const fn is_word(byte: u8) -> bool {
    is_word_start(byte) || byte.is_ascii_digit()
}

/// Reader of one file's tokens.
pub(crate) struct Lexer {
    text: Arc<str>,
    /// Offset of the text's first byte among all files.
    base: u32,
    /// Byte that is read next.
    at: usize,
    line_start: bool,
    /// Whether a line was joined since the token's beginning, so that its spelling is not what the file has.
    joined: bool,
}

impl Lexer {
    /// Reader of a text whose first byte has the offset `base`.
    pub(crate) fn new(text: Arc<str>, base: u32) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, base, at, line_start: true, joined: false }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The byte to read next, with continued lines joined; 0 at the end.
    fn peek(&mut self) -> u8 {
        loop {
            let byte = self.byte(self.at);
            if byte != b'\\' {
                return byte;
            }
            let Some(length) = self.splice(self.at) else { return byte };
            self.at += length;
            self.joined = true;
        }
    }

    /// Length of a backslash with the end of line after it; spaces may be between them, as they cannot be seen.
    fn splice(&self, at: usize) -> Option<usize> {
        let rest = self.text.as_bytes().get(at + 1..)?;
        let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        (rest.get(spaces) == Some(&b'\n')).then_some(spaces + 2)
    }

    /// The byte after the one to read next.
    fn peek_second(&mut self) -> u8 {
        self.peek();
        let mut at = self.at + 1;
        while self.byte(at) == b'\\' {
            let Some(length) = self.splice(at) else { break };
            at += length;
        }
        self.byte(at)
    }

    fn bump(&mut self) {
        self.at = (self.at + 1).min(self.text.len());
    }

    fn ended(&self) -> bool {
        self.at >= self.text.len()
    }

    fn span(&self, start: usize) -> Span {
        Span { lo: self.base + start as u32, hi: self.base + self.at as u32, expansion: 0 }
    }

    /// Place that is read next, of no width.
    pub(crate) fn place(&self) -> Span {
        self.span(self.at)
    }

    /// Skips white space and comments, but no end of line if `in_line`. Returns whether there were any.
    fn skip_space(&mut self, in_line: bool, sink: &mut Diagnostics) -> bool {
        let start = self.at;
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.bump(),
                b'\n' if !in_line => {
                    self.bump();
                    self.line_start = true;
                }
                b'/' if self.peek_second() == b'/' => {
                    self.skip_to(b'\n');
                    while !self.ended() && self.peek() != b'\n' {
                        self.bump();
                        self.skip_to(b'\n');
                    }
                }
                b'/' if self.peek_second() == b'*' => self.skip_block_comment(sink),
                // A no-break space comes with code that is copied from a page; it cannot be seen.
                0xc2 if self.byte(self.at + 1) == 0xa0 => self.at += 2,
                _ => return self.at > start,
            }
        }
    }

    /// Goes on to the next of a byte, or of the backslashes that may continue a line.
    fn skip_to(&mut self, stop: u8) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|byte| *byte == stop || *byte == b'\\').unwrap_or(rest.len());
    }

    fn skip_block_comment(&mut self, sink: &mut Diagnostics) {
        let start = self.at;
        self.bump();
        self.peek();
        self.bump();
        let opened = self.span(start);
        loop {
            if self.ended() {
                sink.push(
                    Diagnostic::error("unterminated-comment", opened, "unterminated comment")
                        .label("begins here")
                        .help("close it with `*/`"),
                );
                return;
            }
            self.skip_to(b'*');
            let byte = self.peek();
            self.bump();
            if byte == b'*' && self.peek() == b'/' {
                self.bump();
                return;
            }
        }
    }

    /// The next token; `End` at the end of the file.
    pub(crate) fn next(&mut self, interner: &mut Interner, sink: &mut Diagnostics) -> Raw {
        let space = self.skip_space(false, sink);
        let line_start = std::mem::take(&mut self.line_start);
        Raw { space, line_start, ..self.token(interner, sink) }
    }

    /// The next token of the line; `None` at its end, which is not consumed.
    pub(crate) fn next_in_line(&mut self, interner: &mut Interner, sink: &mut Diagnostics) -> Option<Raw> {
        let space = self.skip_space(true, sink);
        if self.ended() || self.peek() == b'\n' {
            return None;
        }
        Some(Raw { space, line_start: false, ..self.token(interner, sink) })
    }

    /// What is left of the line, without comments after it, for a directive that has free text.
    pub(crate) fn rest_of_line(&mut self) -> &str {
        let start = self.at;
        while !self.ended() && self.peek() != b'\n' {
            self.bump();
        }
        self.text.get(start..self.at).unwrap_or_default().trim()
    }

    /// Name of a header between `<` and `>`; the `<` is read. `None` where the line ends before.
    pub(crate) fn header_name(&mut self, interner: &mut Interner) -> Option<(Symbol, Span)> {
        let start = self.at;
        let length =
            self.text.as_bytes().get(start..)?.iter().position(|byte| matches!(byte, b'>' | b'\n'))?;
        if self.byte(start + length) == b'\n' {
            return None;
        }
        let name = interner.intern(self.text.get(start..start + length)?);
        self.at = start + length;
        let span = self.span(start);
        self.bump();
        Some((name, span))
    }

    fn token(&mut self, interner: &mut Interner, sink: &mut Diagnostics) -> Raw {
        let first = self.peek();
        self.joined = false;
        let start = self.at;
        let kind = match first {
            _ if self.ended() => RawKind::End,
            byte if is_word_start(byte) => {
                self.word();
                self.literal_after_prefix(start, sink).unwrap_or_else(|| self.word_kind(start))
            }
            b'0'..=b'9' => self.number(),
            b'.' if self.peek_second().is_ascii_digit() => self.number(),
            b'"' => self.quoted(b'"', RawKind::String, sink),
            b'\'' => self.quoted(b'\'', RawKind::Character, sink),
            byte => return self.punctuation(byte, interner),
        };
        let symbol = if kind == RawKind::End { known::EMPTY } else { self.spelling(start, interner) };
        Raw { span: self.span(start), symbol, kind, space: false, line_start: false, painted: false }
    }

    fn spelling(&self, start: usize, interner: &mut Interner) -> Symbol {
        let text = self.text.get(start..self.at).unwrap_or_default();
        if !self.joined {
            return interner.intern(text);
        }
        let mut spelling = String::new();
        let mut at = start;
        while let Some(one) = self.text.get(at..self.at).and_then(|rest| rest.chars().next()) {
            match self.splice(at) {
                Some(length) if one == '\\' => at += length,
                _ => {
                    spelling.push(one);
                    at += one.len_utf8();
                }
            }
        }
        interner.intern(&spelling)
    }

    fn word(&mut self) {
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            self.at += rest.iter().take_while(|byte| is_word(**byte)).count();
            let byte = self.peek();
            if byte >= 0x80 && self.text[self.at..].starts_with(char::is_alphanumeric) {
                self.at += self.char_len();
            } else if !is_word(byte) {
                return;
            }
        }
    }

    fn char_len(&self) -> usize {
        self.text.get(self.at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    }

    fn word_kind(&self, start: usize) -> RawKind {
        if self.text.as_bytes()[start..self.at].is_ascii() { RawKind::Word } else { RawKind::Other }
    }

    /// A literal whose prefix was just read as a word.
    fn literal_after_prefix(&mut self, start: usize, sink: &mut Diagnostics) -> Option<RawKind> {
        let quote = self.peek();
        if quote != b'"' && quote != b'\'' || self.joined {
            return None;
        }
        match (self.text.get(start..self.at)?, quote) {
            ("R" | "LR" | "uR" | "UR" | "u8R", b'"') => Some(self.raw_string(sink)),
            ("L" | "u" | "U" | "u8", b'"') => Some(self.quoted(b'"', RawKind::String, sink)),
            ("L" | "u" | "U" | "u8", _) => Some(self.quoted(b'\'', RawKind::Character, sink)),
            _ => None,
        }
    }

    /// String or character literal; the quote is not read yet. One without an end goes to the end of its line.
    fn quoted(&mut self, quote: u8, kind: RawKind, sink: &mut Diagnostics) -> RawKind {
        let start = self.at;
        self.bump();
        let opened = self.span(start);
        loop {
            match self.peek() {
                b'\n' => break,
                _ if self.ended() => break,
                b'\\' => {
                    self.bump();
                    if !matches!(self.peek(), b'\n') {
                        self.bump();
                    }
                }
                byte => {
                    self.bump();
                    if byte == quote {
                        return kind;
                    }
                }
            }
        }
        // What closes a call is most likely not meant as text: with it outside, the forgotten quote is the only error.
        let text = self.text.get(start + 1..self.at).unwrap_or_default();
        self.at = start + 1 + text.trim_end_matches([')', ';', ',', '}', ' ', '\t', '\r']).len();
        let (code, what, mark) = match kind {
            RawKind::Character => ("unterminated-character", "character literal", '\''),
            _ => ("unterminated-string", "string", '"'),
        };
        sink.push(
            Diagnostic::error(code, opened, format!("unterminated {what}: missing closing `{mark}`"))
                .label("begins here")
                .help(format!("close it with `{mark}` on the same line")),
        );
        kind
    }

    /// `R"delimiter(...)delimiter"` from its quote on; nothing in it is an escape or a continued line.
    fn raw_string(&mut self, sink: &mut Diagnostics) -> RawKind {
        let start = self.at;
        let rest = self.text.get(start + 1..).unwrap_or_default();
        let open =
            rest.find('(').filter(|at| *at <= 16 && !rest[..*at].contains([' ', '\\', ')', '\n', '\t']));
        let end = open.and_then(|open| {
            let close = format!("){}\"", &rest[..open]);
            rest[open..].find(&close).map(|at| start + 1 + open + at + close.len())
        });
        match end {
            Some(end) => self.at = end,
            None => {
                self.at = start + 1;
                let opened = self.span(start);
                self.at = self.text.len();
                sink.push(
                    Diagnostic::error("unterminated-string", opened, "unterminated raw string")
                        .help("raw strings are written `R\"(text)\"`"),
                );
            }
        }
        self.joined = false;
        RawKind::String
    }

    fn number(&mut self) -> RawKind {
        self.bump();
        loop {
            let byte = self.peek();
            match byte {
                b'e' | b'E' | b'p' | b'P' if matches!(self.peek_second(), b'+' | b'-') => {
                    self.bump();
                    self.peek();
                    self.bump();
                }
                b'\'' if is_word(self.peek_second()) => {
                    self.bump();
                    self.peek();
                    self.bump();
                }
                b'.' => self.bump(),
                _ if is_word(byte) => self.bump(),
                _ => return RawKind::Number,
            }
        }
    }

    fn punctuation(&mut self, first: u8, interner: &mut Interner) -> Raw {
        let start = self.at;
        let (from, to) = BY_FIRST_BYTE.get(usize::from(first)).copied().unwrap_or_default();
        let near = [first, self.byte(start + 1), self.byte(start + 2), self.byte(start + 3)];
        for index in from..to {
            let text = PUNCTUATIONS[usize::from(index)].as_bytes();
            // Joined lines are rare: anyone who has no backslash needs no look at each byte.
            let found = if near.contains(&b'\\') {
                self.at = start;
                text.iter().all(|byte| {
                    let same = self.peek() == *byte && !self.ended();
                    self.at += usize::from(same);
                    same
                })
            } else {
                self.at = start + text.len();
                near.starts_with(text)
            };
            if !found {
                continue;
            }
            let mut symbol = Symbol(u32::from(index));
            // C++'s exception: `<::` is `<` and `::` unless a third character makes it `<::>` or `<:::`.
            if symbol == const { punctuation("<:") }
                && self.peek() == b':'
                && !matches!(self.peek_second(), b':' | b'>')
            {
                continue;
            }
            if let Some((_, plain)) = DIGRAPHS.iter().find(|(digraph, _)| *digraph == symbol) {
                symbol = *plain;
            }
            return self.raw(start, symbol, RawKind::Punctuation);
        }
        self.at =
            start + self.text.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        if self.text[start..self.at].starts_with(char::is_alphanumeric) {
            self.word();
        }
        let symbol = self.spelling(start, interner);
        self.raw(start, symbol, RawKind::Other)
    }

    fn raw(&self, start: usize, symbol: Symbol, kind: RawKind) -> Raw {
        Raw { span: self.span(start), symbol, kind, space: false, line_start: false, painted: false }
    }
}
