//! Functions: their types, their definitions, and the instances that are checked.
//!
//! Enters: declarations and template arguments. Leaves: functions of the program, whose bodies are checked when something
//! reaches them. This module must never know how calls choose among functions.

use std::rc::Rc;

use crate::ast::{self, AttributeKind, FunctionBody, FunctionKind};
use crate::diagnostic::Diagnostic;
use crate::hash::Map;
use crate::hir::{Function, FunctionId, Local, LocalId, Stmt, StmtKind, Type, TypeKind};
use crate::ir::{Bounds, Inline, Linkage};
use crate::source::Span;

use crate::check::context::declarations::Declarations;
use crate::check::context::frame::Frame;
use crate::check::context::instances::Instances;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::names::entity::{
    Argument, DeclId, Definition, Entity, Entry, Instance, Progress, ScopeId, ScopeKind, Signature,
};
use crate::check::types::kind::{constant, plain};
use crate::check::{Checker, DEPTH};

/// Number of functions of one name up to which all are compared with each other.
const PAIRS: usize = 24;

impl Output {
    /// Whether a type is that of a function.
    pub(crate) fn is_function_kind(&self, ty: Type) -> bool {
        matches!(self.kind_of(ty), TypeKind::Function(..))
    }
}

impl Declarations {
    fn least_with_defaults(&self, decl: DeclId, least: usize, written: &[(usize, bool)]) -> usize {
        let Some(definition) = &self[decl].definition else { return least };
        let mut least = least;
        while least > 0 {
            let Some((at, _)) = written.get(least - 1) else { break };
            if definition.ast.ty.parameters.get(*at).is_none_or(|one| one.default.is_none()) {
                break;
            }
            least -= 1;
        }
        least
    }
}

impl Frame {
    fn qualify_param(
        &mut self,
        local: LocalId,
        parameter: &ast::Parameter,
        pack: bool,
        messages: &mut Messages<'_>,
    ) {
        let own: &ast::Type = match &parameter.ty.kind {
            ast::TypeKind::Pack(inner) if pack => inner,
            _ => &parameter.ty,
        };
        let elsewhere = |kind: &AttributeKind| {
            matches!(
                kind,
                AttributeKind::Device
                    | AttributeKind::Constant
                    | AttributeKind::Shared
                    | AttributeKind::Managed
            )
        };
        if let Some(one) = parameter.attributes.iter().find(|one| elsewhere(&one.kind)) {
            let word = messages.text(one.span).to_owned();
            messages.error_help(
                "attribute",
                one.span,
                format!("a parameter cannot be `{word}`"),
                "remove it: a pointer can point to any memory",
            );
        }
        let restrict = own.qualifiers.restrict;
        let grid = parameter.attributes.iter().any(|one| matches!(one.kind, AttributeKind::GridConstant));
        let constant = own.qualifiers.constant;
        let volatile = own.qualifiers.volatile;
        if matches!(own.kind, ast::TypeKind::Array(..)) {
            self.note_array_parameter(local);
        }
        if let Some(one) = self.local_mut(local) {
            one.restrict = restrict;
            one.grid_constant = grid;
            // Within the function the parameter's own qualifiers count.
            if constant && !matches!(own.kind, ast::TypeKind::Array(..)) {
                one.ty.constant = true;
            }
            one.ty.volatile |= volatile;
        }
    }

    /// Variables of the frame.
    pub(crate) fn local_type(&self, local: LocalId, program: &Output) -> Type {
        self.local(local).map_or(program.basic().int, |one: &Local| one.ty)
    }
}

impl Instances {
    /// A function that is declared and not defined: a kernel of which there is nothing is none of the module's.
    fn without_body(&mut self, decl: DeclId, id: FunctionId, program: &mut Output) {
        self.note_undefined(decl, id);
        program.function_mut(id).kernel = false;
        program.forget_kernel(id);
    }
}

