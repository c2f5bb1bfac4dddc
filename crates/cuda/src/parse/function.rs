//! Functions: what follows their declarators, and where their bodies are.

use std::rc::Rc;

use super::declarator::{Declarator, FunctionChunk, function_type};
use super::kind::Kind;
use super::name::Named;
use super::types::DeclSpecifiers;
use super::{BodyState, DeclarationContext, Parse, Parser};
use crate::ast::{
    Block, Body, BodyId, Builtin, Declaration, DeclarationKind, Function, FunctionBody, FunctionKind, Id,
    Name, OverloadedOperator, Segment, Specifiers, TypeKind,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Whether a name is that of a function which allocates or frees objects.
fn allocates(name: &Name) -> bool {
    let last = name.last().map(|last| &last.id);
    matches!(last, Some(Id::Operator(OverloadedOperator::Allocation(_))))
}

impl Parser {
    #[allow(clippy::too_many_arguments, reason = "parts of one declaration, put together here only")]
    pub(super) fn function(
        &mut self,
        start: Span,
        specifiers: &DeclSpecifiers,
        declarator: &Declarator,
        named: Named,
        chunk: &FunctionChunk,
        place: DeclarationContext,
        to: &mut Vec<Declaration>,
    ) -> Parse<bool> {
        let kind = self.function_kind(specifiers, &named, chunk);
        let void = || self.plain(TypeKind::Builtin(Builtin::Void), named.name.span);
        let base = specifiers.ty.clone().unwrap_or_else(|| match named.name.last() {
            Some(Segment { id: Id::Conversion(ty), .. }) => ty.clone(),
            _ => void(),
        });
        let outer = declarator.chunks.split_last().map(|(_, outer)| outer).unwrap_or_default();
        let result = self.apply_chunks(base, outer)?;
        let ty = Rc::new(function_type(result, chunk));
        if kind == FunctionKind::Ordinary {
            self.declare_named(&named);
        }
        let mut all = specifiers.specifiers.clone();
        all.attributes.extend(declarator.attributes.iter().cloned());
        self.attributes(&mut all.attributes)?;
        if matches!(place, DeclarationContext::Class(_)) && allocates(&named.name) {
            // It is static, said or not: there is no object yet, or no more.
            all.is_static = all.is_static.or(Some(named.name.span));
        }
        let mut is_virtual_like = chunk.is_virtual_like;
        let mut is_pure = false;
        let mut body = FunctionBody::None;
        match self.kind() {
            Kind::Equal => {
                (body, is_pure) = self.body_by_word()?;
                if is_pure {
                    is_virtual_like = Some(self.before());
                }
            }
            Kind::LeftBrace | Kind::Colon | Kind::Try => {
                if place == DeclarationContext::Block {
                    return self.nested_function(&named);
                }
                body = FunctionBody::Defined(self.definition(&all, chunk)?);
            }
            Kind::Semicolon
                if place == DeclarationContext::Namespace && self.kind_ahead(1) == Kind::LeftBrace =>
            {
                self.firm = true;
                self.tell(
                    Diagnostic::error("syntax", self.span(), "this `;` ends the function before its body")
                        .help("remove the `;`"),
                );
                self.bump();
                body = FunctionBody::Defined(self.definition(&all, chunk)?);
            }
            Kind::Semicolon | Kind::Comma => {}
            _ if self.is_old_style(self.at, place) => {
                // That the parameters have no types has been reported.
                while !self.is(Kind::LeftBrace) {
                    self.bump();
                }
                body = FunctionBody::Defined(self.definition(&all, chunk)?);
            }
            _ => {
                if let Some(id) = self.definition_without_brace(chunk, place) {
                    body = FunctionBody::Defined(id);
                }
            }
        }
        let function = Function {
            kind,
            name: named.name,
            specifiers: all,
            ty,
            is_virtual_like,
            is_pure,
            is_noexcept: chunk.is_noexcept.unwrap_or(kind == FunctionKind::Destructor),
            requires: chunk.requires,
            body,
            span: start.to(self.before()),
        };
        let span = function.span;
        to.push(Declaration { kind: DeclarationKind::Function(Rc::new(function)), span });
        let FunctionBody::Defined(id) = body else { return Ok(false) };
        self.perhaps_parse(id);
        Ok(true)
    }

    fn function_kind(
        &self,
        specifiers: &DeclSpecifiers,
        named: &Named,
        chunk: &FunctionChunk,
    ) -> FunctionKind {
        match named.name.last().map(|last| &last.id) {
            Some(Id::Destructor(_)) => FunctionKind::Destructor,
            Some(Id::Conversion(_)) => FunctionKind::Conversion,
            _ if specifiers.ty.is_some() => FunctionKind::Ordinary,
            _ if chunk.trailing.is_some() => FunctionKind::DeductionGuide,
            _ => FunctionKind::Constructor,
        }
    }

    fn nested_function<T>(&mut self, named: &Named) -> Parse<T> {
        let brace = self.span();
        let name = named.name.last().map_or_else(String::new, |last| match &last.id {
            Id::Word(symbol) => format!("`{symbol}`"),
            _ => "this function".to_owned(),
        });
        self.fail(
            Diagnostic::error(
                "syntax",
                named.name.span,
                format!("function definition is not allowed here: {name} is inside another function"),
            )
            .related(brace, "its body begins here")
            .help("is the `}` that ends the enclosing function missing before it?"),
        )
    }

    /// `= default`, `= delete` or `= 0`: the body, and whether it is the last.
    fn body_by_word(&mut self) -> Parse<(FunctionBody, bool)> {
        self.bump();
        let tok = self.bump();
        match tok.kind {
            Kind::Default => Ok((FunctionBody::Defaulted, false)),
            Kind::Delete => Ok((FunctionBody::Deleted, false)),
            Kind::Integer => Ok((FunctionBody::None, true)),
            _ => {
                self.at -= 1;
                self.expected("`default`, `delete` or `0`")
            }
        }
    }

    /// A function's body: where it is, and whether it is parsed at once.
    fn definition(&mut self, specifiers: &Specifiers, chunk: &FunctionChunk) -> Parse<BodyId> {
        let start = self.at;
        if self.eat(Kind::Try).is_some() {
            // `try` around a body; refused with what is in it.
        }
        if self.is(Kind::Colon) {
            self.skip_member_initializers()?;
        }
        if !self.is(Kind::LeftBrace) {
            return self.expected("`{` and the body of this function");
        }
        let brace = self.tok();
        self.skip_brackets();
        while self.is(Kind::Catch) {
            self.bump();
            self.skip_brackets();
            self.skip_brackets();
        }
        let id = BodyId(self.bodies.len() as u32);
        self.bodies.push(BodyState::Late { start, scope: chunk.scope });
        let device = specifiers.global().or(specifiers.device()).is_some();
        let constexpr = specifiers.is_constexpr.or(specifiers.is_consteval).is_some();
        if !brace.ours && (device || constexpr) {
            self.pending.push(id);
        }
        Ok(id)
    }

    /// Goes before the brace after `: a(1), b{2}`.
    fn skip_member_initializers(&mut self) -> Parse<()> {
        self.bump();
        loop {
            // The name of a member or base, with its arguments.
            let mut words = 0;
            while !matches!(
                self.kind(),
                Kind::LeftParen
                    | Kind::LeftBrace
                    | Kind::Semicolon
                    | Kind::RightBrace
                    | Kind::ExtraBrace
                    | Kind::End
            ) {
                self.bump();
                words += 1;
            }
            if words == 0 || !matches!(self.kind(), Kind::LeftParen | Kind::LeftBrace) {
                return self.expected("a member and its initialiser");
            }
            self.skip_brackets();
            self.eat(Kind::Ellipsis);
            if self.eat(Kind::Comma).is_none() {
                return Ok(());
            }
        }
    }

    /// Error: after a function's head is neither `;` nor `{`. Where the `}` of its body is there, the body is read.
    fn definition_without_brace(
        &mut self,
        chunk: &FunctionChunk,
        place: DeclarationContext,
    ) -> Option<BodyId> {
        if place == DeclarationContext::Block {
            return None;
        }
        let extra = place == DeclarationContext::Namespace
            && (self.at..self.toks.len()).any(|at| self.tok_at(at).kind == Kind::ExtraBrace);
        let begins = self.kind().begins_statement() || self.is(Kind::Word);
        if !extra || !begins || self.quiet > 0 {
            return None;
        }
        self.firm = true;
        let span = self.before().after();
        self.tell(
            Diagnostic::error("syntax", span, "expected `{` at the beginning of the function body")
                .label("write `{` here"),
        );
        let before = std::mem::replace(&mut self.scopes.current, chunk.scope);
        let peak = self.begin();
        let start = self.span();
        let mut statements = vec![];
        self.statements(&mut statements);
        self.peak = peak;
        self.scopes.current = before;
        self.bump();
        let block = Block { statements, span: start.to(self.before()) };
        let id = BodyId(self.bodies.len() as u32);
        self.bodies.push(BodyState::Parsed(Rc::new(Body { initializers: vec![], block })));
        Some(id)
    }

    /// Parses what must be, unless a class around it is not yet complete.
    fn perhaps_parse(&mut self, id: BodyId) {
        if self.classes == 0 && self.pending.last() == Some(&id) {
            self.parse_pending();
        }
    }

    pub(super) fn parse_pending(&mut self) {
        for id in std::mem::take(&mut self.pending) {
            self.body(id);
        }
    }
}
