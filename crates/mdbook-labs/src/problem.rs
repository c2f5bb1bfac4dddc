//! Problems in a book, with their places.
//!
//! Enters: a text, a position in it, a message. Leaves: `file:line:column: message`. This module must never know the
//! rules that the text breaks.

use record::text::visible_lines;
use std::fmt;

/// One problem in a chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Path of the chapter's file, from the book's root.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// Message: the problem, and the names to choose from.
    pub message: String,
}

/// All problems of a book, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl Problem {
    /// A problem at a byte of a file's text.
    pub(crate) fn at(file: &str, text: &str, byte: usize, message: String) -> Self {
        let before = &text.as_bytes()[..byte.min(text.len())];
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        // Counted in characters: bytes that continue one are left out.
        let column = before[line_start..].iter().filter(|b| (**b & 0xc0) != 0x80).count() + 1;
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        Problem { file: file.into(), line, column, message }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem { file, line, column, message } = self;
        write!(f, "{file}:{line}:{column}: {}", visible_lines(message))
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            write!(f, "{}{problem}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
