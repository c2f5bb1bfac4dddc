//! Calls: arguments converted, defaults filled in, results typed.
//!
//! Enters: what is called and the operands. Leaves: an operand. This module must never know how a function was chosen.

use std::rc::Rc;

use crate::ast::{self, FunctionBody, Initializer};
use crate::diagnostic::Diagnostic;
use crate::hir::{Arg, Args, Expr, ExprKind, FunctionId, Init, Type};
use crate::source::Span;

use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::context::frame::Frame;
use crate::check::context::instances::Instances;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{FunctionSet, Operand, deref};
use crate::check::names::entity::{Argument, DeclId, Entity, Functor, Special};
use crate::check::names::find::Want;
use crate::check::types::kind::plain;

impl Frame {
    /// Notes that the function that is being checked calls another.
    pub(crate) fn note_call(&self, id: FunctionId, span: Span, instances: &mut Instances) {
        if self.is_unevaluated() {
            return;
        }
        instances[id].called = true;
        if let Some(caller) = self.function() {
            instances[caller].calls.push((id, span));
        }
    }
}

impl Messages<'_> {
    /// Reports that something with arguments in parentheses after it is not a function.
    fn tell_not_called(&mut self, callee: &ast::Expr, other: &Operand, span: Span, program: &mut Output) {
        let shown = other.ty().map_or_else(|| "list".to_owned(), |ty| program.show(ty));
        if other.ty().is_some_and(|ty| program.is_function_pointer(ty)) {
            self.refuse(
                span,
                "function pointers are",
                "call the function by its name, or pass a lambda to a template",
            );
            return;
        }
        let text = self.text(callee.span);
        let decayed = other.ty().map(|ty| program.decayed(ty));
        let elements = decayed.is_some_and(|ty| program.pointee(ty).is_some());
        let is_number = text.starts_with(|first: char| first.is_ascii_digit());
        let help = if is_number {
            format!("a product is written with `*`: `{text} * (…)`")
        } else if elements && text.len() <= 40 {
            format!("an element is written with brackets: `{text}[…]`")
        } else if text.is_empty() || text.len() > 40 {
            "remove the parentheses after it".to_owned()
        } else {
            format!("write `{text}` without parentheses after it")
        };
        let message = format!("called object of type `{shown}` is not a function");
        self.error_help("call", span, message, help);
    }

    /// Reports calls of `std::max(1.0f, 2)`: the standard's functions of two values are templates of one type, and the compiler's own
    /// of the same name, which stand for them here, are not.
    fn tell_two_types(
        &mut self,
        name: &ast::Name,
        set: &FunctionSet,
        operands: &[Operand],
        program: &Output,
    ) -> bool {
        let [a, b] = operands else { return false };
        let of_library = name.segments.len() > 1 && set.decls.is_empty() && set.arguments.is_empty();
        let (Some(a), Some(b)) = (a.ty().map(plain), b.ty().map(plain)) else { return false };
        if !of_library || !matches!(&*set.name, "min" | "max") || a == b {
            return false;
        }
        let (name, x, y) = (format!("std::{}", set.name), program.show(a), program.show(b));
        let message = format!("`{name}` requires two values of the same type, not `{x}` and `{y}`");
        let help = "cast one of them, or write a constant in the other's type, such as `0.0f`";
        self.error_help("call", set.span, message, help);
        true
    }

    /// Warns of a number in the place of a mask, as in `__shfl_xor_sync(x, 0xffffffff, 1)`.
    fn warn_of_mask(&mut self, set: &FunctionSet, operands: &[Operand], program: &Output) {
        let of_warp = set.name.starts_with("__") && set.name.ends_with("_sync");
        if let Some(first) = operands.first().filter(|_| of_warp)
            && first.ty().is_some_and(|ty| program.is_floating(ty))
        {
            let message =
                "the first argument is the mask of participating lanes, and this number is used as one";
            let help = format!("write `{}(0xffffffff, …)`", set.name);
            self.report(Diagnostic::warning("mask", first.span(), message).help(help));
        }
    }
}

