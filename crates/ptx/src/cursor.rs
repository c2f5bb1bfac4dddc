//! A cursor over the tokens, with two tokens of lookahead, that gives errors their position.

use crate::ast::{self, At};
use crate::error::Error;
use crate::lexer::{Is, Lexer, Token};

pub(crate) type Result<T> = std::result::Result<T, Error>;

pub(crate) struct Cursor<'a, 't> {
    lexer: Lexer<'a, 't>,
    line_starts: &'t [u32],
    next: Token<'a>,
    second: Token<'a>,
    /// Place of the token that was taken last.
    last: u32,
    /// What stopped the lexer; the tokens end there.
    stopped: Option<Error>,
}

impl<'a, 't> Cursor<'a, 't> {
    pub(crate) fn new(lexer: Lexer<'a, 't>, line_starts: &'t [u32]) -> Self {
        let end = Token { at: 0, is: Is::End };
        let mut cursor = Cursor { lexer, line_starts, next: end, second: end, last: 0, stopped: None };
        cursor.take();
        cursor.take();
        cursor
    }

    /// The first error of a text, of which the parser's result is `parsed`: its own, or the lexer's.
    pub(crate) fn first_error<T>(self, parsed: Result<T>) -> Result<T> {
        match (parsed, self.stopped) {
            (Err(error), Some(stopped)) if error.place < stopped.place => Err(error),
            (_, Some(stopped)) => Err(stopped),
            (parsed, None) => parsed,
        }
    }

    pub(crate) fn peek(&self) -> Is<'a> {
        self.next.is
    }

    pub(crate) fn peek_second(&self) -> Is<'a> {
        self.second.is
    }

    pub(crate) fn at(&self) -> At {
        At(self.next.at)
    }

    /// Behind the mark that was taken last, a byte of the text.
    pub(crate) fn end_of_mark(&self) -> u32 {
        self.last + 1
    }

    pub(crate) fn take(&mut self) -> Is<'a> {
        let taken = self.next;
        self.last = taken.at;
        self.next = self.second;
        // The last token is the end, and it is never passed.
        if self.second.is != Is::End || self.stopped.is_none() {
            self.second = self.lexer.token().unwrap_or_else(|error| {
                let at = self.lexer.at();
                self.stopped = Some(error);
                Token { at, is: Is::End }
            });
        }
        taken.is
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
