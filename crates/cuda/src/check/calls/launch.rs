//! Launches in code that the host runs, and the functions that make them.
//!
//! Enters: `kernel<<<grid, block, bytes, stream>>>(arguments)`. Leaves: a call that says the configuration, and then, where that is
//! taken, a call of the kernel's stub, as nvcc has it: a function with the kernel's own parameters, which hands their addresses to the
//! runtime. A kernel's address on the host is that of its stub. This module must never know what a kernel does.

use crate::ast;
use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::expressions::operand::{FunctionSet, Operand, local_place, number};
use crate::check::names::entity::{Entity, ScopeId};
use crate::check::types::kind::plain;
use crate::hir::{
    Compare, Expr, ExprKind, FunctionId, Init, Place, PlaceKind, Stmt, StmtKind, Type, TypeKind,
};
use crate::options::Language;
use crate::source::Span;

/// Says a launch's configuration; gives 0 where it is taken.
const CONFIGURE: &str = "__cudaPushCallConfiguration";
/// Launches the kernel of a stub with the configuration that was said last.
const LAUNCH: &str = "__cudaLaunch";

impl Checker<'_> {
    /// A launch on the host's side.
    pub(crate) fn host_launch_operand(
        &mut self,
        callee: &ast::Expr,
        configuration: &[ast::Expr],
        arguments: &[ast::Expr],
        span: Span,
    ) -> Operand {
        self.launched(callee, configuration, arguments, span).unwrap_or(Operand::Error(span))
    }

    fn launched(
        &mut self,
        callee: &ast::Expr,
        configuration: &[ast::Expr],
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Operand> {
        if self.unit.language != Language::Cuda {
            self.messages.error_help(
                "launch",
                span,
                "kernels are launched in CUDA C++, and this file is compiled as C or C++",
                "give it a name that ends with `.cu`, or add `-x cu`; or call a function of a .cu file that launches the kernel",
            );
            return None;
        }
        let configuration = self.operands(configuration);
        let set = self.runtime_function(CONFIGURE, span)?;
        let taken = match self.call_set(set, configuration, span) {
            Operand::Value(value) => value,
            _ => return None,
        };
        let target = self.expr_callee(callee);
        let operands = self.operands(arguments);
        let stub = match target {
            Operand::Functions(mut set) => {
                let kernels = |this: &Self| {
                    let all = set.decls.iter().copied();
                    all.filter(|decl| this.declarations[*decl].ast.specifiers.global().is_some()).collect()
                };
                let kernels: Vec<_> = kernels(self);
                if kernels.is_empty() {
                    let message = format!("`{}` is not a kernel, so it cannot be launched", set.name);
                    self.messages.error_help(
                        "launch",
                        callee.span,
                        message,
                        "declare it `__global__ void`, or call it without `<<<…>>>`",
                    );
                    return None;
                }
                set.decls = kernels;
                self.stub_call(&set, operands, span)?
            }
            Operand::Error(at) => {
                self.messages.poison(at);
                return None;
            }
            pointer => {
                let value = self.value(pointer)?;
                if self.function_types(value.ty).is_none() {
                    let shown = self.program.show(value.ty);
                    self.messages.error(
                        "launch",
                        callee.span,
                        format!("only a kernel can be launched, and this is a `{shown}`"),
                    );
                    return None;
                }
                match self.call_pointer(value, operands, span) {
                    Operand::Value(call) => call,
                    _ => return None,
                }
            }
        };
        let zero = number(0, taken.ty, span);
        let kind = ExprKind::Compare(Compare::Equal, Box::new(taken), Box::new(zero));
        let condition = Expr { kind, ty: self.program.basic().bool, span };
        let nothing = self.program.void_value(span);
        let ty = self.program.basic().void;
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(stub), Box::new(nothing));
        Some(Operand::Value(Expr { kind, ty, span }))
    }

    fn stub_call(&mut self, set: &FunctionSet, operands: Vec<Operand>, span: Span) -> Option<Expr> {
        match self.resolve(set, &operands, true) {
            Ok(callee @ Callee::Decl(..)) => {
                let (id, args) = self.parts_of(&callee, operands, span)?;
                Some(Expr { kind: ExprKind::Call(id, args), ty: self.program.basic().void, span })
            }
            Ok(_) => None,
            Err(why) => {
                self.tell_no_match(&set.name.clone(), &operands, set.span, why);
                None
            }
        }
    }

    /// A function that the runtime's headers declare.
    pub(crate) fn runtime_function(&mut self, name: &str, span: Span) -> Option<FunctionSet> {
        let before = self.scopes.replace_horizon(u32::MAX);
        let found =
            self.within(ScopeId(0), |this| this.find(name, crate::check::names::find::Want::Any, span));
        self.scopes.replace_horizon(before);
        let Some(Entity::Functions(decls, _)) = found else {
            self.messages.error("launch", span, format!("internal error: there is no `{name}`"));
            return None;
        };
        Some(FunctionSet::of(name, decls, span))
    }

    /// Body of a kernel's stub: an array with the addresses of its parameters, and a call of the runtime.
    pub(crate) fn stub_body(&mut self, id: FunctionId, params: &[Type], span: Span) -> Option<Vec<Stmt>> {
        let mut pointers = vec![];
        let basic = self.program.basic();
        let pointer = self.program.pointer(basic.void);
        let mut ids = vec![];
        for ty in params {
            let local = self.local("".into(), *ty, span);
            ids.push(local);
            let address = self.program.address(local_place(local, *ty, span));
            let cast = Expr { kind: ExprKind::Cast(Box::new(address)), ty: pointer, span };
            pointers.push(Init::Value(cast));
        }
        self.program[id].params = ids;
        let count = pointers.len().max(1) as u64;
        let filler = Some(Box::new(Init::Value(number(0, pointer, span))));
        let list = self.program.ty(TypeKind::Array(pointer, count));
        let local = self.local("".into(), list, span);
        let first = Stmt { kind: StmtKind::Let(local, Some(Init::Elements(pointers, filler))), span };
        let result = self.program[id].result;
        let function = self.program.ty(TypeKind::Function(result, params.to_vec()));
        let handle = self.program.pointer(function);
        let handle = Expr { kind: ExprKind::Function(id), ty: handle, span };
        let handle = Expr { kind: ExprKind::Cast(Box::new(handle)), ty: pointer, span };
        let list = Place { kind: PlaceKind::Local(local), ty: list, span };
        let list = self.program.decay(list);
        let set = self.runtime_function(LAUNCH, span)?;
        let operands = [Operand::Value(handle), Operand::Value(list)];
        let callee = self.resolve(&set, &operands, false).ok()?;
        let (launch, args) = self.parts_of(&callee, operands.into(), span)?;
        let ty = plain(self.program[launch].result);
        let call = Expr { kind: ExprKind::Call(launch, args), ty, span };
        Some(vec![first, Stmt { kind: StmtKind::Expr(call), span }])
    }
}
