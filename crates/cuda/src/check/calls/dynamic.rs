//! Launches in code that the device runs: dynamic parallelism.
//!
//! Enters: `kernel<<<grid, block, bytes, stream>>>(arguments)`. Leaves: calls of the device runtime as the CUDA C++ Programming Guide's
//! appendix "CUDA Dynamic Parallelism" has them: a buffer for the kernel's parameters, of a configuration, is filled and launched; there is
//! none where the launch is not possible, which `cudaGetLastError` then tells. This module must never know what a kernel does.

use crate::ast;
use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::expressions::operand::{FunctionSet, Operand, deref, number};
use crate::check::types::kind::plain;
use crate::hir::{Arg, Expr, ExprKind, FunctionId, Init, LocalId, Place, PlaceKind, Stmt, StmtKind, Type};
use crate::source::Span;

/// Gives a buffer for parameters, of a kernel's address, the sizes of grid and block, and bytes of shared memory.
const BUFFER: &str = "__builtin_launch_buffer";
/// Launches what a buffer is for, in a stream.
const LAUNCH: &str = "__builtin_launch";

impl Checker<'_> {
    /// A launch on the device's side.
    pub(crate) fn device_launch_operand(
        &mut self,
        callee: &ast::Expr,
        configuration: &[ast::Expr],
        arguments: &[ast::Expr],
        span: Span,
    ) -> Operand {
        self.device_launch(callee, configuration, arguments, span).unwrap_or(Operand::Error(span))
    }

    fn device_launch(
        &mut self,
        callee: &ast::Expr,
        configuration: &[ast::Expr],
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Operand> {
        let target = self.expr_callee(callee);
        let configuration = self.operands(configuration);
        let arguments = self.operands(arguments);
        let (kernel, params) = self.launched_kernel(target, &arguments, callee.span)?;
        if arguments.len() < params.len() {
            let message = "a launch from a kernel passes all arguments: defaults are not supported";
            self.messages.error("launch", span, message);
            return None;
        }
        let mut statements = vec![];
        let mut configuration = configuration.into_iter();
        let basic = self.program.basic();
        let (void, uint) = (basic.void, basic.uint);
        let pointer = self.program.pointer(void);
        let mut values = vec![Expr { kind: ExprKind::Function(kernel), ty: pointer, span }];
        for _ in 0..2 {
            let Some(size) = configuration.next() else {
                self.messages.error("launch", span, "a launch needs the sizes of its grid and of its blocks");
                return None;
            };
            values.extend(self.dimensions(size, &mut statements)?);
        }
        let bytes = match configuration.next() {
            Some(bytes) => self.converted(bytes, uint)?,
            None => number(0, uint, span),
        };
        values.push(bytes);
        let stream = match configuration.next() {
            Some(stream) => {
                let value = self.value(stream)?;
                Expr { kind: ExprKind::Cast(Box::new(value)), ty: pointer, span }
            }
            None => number(0, pointer, span),
        };
        let buffer = self.local("".into(), pointer, span);
        let found = self.call_of_runtime(BUFFER, values, span)?;
        statements.push(Stmt { kind: StmtKind::Let(buffer, Some(Init::Value(found))), span });
        let mut inner = vec![];
        self.store_parameters(buffer, &params, arguments, &mut inner, span)?;
        let launch = self.call_of_runtime(LAUNCH, vec![self.loaded(buffer, pointer, span), stream], span)?;
        inner.push(Stmt { kind: StmtKind::Expr(launch), span });
        let there = self.program.truth(self.loaded(buffer, pointer, span));
        statements.push(Stmt { kind: StmtKind::If(there, inner, vec![]), span });
        let nothing = self.program.void_value(span);
        Some(Operand::Value(Expr { kind: ExprKind::Sequence(statements, Box::new(nothing)), ty: void, span }))
    }

    /// The kernel that a name means, for these arguments, and the types of its parameters.
    fn launched_kernel(
        &mut self,
        target: Operand,
        arguments: &[Operand],
        span: Span,
    ) -> Option<(FunctionId, Vec<Type>)> {
        let mut set = match target {
            Operand::Functions(set) => set,
            Operand::Error(at) => {
                self.messages.poison(at);
                return None;
            }
            _ => {
                self.messages.refuse(
                    span,
                    "launches through a pointer in a kernel are",
                    "name the kernel, or branch on a number",
                );
                return None;
            }
        };
        set.decls.retain(|decl| self.declarations[*decl].ast.specifiers.global().is_some());
        if set.decls.is_empty() {
            let message = format!("`{}` is not a kernel, so it cannot be launched", set.name);
            let help = "declare it `__global__ void`, or call it without `<<<…>>>`";
            self.messages.error_help("launch", span, message, help);
            return None;
        }
        match self.resolve(&set, arguments, true) {
            Ok(Callee::Decl(decl, arguments, signature)) => {
                let id = self.instance(decl, &arguments, &signature, span)?;
                self.instances[id].called = true;
                Some((id, signature.params.clone()))
            }
            Ok(_) => None,
            Err(why) => {
                self.tell_no_match(&set.name.clone(), arguments, span, why);
                None
            }
        }
    }

    /// The three sizes that a number or a vector such as `dim3` says.
    fn dimensions(&mut self, size: Operand, statements: &mut Vec<Stmt>) -> Option<[Expr; 3]> {
        let span = size.span();
        let uint = self.program.basic().uint;
        let record = size.ty().and_then(|ty| self.program.record_of(ty));
        let Some(record) = record else {
            let value = self.converted(size, uint)?;
            return Some([value, number(1, uint, span), number(1, uint, span)]);
        };
        let fields = &self.program[record].fields;
        let is_size = |at: usize, name: &str| fields.get(at).is_some_and(|field| &*field.name == name);
        if !(is_size(0, "x") && is_size(1, "y") && is_size(2, "z")) {
            let shown = size.ty().map(|ty| self.program.show(plain(ty))).unwrap_or_default();
            let message = format!("a launch's size is a number or a `dim3`, not `{shown}`");
            self.messages.error("launch", span, message);
            return None;
        }
        let types: Vec<Type> = fields.iter().take(3).map(|field| field.ty).collect();
        let place = match size {
            Operand::Place(place, _) => place,
            Operand::Init(init, ty, span) => self.materialise(init, ty, span),
            _ => return None,
        };
        let ty = place.ty;
        let (keep, address) = self.kept_address(place);
        statements.push(keep);
        let mut field = |at: u32| {
            let kind = PlaceKind::Field(Box::new(deref(address.clone(), ty, span)), at);
            let held = types.get(at as usize).copied()?;
            let load = ExprKind::Load(Box::new(Place { kind, ty: held, span }));
            self.convert_scalar(Expr { kind: load, ty: plain(held), span }, uint)
        };
        Some([field(0)?, field(1)?, field(2)?])
    }

    /// Statements that put arguments where the kernel expects its parameters: one after the other, each aligned.
    fn store_parameters(
        &mut self,
        buffer: LocalId,
        params: &[Type],
        arguments: Vec<Operand>,
        statements: &mut Vec<Stmt>,
        span: Span,
    ) -> Option<()> {
        let (char, long) = (self.program.basic().char, self.program.basic().long);
        let (chars, void) = (self.program.pointer(char), self.program.basic().void);
        let any = self.program.pointer(void);
        let mut end = 0_u64;
        for (ty, argument) in params.iter().zip(arguments) {
            let held = self.held(*ty);
            let (size, align) = self.program.layout(held);
            let at = end.next_multiple_of(u64::from(align.max(1)));
            end = at + size;
            let init = match self.argument(argument, *ty)? {
                Arg::Value(value) => Init::Value(value),
                Arg::Init(init) => init,
            };
            let base = Box::new(self.loaded(buffer, any, span));
            let base = Expr { kind: ExprKind::Cast(base), ty: chars, span };
            let by = number(i128::from(at), long, span);
            let moved = Expr { kind: ExprKind::Offset(Box::new(base), Box::new(by), false), ty: chars, span };
            let pointer = self.program.pointer(held);
            let address = Expr { kind: ExprKind::Cast(Box::new(moved)), ty: pointer, span };
            statements.push(Stmt { kind: StmtKind::Fill(deref(address, held, span), init), span });
        }
        Some(())
    }

    /// Call of a function of the device runtime.
    fn call_of_runtime(&mut self, name: &str, values: Vec<Expr>, span: Span) -> Option<Expr> {
        let set = FunctionSet { builtin: true, ..FunctionSet::of(name, vec![], span) };
        match self.call_set(set, values.into_iter().map(Operand::Value).collect(), span) {
            Operand::Value(value) => Some(value),
            _ => None,
        }
    }
}
