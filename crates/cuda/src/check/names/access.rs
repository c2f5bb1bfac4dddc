//! Access of members: which are private or protected, and where they may be named.
//!
//! Enters: members that are used, and the scope that uses them. Leaves: messages. This module must never know what a member is
//! used for.

use crate::ast::{self, Access};
use crate::diagnostic::Diagnostic;
use crate::hir::RecordId;
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::classes::Classes;
use crate::check::names::entity::ScopeKind;
use crate::check::names::find::Want;

impl Classes {
    fn same_template(&self, a: RecordId, b: RecordId) -> bool {
        match (&self[a].template, &self[b].template) {
            (Some((x, _)), Some((y, _))) => x == y,
            _ => false,
        }
    }

    fn has_friends(&self, record: RecordId) -> bool {
        let Some(ast) = &self[record].ast else { return false };
        ast.members.iter().flatten().any(|member| match &member.kind {
            ast::DeclarationKind::Friend(_) => true,
            ast::DeclarationKind::Template(template) => {
                matches!(template.declaration.kind, ast::DeclarationKind::Friend(_))
            }
            _ => false,
        })
    }
}

impl Checker<'_> {
    /// Reports where a private field is used outside of its class.
    pub(crate) fn check_access(&mut self, record: RecordId, path: &[u32], span: Span) {
        let Some(first) = path.first() else { return };
        if !self.classes[record].hidden.contains(first) {
            return;
        }
        let field = self.program[record].fields.get(*first as usize);
        let Some((name, declared)) = field.map(|field| (field.name.to_string(), field.span)) else { return };
        let access = self.classes[record].restricted.get(&*name).copied();
        self.require_access(record, access.unwrap_or(Access::Private), &name, Some(declared), span);
    }

    /// Reports where a private method or constructor is called outside of its class.
    pub(crate) fn check_function_access(&mut self, decl: crate::check::names::entity::DeclId, span: Span) {
        let Some(access) = self.declarations.access_of(decl) else { return };
        let one = &self.declarations[decl];
        let Some(record) = one.class else { return };
        let (name, declared) = (crate::check::names::lookup::spelled(&one.ast.name), one.ast.name.span);
        self.require_access(record, access, &name, Some(declared), span);
    }

    /// Reports where a private name, other than of a function, is used outside of its class.
    pub(crate) fn check_name_access(&mut self, record: RecordId, symbol: &str, span: Span) {
        if let Some(access) = self.classes[record].restricted.get(symbol).copied() {
            self.require_access(record, access, symbol, None, span);
            return;
        }
        let scope = self.classes[record].scope;
        if self.scopes[scope].names.contains_key(symbol) {
            return;
        }
        for (base, _) in self.classes[record].bases.clone() {
            if self.find_member(base, symbol, Want::Any).is_some() {
                self.check_name_access(base, symbol, span);
                self.check_base_access(record, base, span);
                return;
            }
        }
    }

    /// Reports where a class's private or protected base is used as one outside of the class.
    pub(crate) fn check_base_access(&mut self, record: RecordId, base: RecordId, span: Span) {
        let hidden = self.classes[record].hidden_bases.iter().find(|(one, _)| *one == base);
        let Some((_, access)) = hidden.copied() else { return };
        let name = self.program[base].name.to_string();
        if self.may_access(record, access, span) {
            return;
        }
        let class = self.program[record].name.to_string();
        self.messages.error_help(
            "access",
            span,
            format!("cannot convert `{class}` to its private base class `{name}`"),
            format!("write `public {name}` in the list of base classes of `{class}`"),
        );
    }

    /// The same for each step of a way to a base.
    pub(crate) fn check_path_access(&mut self, record: RecordId, path: &[u32], span: Span) {
        let mut record = record;
        for number in path {
            let field = self.program[record].fields.get(*number as usize).map(|one| one.ty);
            let Some(base) = field.and_then(|ty| self.program.record_of(ty)) else { return };
            self.check_base_access(record, base, span);
            record = base;
        }
    }

    fn may_access(&mut self, record: RecordId, access: Access, span: Span) -> bool {
        if self.messages.ours(span) || self.classes.has_friends(record) {
            return true;
        }
        let mut at = Some(self.scopes.current());
        while let Some(scope) = at {
            if let ScopeKind::Class(around) = self.scopes[scope].kind
                && (around == record
                    || (access == Access::Protected && self.is_base(record, around))
                    || self.classes.same_template(around, record))
            {
                return true;
            }
            at = self.scopes[scope].parent;
        }
        false
    }

    fn require_access(
        &mut self,
        record: RecordId,
        access: Access,
        name: &str,
        declared: Option<Span>,
        span: Span,
    ) {
        if self.may_access(record, access, span) {
            return;
        }
        let class = self.program[record].name.to_string();
        let (word, who) = match access {
            Access::Protected => ("protected", "and of classes that inherit from it "),
            Access::Private | Access::Public => ("private", ""),
        };
        let message =
            format!("`{name}` is a {word} member of `{class}`: only methods of `{class}` {who}may use it");
        let mut diagnostic =
            Diagnostic::error("access", span, message).about(format!("{word} members of `{class}`"));
        if let Some(declared) = declared {
            diagnostic = diagnostic.related(declared, "declared here");
        }
        if access == Access::Private {
            diagnostic =
                diagnostic.help("write `public:` before it in the class, or give the class a method for it");
        }
        self.messages.report(diagnostic);
    }
}
