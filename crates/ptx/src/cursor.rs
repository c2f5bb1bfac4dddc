//! A cursor over the tokens, with one token of lookahead, that gives errors their position.

use crate::ast::{self, At};
use crate::error::Error;
use crate::lexer::{Is, Token};

pub(crate) type Result<T> = std::result::Result<T, Error>;

pub(crate) struct Cursor<'a, 't> {
    pub(crate) tokens: &'t [Token<'a>],
    pub(crate) next: usize,
    pub(crate) line_starts: &'t [u32],
}

impl<'a> Cursor<'a, '_> {
    pub(crate) fn peek(&self) -> Is<'a> {
        self.tokens[self.next].is
    }

    pub(crate) fn peek_second(&self) -> Is<'a> {
        self.tokens.get(self.next + 1).map_or(Is::End, |t| t.is)
    }

    pub(crate) fn at(&self) -> At {
        At(self.tokens[self.next].at)
    }

    /// Behind the mark that was taken last, a byte of the text.
    pub(crate) fn end_of_mark(&self) -> u32 {
        self.tokens[self.next - 1].at + 1
    }

    pub(crate) fn take(&mut self) -> Is<'a> {
        let is = self.peek();
        // The last token is the end, and it is never passed.
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        is
    }

    pub(crate) fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        self.fail_at(self.at(), message)
    }

    pub(crate) fn fail_at<T>(&self, at: At, message: impl Into<String>) -> Result<T> {
        Err(Error { place: ast::place(self.line_starts, at.0), message: message.into() })
    }

    pub(crate) fn expected<T>(&self, what: &str) -> Result<T> {
        self.fail(format!("expected {what}, found {}", self.peek().describe()))
    }

    pub(crate) fn if_mark(&mut self, mark: u8) -> bool {
        let there = self.peek() == Is::Mark(mark);
        if there {
            self.take();
        }
        there
    }

    pub(crate) fn mark(&mut self, mark: u8) -> Result<()> {
        if self.if_mark(mark) { Ok(()) } else { self.expected(&format!("`{}`", mark as char)) }
    }

    pub(crate) fn if_dot(&mut self, word: &str) -> bool {
        let there = self.peek() == Is::Dot(word);
        if there {
            self.take();
        }
        there
    }

    pub(crate) fn any_dot(&mut self, what: &str) -> Result<&'a str> {
        match self.peek() {
            Is::Dot(word) => {
                self.take();
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    pub(crate) fn word(&mut self, what: &str) -> Result<&'a str> {
        match self.peek() {
            Is::Word(word) => {
                self.take();
                Ok(word)
            }
            _ => self.expected(what),
        }
    }
}
