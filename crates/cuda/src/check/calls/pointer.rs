//! Pointers to functions: names of functions as values, and calls through pointers.
//!
//! Enters: names of functions and what they are used as; pointers and the operands of a call. Leaves: addresses, and calls. A
//! reference to a function is a pointer to it here, as `*f` is: nothing can be done with a function but to call it. This module
//! must never know how a call by name finds its function.

use std::rc::Rc;

use crate::ast;
use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::expressions::operand::{FunctionSet, Operand, deref, local_place};
use crate::check::names::entity::{Argument, DeclId, Signature};
use crate::check::types::kind::plain;
use crate::hir::{
    Arg, Args, Expr, ExprKind, Function, FunctionId, Init, LocalId, Stmt, StmtKind, Type, TypeKind,
};
use crate::source::Span;

/// What a call of nothing but its types is: the result, and the parameters.
type Types = (Type, Vec<Type>);

impl Checker<'_> {
    /// Types of the function that a pointer or reference of a type leads to.
    pub(crate) fn function_types(&self, ty: Type) -> Option<Types> {
        let of = self.program.pointee(ty).or(self.program.referred(ty).map(|(to, _)| to)).unwrap_or(ty);
        match self.program.kind_of(of) {
            TypeKind::Function(result, params) => Some((*result, params.clone())),
            _ => None,
        }
    }

    /// The function of a set that has these types, where its address can be taken.
    pub(crate) fn function_of_types(
        &mut self,
        set: &FunctionSet,
        (result, params): &Types,
    ) -> Option<Callee> {
        let fits = |signature: &Signature| {
            signature.result.is_none_or(|one| one == *result)
                && signature.params.len() == params.len()
                && signature.params.iter().zip(params).all(|(a, b)| plain(*a) == plain(*b))
        };
        let (plains, templates): (Vec<DeclId>, Vec<DeclId>) =
            self.canonical(&set.decls).into_iter().partition(|decl| !self.has_template(*decl));
        for decl in plains {
            if let Some(signature) = self.signature_if_known(decl).filter(|one| fits(one)) {
                return Some(Callee::Decl(decl, vec![], signature));
            }
        }
        // Of a template the instance that takes values of these types.
        let operands: Vec<Operand> = params.iter().map(|ty| self.program.stand_in(*ty, set.span)).collect();
        let templates = FunctionSet { decls: templates, by_arguments: false, ..set.clone() };
        match self.resolve(&templates, &operands, false) {
            Ok(Callee::Decl(decl, arguments, signature)) if fits(&signature) => {
                Some(Callee::Decl(decl, arguments, signature))
            }
            _ => None,
        }
    }

    /// Whether a function's name can be a pointer of a type.
    pub(crate) fn is_function_of(&mut self, set: &FunctionSet, to: Type) -> bool {
        if set.object.is_some() {
            return false;
        }
        if self.program.member_of(to).is_some() {
            let (found, errors) = self.tried(|this| this.method_address(set, to).is_some());
            return found && errors.is_empty();
        }
        let Some(types) = self.function_types(to) else { return false };
        let (found, _) = self.tried(|this| this.function_of_types(set, &types).is_some());
        found
    }

    /// Address of the function of a set that a pointer of a type leads to.
    pub(crate) fn function_address(&mut self, set: &FunctionSet, to: Type) -> Option<Expr> {
        if self.program.member_of(to).is_some() {
            return self.method_address(set, to);
        }
        let types = self.function_types(to)?;
        let callee = self.function_of_types(set, &types)?;
        self.address_of_callee(&callee, set.span)
    }

    /// Instance of a template among a set that a pointer of a type leads to.
    pub(crate) fn instance_of_types(
        &mut self,
        set: &FunctionSet,
        to: Type,
    ) -> Option<(DeclId, Vec<Argument>)> {
        let types = self.function_types(to)?;
        match self.function_of_types(set, &types)? {
            Callee::Decl(decl, arguments, _) if !arguments.is_empty() => Some((decl, arguments)),
            _ => None,
        }
    }

    /// Address of an instance of a template.
    pub(crate) fn instance_address(
        &mut self,
        decl: DeclId,
        arguments: &[Argument],
        span: Span,
    ) -> Option<Expr> {
        let signature = self.signature(decl, arguments)?;
        let id = self.instance(decl, arguments, &signature, span)?;
        self.instances[id].called = true;
        let function = self.program.ty(TypeKind::Function(signature.result?, signature.params.clone()));
        let ty = self.program.pointer(function);
        Some(Expr { kind: ExprKind::Function(id), ty, span })
    }

    pub(crate) fn address_of_callee(&mut self, callee: &Callee, span: Span) -> Option<Expr> {
        let Callee::Decl(decl, arguments, signature) = callee else { return None };
        let id = self.instance(*decl, arguments, signature, span)?;
        self.frame.note_call(id, span, &mut self.instances);
        let result = match signature.result {
            Some(result) => result,
            None => {
                self.find_result(id, span)?;
                self.program[id].result
            }
        };
        if let Some(ty) = self.method_type(*decl, result, &signature.params) {
            return self.method_value(callee, id, ty, span);
        }
        let function = self.program.ty(TypeKind::Function(result, signature.params.clone()));
        let ty = self.program.pointer(function);
        Some(Expr { kind: ExprKind::Function(id), ty, span })
    }

    /// The only function that a name means.
    fn only_callee(&mut self, set: &FunctionSet) -> Option<(DeclId, Vec<Argument>, Rc<Signature>)> {
        if set.object.is_some() {
            return None;
        }
        let decls = self.canonical(&set.decls);
        let [decl] = *decls.as_slice() else { return None };
        let arguments = match self.has_template(decl) {
            true => self.deduce_function(decl, &set.arguments, &[]).ok()?,
            false => vec![],
        };
        let signature = self.signature(decl, &arguments)?;
        Some((decl, arguments, signature))
    }

    /// Address of the only function that a name means.
    pub(crate) fn only_function(&mut self, set: &FunctionSet) -> Option<Expr> {
        let (decl, arguments, signature) = self.only_callee(set)?;
        self.address_of_callee(&Callee::Decl(decl, arguments, signature), set.span)
    }

    /// Type of that address, where the function says what it returns.
    pub(crate) fn only_pointer(&mut self, set: &FunctionSet) -> Option<Type> {
        let (decl, _, signature) = self.only_callee(set)?;
        if let Some(ty) = self.method_type(decl, signature.result?, &signature.params) {
            return Some(ty);
        }
        let function = self.program.ty(TypeKind::Function(signature.result?, signature.params.clone()));
        Some(self.program.pointer(function))
    }

    /// Call through a pointer to a function.
    pub(crate) fn call_pointer(&mut self, pointer: Expr, operands: Vec<Operand>, span: Span) -> Operand {
        let Some((_, params)) = self.function_types(pointer.ty) else { return Operand::Error(span) };
        if operands.len() != params.len() {
            let (given, taken) = (operands.len(), params.len());
            let arguments = if taken == 1 { "argument" } else { "arguments" };
            self.messages.error(
                "call",
                span,
                format!("the function that this pointer points to takes {taken} {arguments}, not {given}"),
            );
            return Operand::Error(span);
        }
        let mut args = vec![];
        for (operand, to) in operands.into_iter().zip(params) {
            let Some(arg) = self.argument(operand, to) else { return Operand::Error(span) };
            args.push(arg);
        }
        let mut args = Args::from(args);
        if self.side.is_host() {
            args.first = 0;
        }
        self.pointer_result(pointer, args, span)
    }

    /// What a call through a pointer with these arguments gives.
    pub(crate) fn pointer_result(&mut self, pointer: Expr, args: Args, span: Span) -> Operand {
        let Some((result, _)) = self.function_types(pointer.ty) else { return Operand::Error(span) };
        if let Some((to, rvalue)) = self.program.referred(result) {
            let ty = self.program.pointer(to);
            let call = Expr { kind: ExprKind::CallPointer(Box::new(pointer), args), ty, span };
            return Operand::Place(deref(call, to, span), rvalue);
        }
        if self.program.record_of(result).is_some() {
            return match self.require_complete(result, span) {
                true => Operand::Init(Init::CallPointer(Box::new(pointer), args), plain(result), span),
                false => Operand::Error(span),
            };
        }
        let kind = ExprKind::CallPointer(Box::new(pointer), args);
        Operand::Value(Expr { kind, ty: plain(result), span })
    }

    /// Whether a lambda without captures can be a pointer of a type.
    pub(crate) fn lambda_converts(&mut self, operand: &Operand, to: Type) -> bool {
        let (found, errors) = self.tried(|this| this.lambda_address(operand, to).is_some());
        found && errors.is_empty()
    }

    /// Address of a function that does what a lambda without captures does.
    pub(crate) fn lambda_address(&mut self, operand: &Operand, to: Type) -> Option<Expr> {
        let span = operand.span();
        let record = operand.ty().and_then(|ty| self.program.record_of(ty))?;
        if self.classes[record].closure.is_none() || !self.program[record].fields.is_empty() {
            return None;
        }
        let (result, params) = self.function_types(to)?;
        let Some(crate::check::names::entity::Entity::Functions(decls, false)) =
            self.find_member(record, "operator()", crate::check::names::find::Want::Any)
        else {
            return None;
        };
        let operands: Vec<Operand> = params.iter().map(|ty| self.program.stand_in(*ty, span)).collect();
        let set = FunctionSet {
            object: Some(Box::new(operand.clone())),
            ..FunctionSet::of("operator()", decls, span)
        };
        let Ok(callee @ Callee::Decl(..)) = self.resolve(&set, &operands, false) else { return None };
        let Callee::Decl(decl, arguments, signature) = &callee else { return None };
        let id = self.instance(*decl, arguments, signature, span)?;
        if signature.result.is_none() {
            self.find_result(id, span)?;
        }
        if self.program[id].result != result {
            return None;
        }
        let thunk = self.thunk(id, record, (result, params), span);
        let function = self.program.pointee(to)?;
        let ty = self.program.pointer(function);
        Some(Expr { kind: ExprKind::Function(thunk), ty, span })
    }

    /// Function that calls the operator of a closure without captures with its own arguments.
    fn thunk(
        &mut self,
        id: FunctionId,
        record: crate::hir::RecordId,
        (result, params): Types,
        span: Span,
    ) -> FunctionId {
        let symbol = format!("{}$invoke", self.program[id].symbol);
        if let Some(at) = self.program.functions().iter().position(|one| one.symbol == symbol) {
            return FunctionId(at as u32);
        }
        let closure = self.program.record_type(record);
        let mut locals = vec![];
        let mut local = |name: &str, ty: Type, align: u32| {
            let (restrict, grid_constant) = (false, false);
            locals.push(crate::hir::Local { name: name.into(), ty, align, restrict, grid_constant, span });
            LocalId(locals.len() as u32 - 1)
        };
        let mut ids = vec![];
        for ty in &params {
            ids.push(local("", *ty, self.program.layout(*ty).1));
        }
        let object = local("", closure, 1);
        let mut args = vec![Arg::Value(self.program.address(local_place(object, closure, span)))];
        for (one, ty) in ids.iter().zip(&params) {
            let holder = match self.program.referred(*ty) {
                Some((to, _)) => self.program.pointer(to),
                None => *ty,
            };
            let place = local_place(*one, holder, span);
            args.push(match self.program.record_of(holder) {
                Some(_) => Arg::Init(Init::Copy(Box::new(place))),
                None => Arg::Value(Expr { kind: ExprKind::Load(Box::new(place)), ty: plain(holder), span }),
            });
        }
        let body = vec![self.returned_call(id, args.into(), result, span)];
        let own = self.program[id].clone();
        let linkage = crate::ir::Linkage::Internal;
        let function = Function {
            symbol,
            result,
            params: ids,
            locals,
            body,
            external: false,
            linkage,
            unwound: vec![],
            ..own
        };
        self.add_made(function, id)
    }

    /// Statement that calls a function and returns what it returns.
    pub(crate) fn returned_call(&mut self, id: FunctionId, args: Args, result: Type, span: Span) -> Stmt {
        let kind = match (self.program.record_of(result), self.program.is_void(result)) {
            (Some(_), _) => StmtKind::ReturnInit(Init::Call(id, args)),
            (None, true) => StmtKind::Expr(Expr { kind: ExprKind::Call(id, args), ty: result, span }),
            (None, false) => {
                let ty = self.held(result);
                StmtKind::Return(Some(Expr { kind: ExprKind::Call(id, args), ty, span }))
            }
        };
        Stmt { kind, span }
    }

    /// Adds a function whose body the checker itself has made, next to one that was declared.
    pub(crate) fn add_made(&mut self, function: Function, beside: FunctionId) -> FunctionId {
        let id = self.program.next_function();
        self.program.add_function(function);
        let mut instance = self.instances[beside].clone();
        instance.progress = crate::check::names::entity::Progress::Done;
        self.instances.add(instance);
        id
    }

    /// Pointer to a function that an operand is, for a call.
    pub(crate) fn called_pointer(&mut self, callee: &Operand) -> bool {
        callee.ty().is_some_and(|ty| self.program.is_function_pointer(ty) || self.program.is_function(ty))
    }

    /// Whether an expression is `&f` or `*f` of a function's name.
    pub(crate) fn is_function_name(&self, operator: ast::UnaryOperator, operand: &Operand) -> bool {
        use ast::UnaryOperator::{Address, Dereference};
        matches!(operator, Address | Dereference)
            && matches!(operand, Operand::Functions(set) if set.object.is_none())
    }
}
