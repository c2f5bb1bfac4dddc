//! A cursor over the tokens, with two tokens of lookahead, that gives errors their position.

use crate::ast::{self, At, Statement};
use crate::error::Error;
use crate::lexer::{Is, Lexer, Token};

pub(crate) type Result<T> = std::result::Result<T, Error>;

pub(crate) struct Cursor<'a, 't> {
    lexer: Lexer<'a, 't>,
    line_starts: &'t [u32],
    /// The next two tokens, alternately: each is written once.
    ahead: [Token<'a>; 2],
    /// Which of them is next.
    next: usize,
    /// Position of the token that was taken last.
    last: u32,
    /// Which statements of bodies are wanted.
    pub(crate) keep: fn(&Statement<'_>) -> bool,
}

impl<'a, 't> Cursor<'a, 't> {
    pub(crate) fn new(
        lexer: Lexer<'a, 't>,
        line_starts: &'t [u32],
        keep: fn(&Statement<'_>) -> bool,
    ) -> Self {
        let end = Token { at: 0, is: Is::End };
        let mut cursor = Cursor { lexer, line_starts, ahead: [end; 2], next: 0, last: 0, keep };
        cursor.take();
        cursor.take();
        cursor
    }

    /// The first error of a text, of which the parser's result is `parsed`: its own, or the lexer's.
    pub(crate) fn first_error<T>(self, parsed: Result<T>) -> Result<T> {
        match (parsed, self.lexer.stopped()) {
            (Err(error), Some(stopped)) if error.place < stopped.place => Err(error),
            (_, Some(stopped)) => Err(stopped),
            (parsed, None) => parsed,
        }
    }

    pub(crate) fn peek(&self) -> Is<'a> {
        self.ahead[self.next].is
    }

    pub(crate) fn peek_second(&self) -> Is<'a> {
        self.ahead[self.next ^ 1].is
    }

    pub(crate) fn at(&self) -> At {
        At(self.ahead[self.next].at)
    }

    /// After the mark that was taken last, a byte of the text.
    pub(crate) fn end_of_mark(&self) -> u32 {
        self.last + 1
    }

    pub(crate) fn take(&mut self) -> Is<'a> {
        let taken = &mut self.ahead[self.next];
        let is = taken.is;
        self.last = taken.at;
        // The last token is the end, and the lexer gives it for ever.
        *taken = self.lexer.token();
        self.next ^= 1;
        is
    }

    /// Continues after the brace that closes the next token, without reading what is in between; false where there is none.
    pub(crate) fn skip_braces(&mut self) -> bool {
        let Some(closing) = self.lexer.skip_braces(self.at().0) else { return false };
        self.last = closing;
        self.next = 0;
        self.ahead = [self.lexer.token(), self.lexer.token()];
        true
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
        let there = matches!(self.peek(), Is::Mark(is) if is == mark);
        if there {
            self.take();
        }
        there
    }

    pub(crate) fn mark(&mut self, mark: u8) -> Result<()> {
        if self.if_mark(mark) { Ok(()) } else { self.expected(&format!("`{}`", mark as char)) }
    }

    pub(crate) fn if_dot(&mut self, word: &str) -> bool {
        let there = matches!(self.peek(), Is::Dot(is) if is == word);
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
