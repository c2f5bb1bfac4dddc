//! Whether a statement is a declaration or an expression, which C++ tells by what its names are.

use super::Parser;
use super::kind::Kind;
use super::scope::flag;

impl Parser {
    /// Whether a declaration begins here, and not an expression.
    pub(super) fn is_declaration(&mut self) -> bool {
        let tok = self.tok();
        match tok.kind {
            Kind::Word | Kind::ColonColon => self.is_declaration_by_name(),
            kind if kind.is_builtin_type() => {
                let mut at = self.at;
                while self.tok_at(at).kind.is_builtin_type() {
                    at += 1;
                }
                match self.tok_at(at).kind {
                    Kind::LeftBrace => false,
                    Kind::LeftParen => self.is_declarator_in_parentheses(at),
                    _ => true,
                }
            }
            Kind::Decltype if self.is_decltype_prefix() => self.is_declaration_by_name(),
            Kind::Decltype | Kind::Typeof => {
                self.partner(self.at + 1).is_some_and(|close| self.follows_type(close + 1))
            }
            Kind::Typename => match self.peek_name() {
                Some((_, _, end)) => self.follows_type(end),
                None => true,
            },
            Kind::Using | Kind::Namespace | Kind::StaticAssert | Kind::Template => true,
            kind => kind.begins_declaration(),
        }
    }

    /// Whether what is at a place goes on with a declaration whose type is before it.
    fn follows_type(&self, at: usize) -> bool {
        match self.tok_at(at).kind {
            Kind::Word
            | Kind::Star
            | Kind::Amp
            | Kind::AmpAmp
            | Kind::Const
            | Kind::Volatile
            | Kind::Restrict
            | Kind::Ellipsis
            | Kind::Operator
            | Kind::Static
            | Kind::Constexpr => true,
            Kind::LeftParen => self.is_declarator_in_parentheses(at),
            kind => {
                kind.is_attribute() || kind.is_keyword() && !kind.begins_statement() && kind != Kind::This
            }
        }
    }

    /// Whether `(` after a type is of a declarator such as `(*p)[4]`, and not of a value made of that type.
    fn is_declarator_in_parentheses(&self, open: usize) -> bool {
        let Some(close) = self.partner(open) else { return false };
        let member_pointer = self.tok_at(open + 1).kind == Kind::Word
            && self.tok_at(open + 2).kind == Kind::ColonColon
            && self.tok_at(open + 3).kind == Kind::Star;
        if member_pointer {
            return true;
        }
        matches!(self.tok_at(open + 1).kind, Kind::Star | Kind::Amp | Kind::AmpAmp)
            && matches!(
                self.tok_at(close + 1).kind,
                Kind::LeftParen | Kind::LeftBracket | Kind::Equal | Kind::Semicolon
            )
            && matches!(self.tok_at(open + 2).kind, Kind::Word | Kind::Const | Kind::Restrict | Kind::Star)
    }

    fn is_declaration_by_name(&mut self) -> bool {
        let next = self.kind_ahead(1);
        // The common case first: what an expression goes on with.
        if matches!(
            next,
            Kind::Equal
                | Kind::Dot
                | Kind::Arrow
                | Kind::PlusEqual
                | Kind::MinusEqual
                | Kind::StarEqual
                | Kind::PlusPlus
                | Kind::MinusMinus
                | Kind::LeftBracket
                | Kind::Semicolon
                | Kind::Comma
        ) {
            return false;
        }
        let Some((is_type, known, end)) = self.peek_name() else { return false };
        if is_type {
            return self.follows_type(end);
        }
        if known {
            // A variable's name and another word: what was meant is reported as a missing semicolon.
            return false;
        }
        match self.tok_at(end).kind {
            Kind::Word => !self.tok_at(end).first || self.kind_ahead(1) != Kind::Word,
            Kind::Const | Kind::Volatile | Kind::Restrict => true,
            Kind::Star | Kind::Amp | Kind::AmpAmp => self.is_pointer_declaration(end),
            _ => false,
        }
    }

    /// Whether `* x` after an unknown name declares: `T *x = …`, `T *x;`.
    fn is_pointer_declaration(&self, from: usize) -> bool {
        let mut at = from;
        while matches!(
            self.tok_at(at).kind,
            Kind::Star | Kind::Amp | Kind::AmpAmp | Kind::Const | Kind::Restrict | Kind::Volatile
        ) {
            at += 1;
        }
        let name = self.tok_at(at);
        if name.kind != Kind::Word {
            return false;
        }
        let value = self.scopes.lookup(name.data).is_some_and(|entity| entity.is(flag::VALUE));
        match self.tok_at(at + 1).kind {
            Kind::Equal => true,
            Kind::Semicolon | Kind::Comma | Kind::LeftBracket | Kind::Colon => !value,
            _ => false,
        }
    }
}
