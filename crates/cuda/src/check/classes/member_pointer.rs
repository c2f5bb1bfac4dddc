//! Pointers to members, on the host's side.
//!
//! Enters: `T C::*`, `&C::member`, `x.*p`, `(x.*f)(…)`. Leaves: of data a number, the member's offset in the class and one more, so that
//! null is 0; of functions their addresses, where a virtual one is a function that looks it up in the object's table. A pointer to a
//! function has 16 bytes, as g++'s, of which the address takes 8. This module must never know how conversions are ranked.

use crate::ast::{self, ExprKind as Ast};
use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{FunctionSet, Operand, deref, local_place, number};
use crate::check::names::entity::{DeclId, Entity};
use crate::check::names::find::Want;
use crate::check::types::kind::plain;
use crate::hir::{
    Arg, Args, Binary, Compare, Expr, ExprKind, FunctionId, Init, Place, RecordId, Stmt, StmtKind, Type,
    TypeKind,
};
use crate::side::HOST;
use crate::source::Span;

impl Output {
    /// Class and member of a pointer to a member, and whether it is of a function that leaves its object unchanged.
    pub(crate) fn member_of(&self, ty: Type) -> Option<(RecordId, Type, bool)> {
        match self.kind_of(ty) {
            TypeKind::Member { class, of, constant } => Some((*class, *of, *constant)),
            _ => None,
        }
    }
}

