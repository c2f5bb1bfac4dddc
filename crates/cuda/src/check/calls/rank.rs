//! Which of the functions that take the operands is the best.
//!
//! Enters: candidates with their conversions. Leaves: the best, or those that are as good. This module must never know why others
//! do not take the operands.

use crate::ast;
use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::calls::overload::{Candidate, Failure, NoMatch};
use crate::check::context::declarations::Declarations;
use crate::check::context::output::Output;
use crate::check::context::scopes::Scopes;
use crate::check::names::entity::{DeclId, ScopeId};
use crate::check::templates::deduce::Bindings;
use crate::check::types::kind::plain;
use crate::hir::Type;
use crate::source::Span;
use std::cmp::Ordering;
use std::rc::Rc;

impl Declarations {
    /// Whether a template has `T &` in some place where another has `T &&`, and nowhere the other way round.
    fn binds_lvalues(&self, a: DeclId, b: DeclId) -> bool {
        let kinds = |decl: DeclId| self[decl].ast.ty.parameters.iter().map(|one| &one.ty.kind);
        let mut found = false;
        for pair in kinds(a).zip(kinds(b)) {
            match pair {
                (ast::TypeKind::Reference(_), ast::TypeKind::RvalueReference(_)) => found = true,
                (ast::TypeKind::RvalueReference(_), ast::TypeKind::Reference(_)) => return false,
                _ => {}
            }
        }
        found
    }

    fn ends_in_pack(&self, decl: DeclId) -> bool {
        let last = self[decl].ast.ty.parameters.last();
        last.is_some_and(|one| matches!(one.ty.kind, ast::TypeKind::Pack(_)))
    }
}

impl Declarations {
    fn describe(&self, callee: &Callee, scopes: &Scopes, program: &Output) -> (String, Option<Span>) {
        match callee {
            Callee::Decl(decl, _, signature) => {
                let one = &self[*decl];
                (self.show_function(*decl, Some(signature), scopes, program), Some(one.ast.name.span))
            }
            Callee::Builtin(row, _, _, params) => {
                let params: Vec<_> = params.iter().map(|ty| program.show(*ty)).collect();
                (format!("{}({})", row.name, params.join(", ")), None)
            }
            Callee::Copy(record) => (format!("copy of {}", program[*record].name), None),
        }
    }
}

