//! Variables of functions: automatic, shared and static.
//!
//! Enters: declarations. Leaves: locals and variables of the program, and the statements that start them. This module must
//! never know expressions.

use std::rc::Rc;

use crate::ast::{self, AttributeKind, Initializer, Specifiers};
use crate::diagnostic::Diagnostic;
use crate::hir::{Init, LocalId, Stmt, StmtKind, Type, TypeKind, Variable, VariableId};
use crate::ir::{Linkage, Space};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::frame::Frame;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::Operand;
use crate::check::initialisation::variable_array::Declared;
use crate::check::names::entity::Entity;

impl Messages<'_> {
    /// Refuses what no variable may have.
    pub(crate) fn variable_attributes(&mut self, specifiers: &Specifiers) -> Option<()> {
        for one in &specifiers.attributes {
            match &one.kind {
                AttributeKind::Global | AttributeKind::LaunchBounds(_) | AttributeKind::MaxRegisters(_) => {
                    self.error(
                        "attribute",
                        one.span,
                        "this attribute only applies to kernels, not to variables",
                    );
                    return None;
                }
                AttributeKind::Unknown(name) => {
                    let name = name.to_string();
                    self.error("attribute", one.span, format!("unknown attribute `{name}`"));
                    return None;
                }
                _ => {}
            }
        }
        Some(())
    }
}

impl Frame {
    /// Symbol of a variable in a function with static storage.
    fn local_symbol(&self, symbol: &ast::Symbol, program: &Output) -> String {
        let function = self.function().map_or_else(String::new, |id| program[id].symbol.clone());
        let mut text = match function.strip_prefix("_Z") {
            Some(encoded) => format!("_ZZ{encoded}E{}{symbol}", symbol.len()),
            None => format!("_ZZ{}{function}E{}{symbol}", function.len(), symbol.len()),
        };
        let again = program.variables().iter().filter(|one| one.symbol.starts_with(&text)).count();
        if again > 0 {
            text.push_str(&format!("_{}", again - 1));
        }
        text
    }
}