impl Checker<'_> {
    /// Types of a function with its template arguments; `None` where they make no sense.
    pub(crate) fn signature(&mut self, decl: DeclId, arguments: &[Argument]) -> Option<Rc<Signature>> {
        let place = (decl, arguments.to_vec());
        if let Some(found) = self.instances.signature(&place) {
            return found.clone();
        }
        let span = self.declarations[decl].ast.name.span;
        if !self.enter(span) || self.instances.depth() > DEPTH {
            self.leave();
            return None;
        }
        let template = self.has_template(decl);
        let (found, messages) = self.tried(|this| this.signature_anew(decl, arguments));
        self.leave();
        let found = if messages.is_empty() { found } else { None };
        if !template && !messages.is_empty() {
            // Of no template: an error of the declaration itself.
            messages.into_iter().for_each(|one| self.messages.report(one));
            self.messages.poison(span);
        } else if !self.launches.are_looked_for() || !self.declarations[decl].ast.specifiers.is_host_alone() {
            self.messages.tell_of_no_argument(&messages);
        }
        let found = found.map(Rc::new);
        self.instances.note_signature(place, found.clone());
        found
    }

    /// Scope with a function's template parameters bound.
    fn bound_scope(&mut self, decl: DeclId, arguments: &[Argument]) -> ScopeId {
        let one = &self.declarations[decl];
        let (scope, template) = (one.scope, one.template.clone());
        match template {
            Some(template) => self.bind(&template.parameters, arguments, scope),
            None => scope,
        }
    }

    fn signature_anew(&mut self, decl: DeclId, arguments: &[Argument]) -> Option<Signature> {
        let one = &self.declarations[decl];
        let (ast, order, class, closure) = (Rc::clone(&one.ast), one.order, one.class, one.closure.clone());
        let own = one.template.as_ref().map_or(0, |template| template.parameters.len());
        let scope = self.bound_scope(decl, arguments);
        let mut autos = arguments.get(own..).unwrap_or_default().iter();
        let before = self.body.replace_auto(None);
        let found = self.at(scope, order, |this| {
            let mut params = vec![];
            let mut written = vec![];
            let mut least = 0;
            for (at, parameter) in ast.ty.parameters.iter().enumerate() {
                let auto = if Self::has_auto(&parameter.ty) { autos.next() } else { None };
                let types = this.parameter_types(&parameter.ty, auto)?;
                let pack = matches!(parameter.ty.kind, ast::TypeKind::Pack(_));
                for ty in types {
                    if this.program.is_void(ty) {
                        continue;
                    }
                    params.push(ty);
                    written.push((at, pack));
                    if parameter.default.is_none() && !pack {
                        least = params.len();
                    }
                }
            }
            // Defaults may stand on another declaration of the function.
            let least = this.declarations.least_with_defaults(decl, least, &written);
            let result = this.result_type(&ast, &params, &written)?;
            let this_type = match class {
                Some(record) if ast.specifiers.is_static.is_none() => {
                    let ty = this.program.record_type(record);
                    let fixed = match &closure {
                        Some(closure) => !closure.ast.mutable,
                        None => ast.ty.constant,
                    };
                    Some(if fixed { constant(ty) } else { ty })
                }
                _ => None,
            };
            Some(Signature {
                result,
                params,
                written,
                this: this_type,
                reference: ast.ty.reference.map(|one| one == "&&"),
                least,
                scope,
                variadic: ast.ty.variadic,
            })
        });
        self.body.replace_auto(before);
        found
    }

    /// Types of a parameter; several of a pack.
    pub(crate) fn parameter_types(&mut self, ty: &ast::Type, auto: Option<&Argument>) -> Option<Vec<Type>> {
        let adjusted = |this: &mut Self, ty: Type| plain(this.program.decayed(ty));
        let ast::TypeKind::Pack(inner) = &ty.kind else {
            if let Some(Argument::Type(found)) = auto {
                self.body.replace_auto(Some(*found));
            }
            let found = self.resolve_type(ty);
            self.body.replace_auto(None);
            let found = adjusted(self, found?);
            if self.program.is_function(found) {
                let pointer = self.program.pointer(found);
                return Some(vec![pointer]);
            }
            return Some(vec![found]);
        };
        let mut all = vec![];
        if let Some(Argument::Pack(autos)) = auto {
            for one in autos {
                if let Argument::Type(found) = one {
                    self.body.replace_auto(Some(*found));
                    let found = self.resolve_type(inner);
                    self.body.replace_auto(None);
                    all.push(adjusted(self, found?));
                }
            }
            return Some(all);
        }
        let count = self.pack_length(|walk| walk.ty(inner), inner.span)?;
        let before = self.body.expansion();
        for at in 0..count {
            self.body.replace_expansion(Some(at));
            let found = self.resolve_type(inner);
            self.body.replace_expansion(before);
            all.push(adjusted(self, found?));
        }
        Some(all)
    }

    /// What a function returns; `Some(None)` where the body says it.
    fn result_type(
        &mut self,
        ast: &ast::Function,
        params: &[Type],
        written: &[(usize, bool)],
    ) -> Option<Option<Type>> {
        match ast.kind {
            FunctionKind::Constructor | FunctionKind::Destructor => {
                return Some(Some(self.program.basic().void));
            }
            FunctionKind::Ordinary | FunctionKind::Conversion | FunctionKind::DeductionGuide => {}
        }
        if Self::has_auto(&ast.ty.result) {
            return Some(None);
        }
        // A result after the parameters may name them.
        let scope = self.scopes.current();
        let ty = self.apart(|this| {
            let inner = this.scopes.add(scope, ScopeKind::Block(this.frame.uid()));
            for (at, parameter) in ast.ty.parameters.iter().enumerate() {
                let Some(name) = &parameter.name else { continue };
                let mut all = vec![];
                let mut of_pack = matches!(parameter.ty.kind, ast::TypeKind::Pack(_));
                for (ty, (_, pack)) in params.iter().zip(written).filter(|(_, (of, _))| *of == at) {
                    let local = this.local(Rc::clone(&name.symbol.0), *ty, name.span);
                    all.push(Entity::Local(this.frame.uid(), local));
                    of_pack |= *pack;
                }
                let entity = match all.as_slice() {
                    [one] if !of_pack => one.clone(),
                    _ => Entity::Pack(all.into()),
                };
                let entry = Entry { entity, order: 0, span: name.span };
                this.scopes[inner].names.set(&name.symbol, entry);
            }
            this.within(inner, |this| this.resolve_type(&ast.ty.result))
        })?;
        if self.program.array_of(ty).is_some() || self.program.is_function(ty) {
            let shown = self.program.show(ty);
            self.messages.error("type", ast.ty.result.span, format!("a function cannot return `{shown}`"));
            return None;
        }
        let scalar = self.program.referred(ty).is_none() && self.program.record_of(ty).is_none();
        Some(Some(if scalar { plain(ty) } else { ty }))
    }

    /// Joins declarations of one function.
    pub(crate) fn merge_repeats(&mut self, decls: &[DeclId]) {
        let decls = &*self.with_friends(decls);
        if decls.iter().all(|decl| self.declarations[*decl].merged) {
            return;
        }
        // Only those of equal parameters can be the same: where there are many, others are not compared.
        let many = decls.len() > PAIRS;
        let mut alike: Map<Option<Vec<Type>>, Vec<DeclId>> = Map::default();
        for decl in decls.iter().copied() {
            let plain = many && !self.has_template(decl);
            let signature = if plain { self.signature_if_known(decl) } else { None };
            let earlier = alike.entry(signature.map(|one| one.params.clone())).or_default();
            let others = earlier.clone();
            earlier.push(decl);
            if std::mem::replace(&mut self.declarations[decl].merged, true) {
                continue;
            }
            for earlier in others {
                if self.declarations[earlier].repeats.is_none() && self.same_function(earlier, decl) {
                    self.join(earlier, decl);
                    break;
                }
            }
        }
    }

    /// Functions of a namespace, and after them those of their name that classes define as friends, which may be the same.
    fn with_friends(&self, decls: &[DeclId]) -> Vec<DeclId> {
        let mut all = decls.to_vec();
        let Some(one) = decls.first().map(|decl| &self.declarations[*decl]) else { return all };
        if one.class.is_some() || one.hidden || self.scopes[one.scope].kind != ScopeKind::Namespace {
            return all;
        }
        let Some(symbol) = one.ast.name.last().and_then(|last| crate::check::names::lookup::key(&last.id))
        else {
            return all;
        };
        for entry in self.scopes[one.scope].names.get(&symbol).unwrap_or_default() {
            if let Entity::Functions(known, _) = &entry.entity {
                let hidden = known.iter().filter(|decl| self.declarations[**decl].hidden);
                all.extend(hidden.filter(|decl| !decls.contains(decl)));
            }
        }
        all
    }

    fn join(&mut self, first: DeclId, second: DeclId) {
        let one = &self.declarations[second];
        let defined = matches!(one.ast.body, FunctionBody::Defined(_));
        let definition = Definition {
            ast: Rc::clone(&one.ast),
            scope: one.scope,
            template: one.template.clone(),
            headers: vec![],
            order: one.order,
        };
        let (span, kernel) = (one.ast.name.span, one.ast.specifiers.global().is_some());
        self.declarations[second].repeats = Some(first);
        let old = &mut self.declarations[first];
        let before = match &old.definition {
            Some(definition) => Some(definition.ast.name.span),
            None => matches!(old.ast.body, FunctionBody::Defined(_)).then_some(old.ast.name.span),
        };
        if defined {
            if let Some(before) = before {
                let name = self.declarations.decl_name(first, &self.scopes, &self.program);
                self.messages.report(
                    Diagnostic::error(
                        "redefinition",
                        span,
                        format!("redefinition of `{name}` with the same parameters"),
                    )
                    .related(before, "previous definition is here"),
                );
                return;
            }
            if matches!(definition.ast.body, FunctionBody::Defaulted) {
                // `C::C(C &&) = default;` is as if the class said so.
                old.ast = Rc::new(ast::Function { body: FunctionBody::Defaulted, ..(*old.ast).clone() });
            }
            old.definition = Some(definition);
            // Its defaults count too.
            self.instances.forget_signatures(first);
        }
        let _ = kernel;
    }

    /// The function of the program that a declaration and its template arguments make.
    pub(crate) fn instance(
        &mut self,
        decl: DeclId,
        arguments: &[Argument],
        signature: &Rc<Signature>,
        span: Span,
    ) -> Option<FunctionId> {
        let place = (decl, arguments.to_vec());
        if let Some(id) = self.instances.by_arguments(&place) {
            return Some(*id);
        }
        if !self.may_grow(arguments, span) {
            return None;
        }
        let id = self.program.next_function();
        let ast = Rc::clone(&self.declarations[decl].ast);
        let mut name = self.declarations.decl_name(decl, &self.scopes, &self.program);
        if !arguments.is_empty() && self.declarations[decl].closure.is_none() {
            name.push_str(&self.show_arguments(arguments));
        }
        let symbol = self.symbol_of(decl, arguments, signature);
        let name: Rc<str> = name.into();
        let of_template = !arguments.is_empty()
            || self.declarations[decl]
                .class
                .is_some_and(|class| self.classes.of_template(class, &self.scopes));
        let request = match of_template || self.messages.ours(ast.name.span) {
            true => self.messages.request(Rc::clone(&name), span),
            false => 0,
        };
        let kernel = ast.specifiers.global().is_some();
        // What leaves these ends the program: nothing outside of them could catch it.
        let is_main = &*name == "main";
        let function = Function {
            name,
            symbol,
            kernel,
            visible: false,
            external: false,
            variadic: None,
            linkage: Linkage::Visible,
            inline: Inline::Auto,
            bounds: Bounds::default(),
            constexpr: ast.specifiers.is_constexpr.is_some()
                || ast.specifiers.is_consteval.is_some()
                || self.declarations[decl].closure.is_some(),
            result: signature.result.unwrap_or(self.program.basic().void),
            params: vec![],
            locals: vec![],
            body: vec![],
            returned: None,
            noexcept: self.side.is_host() && (ast.is_noexcept || is_main),
            unwound: vec![],
            ends: vec![],
            span: ast.name.span,
            end: ast.span.after(),
        };
        self.program.add_function(function);
        self.instances.add(Instance {
            decl,
            arguments: arguments.to_vec(),
            signature: Rc::clone(signature),
            progress: Progress::Declared,
            broken: false,
            returns_in_vain: false,
            called: false,
            depth: self.instances.depth() + 1,
            request,
            calls: vec![],
            calls_itself: None,
        });
        self.instances.note_by_arguments(place, id);
        self.instances.wait(id);
        Some(id)
    }

    /// Checks a function's body, unless that is done or under way.
    pub(crate) fn body_of(&mut self, id: FunctionId) {
        if self.instances[id].progress != Progress::Declared {
            return;
        }
        self.instances[id].progress = Progress::Started;
        let span = self.program[id].span;
        if !self.enter(span) {
            self.leave();
            return;
        }
        // Errors in it are errors, even where it is asked for by a substitution that may fail.
        let before = self.messages.begin_definition();
        let auto = self.body.replace_auto(None);
        let wanted = self.instances[id].depth;
        let depth = self.instances.replace_depth(wanted);
        let uid = self.body.next_frame();
        let frame = Frame::new(uid, Some(id));
        let outer = std::mem::replace(&mut self.frame, frame);
        let request = self.instances[id].request;
        self.for_request(request, |this| this.check_body(id));
        let frame = std::mem::replace(&mut self.frame, outer);
        self.instances[id].progress = Progress::Done;
        self.instances[id].broken = frame.lacks_result();
        self.program[id].locals = frame.into_locals();
        self.instances.replace_depth(depth);
        self.body.replace_auto(auto);
        self.messages.end_definition(before);
        self.leave();
    }

    fn check_body(&mut self, id: FunctionId) {
        let instance = self.instances[id].clone();
        let decl = instance.decl;
        let Some((ast, scope, order)) = self.definition_of(decl, &instance.arguments) else {
            self.without_body(decl, id, &instance.signature);
            return;
        };
        if self.side.is_host() && self.program[id].kernel {
            self.program[id].linkage = self.linkage(id, decl, &ast);
            self.make_stub(id, &instance.signature.params.clone(), ast.name.span);
            return;
        }
        self.function_attributes(id, decl, &ast, scope, order);
        let closure = self.declarations[decl].closure.clone();
        let block = match (&closure, ast.body) {
            (Some(_), _) => None,
            (None, FunctionBody::Defined(body)) => match self.tree.body(body, self.messages.sink()) {
                Some(body) => Some(body),
                None => {
                    self.messages.poison(ast.name.span);
                    return;
                }
            },
            _ => {
                self.without_body(decl, id, &instance.signature);
                return;
            }
        };
        let uid = self.frame.uid();
        let inner = self.scopes.add(scope, ScopeKind::Block(uid));
        self.frame.set_closure(closure.clone());
        self.frame.declare_result(instance.signature.result);
        self.at(inner, order, |this| {
            this.declare_params(id, &ast, &instance.signature);
            let mut statements = vec![];
            match (&block, &closure) {
                (Some(body), _) => {
                    this.defined_body(ast.kind, body, &mut statements, ast.name.span);
                    this.program.function_mut(id).end =
                        Span { lo: body.block.span.hi.saturating_sub(1), ..body.block.span };
                }
                (None, Some(closure)) => {
                    this.body_block(&closure.ast.body, &mut statements);
                    let span = closure.ast.body.span;
                    this.program.function_mut(id).end = Span { lo: span.hi.saturating_sub(1), ..span };
                }
                (None, None) => {}
            }
            this.frame.finish_labels(&mut this.messages);
            this.check_jumps(&statements);
            let statements = this.with_ends(id, statements);
            let result = this.frame.result().unwrap_or(this.program.basic().void);
            let function = this.program.function_mut(id);
            function.body = statements;
            function.result = result;
        });
    }

    /// What a function's body does, with the members of a constructor.
    fn defined_body(&mut self, kind: FunctionKind, body: &ast::Body, statements: &mut Vec<Stmt>, span: Span) {
        let constructor = kind == FunctionKind::Constructor;
        let whole = constructor || kind == FunctionKind::Destructor;
        let tried = if whole { body.tried() } else { None };
        let block = tried.map_or(&body.block, |(block, _)| block);
        let mut inner = |this: &mut Self, to: &mut Vec<Stmt>| {
            if constructor {
                this.member_initialisers(&body.initializers, to, span);
            } else if whole {
                this.own_tables(to, span);
            }
            this.body_block(block, to);
        };
        match tried {
            Some((_, handlers)) => {
                self.try_statement(&mut inner, handlers, Some(kind), body.block.span, statements);
            }
            None => inner(self, statements),
        }
    }

    /// Of a destructor: what is done in it is done to an object of its own class. Where that has virtual bases, the caller sees to it.
    fn own_tables(&mut self, statements: &mut Vec<Stmt>, span: Span) {
        let record = self.frame.this().and_then(|(_, this)| self.program.record_of(this));
        if let Some(record) = record.filter(|record| self.is_polymorphic(*record))
            && !self.classes.has_virtual_bases(record)
            && let Some(place) = self.this_place(span)
        {
            statements.extend(self.put_tables(place, record, span));
        }
    }

    /// A function that is declared and not defined: on the host's side, one of the library is the runtime's, and another unit's may
    /// be linked.
    fn without_body(&mut self, decl: DeclId, id: FunctionId, signature: &Rc<Signature>) {
        let ast = Rc::clone(&self.declarations[decl].ast);
        let deleted = matches!(ast.body, FunctionBody::Deleted);
        let known = match self.messages.ours(ast.name.span) {
            true => self.side.is_host(),
            false => self.may_be_elsewhere(decl),
        };
        if deleted || !known {
            self.instances.without_body(decl, id, &mut self.program);
            return;
        }
        let inner = self.scopes.add(signature.scope, ScopeKind::Block(self.frame.uid()));
        self.within(inner, |this| this.declare_params(id, &ast, signature));
        self.program[id].external = true;
        let library = self.messages.ours(ast.name.span);
        self.program[id].linkage = if library { Linkage::Weak } else { Linkage::Visible };
        self.program[id].kernel = false;
        self.program.forget_kernel(id);
    }

    /// Makes a kernel's function on the host's side the one that launches it.
    fn make_stub(&mut self, id: FunctionId, params: &[Type], span: Span) {
        let lambda =
            |ty: &Type| self.program.record_of(*ty).is_some_and(|record| self.program[record].lambda);
        if params.iter().any(lambda) {
            let text = "kernels cannot be launched with a lambda of the host yet";
            let help = "write a `struct` with a `__device__` `operator()` in its place";
            self.messages.report(Diagnostic::error("unsupported", span, text).help(help));
        }
        let body = self.stub_body(id, params, span);
        let function = self.program.function_mut(id);
        function.kernel = false;
        function.body = body.unwrap_or_default();
        let symbol = function.symbol.clone();
        self.program.note_stub(id, symbol);
    }

    /// Names of a function's parameters, and the variables they are.
    fn declare_params(&mut self, id: FunctionId, ast: &Rc<ast::Function>, signature: &Rc<Signature>) {
        let mut params = vec![];
        if let Some(this) = signature.this {
            let pointer = self.program.pointer(this);
            let local = self.local("this".into(), pointer, ast.name.span);
            self.frame.set_this(local, this);
            params.push(local);
        }
        let mut packs: Vec<(usize, Vec<Entity>)> = vec![];
        for (ty, (at, pack)) in signature.params.iter().zip(&signature.written) {
            let Some(parameter) = ast.ty.parameters.get(*at) else { continue };
            let name = parameter.name.as_ref();
            let text = name.map_or_else(|| Rc::from(""), |name| Rc::clone(&name.symbol.0));
            let span = name.map_or(parameter.span, |name| name.span);
            self.require_complete(*ty, span);
            let local = self.local(text, *ty, span);
            params.push(local);
            self.frame.qualify_param(local, parameter, *pack, &mut self.messages);
            let entity = Entity::Local(self.frame.uid(), local);
            if *pack {
                match packs.iter_mut().find(|(of, _)| of == at) {
                    Some((_, all)) => all.push(entity),
                    None => packs.push((*at, vec![entity])),
                }
            } else if let Some(name) = name {
                self.enter_name(name.symbol.clone(), entity, name.span);
            }
        }
        if ast.kind == FunctionKind::Constructor {
            self.declare_tables(signature.this, &mut params, ast.name.span);
        }
        if signature.variadic {
            let ty = self.program.basic().void;
            let ty = self.program.pointer(ty);
            let cells = self.local("".into(), ty, ast.name.span);
            self.program.function_mut(id).variadic = Some(cells);
        }
        for (at, parameter) in ast.ty.parameters.iter().enumerate() {
            if let (ast::TypeKind::Pack(_), Some(name)) = (&parameter.ty.kind, &parameter.name) {
                let all =
                    packs.iter().find(|(of, _)| *of == at).map(|(_, all)| all.clone()).unwrap_or_default();
                self.enter_name(name.symbol.clone(), Entity::Pack(all.into()), name.span);
            }
        }
        self.program.function_mut(id).params = params;
    }

    /// Reports functions that are called and deleted. (`decltype` and `sizeof` call none.)
    pub(crate) fn tell_deleted(&mut self) {
        for (decl, id) in self.instances.undefined() {
            let one = &self.declarations[decl];
            let span = one.ast.name.span;
            if self.instances[id].called && matches!(one.ast.body, FunctionBody::Deleted) {
                let name = self.declarations.decl_name(decl, &self.scopes, &self.program);
                self.messages.error("deleted", span, format!("call to deleted function `{name}`"));
            }
        }
    }

    /// What attributes say of a function, and what they may not.
    fn function_attributes(
        &mut self,
        id: FunctionId,
        decl: DeclId,
        ast: &Rc<ast::Function>,
        scope: ScopeId,
        order: u32,
    ) {
        let first = Rc::clone(&self.declarations[decl].ast);
        let mut attributes = first.specifiers.attributes.clone();
        if !Rc::ptr_eq(&first, ast) {
            attributes.extend(ast.specifiers.attributes.iter().cloned());
        }
        let kernel = first.specifiers.global().is_some() || ast.specifiers.global().is_some();
        let mut inline = Inline::Auto;
        let mut bounds = Bounds::default();
        for one in &attributes {
            match &one.kind {
                AttributeKind::ForceInline => inline = Inline::Always,
                AttributeKind::NoInline => inline = Inline::Never,
                AttributeKind::LaunchBounds(all) => {
                    let found = self.bounds_values(all, scope, order);
                    bounds.max_threads = found.first().copied().flatten();
                    bounds.min_blocks = found.get(1).copied().flatten();
                    bounds.max_cluster = found.get(2).copied().flatten();
                }
                AttributeKind::MaxRegisters(value) => {
                    bounds.max_registers = self
                        .bounds_values(std::slice::from_ref(value), scope, order)
                        .first()
                        .copied()
                        .flatten();
                }
                AttributeKind::ClusterDims(all) => {
                    let found = self.bounds_values(all, scope, order);
                    let at = |n: usize| found.get(n).copied().flatten().unwrap_or(1);
                    bounds.cluster = Some([at(0), at(1), at(2)]);
                }
                AttributeKind::BlockSize => {
                    self.messages.refuse(one.span, "`__block_size__` is", "write `__launch_bounds__`");
                }
                AttributeKind::Shared | AttributeKind::Constant | AttributeKind::Managed => {
                    self.messages.error(
                        "attribute",
                        one.span,
                        "this attribute only applies to variables, not to functions",
                    );
                }
                AttributeKind::Unknown(name) => {
                    let name = name.to_string();
                    self.messages.error("attribute", one.span, format!("unknown attribute `{name}`"));
                }
                AttributeKind::Global
                | AttributeKind::Device
                | AttributeKind::Host
                | AttributeKind::GridConstant
                | AttributeKind::Align(_)
                | AttributeKind::Packed
                | AttributeKind::Pack(_)
                | AttributeKind::Ignored(_) => {}
            }
        }
        if kernel {
            self.check_kernel(id, ast);
            if let Some(one) = attributes.iter().find(|one| matches!(one.kind, AttributeKind::Device)) {
                self.messages.error_help(
                    "attribute",
                    one.span,
                    "a kernel cannot also be a `__device__` function",
                    "move what both need into a separate `__device__` function, and call that from the kernel",
                );
            }
        }
        let linkage = self.linkage(id, decl, ast);
        let function = self.program.function_mut(id);
        function.inline = inline;
        function.bounds = bounds;
        function.linkage = linkage;
    }

    fn bounds_values(&mut self, all: &[ast::Expr], scope: ScopeId, order: u32) -> Vec<Option<u32>> {
        let mut found = vec![];
        for one in all {
            let value = self.at(scope, order, |this| this.apart(|this| this.constant_integer(one)));
            let value = value.and_then(|(_, value)| match u32::try_from(value) {
                Ok(value) => Some(value),
                Err(_) => {
                    self.messages.error(
                        "attribute",
                        one.span,
                        format!("invalid launch bound {value}: it must be positive"),
                    );
                    None
                }
            });
            found.push(value.filter(|value| *value > 0));
        }
        found
    }

    /// Statement of a block that stands for several.
    pub(crate) fn block_of(statements: Vec<Stmt>, span: Span) -> Stmt {
        Stmt { kind: StmtKind::Block(statements), span }
    }
}
