//! Pragmas of statements: `#pragma unroll`, and for the host `#pragma omp`.
//!
//! Enters: the words of a pragma and the statement after it. Leaves: how often a loop is to be unrolled; of OpenMP, whose work one
//! thread does, the statement in a block with the variables that are private to it. All else that a directive says holds for one
//! thread. This module must never know what a variable is.

use std::rc::Rc;

use super::kind::Kind;
use super::{Parse, Parser};
use crate::ast::{
    Declaration, DeclarationKind, Expr, ExprKind, Id, Ident, Initializer, Name, Qualifiers, Segment,
    Specifiers, Statement, StatementKind, Symbol, Type, TypeKind, Unroll, Variable,
};
use crate::diagnostic::Diagnostic;

/// What a directive says.
#[derive(Default)]
struct Clauses {
    /// Variables that begin without a value.
    private: Vec<Ident>,
    /// Variables that begin with the value of the one outside.
    first: Vec<Ident>,
    /// Loops whose variables are private: none where no loop is divided.
    loops: u64,
}

impl Parser {
    /// `#pragma unroll 4`.
    pub(super) fn unroll(&mut self) -> Parse<Unroll> {
        let tok = self.bump();
        let mut count = None;
        if tok.kind == Kind::PragmaNoUnroll {
            count = Some(Expr {
                kind: ExprKind::Integer { value: 1, decimal: true, suffix: "".into() },
                span: tok.span,
            });
        } else {
            if !self.is(Kind::PragmaEnd) && !self.is(Kind::Semicolon) {
                let value = self.expression();
                match value {
                    Ok(value) => count = Some(value),
                    Err(_) if self.quiet > 0 || self.exhausted => return Err(super::Failed),
                    Err(_) => count = Some(self.error_expr(tok.span)),
                }
            }
            self.extra_semicolon();
            if !self.is(Kind::PragmaEnd) && !self.exhausted {
                let _: Parse<()> = self.expected("the end of the line after `#pragma unroll` and a number");
            }
        }
        self.skip_pragma();
        Ok(Unroll { count, span: tok.span })
    }

    /// A semicolon after what `#pragma unroll` says: others read over it, so it is reported and no error.
    fn extra_semicolon(&mut self) {
        if let Some(semicolon) = self.eat(Kind::Semicolon)
            && self.quiet == 0
        {
            let message = "extra `;` at the end of `#pragma unroll`";
            let warning = Diagnostic::warning("pragma-semicolon", semicolon, message);
            self.sink.push(warning.help("remove the `;`"));
        }
    }

    /// A directive of OpenMP, and the statement that it is of.
    pub(super) fn openmp_statement(&mut self, in_block: bool) -> Parse<StatementKind> {
        let mut clauses = self.openmp_clauses();
        let start = self.span();
        let kind = self.statement_kind(in_block, None)?;
        let mut inner = Statement { kind, span: start.to(self.before()) };
        note_counters(&inner, clauses.loops, &mut clauses.private);
        if clauses.private.is_empty() && clauses.first.is_empty() {
            return Ok(inner.kind);
        }
        let span = inner.span;
        let mut statements = vec![];
        for one in &clauses.first {
            let outer = Ident { symbol: outer(one), span: one.span };
            let auto = Type { kind: TypeKind::Auto, qualifiers: Qualifiers::default(), span: one.span };
            let reference = TypeKind::Reference(Rc::new(auto));
            statements.push(declared(&outer, reference, Some(value(one))));
        }
        let of = |one: &Ident| TypeKind::Decltype(Rc::new(value(one)));
        for one in &clauses.first {
            let outer = Ident { symbol: outer(one), span: one.span };
            statements.push(declared(one, of(one), Some(value(&outer))));
        }
        for one in &clauses.private {
            statements.push(declared(one, of(one), None));
        }
        inner.span = span;
        statements.push(inner);
        Ok(StatementKind::Block(crate::ast::Block { statements, span }))
    }

    fn openmp_clauses(&mut self) -> Clauses {
        let mut clauses = Clauses::default();
        self.bump();
        while !matches!(self.kind(), Kind::PragmaEnd | Kind::End) {
            let tok = self.bump();
            let list = match &*self.symbol(tok.data) {
                "__private" => &mut clauses.private,
                "__firstprivate" => &mut clauses.first,
                _ => {
                    clauses.loops += 1;
                    continue;
                }
            };
            let named = self.bump();
            list.push(self.ident_of(named));
        }
        self.skip_pragma();
        clauses
    }
}

/// Name of the reference to a variable outside.
fn outer(one: &Ident) -> Symbol {
    Symbol::from(format!("__outer_{}", one.symbol).as_str())
}

fn name(one: &Ident) -> Name {
    let segment = Segment { id: Id::Word(one.symbol.clone()), arguments: None, span: one.span };
    Name { global: false, typename: false, segments: vec![segment], span: one.span }
}

fn value(one: &Ident) -> Expr {
    Expr { kind: ExprKind::Name(name(one)), span: one.span }
}

/// `T x = value;`
fn declared(one: &Ident, kind: TypeKind, value: Option<Expr>) -> Statement {
    let span = one.span;
    let variable = Variable {
        name: Some(name(one)),
        specifiers: Specifiers::default(),
        ty: Rc::new(Type { kind, qualifiers: Qualifiers::default(), span }),
        initializer: value.map(Initializer::Equals),
        bits: None,
        span,
    };
    let declaration = Declaration { kind: DeclarationKind::Variable(Rc::new(variable)), span };
    Statement { kind: StatementKind::Declaration(vec![declaration]), span }
}

/// Variables from outside that count the iterations of loops within each other, which are private.
fn note_counters(statement: &Statement, loops: u64, to: &mut Vec<Ident>) {
    let mut at = statement;
    let mut left = loops;
    while left > 0 {
        match &at.kind {
            StatementKind::For(one) => {
                if let StatementKind::Expression(Expr {
                    kind: ExprKind::Assign { operator: None, left, .. },
                    span,
                }) = &one.init.kind
                    && let ExprKind::Name(name) = &left.kind
                    && let Some(symbol) = name.simple()
                    && !to.iter().any(|known| known.symbol == *symbol)
                {
                    to.push(Ident { symbol: symbol.clone(), span: *span });
                }
                at = &one.body;
                left -= 1;
            }
            StatementKind::Block(block) => match block.statements.as_slice() {
                [only] => at = only,
                _ => return,
            },
            _ => return,
        }
    }
}