impl Checker<'_> {
    /// Type of a variable: `auto` found out, the length of an open array counted; with what starts it.
    pub(crate) fn typed(&mut self, ast: &ast::Variable) -> Option<(Type, Option<Init>)> {
        let span = ast.name.as_ref().map_or(ast.span, |name| name.span);
        if Self::has_auto(&ast.ty) {
            return self.typed_auto(&ast.ty, ast.initializer.as_ref(), span);
        }
        if let ast::TypeKind::Name(name) = &ast.ty.kind
            && let Some(initializer) = &ast.initializer
            && let Some(ty) = self.template_by_arguments(name, initializer, span)
        {
            let ty = ty?;
            let ty = self.program.with_qualifiers(ty, ast.ty.qualifiers.constant, ast.ty.qualifiers.volatile);
            let init = self.initializer(ty, Some(initializer), span)?;
            return Some((ty, Some(init)));
        }
        let ty = self.resolve_type(&ast.ty)?;
        if let (TypeKind::UnknownArray(of), Some(initializer)) = (self.program.kind(ty), &ast.initializer) {
            let (length, init) = self.open_array(of, initializer)?;
            let ty = self.program.ty(TypeKind::Array(of, length));
            return Some((ty, Some(init)));
        }
        Some((ty, None))
    }

    fn typed_auto(
        &mut self,
        ty: &ast::Type,
        initializer: Option<&Initializer>,
        span: Span,
    ) -> Option<(Type, Option<Init>)> {
        let expr = match initializer {
            Some(Initializer::Equals(expr)) => expr,
            Some(Initializer::Parentheses(all, _)) if all.len() == 1 => all.first()?,
            Some(Initializer::Braces(list)) if list.elements.len() == 1 => &list.elements.first()?.value,
            _ => {
                self.messages.error("auto", span, "`auto` requires an initialiser with one value");
                return None;
            }
        };
        let operand = self.expr(expr);
        let (ty, operand) = self.auto_type(ty, operand, expr.span)?;
        let init = self.initialised(operand, ty)?;
        Some((ty, Some(init)))
    }

    /// Type that `auto` makes of an operand.
    pub(crate) fn auto_type(
        &mut self,
        ty: &ast::Type,
        operand: Operand,
        span: Span,
    ) -> Option<(Type, Operand)> {
        let operand = match operand {
            Operand::Functions(set) => Operand::Value(self.value(Operand::Functions(set))?),
            operand => operand,
        };
        let operand = match operand {
            Operand::List(list) => match self.class_of_list(&list) {
                Some(class) => Operand::Init(self.list_init(class, &list)?, class, list.span),
                None => Operand::List(list),
            },
            operand => operand,
        };
        let Some(from) = operand.ty() else {
            if !operand.is_error() {
                self.messages.error("auto", span, "cannot deduce `auto` from a list");
            }
            return None;
        };
        if let Operand::Value(value) = &operand
            && self.program.is_void(from)
        {
            self.tell_no_value(value);
            return None;
        }
        let found = self.deduce_auto(ty, (from, operand.is_lvalue()))?;
        Some((found, operand))
    }

    /// Declares a variable of a block.
    pub(crate) fn declare_local(&mut self, ast: &Rc<ast::Variable>, statements: &mut Vec<Stmt>) {
        let Some(name) = &ast.name else { return };
        let Some(symbol) = name.simple().cloned() else {
            self.messages.error("syntax", name.span, "a local variable must have a plain name");
            return;
        };
        self.declare_embedded(&ast.ty);
        let done = match self.variable_array(ast, &symbol, name.span, statements) {
            Declared::Not => self.declare_local_anew(ast, &symbol, name.span, statements),
            Declared::As(rest) => self.declare_local_anew(&rest, &symbol, name.span, statements),
            Declared::Failed => None,
            Declared::Done => Some(()),
        };
        if done.is_none() {
            self.messages.poison(name.span);
            // Its uses are no further errors.
            let current = self.scopes.current();
            let entries = self.scopes[current].names.of(&symbol);
            entries.retain(|entry| entry.span != name.span);
            if entries.is_empty() {
                self.enter_name(symbol, Entity::Error, name.span);
            }
        }
    }

    /// A new variable of a function under its name, aligned to that many bytes at least.
    fn enter_local(
        &mut self,
        ast: &ast::Variable,
        symbol: &ast::Symbol,
        ty: Type,
        align: u64,
        span: Span,
    ) -> LocalId {
        let local = self.local(Rc::clone(&symbol.0), ty, span);
        if let Some(one) = self.frame.local_mut(local) {
            one.align = one.align.max(u32::try_from(align).unwrap_or(1));
            one.restrict = ast.ty.qualifiers.restrict;
        }
        self.enter_name(symbol.clone(), Entity::Local(self.frame.uid(), local), span);
        local
    }

    pub(super) fn declare_local_anew(
        &mut self,
        ast: &Rc<ast::Variable>,
        symbol: &ast::Symbol,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) -> Option<()> {
        let specifiers = &ast.specifiers;
        self.messages.variable_attributes(specifiers)?;
        if specifiers.shared().is_some() {
            return self.declare_shared(ast, symbol, span);
        }
        if let Some(place) = specifiers.constant().or(specifiers.device())
            && specifiers.is_static.is_none()
        {
            self.messages.error_help(
                "attribute",
                place,
                format!("`{}` variables must be declared outside functions", self.messages.text(place)),
                "move the declaration before the kernel; `__shared__` ones may stay in it",
            );
            return None;
        }
        if specifiers.is_extern.is_some() && crate::side::HOST && self.side.is_host() {
            return self.declare_outer(ast, symbol, span);
        }
        if specifiers.is_extern.is_some() {
            self.messages.refuse(
                span,
                "`extern` variables in functions are",
                "declare it outside the function, or write `extern __shared__`",
            );
            return None;
        }
        if let Some(place) = specifiers.is_thread_local.filter(|_| self.side.is_device()) {
            self.messages.refuse(
                place,
                "`thread_local` is",
                "every local variable of a kernel is already private to its thread",
            );
            return None;
        }
        if specifiers.is_static.or(specifiers.is_thread_local).is_some() {
            return self.declare_static(ast, symbol, span, statements);
        }
        let own = self.alignment(&specifiers.attributes)?;
        let constexpr = specifiers.is_constexpr.is_some();
        let (ty, init) = self.typed(ast)?;
        let ty = if constexpr { self.program.with_qualifiers(ty, true, false) } else { ty };
        if self.program.is_void(ty) || self.program.is_function_kind(ty) {
            let shown = self.program.show(ty);
            self.messages.error("type", span, format!("a variable cannot have type `{shown}`"));
            return None;
        }
        if matches!(self.program.kind_of(ty), TypeKind::UnknownArray(_)) {
            self.messages.error_help(
                "array-size",
                span,
                format!("the length of `{symbol}` is missing"),
                "write it between the brackets",
            );
            return None;
        }
        if !self.require_complete(ty, ast.ty.span) {
            return None;
        }
        let natural = u64::from(self.align_of(ty));
        if own > 1 && own < natural {
            self.messages.tell_weak_alignment(own, natural, &specifiers.attributes);
            return None;
        }
        // The name is visible in its own initialiser.
        let typed_already = init.is_some();
        let local = self.enter_local(ast, symbol, ty, own, span);
        let init = if typed_already { init } else { self.initializer(ty, ast.initializer.as_ref(), span) };
        let init = init?;
        let empty = self.program.record_of(ty).is_some_and(|record| self.classes[record].empty);
        if ty.constant && ast.initializer.is_none() && matches!(init, Init::Nothing) && !empty {
            self.tell_constant_without_value(ast, symbol, ty, span);
            return None;
        }
        self.know_constant(local, ty, constexpr, &init, span)?;
        let init = match init {
            Init::Nothing => None,
            init => Some(init),
        };
        statements.push(Stmt { kind: StmtKind::Let(local, init), span: ast.span });
        self.note_end(local, ty, span)
    }

    fn tell_constant_without_value(
        &mut self,
        ast: &ast::Variable,
        symbol: &ast::Symbol,
        ty: Type,
        span: Span,
    ) {
        let message = format!("`const` variable `{symbol}` is not initialised");
        let help = if self.program.is_scalar(ty) && self.messages.text(ast.ty.span.to(span)).contains('*') {
            format!("each pointer in a declaration needs its own `*`: write `*{symbol}` for a pointer")
        } else {
            format!("initialise it: `{symbol} = …`")
        };
        self.messages.error_help("const", span, message, help);
    }

    /// Notes what a constant holds; reports where `constexpr` holds none.
    fn know_constant(
        &mut self,
        local: crate::hir::LocalId,
        ty: Type,
        constexpr: bool,
        init: &Init,
        span: Span,
    ) -> Option<()> {
        if !(constexpr || self.program.constant_without_constexpr(ty)) || self.program.referred(ty).is_some()
        {
            return Some(());
        }
        match self.evaluated_init(ty, init, span) {
            Ok(object) => self.frame.note_constant(local, ty, object, &mut self.body, &self.program),
            Err((at, why)) if constexpr => {
                self.messages.report(
                    Diagnostic::error(
                        "constant",
                        span,
                        "a `constexpr` variable must be initialised by a constant expression",
                    )
                    .related(at, why)
                    .help("write `const` instead of `constexpr` for a value that is computed at run time"),
                );
                return None;
            }
            Err(_) => {}
        }
        Some(())
    }

    fn declare_shared(&mut self, ast: &Rc<ast::Variable>, symbol: &ast::Symbol, span: Span) -> Option<()> {
        let external = ast.specifiers.is_extern.is_some();
        let own = self.alignment(&ast.specifiers.attributes)?;
        if Self::has_auto(&ast.ty) {
            self.messages.error(
                "auto",
                ast.ty.span,
                "a shared variable has no initialiser to deduce `auto` from",
            );
            return None;
        }
        let ty = self.resolve_type(&ast.ty)?;
        if let Some(initializer) = &ast.initializer {
            let at = match initializer {
                Initializer::Equals(expr) => expr.span,
                Initializer::Parentheses(_, at) => *at,
                Initializer::Braces(list) => list.span,
            };
            self.messages.error_help(
                "shared-init",
                at,
                "a shared variable cannot be initialised: it belongs to all threads of the block",
                "let one thread (or all, in a loop) store the value, then call `__syncthreads()`",
            );
            return None;
        }
        let open = matches!(self.program.kind_of(ty), TypeKind::UnknownArray(_));
        if open && !external {
            self.messages.error_help(
                "array-size",
                span,
                format!("the length of the shared array `{symbol}` is missing"),
                "write it between the brackets, or write `extern __shared__` for a size that is given at the launch",
            );
            return None;
        }
        if !self.require_complete(ty, ast.ty.span) || self.refuse_destructor(ty, span) {
            return None;
        }
        let start = self.default_init(ty, false, span)?;
        if !matches!(start, Init::Nothing) {
            let shown = self.program.show(ty);
            self.messages.error_help(
                "shared-init",
                span,
                format!("`{shown}` has a constructor, which no thread would run for a shared variable"),
                "use a plain struct or an array of bytes, and let one thread fill it",
            );
            return None;
        }
        let id = self.shared_variable(symbol, ty, own, external, span);
        self.enter_name(symbol.clone(), Entity::Static(id), span);
        Some(())
    }

    fn shared_variable(
        &mut self,
        symbol: &ast::Symbol,
        ty: Type,
        align: u64,
        external: bool,
        span: Span,
    ) -> VariableId {
        let place = (Rc::clone(&symbol.0), ty);
        if external && let Some(id) = self.program.external(&place) {
            return id;
        }
        let text = if external {
            if let Some((first, id)) = self.program.external_named(symbol) {
                let declared = self.program[id].span;
                let (a, b) = (self.program.show(first), self.program.show(ty));
                self.messages.report(
                    Diagnostic::error(
                        "extern-shared",
                        span,
                        format!(
                            "`{symbol}` is declared as `{a}` and as `{b}`: all `extern __shared__` declarations of one \
                             name are the same array"
                        ),
                    )
                    .related(declared, "previous declaration is here")
                    .help("rename it; in a template, declare an array of `char` and cast its address"),
                );
            }
            symbol.to_string()
        } else {
            self.frame.local_symbol(symbol, &self.program)
        };
        let natural = self.align_of(ty);
        let id = self.program.next_variable();
        self.program.add_variable(Variable {
            name: Rc::clone(&symbol.0),
            symbol: text,
            ty,
            space: Space::Shared,
            align: natural.max(u32::try_from(align).unwrap_or(1)),
            visible: false,
            managed: false,
            external,
            linkage: Linkage::Internal,
            init: None,
            span,
        });
        if external {
            self.program.note_external(place, id);
        }
        id
    }

    fn declare_static(
        &mut self,
        ast: &Rc<ast::Variable>,
        symbol: &ast::Symbol,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) -> Option<()> {
        let own = self.alignment(&ast.specifiers.attributes)?;
        let constant = ast.specifiers.constant().is_some() && self.side.is_device();
        let space = if constant { Space::Constant } else { Space::Global };
        let (ty, init) = self.typed(ast)?;
        let ty = if ast.specifiers.is_constexpr.is_some() {
            self.program.with_qualifiers(ty, true, false)
        } else {
            ty
        };
        let host = self.side.is_host();
        if !self.require_complete(ty, ast.ty.span) || (!host && self.refuse_destructor(ty, span)) {
            return None;
        }
        let init = match init {
            Some(init) => init,
            None => self.initializer(ty, ast.initializer.as_ref(), span)?,
        };
        if !host {
            self.constant_start(ty, &init, span)?;
        }
        let natural = self.align_of(ty);
        let text = self.frame.local_symbol(symbol, &self.program);
        let function = self.frame.function().map(|id| self.program[id].linkage);
        // One of a function that several units have is one variable.
        let linkage = if function == Some(Linkage::Weak) { Linkage::Weak } else { Linkage::Internal };
        let id = self.program.next_variable();
        self.program.add_variable(Variable {
            name: Rc::clone(&symbol.0),
            symbol: text,
            ty,
            space,
            align: natural.max(u32::try_from(own).unwrap_or(1)),
            visible: false,
            managed: false,
            external: false,
            linkage,
            init: if host || matches!(init, Init::Nothing) { None } else { Some(init.clone()) },
            span,
        });
        if host {
            if ast.specifiers.is_thread_local.is_some() && self.has_threads() {
                self.program.note_thread_local(id, Default::default());
            }
            statements.extend(self.start_when_reached(id, ty, init, span));
        }
        if ast.specifiers.is_constexpr.is_some() || self.program.constant_without_constexpr(ty) {
            self.program.note_constant_variable(id);
        }
        self.enter_name(symbol.clone(), Entity::Static(id), span);
        Some(())
    }

    /// Reports where what starts a variable with static storage is not constant.
    pub(crate) fn constant_start(&mut self, ty: Type, init: &Init, span: Span) -> Option<()> {
        if matches!(init, Init::Nothing | Init::Zero) {
            return Some(());
        }
        match self.evaluated_init(ty, init, span) {
            Ok(_) => Some(()),
            Err((at, why)) => {
                self.messages.report(
                    Diagnostic::error(
                        "dynamic-init",
                        span,
                        "the initialiser of this variable must be known at compile time",
                    )
                    .related(at, why)
                    .help("let a kernel store the value, or copy it from the host with `cudaMemcpyToSymbol`"),
                );
                None
            }
        }
    }
}