impl Checker<'_> {
    /// `T C::*`.
    pub(crate) fn member_pointer_type(
        &mut self,
        class: &ast::Name,
        of: &ast::Type,
        span: Span,
    ) -> Option<Type> {
        if !HOST || self.side.is_device() {
            let help = "pass the member itself, or an index";
            self.messages.refuse(span, "pointers to members are", help);
            return None;
        }
        let mut name = class.clone();
        name.typename = true;
        let named = ast::Type {
            kind: ast::TypeKind::Name(name),
            qualifiers: ast::Qualifiers::default(),
            span: class.span,
        };
        let class = plain(self.resolve_type(&named)?);
        let Some(class) = self.program.record_of(class) else {
            let shown = self.program.show(class);
            self.messages.error("type", named.span, format!("`{shown}` is not a class, and has no members"));
            return None;
        };
        let constant = matches!(&of.kind, ast::TypeKind::Function(function) if function.constant);
        let of = self.resolve_type(of)?;
        // The type that replaces a template's parameter may be that of a `const` function.
        let constant = constant || (of.constant && self.program.is_function(of));
        let of = if self.program.is_function(of) { plain(of) } else { of };
        if self.program.referred(of).is_some() || self.program.is_void(of) {
            let shown = self.program.show(of);
            self.messages.error("type", span, format!("no pointer can lead to a member of type `{shown}`"));
            return None;
        }
        Some(self.program.ty(TypeKind::Member { class, of, constant }))
    }

    /// `&C::member`, where that names a member that an object has.
    pub(crate) fn address_of_member(&mut self, name: &ast::Name, span: Span) -> Option<Operand> {
        if name.segments.len() < 2 {
            return None;
        }
        let named = self.resolve_quietly(name, Want::Any)?;
        let of_object = match &named {
            Entity::Field(..) => true,
            Entity::Functions(decls, _) => decls.iter().any(|decl| self.is_method(*decl)),
            _ => false,
        };
        if !of_object {
            return None;
        }
        if !HOST || self.side.is_device() {
            if matches!(named, Entity::Field(..)) && self.frame.this().is_some() {
                return None;
            }
            self.messages.refuse_member_pointer(span);
            return Some(Operand::Error(span));
        }
        match named {
            Entity::Field(record, path) => {
                self.check_access(record, &path, span);
                Some(self.pointer_to_field(record, &path, span).map_or(Operand::Error(span), Operand::Value))
            }
            Entity::Functions(decls, _) => {
                let arguments = self.resolve_name(name, Want::Any)?.arguments.unwrap_or_default();
                let set = FunctionSet {
                    arguments,
                    qualified: true,
                    ..FunctionSet::of(crate::check::names::lookup::spelled(name), decls, span)
                };
                Some(Operand::Functions(set))
            }
            _ => None,
        }
    }

    fn is_method(&self, decl: DeclId) -> bool {
        let one = &self.declarations[decl];
        one.class.is_some() && one.ast.specifiers.is_static.is_none()
    }

    fn pointer_to_field(&mut self, record: RecordId, path: &[u32], span: Span) -> Option<Expr> {
        let (mut offset, mut of, mut ty) = (0, record, None);
        for number in path {
            let field = self.program[of].fields.get(*number as usize)?;
            if field.bits.is_some() {
                self.messages.error("bit-field", span, "no pointer can lead to a bit-field");
                return None;
            }
            offset += i128::from(field.offset);
            ty = Some(field.ty);
            if let Some(next) = self.program.record_of(field.ty) {
                of = next;
            }
        }
        let ty = self.program.ty(TypeKind::Member { class: record, of: ty?, constant: false });
        Some(number(offset + 1, ty, span))
    }

    /// Type of a pointer to the only method that a name means, where it is one; `None` of other functions.
    pub(crate) fn method_type(&mut self, decl: DeclId, result: Type, params: &[Type]) -> Option<Type> {
        if !HOST || !self.is_method(decl) {
            return None;
        }
        let class = self.declarations[decl].class?;
        let constant = self.declarations[decl].ast.ty.constant;
        let of = self.program.ty(TypeKind::Function(result, params.to_vec()));
        Some(self.program.ty(TypeKind::Member { class, of, constant }))
    }

    /// The method of a set that a pointer to a member of a type leads to.
    pub(crate) fn method_address(&mut self, set: &FunctionSet, to: Type) -> Option<Expr> {
        let (class, of, constant) = self.program.member_of(to)?;
        let types = self.function_types(of)?;
        let decls: Vec<DeclId> = set
            .decls
            .iter()
            .copied()
            .filter(|decl| self.is_method(*decl) && self.declarations[*decl].ast.ty.constant == constant)
            .collect();
        let set = FunctionSet { decls, object: None, ..set.clone() };
        let callee = self.function_of_types(&set, &types)?;
        let found = self.address_of_callee(&callee, set.span)?;
        let (owner, ..) = self.program.member_of(found.ty)?;
        if !self.is_base(owner, class) {
            return None;
        }
        self.convert_member(found, plain(to))
    }

    /// Value of a pointer to a method: its address, or that of a function that looks a virtual one up.
    pub(crate) fn method_value(
        &mut self,
        callee: &Callee,
        id: FunctionId,
        ty: Type,
        span: Span,
    ) -> Option<Expr> {
        let Callee::Decl(decl, ..) = callee else { return None };
        let (class, of, _) = self.program.member_of(ty)?;
        self.complete_record(class);
        let Some((_, slot)) = self.slot_of(*decl) else {
            return Some(Expr { kind: ExprKind::Function(id), ty, span });
        };
        let symbol = format!("{}$virtual", self.program[id].symbol);
        if let Some(at) = self.program.functions().iter().position(|one| one.symbol == symbol) {
            return Some(Expr { kind: ExprKind::Function(FunctionId(at as u32)), ty, span });
        }
        let (result, params) = self.function_types(of)?;
        let uid = self.body.next_frame();
        let frame = crate::check::context::frame::Frame::new(uid, None);
        let outer = std::mem::replace(&mut self.frame, frame);
        let record = self.program.record_type(class);
        let this = self.program.pointer(record);
        let own = self.local("".into(), this, span);
        let mut ids = vec![own];
        ids.extend(params.iter().map(|ty| self.local("".into(), *ty, span)));
        let object = self.loaded(own, this, span);
        let mut args = vec![Arg::Value(object.clone())];
        for (one, ty) in ids.iter().skip(1).zip(&params) {
            let held = self.held(*ty);
            // An object that is passed is the caller's: its address goes on.
            args.push(match self.program.record_of(held) {
                Some(_) => Arg::Value(self.program.address(local_place(*one, held, span))),
                None => Arg::Value(self.loaded(*one, held, span)),
            });
        }
        let pointer = self.method_pointer(this, result, &params);
        let found = self.slot_value(object, slot, pointer);
        let kind = match (self.program.record_of(result), self.program.is_void(result)) {
            (Some(_), _) => StmtKind::ReturnInit(Init::CallPointer(Box::new(found), args.into())),
            (None, void) => {
                let ty = if void { result } else { self.held(result) };
                let call = Expr { kind: ExprKind::CallPointer(Box::new(found), args.into()), ty, span };
                if void { StmtKind::Expr(call) } else { StmtKind::Return(Some(call)) }
            }
        };
        let frame = std::mem::replace(&mut self.frame, outer);
        let made = self.add_bare(symbol, frame.into_locals(), vec![], vec![Stmt { kind, span }], span);
        self.program[made].params = ids;
        self.program[made].result = result;
        Some(Expr { kind: ExprKind::Function(made), ty, span })
    }

    /// Type of a pointer to a method as a function whose first parameter is the object's address.
    fn method_pointer(&mut self, this: Type, result: Type, params: &[Type]) -> Type {
        let all = std::iter::once(this).chain(params.iter().copied()).collect();
        let function = self.program.ty(TypeKind::Function(result, all));
        self.program.pointer(function)
    }

    /// A pointer to a member as one of a class derived from its own.
    pub(crate) fn convert_member(&mut self, value: Expr, to: Type) -> Option<Expr> {
        let span = value.span;
        let Some((base, of, _)) = self.program.member_of(value.ty) else { return Some(number(0, to, span)) };
        let (derived, ..) = self.program.member_of(to)?;
        let path = self.base_path(derived, base)?;
        if path.first().is_some_and(|first| self.classes.is_virtual_base(derived, *first)) {
            let what = "conversions of a pointer to a member of a virtual base are";
            self.messages.refuse(span, what, "name the member of the base, and convert the object");
            return None;
        }
        let distance = self.distance(derived, &path);
        if distance == 0 {
            return Some(Expr { ty: to, ..value });
        }
        if let ExprKind::Integer(found) = value.kind {
            return Some(number(if found == 0 { 0 } else { found + distance }, to, span));
        }
        if let Some((result, params)) = self.function_types(of) {
            let ExprKind::Function(id) = value.kind else {
                let what = "conversions of a variable that points to a member function of a base which does not come first are";
                self.messages.refuse(span, what, "convert `&C::member` itself");
                return None;
            };
            let thunk = self.adjusting(id, derived, (result, &params), distance, span);
            return Some(Expr { kind: ExprKind::Function(thunk), ty: to, span });
        }
        let from = value.ty;
        let held = self.local("".into(), from, span);
        let keep = Stmt { kind: StmtKind::Let(held, Some(Init::Value(value))), span };
        let (bool, long) = (self.program.basic().bool, self.program.basic().long);
        let load = |this: &mut Self| this.loaded(held, from, span);
        let (tested, moved) = (load(self), load(self));
        let null = Box::new(number(0, from, span));
        let test = Expr { kind: ExprKind::Compare(Compare::Equal, Box::new(tested), null), ty: bool, span };
        let cast = Expr { kind: ExprKind::Cast(Box::new(moved)), ty: long, span };
        let by = Box::new(number(distance, long, span));
        let sum = Expr { kind: ExprKind::Binary(Binary::Add, Box::new(cast), by), ty: long, span };
        let sum = Expr { kind: ExprKind::Cast(Box::new(sum)), ty: to, span };
        let kind = ExprKind::Conditional(Box::new(test), Box::new(number(0, to, span)), Box::new(sum));
        let chosen = Expr { kind, ty: to, span };
        Some(Expr { kind: ExprKind::Sequence(vec![keep], Box::new(chosen)), ty: to, span })
    }

    /// Object and pointer of `x.*p`, the object as one of the pointer's class; whether it may be moved from.
    fn member_parts(&mut self, object: &ast::Expr, pointer: &ast::Expr) -> Option<(Place, bool, Expr)> {
        let object = self.expr(object);
        let pointer = self.expr(pointer);
        let span = pointer.span();
        if object.is_error() || pointer.is_error() {
            self.messages.poison(span);
            return None;
        }
        let pointer = self.value(pointer)?;
        let Some((class, ..)) = self.program.member_of(pointer.ty) else {
            let shown = self.program.show(pointer.ty);
            self.messages.error("type", span, format!("a pointer to a member is expected, not `{shown}`"));
            return None;
        };
        let at = object.span();
        let (place, movable) = self.place(object)?;
        let path = match self.program.record_of(place.ty) {
            Some(derived) => self.base_path(derived, class).map(|path| (derived, path)),
            None => None,
        };
        let Some((derived, path)) = path else {
            let (shown, class) = (self.program.show(place.ty), self.program.record_type(class));
            let class = self.program.show(class);
            self.messages.error(
                "type",
                at,
                format!("`{shown}` is not `{class}`, of which this is a pointer to a member"),
            );
            return None;
        };
        self.check_path_access(derived, &path, at);
        Some((self.base_place(place, derived, &path), movable, pointer))
    }

    /// `x.*p`.
    pub(crate) fn member_by_pointer(
        &mut self,
        object: &ast::Expr,
        pointer: &ast::Expr,
        span: Span,
    ) -> Operand {
        if !HOST || self.side.is_device() {
            let help = "name the member, or use an index";
            self.messages.refuse(span, "pointers to members are", help);
            return Operand::Error(span);
        }
        let Some((place, movable, pointer)) = self.member_parts(object, pointer) else {
            return Operand::Error(span);
        };
        let Some((_, of, _)) = self.program.member_of(pointer.ty) else { return Operand::Error(span) };
        if self.program.is_function(of) {
            let help = "write `(object.*function)(…)`, with parentheses before the arguments";
            self.messages.error_help("call", span, "a member function by its pointer must be called", help);
            return Operand::Error(span);
        }
        let ty = self.program.with_qualifiers(of, place.ty.constant, place.ty.volatile);
        let (long, char) = (self.program.basic().long, self.program.basic().char);
        let chars = self.program.pointer(char);
        let address = self.program.address(place);
        let address = Expr { kind: ExprKind::Cast(Box::new(address)), ty: chars, span };
        let value = Expr { kind: ExprKind::Cast(Box::new(pointer)), ty: long, span };
        let one = Box::new(number(1, long, span));
        let by = Expr { kind: ExprKind::Binary(Binary::Subtract, Box::new(value), one), ty: long, span };
        let moved = Expr { kind: ExprKind::Offset(Box::new(address), Box::new(by), false), ty: chars, span };
        let to = self.program.pointer(ty);
        let moved = Expr { kind: ExprKind::Cast(Box::new(moved)), ty: to, span };
        Operand::Place(deref(moved, ty, span), movable)
    }

    /// `(x.*f)(…)`; nothing where the callee is none such.
    pub(crate) fn call_member_pointer(
        &mut self,
        callee: &ast::Expr,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Operand> {
        let Ast::Parentheses(inner) = &callee.kind else { return None };
        let Ast::MemberPointer(object, pointer) = &inner.kind else { return None };
        if !HOST || self.side.is_device() {
            return None;
        }
        let ty = self.type_of_pointer(pointer)?;
        let (class, of, constant) = self.program.member_of(ty)?;
        let (result, params) = self.function_types(of)?;
        let Some((place, _, value)) = self.member_parts(object, pointer) else {
            return Some(Operand::Error(span));
        };
        if place.ty.constant && !constant {
            let message = "this member function may change its object, which is `const`";
            self.messages.error_help("const", span, message, "declare the member function `const`");
            return Some(Operand::Error(span));
        }
        let operands = self.operands(arguments);
        if operands.len() != params.len() {
            let (given, taken) = (operands.len(), params.len());
            let words = if taken == 1 { "argument" } else { "arguments" };
            let message =
                format!("the member function that this points to takes {taken} {words}, not {given}");
            self.messages.error("call", span, message);
            return Some(Operand::Error(span));
        }
        let record = self.program.record_type(class);
        let this = self.program.pointer(record);
        let address = self.program.address(place);
        let mut args = vec![Arg::Value(Expr { ty: this, ..address })];
        for (operand, to) in operands.into_iter().zip(&params) {
            let Some(arg) = self.argument(operand, *to) else { return Some(Operand::Error(span)) };
            args.push(arg);
        }
        let to = self.method_pointer(this, result, &params);
        let function = match value.kind {
            ExprKind::Function(_) => Expr { ty: to, ..value },
            _ => Expr { kind: ExprKind::Cast(Box::new(value)), ty: to, span },
        };
        Some(self.pointer_result(function, Args::from(args), span))
    }

    /// Type of the pointer in `x.*p`.
    fn type_of_pointer(&mut self, pointer: &ast::Expr) -> Option<Type> {
        let (operand, _) = self.tried(|this| this.unevaluated(pointer));
        match operand {
            Operand::Functions(set) => self.only_pointer(&set),
            other => other.ty().map(|ty| self.program.without_reference(ty)),
        }
    }
}