impl Checker<'_> {
    /// Operands of arguments as written; packs expanded.
    pub(crate) fn operands(&mut self, arguments: &[ast::Expr]) -> Vec<Operand> {
        let mut all = vec![];
        for one in arguments {
            if let ast::ExprKind::Pack(inner) = &one.kind {
                let Some(count) = self.pack_length(|walk| walk.expr(inner), one.span) else {
                    all.push(Operand::Error(one.span));
                    continue;
                };
                let before = self.body.expansion();
                for at in 0..count {
                    self.body.replace_expansion(Some(at));
                    let operand = self.expr(inner);
                    self.body.replace_expansion(before);
                    all.push(operand);
                }
            } else {
                all.push(self.expr(one));
            }
        }
        all
    }

    /// `f(x, y)`.
    pub(crate) fn call(&mut self, callee: &ast::Expr, arguments: &[ast::Expr], span: Span) -> Operand {
        if let ast::ExprKind::Name(name) = &callee.kind {
            if let Some(found) = self.trait_call(name, arguments, span) {
                return found;
            }
            if let Some(found) = self.variadic_call(name, arguments, span) {
                return found;
            }
            // The parser could not know that this is a type.
            let found = self.resolve_quietly(name, Want::Any);
            if let Some(Entity::Type(_) | Entity::Alias(_) | Entity::Template(_) | Entity::Pack(_)) = found {
                let ty = ast::Type {
                    kind: ast::TypeKind::Name(name.clone()),
                    qualifiers: ast::Qualifiers::default(),
                    span: callee.span,
                };
                if matches!(found, Some(Entity::Template(_))) {
                    return self.construct(&ty, &Initializer::Parentheses(arguments.to_vec(), span), span);
                }
                if self.trial(|this| this.resolve_type(&ty)).is_some()
                    || !matches!(found, Some(Entity::Pack(_)))
                {
                    let Some(ty) = self.resolve_type(&ty) else { return Operand::Error(span) };
                    let operands = self.operands(arguments);
                    return self.functional_cast(ty, operands, span);
                }
            }
            if let Some(special) = self.special_named(name) {
                return self.special_call(special, arguments, span);
            }
            if name.simple().is_some() && self.resolve_quietly(name, Want::Any).is_none() {
                return self.call_by_arguments(name, arguments, span);
            }
        }
        if let ast::ExprKind::Member { object, arrow, member } = &callee.kind
            && self.side.is_host()
            && member.last().is_some_and(|last| matches!(last.id, ast::Id::Destructor(_)))
        {
            return self.end_explicitly(object, *arrow, span).unwrap_or(Operand::Error(span));
        }
        if let Some(found) = self.call_member_pointer(callee, arguments, span) {
            return found;
        }
        let target = self.expr_callee(callee);
        let operands = self.operands(arguments);
        match target {
            Operand::Functions(mut set) => {
                let mut operands = operands;
                if let ast::ExprKind::Name(name) = &callee.kind {
                    if self.messages.tell_two_types(name, &set, &operands, &self.program) {
                        return Operand::Error(span);
                    }
                    let Some(converted) = self.as_one_type(name, &mut set, operands) else {
                        return Operand::Error(span);
                    };
                    operands = converted;
                }
                let found = self.call_set(set, operands, span);
                if let (true, ast::ExprKind::Name(name)) = (self.side.is_host(), &callee.kind) {
                    self.check_host_format(name, arguments, &found);
                    self.check_host_set(name, arguments, &found);
                }
                found
            }
            Operand::Error(at) => {
                self.messages.poison(at);
                Operand::Error(span)
            }
            pointer if self.called_pointer(&pointer) => match self.value(pointer) {
                Some(pointer) => self.call_pointer(pointer, operands, span),
                None => Operand::Error(span),
            },
            object if object.ty().is_some_and(|ty| self.program.record_of(ty).is_some()) => {
                self.call_object(object, "operator()", operands, span)
            }
            other => {
                self.messages.tell_not_called(callee, &other, span, &mut self.program);
                Operand::Error(span)
            }
        }
    }

    /// Operands of `std::max<float>(a, b)`, whose type is said: the compiler's own functions of that name are no templates.
    fn as_one_type(
        &mut self,
        name: &ast::Name,
        set: &mut FunctionSet,
        operands: Vec<Operand>,
    ) -> Option<Vec<Operand>> {
        let of_library = name.segments.len() > 1 && set.decls.is_empty() && set.builtin;
        let [Argument::Type(ty)] = *set.arguments.as_slice() else { return Some(operands) };
        if !of_library || !matches!(&*set.name, "min" | "max") || operands.len() != 2 {
            return Some(operands);
        }
        set.arguments.clear();
        operands.into_iter().map(|one| self.converted(one, ty).map(Operand::Value)).collect()
    }

    /// Call of a name that only the arguments' types can tell.
    fn call_by_arguments(&mut self, name: &ast::Name, arguments: &[ast::Expr], span: Span) -> Operand {
        let Some(symbol) = name.simple().cloned() else { return Operand::Error(span) };
        if self.side.is_device()
            && crate::check::names::suggest::host_name(&symbol).is_some()
            && self.trial(|this| this.has_by_arguments(&symbol, arguments)).is_none()
        {
            // Its arguments are the host's too.
            let _ = self.resolve_name(name, Want::Any);
            return Operand::Error(span);
        }
        let operands = self.operands(arguments);
        let types: Vec<Type> = operands.iter().filter_map(Operand::ty).collect();
        if operands.iter().any(Operand::is_error) {
            self.messages.poison(span);
            return Operand::Error(span);
        }
        let mut decls = self.find_by_arguments(&symbol, &types);
        if decls.is_empty() && types.iter().any(|ty| self.program.pointee(*ty).is_some()) {
            decls = self.functions_for_iterators(&symbol);
        }
        if decls.is_empty() {
            let _ = self.resolve_name(name, Want::Any);
            return Operand::Error(span);
        }
        let set = FunctionSet::of(Rc::clone(&symbol.0), decls, name.span);
        self.call_set(set, operands, span)
    }

    /// Functions of `std`, where an argument is a pointer in host code: iterators of the library's `std::vector` are pointers, and
    /// those of g++'s are of a class that brings them along.
    fn functions_for_iterators(&mut self, symbol: &str) -> Vec<DeclId> {
        let Some(std) = self.std_scope().filter(|_| self.side.is_host()) else { return vec![] };
        match self.declarations.pick(std, symbol, Want::Any, u32::MAX, &self.scopes) {
            Some(Entity::Functions(decls, _)) => decls,
            _ => vec![],
        }
    }

    /// Whether the types of arguments bring a function along.
    fn has_by_arguments(&mut self, symbol: &str, arguments: &[ast::Expr]) -> Option<()> {
        let types: Vec<Type> = self.operands(arguments).iter().filter_map(Operand::ty).collect();
        (!self.find_by_arguments(symbol, &types).is_empty()).then_some(())
    }

    /// The callee of a call: a function's name stays one.
    pub(crate) fn expr_callee(&mut self, callee: &ast::Expr) -> Operand {
        match &callee.kind {
            ast::ExprKind::Parentheses(inner) => {
                let mut found = self.expr_callee(inner);
                if let Operand::Functions(set) = &mut found {
                    set.by_arguments = false;
                }
                found
            }
            _ => self.expr(callee),
        }
    }

    fn special_named(&mut self, name: &ast::Name) -> Option<Special> {
        match self.resolve_quietly(name, Want::Any) {
            Some(Entity::Special(special @ (Special::Printf | Special::AssertFail))) => Some(special),
            _ => None,
        }
    }

    fn special_call(&mut self, special: Special, arguments: &[ast::Expr], span: Span) -> Operand {
        match special {
            Special::Printf => self.printf(arguments, span),
            Special::AssertFail => self.assert_fail(arguments, span),
            Special::Coordinates(..) | Special::WarpSize => Operand::Error(span),
        }
    }

    /// Functions that are passed to a template by their names alone, as pointers or as objects that call them. (Where nothing can tell them
    /// from pointers: where templates alone are meant, and none of them takes a pointer there.)
    fn functions_as_objects(&mut self, set: &FunctionSet, operands: &mut [Operand]) {
        let names = |one: &Operand| matches!(one, Operand::Functions(set) if set.object.is_none());
        if !operands.iter().any(names) {
            return;
        }
        let decls = self.canonical(&set.decls);
        if set.builtin || decls.is_empty() || !decls.iter().all(|decl| self.has_template(*decl)) {
            return;
        }
        let pointer = |this: &Self, at: usize| {
            let mut parameters =
                decls.iter().filter_map(|decl| this.declarations[*decl].ast.ty.parameters.get(at));
            parameters
                .any(|one| matches!(one.ty.kind, ast::TypeKind::Pointer(_) | ast::TypeKind::Function(_)))
        };
        for (at, operand) in operands.iter_mut().enumerate() {
            let Operand::Functions(function) = operand else { continue };
            if pointer(self, at) {
                continue;
            }
            // On the host it is a pointer.
            if self.side.is_host()
                && let Some(address) = self.only_function(function)
            {
                *operand = Operand::Value(address);
                continue;
            }
            let (span, decls) = (function.span, self.canonical(&function.decls));
            let mut rows = crate::builtin::overloads(&function.name).filter(|_| function.builtin);
            // Of several nothing says which is meant.
            let one = match (decls.as_slice(), rows.next(), rows.next()) {
                ([decl], None, None) if !self.has_template(*decl) => Functor::Declared(*decl),
                ([], Some(row), None) if row.types.is_empty() => Functor::Builtin(row.name),
                _ => continue,
            };
            if function.object.is_some() {
                continue;
            }
            let ty = self.functor(one, span);
            *operand = Operand::Place(self.materialise(Init::Zero, ty, span), false);
        }
    }

    /// Class whose objects call a function.
    fn functor(&mut self, of: Functor, span: Span) -> Type {
        if let Some(record) = self.classes.functor_class(of) {
            return self.program.record_type(record);
        }
        let number = self.program.number();
        let shown = match of {
            Functor::Declared(decl) => {
                format!("function {}", self.declarations.decl_name(decl, &self.scopes, &self.program))
            }
            Functor::Builtin(name) => format!("function {name}"),
        };
        let ty = self.new_record(
            ast::Symbol::from(""),
            shown,
            false,
            crate::check::names::entity::ScopeId(0),
            span,
        );
        if let Some(record) = self.program.record_of(ty) {
            let info = &mut self.classes[record];
            info.closure = Some(number);
            info.completion = crate::check::names::entity::Completion::Complete;
            info.aggregate = false;
            let scope = info.scope;
            self.program[record].size = 1;
            let call = ast::Symbol::from("operator()");
            match of {
                Functor::Declared(decl) => self.enter_function(scope, call, decl, span),
                Functor::Builtin(_) => self.enter_in(scope, call, Entity::Functions(vec![], true), span),
            }
            self.classes.note_functor(record, of);
        }
        ty
    }

    /// Calls the best of a set.
    pub(crate) fn call_set(&mut self, set: FunctionSet, mut operands: Vec<Operand>, span: Span) -> Operand {
        self.functions_as_objects(&set, &mut operands);
        match self.resolve(&set, &operands, true) {
            Ok(callee) => {
                self.messages.warn_of_mask(&set, &operands, &self.program);
                self.call_callee(callee, set, operands, span)
            }
            Err(why) => {
                self.tell_no_match(&set.name.clone(), &operands, set.span, why);
                Operand::Error(span)
            }
        }
    }

    /// Calls a method of an object by its name.
    pub(crate) fn call_object(
        &mut self,
        object: Operand,
        name: &str,
        operands: Vec<Operand>,
        span: Span,
    ) -> Operand {
        let Some(record) = object.ty().and_then(|ty| self.program.record_of(ty)) else {
            return Operand::Error(span);
        };
        match self.find_member(record, name, Want::Any) {
            Some(Entity::Functions(decls, _)) => {
                let builtin = match self.classes.functor(record) {
                    Some(Functor::Builtin(name)) => Some(*name),
                    Some(Functor::Declared(_)) | None => None,
                };
                let set = FunctionSet {
                    name: builtin.unwrap_or(name).into(),
                    decls,
                    builtin: builtin.is_some(),
                    arguments: vec![],
                    by_arguments: false,
                    qualified: false,
                    operator: false,
                    object: builtin.is_none().then(|| Box::new(object)),
                    span,
                };
                self.call_set(set, operands, span)
            }
            _ => {
                let shown = object.ty().map(|ty| self.program.show(plain(ty))).unwrap_or_default();
                let message = format!("`{shown}` has no `{name}`, so it cannot be used like this");
                match matches!(name, "operator[]" | "operator()")
                    && crate::check::expressions::convert::is_vector(&shown)
                {
                    true => self.messages.error_help(
                        "call",
                        span,
                        message,
                        "its members are `.x`, `.y` and so on",
                    ),
                    false => self.messages.error("call", span, message),
                }
                Operand::Error(span)
            }
        }
    }

    /// Calls a function.
    pub(crate) fn call_callee(
        &mut self,
        callee: Callee,
        set: FunctionSet,
        operands: Vec<Operand>,
        span: Span,
    ) -> Operand {
        match &callee {
            Callee::Builtin(row, choice, result, params) => {
                let (row, choice, result) = (*row, *choice, *result);
                let params = params.clone();
                self.call_builtin(row, choice, result, &params, operands, span)
            }
            Callee::Decl(_, _, signature) => {
                let this = signature.this;
                let Some((id, mut args)) = self.call_parts(&callee, operands, span) else {
                    return Operand::Error(span);
                };
                let operator = set.operator.then(|| Rc::clone(&set.name));
                args.first = args.first.max(operator.as_deref().map_or(0, first_operands));
                if let Some(this) = this {
                    // The object of a method comes before its arguments.
                    args.first = match operator {
                        Some(_) => args.first,
                        None => args.first.max(1),
                    };
                    let Some(object) = set.object else {
                        let name = set.name;
                        self.messages.error(
                            "call",
                            span,
                            format!("call to method `{name}` without an object"),
                        );
                        return Operand::Error(span);
                    };
                    let Some(pointer) = self.object_pointer(*object, this) else {
                        return Operand::Error(span);
                    };
                    if !set.qualified
                        && let Some((keep, function, this)) =
                            self.virtual_function(&callee, pointer.clone(), span)
                    {
                        args.insert(0, Arg::Value(this));
                        let found = self.pointer_result(function, args, span);
                        return self.sequenced(vec![keep], found, span);
                    }
                    args.insert(0, Arg::Value(pointer));
                } else if let Some(object) = set.object
                    && !Self::is_pure(&object)
                {
                    let Some(first) = self.statement_of(*object, span) else { return Operand::Error(span) };
                    let found = self.result_operand(id, args, span);
                    return self.sequenced(vec![first], found, span);
                }
                self.result_operand(id, args, span)
            }
            Callee::Copy(_) => Operand::Error(span),
        }
    }

    /// Whether evaluating an object does nothing.
    fn is_pure(operand: &Operand) -> bool {
        fn place(one: &crate::hir::Place) -> bool {
            use crate::hir::PlaceKind;
            match &one.kind {
                PlaceKind::Local(_) | PlaceKind::Variable(_) => true,
                PlaceKind::Field(of, _) => place(of),
                PlaceKind::Deref(pointer) => match &pointer.kind {
                    ExprKind::Load(from) => place(from),
                    _ => false,
                },
                _ => false,
            }
        }
        match operand {
            Operand::Place(one, _) => place(one),
            _ => false,
        }
    }

    /// Pointer to the object of a method.
    fn object_pointer(&mut self, object: Operand, this: Type) -> Option<Expr> {
        let span = object.span();
        let (place, _) = self.place(object)?;
        let (derived, base) = (self.program.record_of(place.ty)?, self.program.record_of(this)?);
        let path = self.base_path(derived, base)?;
        let place = self.base_place(place, derived, &path);
        let pointer = self.program.pointer(this);
        let address = self.program.address(place);
        Some(Expr { ty: pointer, span, ..address })
    }

    /// The function of the program, and its arguments without the object.
    pub(crate) fn call_parts(
        &mut self,
        callee: &Callee,
        operands: Vec<Operand>,
        span: Span,
    ) -> Option<(FunctionId, Args)> {
        let Callee::Decl(decl, ..) = callee else { return None };
        if !self.may_call(*decl, span) {
            return None;
        }
        self.parts_of(callee, operands, span)
    }

    /// The same of a function that may be called here.
    pub(crate) fn parts_of(
        &mut self,
        callee: &Callee,
        operands: Vec<Operand>,
        span: Span,
    ) -> Option<(FunctionId, Args)> {
        let Callee::Decl(decl, arguments, signature) = callee else { return None };
        let decl = *decl;
        let in_order = self.body.take_in_order() || self.side.is_device();
        self.check_function_access(decl, span);
        let id = self.instance(decl, arguments, signature, span)?;
        self.frame.note_call(id, span, &mut self.instances);
        let mut args = vec![];
        let mut operands = operands.into_iter();
        for (at, to) in signature.params.iter().enumerate() {
            let arg = match operands.next() {
                Some(operand) => self.argument(operand, *to)?,
                None => self.default_value(decl, signature, at, *to, span)?,
            };
            args.push(arg);
        }
        for operand in operands {
            args.push(Arg::Value(self.printed(operand)?));
        }
        if signature.result.is_none() {
            self.find_result(id, span)?;
        }
        // Where C++ leaves it open, host code evaluates the last argument first, as g++ and nvcc do.
        let mut args = Args::from(args);
        if !in_order {
            args.first = 0;
        }
        Some((id, args))
    }

    /// Checks the body of a function whose result only it says.
    pub(crate) fn find_result(&mut self, id: FunctionId, span: Span) -> Option<()> {
        if self.instances[id].progress == crate::check::names::entity::Progress::Started {
            self.messages.error(
                "auto",
                span,
                "function with deduced return type cannot be used before its first `return`: it calls itself",
            );
            return None;
        }
        self.body_of(id);
        if self.instances[id].broken {
            self.messages.poison(span);
            return None;
        }
        Some(())
    }

    fn may_call(&mut self, decl: crate::check::names::entity::DeclId, span: Span) -> bool {
        let one = &self.declarations[decl];
        let declared = one.ast.name.span;
        if self.side.is_host() && one.ast.specifiers.global().is_some() {
            self.messages.report(
                Diagnostic::error(
                    "launch",
                    span,
                    "a kernel is launched, not called: its configuration is missing",
                )
                .related(declared, "`__global__` makes it a kernel")
                .help("write `<<<blocks, threads>>>` before its arguments"),
            );
            return false;
        }
        if one.ast.specifiers.global().is_some() {
            self.messages.report(
                Diagnostic::error("kernel", span, "a kernel cannot be called like a function")
                    .related(declared, "`__global__` makes it a kernel")
                    .help("move what both need into a `__device__` function"),
            );
            return false;
        }
        if matches!(one.ast.body, FunctionBody::Deleted) {
            let name = self.declarations.decl_name(decl, &self.scopes, &self.program);
            self.messages.report(
                Diagnostic::error("deleted", span, format!("call to deleted function `{name}`"))
                    .related(declared, "marked deleted here"),
            );
            return false;
        }
        if self.side.is_host() {
            if self.declarations.for_device_alone(decl, &self.messages) && !self.frame.is_unevaluated() {
                let name = self.declarations.decl_name(decl, &self.scopes, &self.program);
                self.messages.report(
                    Diagnostic::error(
                        "device",
                        span,
                        format!("`{name}` is a device function: the host cannot call it"),
                    )
                    .related(declared, "declared here, `__device__` alone")
                    .help(format!("write `__host__ __device__` before the declaration of `{name}`")),
                );
                return false;
            }
            return true;
        }
        if !self.declarations.for_device(decl, &self.messages) && !self.frame.is_unevaluated() {
            let name = self.declarations.decl_name(decl, &self.scopes, &self.program);
            self.messages.report(
                Diagnostic::error(
                    "host",
                    span,
                    format!("`{name}` is a host function: a kernel cannot call it"),
                )
                .related(declared, "declared here, without `__device__`")
                .help(format!("write `__device__` before the declaration of `{name}`"))
                .about(format!("function `{name}`")),
            );
            return false;
        }
        true
    }

    /// Default of a parameter.
    fn default_value(
        &mut self,
        decl: crate::check::names::entity::DeclId,
        signature: &crate::check::names::entity::Signature,
        at: usize,
        to: Type,
        span: Span,
    ) -> Option<Arg> {
        let (index, _) = *signature.written.get(at)?;
        let one = &self.declarations[decl];
        let mut found = one
            .ast
            .ty
            .parameters
            .get(index)
            .and_then(|one| one.default.clone())
            .map(|value| (value, signature.scope, one.order));
        if found.is_none()
            && let Some(definition) = &one.definition
        {
            found = definition
                .ast
                .ty
                .parameters
                .get(index)
                .and_then(|one| one.default.clone())
                .map(|value| (value, definition.scope, definition.order));
        }
        let (value, scope, order) = found?;
        self.body.enter_defaults();
        if self.body.has_too_many_defaults() {
            self.body.leave_defaults();
            self.messages.error("nesting", span, "circular dependency between default arguments");
            return None;
        }
        let operand = self.at(scope, order, |this| this.expr(&value));
        let arg = self.argument(operand, to);
        self.body.leave_defaults();
        arg
    }

    /// What a call gives.
    pub(crate) fn result_operand(&mut self, id: FunctionId, args: Args, span: Span) -> Operand {
        let result = self.program[id].result;
        if let Some((to, rvalue)) = self.program.referred(result) {
            let pointer = self.program.pointer(to);
            let call = Expr { kind: ExprKind::Call(id, args), ty: pointer, span };
            return Operand::Place(deref(call, to, span), rvalue);
        }
        if self.program.record_of(result).is_some() {
            if !self.require_complete(result, span) {
                return Operand::Error(span);
            }
            return Operand::Init(Init::Call(id, args), result, span);
        }
        let call = Expr { kind: ExprKind::Call(id, args), ty: plain(result), span };
        Operand::Value(self.recursion_of_constants(id, &call).unwrap_or(call))
    }

    /// Number that a recursive `constexpr` function gives for constants: nothing after this knows how deep it goes.
    fn recursion_of_constants(&mut self, id: FunctionId, call: &Expr) -> Option<Expr> {
        // Products and sums of floating-point numbers are contracted when they are computed on the device.
        let wanted = self.program[id].constexpr && self.program.is_integral(call.ty);
        if !wanted || self.frame.is_unevaluated() {
            return None;
        }
        self.calls_itself(id).then(|| self.evaluated_quietly(call).ok()?.into_expr(call.ty, call.span))?
    }

    /// Calls a row of the compiler's table.
    fn call_builtin(
        &mut self,
        row: &'static crate::builtin::Builtin,
        choice: Type,
        result: Type,
        params: &[Type],
        operands: Vec<Operand>,
        span: Span,
    ) -> Operand {
        let mut args = Args::from(vec![]);
        for (operand, to) in operands.into_iter().zip(params) {
            match self.argument(operand, *to) {
                Some(arg) => args.push(arg),
                None => return Operand::Error(span),
            }
        }
        let choice = if row.signature.contains('T') { choice } else { self.program.basic().void };
        if self.program.record_of(result).is_some() {
            return Operand::Init(Init::Builtin(row, choice, args), result, span);
        }
        Operand::Value(Expr { kind: ExprKind::Builtin(row, choice, args), ty: result, span })
    }

    /// Statements before an operand's value.
    pub(crate) fn sequenced(
        &mut self,
        first: Vec<crate::hir::Stmt>,
        operand: Operand,
        span: Span,
    ) -> Operand {
        match operand {
            Operand::Value(value) => {
                let ty = value.ty;
                Operand::Value(Expr { kind: ExprKind::Sequence(first, Box::new(value)), ty, span })
            }
            Operand::Place(place, movable) => {
                let ty = place.ty;
                let kind = crate::hir::PlaceKind::Sequence(first, Box::new(place));
                Operand::Place(crate::hir::Place { kind, ty, span }, movable)
            }
            Operand::Init(init, ty, _) => Operand::Init(Init::Sequence(first, Box::new(init)), ty, span),
            other @ (Operand::Functions(_) | Operand::List(_) | Operand::Error(_)) => other,
        }
    }
}

/// How many operands of an operator that a class defines are evaluated first, as C++17 has it of some.
fn first_operands(operator: &str) -> usize {
    match operator.trim_start_matches("operator") {
        "<<" | ">>" | "&&" | "||" | "," | "->*" | "[]" => usize::MAX,
        _ => 0,
    }
}
