//! Variables of namespaces, and static members.
//!
//! Enters: what was declared. Leaves: variables of the program, once something reaches them, with what they start as. This module
//! must never know expressions.

use crate::ast;
use crate::check::Checker;
use crate::check::context::output::Output;
use crate::check::expressions::operand::Operand;
use crate::check::names::entity::GlobalId;
use crate::check::names::lookup::key;
use crate::diagnostic::Diagnostic;
use crate::hir::{Init, Type, TypeKind, Variable, VariableId};
use crate::ir::Space;
use crate::source::Span;
use std::rc::Rc;

impl Checker<'_> {
    /// A variable of a namespace, or a static member, as an operand.
    pub(crate) fn global_operand(&mut self, id: GlobalId, span: Span) -> Operand {
        let Some(variable) = self.global_variable(id, span) else {
            self.messages.poison(span);
            return Operand::Error(span);
        };
        if self.side.is_device()
            && !self.program.is_device_variable(&variable)
            && !self.program.is_constant_variable(&variable)
        {
            let one = &self.program[variable];
            let (name, declared, constant) = (one.name.to_string(), one.span, one.ty.constant);
            let help = if constant {
                format!("declare `{name}` `constexpr` where its value is known, or `__constant__`")
            } else {
                format!("declare `{name}` `__device__`, or pass its value to the kernel as an argument")
            };
            self.messages.report(
                Diagnostic::error(
                    "host",
                    span,
                    format!("`{name}` is a host variable: a kernel cannot use it"),
                )
                .related(declared, "declared here, without `__device__`")
                .help(help)
                .about(format!("variable `{name}`")),
            );
            return Operand::Error(span);
        }
        if self.program.take_alone(variable) {
            let one = &self.program[variable];
            self.messages.tell_alone(&one.name, one.span);
        }
        self.static_operand(variable, span)
    }

    /// The variable of the program that a declaration makes.
    pub(crate) fn global_variable(&mut self, id: GlobalId, span: Span) -> Option<VariableId> {
        match self.declarations[id].variable {
            Some(Ok(found)) => return Some(found),
            Some(Err(())) => {
                self.messages.poison(span);
                return None;
            }
            None => {}
        }
        self.declarations[id].variable = Some(Err(()));
        let before = self.messages.begin_definition();
        let auto = self.body.replace_auto(None);
        let found = self.global_anew(id);
        self.body.replace_auto(auto);
        self.messages.end_definition(before);
        self.declarations[id].variable = Some(found.ok_or(()));
        found
    }

    fn global_anew(&mut self, id: GlobalId) -> Option<VariableId> {
        let one = self.declarations[id].clone();
        let (ast, scope) = match &one.definition {
            Some((ast, scope)) if one.ast.initializer.is_none() => (Rc::clone(ast), *scope),
            _ => (Rc::clone(&one.ast), one.scope),
        };
        let (symbol, span) = ast.name.as_ref().and_then(|name| Some((key(&name.last()?.id)?, name.span)))?;
        let specifiers = &one.ast.specifiers;
        let constexpr = specifiers.is_constexpr.is_some()
            || specifiers.is_constinit.is_some() && one.ast.ty.qualifiers.constant;
        let device = specifiers.device().is_some();
        let space = if specifiers.constant().is_some() {
            Space::Constant
        } else if specifiers.shared().is_some() {
            Space::Shared
        } else {
            Space::Global
        };
        let marked = device || space != Space::Global || specifiers.managed().is_some();
        // What the host has of them is as large, and nothing else; what names one means this.
        let space = if self.side.is_host() { Space::Global } else { space };
        self.at(scope, one.order, |this| {
            this.apart(|this| {
                this.messages.variable_attributes(specifiers)?;
                let own = this.alignment(&specifiers.attributes)?;
                let (ty, init) = this.typed(&ast)?;
                let ty = if constexpr { this.program.with_qualifiers(ty, true, false) } else { ty };
                let member = this.unit.is_linked() && this.is_declared_member(&one);
                let external = (specifiers.is_extern.is_some() || member)
                    && ast.initializer.is_none()
                    && one.definition.is_none();
                let open = matches!(this.program.kind_of(ty), TypeKind::UnknownArray(_));
                let shared = specifiers.shared().is_some();
                let elsewhere = external && space != Space::Shared;
                let alone = elsewhere && marked && this.unit.is_whole() && !shared;
                if open && !(external && (shared || this.unit.is_linked() && !alone)) {
                    this.messages.tell_open(&symbol, span, alone);
                    return None;
                }
                let ends = marked && this.side.is_device();
                if !(open || this.require_complete(ty, ast.ty.span))
                    || (ends && this.refuse_destructor(ty, span))
                {
                    return None;
                }
                let natural = this.align_of(ty);
                let text = this.variable_symbol(&one, &symbol);
                let id_of = this.program.next_variable();
                let linked = elsewhere && !alone && !shared && this.unit.is_linked();
                let visible = marked && (!external || alone) && space != Space::Shared;
                let linkage = this.variable_linkage(&one, ty, marked);
                this.program.add_variable(Variable {
                    name: Rc::clone(&symbol.0),
                    symbol: text,
                    ty,
                    space,
                    align: natural.max(u32::try_from(own).unwrap_or(1)),
                    visible,
                    managed: specifiers.managed().is_some(),
                    external: (external && space == Space::Shared) || linked,
                    linkage,
                    init: None,
                    span,
                });
                if marked {
                    this.program.note_device_variable(id_of);
                }
                if alone {
                    this.program.note_alone(id_of);
                }
                // Its own initialiser may name it.
                this.declarations[id].variable = Some(Ok(id_of));
                if elsewhere {
                    this.refuse_thread_local_elsewhere(specifiers);
                    if !(alone || linked || shared) && (marked || this.side.is_host()) {
                        this.program.note_elsewhere(id_of);
                    }
                    return Some(id_of);
                }
                this.start_global(id_of, ty, init, &ast, (constexpr, marked, space), span)
            })
        })
    }

    /// Whether a static member is only declared in its class, and may be defined in another unit.
    fn is_declared_member(&self, one: &crate::check::names::entity::GlobalDecl) -> bool {
        let specifiers = &one.ast.specifiers;
        let plain = |class: crate::hir::RecordId| !self.classes.of_template(class, &self.scopes);
        one.class.is_some_and(plain) && specifiers.is_inline.or(specifiers.is_constexpr).is_none()
    }

    /// What a variable of a namespace starts as.
    fn start_global(
        &mut self,
        id: VariableId,
        ty: Type,
        init: Option<Init>,
        ast: &ast::Variable,
        (constexpr, marked, space): (bool, bool, Space),
        span: Span,
    ) -> Option<VariableId> {
        if self.side.is_host() {
            // Both sides have a managed one, with what it starts as, and what is constant and known.
            let own = marked && !self.program[id].managed;
            if own && !self.is_all_constant(ty) {
                return Some(id);
            }
            let init = match init {
                Some(init) => init,
                None => self.initializer(ty, ast.initializer.as_ref(), span)?,
            };
            if own && self.evaluated_init(ty, &init, span).is_err() {
                return Some(id);
            }
            if named_constant(&self.program, ty, constexpr) && self.evaluated_init(ty, &init, span).is_ok() {
                self.program.note_constant_variable(id);
            }
            match ast.specifiers.is_thread_local.is_some() && self.has_threads() {
                true => self.start_in_threads(id, ty, init, span),
                false => self.start_on_host(id, ty, init, span),
            }
            return Some(id);
        }
        if space == Space::Shared {
            if ast.initializer.is_some() {
                self.messages.error("shared-init", span, "a shared variable cannot be initialised");
                return None;
            }
            return Some(id);
        }
        let named = named_constant(&self.program, ty, constexpr);
        if !marked && !named && self.program.array_of(ty).is_none_or(|(of, _)| !of.constant) && !ty.constant {
            // The host's: its first value does not matter here.
            return Some(id);
        }
        let (init, messages) = self.tried(|this| match init {
            Some(init) => Some(init),
            None => this.initializer(ty, ast.initializer.as_ref(), span),
        });
        let init = match init {
            Some(init) if messages.is_empty() => init,
            _ if !marked && !constexpr => return Some(id),
            _ => {
                self.messages.keep(messages);
                return None;
            }
        };
        if self.program.is_scalar(ty) && ast.initializer.is_none() && ty.constant && !marked {
            return Some(id);
        }
        let constant = self.evaluated_init(ty, &init, span);
        match constant {
            Ok(_) if named => {
                self.program.note_constant_variable(id);
            }
            Ok(_) => {
                if !marked && ty.constant {
                    self.program.note_constant_variable(id);
                }
            }
            Err((at, why)) if constexpr => {
                self.messages.report(
                    Diagnostic::error(
                        "constant",
                        span,
                        "a `constexpr` variable must be initialised by a constant expression",
                    )
                    .related(at, why),
                );
                return None;
            }
            Err(_) if !marked => return Some(id),
            Err(_) => {
                self.constant_start(ty, &init, span)?;
            }
        }
        self.program[id].init = if matches!(init, Init::Nothing) { None } else { Some(init) };
        Some(id)
    }

    /// Whether a type is `const`, or an array of what is.
    pub(crate) fn is_all_constant(&self, ty: Type) -> bool {
        match self.program.array_of(ty) {
            Some((of, _)) => ty.constant || self.is_all_constant(of),
            None => ty.constant,
        }
    }

    /// Checks the variables that the host finds by name, whether kernels use them or not.
    pub(crate) fn check_variables(&mut self) {
        for at in 0..self.declarations.globals().len() {
            let one = &self.declarations.globals()[at];
            let specifiers = &one.ast.specifiers;
            let marked = specifiers.device().is_some()
                || specifiers.constant().is_some()
                || specifiers.managed().is_some()
                || specifiers.shared().is_some();
            // Another file's, of which nothing is needed unless a kernel uses it.
            let elsewhere = !self.unit.is_whole()
                && specifiers.is_extern.is_some()
                && specifiers.shared().is_none()
                && one.ast.initializer.is_none()
                && one.definition.is_none();
            let open = matches!(one.ast.ty.kind, ast::TypeKind::Array(_, None))
                && specifiers.is_extern.is_some()
                && one.definition.is_none();
            if marked
                && !open
                && !elsewhere
                && !self.messages.ours(one.ast.span)
                && one.arguments.is_empty()
                && one.class.is_none()
            {
                let span = one.ast.span;
                self.global_variable(GlobalId(at as u32), span);
            }
        }
    }
}

/// Whether what a variable holds is a constant wherever it is named.
fn named_constant(program: &Output, ty: Type, constexpr: bool) -> bool {
    constexpr || program.constant_without_constexpr(ty) || (ty.constant && program.is_floating(ty))
}
