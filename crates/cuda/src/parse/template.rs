//! Templates: parameters, and explicit instantiations.

use std::rc::Rc;

use super::kind::Kind;
use super::name::Names;
use super::scope::{Entity, ScopeKind, flag};
use super::{DeclarationContext, Parse, Parser};
use crate::ast::{Declaration, DeclarationKind, Ident, Template, TemplateParameter, TemplateParameterKind};
use crate::diagnostic::{Diagnostic, nearest};

impl Parser {
    /// `template <…> …`, `template …;`.
    pub(super) fn template(&mut self, place: DeclarationContext, to: &mut Vec<Declaration>) -> Parse<()> {
        let start = self.span();
        let is_extern = self.eat(Kind::Extern).is_some();
        self.bump();
        if !self.is(Kind::Less) {
            let mut declared = vec![];
            self.declaration(place, &mut declared)?;
            let span = start.to(self.before());
            to.extend(declared.into_iter().map(|declaration| Declaration {
                kind: DeclarationKind::ExplicitInstantiation { declaration: Rc::new(declaration), is_extern },
                span,
            }));
            return Ok(());
        }
        let outside = self.scopes.enter(ScopeKind::Template);
        let result = self.template_within(place);
        self.scopes.current = outside;
        let (parameters, requires, declared) = result?;
        let span = start.to(self.before());
        for declaration in declared {
            let kind = match declaration.kind {
                // What a friend template or a class with a variable after it leaves there is not a template.
                DeclarationKind::Empty => continue,
                _ => DeclarationKind::Template(Rc::new(Template {
                    parameters: parameters.clone(),
                    declaration,
                    requires,
                })),
            };
            to.push(Declaration { kind, span });
        }
        Ok(())
    }

    #[allow(clippy::type_complexity, reason = "parts of one node, used in one place")]
    fn template_within(
        &mut self,
        place: DeclarationContext,
    ) -> Parse<(Vec<TemplateParameter>, Option<crate::source::Span>, Vec<Declaration>)> {
        let parameters = self.template_parameters()?;
        let mut requires = None;
        if self.is(Kind::Requires) {
            requires = Some(self.span());
            self.skip_requires();
        }
        let mut declared = vec![];
        self.declaration(place, &mut declared)?;
        Ok((parameters, requires, declared))
    }

    /// `<class T, int N = 4>`.
    pub(super) fn template_parameters(&mut self) -> Parse<Vec<TemplateParameter>> {
        self.expect(Kind::Less, "`template`")?;
        let closes = std::mem::replace(&mut self.greater_closes, true);
        let result = self.deeper(Self::template_parameter_list);
        self.greater_closes = closes;
        result
    }

    fn template_parameter_list(&mut self) -> Parse<Vec<TemplateParameter>> {
        let mut parameters = vec![];
        while self.eat(Kind::Greater).is_none() {
            let parameter = self.template_parameter()?;
            parameters.push(parameter);
            if self.eat(Kind::Comma).is_none() && !self.is(Kind::Greater) {
                let span = self.before().after();
                if self.kind().is_attribute() || self.tok().first && self.kind().begins_declaration() {
                    self.firm = true;
                    self.tell(Diagnostic::error("syntax", span, "expected `>`").label("write `>` here"));
                    return Ok(parameters);
                }
                let found = self.found(self.tok());
                return self.fail(Diagnostic::error(
                    "syntax",
                    span,
                    format!("expected `,` or `>` after this template parameter, found {found}"),
                ));
            }
        }
        Ok(parameters)
    }

    fn template_parameter(&mut self) -> Parse<TemplateParameter> {
        let start = self.span();
        match self.kind() {
            Kind::Template => self.template_template_parameter(),
            Kind::Class => self.type_parameter(),
            Kind::Typename
                if self.kind_ahead(1) != Kind::ColonColon
                    && (self.kind_ahead(1) != Kind::Word
                        || !matches!(self.kind_ahead(2), Kind::ColonColon | Kind::Less)) =>
            {
                self.type_parameter()
            }
            _ if self.is_typename_misspelt() => {
                let tok = self.tok();
                let written = self.symbol(tok.data);
                self.firm = true;
                self.tell(
                    Diagnostic::error("name", tok.span, format!("unknown type name `{written}`"))
                        .unknown(written.to_string())
                        .help("did you mean `typename`?"),
                );
                self.type_parameter()
            }
            _ => {
                let specifiers = self.decl_specifiers(DeclarationContext::Block)?;
                let Some(base) = specifiers.ty else { return self.expected("a template parameter") };
                let declarator = self.declarator(Names::Optional, DeclarationContext::Block)?;
                let ty = self.apply(base, &declarator)?;
                let name = match &declarator.name {
                    Some(named) => Some(self.simple_name(named)?),
                    None => None,
                };
                if let Some(word) = declarator.name.as_ref().and_then(|named| named.word) {
                    self.scopes.declare_here(word, Entity { flags: flag::VALUE, scope: None });
                }
                let mut default = None;
                if self.eat(Kind::Equal).is_some() {
                    default = Some(Rc::new(self.template_value()?));
                }
                let pack = declarator.pack.is_some();
                let kind = TemplateParameterKind::Value { ty, default };
                Ok(TemplateParameter { name, pack, kind, span: start.to(self.before()) })
            }
        }
    }

    /// Whether `typname T` is here.
    fn is_typename_misspelt(&self) -> bool {
        let tok = self.tok();
        tok.kind == Kind::Word
            && self.kind_ahead(1) == Kind::Word
            && self.scopes.lookup(tok.data).is_none()
            && nearest(&self.symbol(tok.data), ["typename"]).is_some()
    }

    /// A value in template arguments: `>` ends it.
    pub(super) fn template_value(&mut self) -> Parse<crate::ast::Expr> {
        self.assignment()
    }

    fn parameter_name(&mut self, flags: u8) -> Option<Ident> {
        if !self.is(Kind::Word) {
            return None;
        }
        let tok = self.bump();
        self.scopes.declare_here(tok.data, Entity { flags, scope: None });
        Some(self.ident_of(tok))
    }

    fn type_parameter(&mut self) -> Parse<TemplateParameter> {
        let start = self.bump().span;
        let pack = self.eat(Kind::Ellipsis).is_some();
        let name = self.parameter_name(flag::TYPE);
        let mut default = None;
        if self.eat(Kind::Equal).is_some() {
            default = Some(self.type_id()?);
        }
        let kind = TemplateParameterKind::Type { default };
        Ok(TemplateParameter { name, pack, kind, span: start.to(self.before()) })
    }

    fn template_template_parameter(&mut self) -> Parse<TemplateParameter> {
        let start = self.bump().span;
        let outside = self.scopes.enter(ScopeKind::Plain);
        let inner = self.template_parameters();
        self.scopes.current = outside;
        inner?;
        if !matches!(self.kind(), Kind::Class | Kind::Typename) {
            return self.expected("`class`");
        }
        self.bump();
        let pack = self.eat(Kind::Ellipsis).is_some();
        let name = self.parameter_name(flag::TYPE | flag::TEMPLATE);
        let default = if self.eat(Kind::Equal).is_some() { Some(self.type_id()?) } else { None };
        let kind = TemplateParameterKind::Template { default };
        Ok(TemplateParameter { name, pack, kind, span: start.to(self.before()) })
    }
}