impl Checker<'_> {
    pub(crate) fn best(
        &mut self,
        fitting: Vec<Candidate>,
        failures: Vec<Failure>,
    ) -> Result<Callee, NoMatch> {
        if fitting.is_empty() {
            return Err(NoMatch::None(failures));
        }
        let mut champion = 0;
        for at in 1..fitting.len() {
            if self.better(&fitting[at], &fitting[champion]) {
                champion = at;
            }
        }
        let rivals: Vec<usize> = (0..fitting.len())
            .filter(|at| *at != champion && !self.better(&fitting[champion], &fitting[*at]))
            .collect();
        if rivals.is_empty() {
            return fitting.into_iter().nth(champion).map(|one| one.callee).ok_or(NoMatch::Error);
        }
        let mut all =
            vec![self.declarations.describe(&fitting[champion].callee, &self.scopes, &self.program)];
        for at in rivals {
            all.push(self.declarations.describe(&fitting[at].callee, &self.scopes, &self.program));
        }
        Err(NoMatch::Ambiguous(all))
    }

    fn better(&mut self, a: &Candidate, b: &Candidate) -> bool {
        let mut wins = false;
        let (x, y) = match (a.object, b.object) {
            (true, false) => (&a.sequences[1..], &b.sequences[..]),
            (false, true) => (&a.sequences[..], &b.sequences[1..]),
            _ => (&a.sequences[..], &b.sequences[..]),
        };
        // A free operator's first operand is a method's object.
        let (x, y) = if x.len() == y.len() { (x, y) } else { (&a.sequences[..], &b.sequences[..]) };
        for (one, other) in x.iter().zip(y) {
            match self.program.compare_sequences(one, other) {
                Ordering::Less => wins = true,
                Ordering::Greater => return false,
                Ordering::Equal => {}
            }
        }
        if wins {
            return true;
        }
        match (a.template, b.template) {
            (false, true) => return true,
            (true, false) => return false,
            _ => {}
        }
        match (&a.callee, &b.callee) {
            // What the source declares goes before the compiler's own, and copies before templates.
            (Callee::Decl(a, ..), Callee::Builtin(..)) => self.declarations.for_device(*a, &self.messages),
            // A host's `int min(int, int)` is no other function than the compiler's own.
            (Callee::Builtin(..), Callee::Decl(b, ..)) => !self.declarations.for_device(*b, &self.messages),
            (Callee::Decl(a, _, _), Callee::Decl(b, _, _)) if a != b => {
                let (a, b) = (*a, *b);
                if self.declarations[a].template.is_some() && self.declarations[b].template.is_some() {
                    let (forth, back) = (self.more_special(a, b), self.more_special(b, a));
                    // Of equally special ones, that without a pack at the end, and `T &` before `T &&`.
                    let special = forth
                        && (!back
                            || (!self.declarations.ends_in_pack(a) && self.declarations.ends_in_pack(b))
                            || self.declarations.binds_lvalues(a, b));
                    // Of two deduction guides otherwise the one that is written, or copies.
                    return special
                        || (forth == back && self.declarations.guide(a) < self.declarations.guide(b));
                }
                // A class's own constructors and members hide those that are inherited.
                match (self.declarations[a].class, self.declarations[b].class) {
                    (Some(x), Some(y)) if x != y => self.is_base(y, x),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Types of a function template's parameters for its markers, each with whether it is a pack of its own.
    fn ordering_types(
        &mut self,
        x: &ast::Template,
        ast: &ast::Function,
        scope: ScopeId,
        order: u32,
    ) -> Option<Vec<(Type, bool)>> {
        self.trial(|this| {
            let markers = this.markers(&x.parameters);
            let bound = this.bind(&x.parameters, &markers, scope);
            let mut types = vec![];
            let own = Bindings::new(&x.parameters);
            for parameter in &ast.ty.parameters {
                let pack = matches!(parameter.ty.kind, ast::TypeKind::Pack(_));
                if pack && !this.mentions(&parameter.ty, &own) {
                    let all = this.at(bound, order, |this| this.parameter_types(&parameter.ty, None))?;
                    types.extend(all.into_iter().map(|ty| (ty, false)));
                    continue;
                }
                let before = this.body.replace_auto(Some(this.program.basic().int));
                let ty = this.at(bound, order, |this| {
                    this.body.replace_expansion(pack.then_some(0));
                    this.resolve_type(&parameter.ty)
                });
                this.body.replace_auto(before);
                types.push((ty?, pack));
            }
            Some(types)
        })
    }

    /// Whether one template takes no more than another: partial ordering.
    fn more_special(&mut self, a: DeclId, b: DeclId) -> bool {
        let (Some(x), Some(y)) =
            (self.declarations[a].template.clone(), self.declarations[b].template.clone())
        else {
            return false;
        };
        let (scope, ast) = (self.declarations[a].scope, Rc::clone(&self.declarations[a].ast));
        let other = Rc::clone(&self.declarations[b].ast);
        let order = self.declarations[a].order;
        let found = self.ordering_types(&x, &ast, scope, order);
        let Some(types) = found else { return false };
        let mut bindings = Bindings::new(&y.parameters);
        bindings.exact = true;
        bindings.packs = self.pack_markers(&x.parameters);
        let mut patterns = other.ty.parameters.iter();
        let mut pack: Option<&ast::Type> = None;
        for (at, (ty, expanded)) in types.iter().enumerate() {
            let pattern: &ast::Type = match pack {
                Some(pattern) => pattern,
                None => match patterns.next() {
                    Some(parameter) => match &parameter.ty.kind {
                        ast::TypeKind::Pack(inner) => {
                            pack = Some(inner);
                            inner
                        }
                        _ => &parameter.ty,
                    },
                    None => return true,
                },
            };
            if *expanded && pack.is_none() {
                return false;
            }
            let scope = self.declarations[b].scope;
            let found = self.within(scope, |this| {
                let stripped = plain_reference(pattern);
                let ty = plain(this.program.without_reference(*ty));
                let bare = without_qualifiers(stripped);
                if pack.is_some() {
                    this.unify_element(&bare, ty, at, &mut bindings)
                } else {
                    this.unify(&bare, ty, &mut bindings)
                }
            });
            if !found {
                return false;
            }
            // Of two references, the one to `const` is the more special.
            if !self.mentions(pattern, &bindings) {
                let scope = self.declarations[b].scope;
                let same = self.trial(|this| this.within(scope, |this| this.resolve_type(pattern)));
                if same.is_some_and(|same| plain(same) != plain(*ty)) {
                    return false;
                }
            }
            // `T &` takes more than `const T &` where both are references and nothing else distinguishes them.
            if let (Some((to, _)), Some(constant)) = (self.program.referred(*ty), reference_to_const(pattern))
                && constant
                && !to.constant
            {
                return false;
            }
        }
        true
    }
}

fn plain_reference(pattern: &ast::Type) -> &ast::Type {
    match &pattern.kind {
        ast::TypeKind::Reference(to) | ast::TypeKind::RvalueReference(to) => to,
        _ => pattern,
    }
}

fn without_qualifiers(pattern: &ast::Type) -> ast::Type {
    let mut bare = pattern.clone();
    bare.qualifiers = ast::Qualifiers::default();
    bare
}

/// Of a reference, whether it is to `const`.
fn reference_to_const(pattern: &ast::Type) -> Option<bool> {
    match &pattern.kind {
        ast::TypeKind::Reference(to) => Some(to.qualifiers.constant),
        _ => None,
    }
}
