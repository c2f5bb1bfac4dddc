//! Calls, `printf` and failed assertions.

use crate::builtin;
use crate::evaluate::Scalar;
use crate::hir::{Arg, Args, Expr, ExprKind, FunctionId, TypeKind, VariableId};
use crate::ir::{self, Op, Space, Type, Value};

use super::address::Address;
use super::function::Body;
use super::memory_type;

impl<'a> Body<'a, '_> {
    /// Calls a function: `this` is the memory that a constructor fills, `result` that which a record is returned to.
    pub(super) fn call(
        &mut self,
        id: FunctionId,
        args: &'a Args,
        this: Option<Address>,
        result: Option<Address>,
    ) -> Value {
        let Some(function) = self.program.functions.get(id.index()) else {
            self.shared.refuse(self.here, "a call of a function that is not defined");
            return self.undefined(Type::I32);
        };
        let returns = self.scalar(function.result);
        let mut values = vec![];
        if returns.is_none() {
            let to = match result {
                Some(to) => to,
                None => self.temporary(function.result),
            };
            values.push(self.generic(to.pointer));
        }
        let mut params = function.params.iter();
        if let Some(this) = this {
            values.push(self.generic(this.pointer));
            params.next();
        }
        let wanted: Vec<_> =
            params.map(|param| function.locals.get(param.index()).map(|local| local.ty)).collect();
        let mut given = self.arguments(args, &wanted);
        let others = given.split_off(given.len().min(wanted.len()));
        values.append(&mut given);
        let fits = function.variadic.is_some() || others.is_empty();
        if !fits || values.len() != function.params.len() + usize::from(returns.is_none()) {
            self.shared.refuse(self.here, "a call with a different number of arguments than parameters");
            return self.undefined(Type::I32);
        }
        if function.variadic.is_some() {
            values.push(self.cells(others));
        }
        let op = Op::Call(ir::FunctionId(id.0));
        let result = self.called(op, values, returns);
        if self.shared.throws.function(id) {
            self.check_thrown();
        }
        result
    }

    /// Result of a call that is ready to be made.
    fn called(&mut self, op: Op, values: Vec<Value>, returns: Option<Scalar>) -> Value {
        match returns {
            None | Some(Scalar::Void) => {
                self.push(op, values, &[]);
                self.undefined(Type::I32)
            }
            Some(kind) => {
                let value = self.one(op, values, memory_type(kind));
                self.loaded(value, kind)
            }
        }
    }

    /// Calls the function that a pointer leads to: its type says of which types the arguments and the result are.
    pub(super) fn call_pointer(
        &mut self,
        pointer: &'a Expr,
        args: &'a Args,
        result: Option<Address>,
    ) -> Value {
        if let ExprKind::Function(id) = pointer.kind {
            return self.call(id, args, None, result);
        }
        let types = self.pointee(pointer.ty).map(|of| self.program.types.kind(of));
        let Some(TypeKind::Function(returned, params)) = types else {
            self.shared.refuse(self.here, "a call of something that is not a function");
            return self.undefined(Type::I32);
        };
        let returns = self.scalar(*returned);
        let mut values = vec![self.value(pointer)];
        if returns.is_none() {
            let to = match result {
                Some(to) => to,
                None => self.temporary(*returned),
            };
            values.push(self.generic(to.pointer));
        }
        let wanted: Vec<_> = params.iter().copied().map(Some).collect();
        values.append(&mut self.arguments(args, &wanted));
        let result = self.called(Op::CallIndirect, values, returns);
        if self.shared.throws.pointers {
            self.check_thrown();
        }
        result
    }

    /// Address of a function.
    pub(super) fn function_address(&mut self, id: FunctionId) -> Value {
        self.one(Op::Function(ir::FunctionId(id.0)), vec![], Type::Ptr(Space::Generic))
    }

    /// Address of the arguments of `...`: cells of 8 bytes, in each of which a value begins.
    fn cells(&mut self, values: Vec<Value>) -> Value {
        if values.is_empty() {
            return self.constant(Type::Ptr(Space::Generic), 0);
        }
        let slot = self.slot(self.source.result, 8 * values.len() as u64, 8);
        for (at, value) in values.into_iter().enumerate() {
            let to = self.offset(slot, 8 * at as u64, self.source.result);
            self.store_memory(Address { align: 8, ..to }, value);
        }
        self.generic(slot.pointer)
    }

    /// Values of arguments, evaluated in their own order; the types that they are to be are given, as far as there are parameters.
    fn arguments(&mut self, args: &'a Args, wanted: &[Option<crate::hir::Type>]) -> Vec<Value> {
        let mut values = vec![None; args.len()];
        for at in args.evaluated() {
            values[at] = args.get(at).map(|arg| self.argument(arg, wanted.get(at).copied().flatten()));
        }
        values.into_iter().flatten().collect()
    }

    fn argument(&mut self, arg: &'a Arg, wanted: Option<crate::hir::Type>) -> Value {
        match arg {
            Arg::Value(expr) => {
                let value = self.value(expr);
                let kind = self.scalar(expr.ty).unwrap_or(Scalar::Void);
                let wanted = wanted.and_then(|ty| self.scalar(ty)).unwrap_or(kind);
                let value = self.convert(value, kind, wanted);
                self.stored(value, wanted)
            }
            Arg::Init(init) => match wanted {
                Some(ty) => {
                    let copy = self.temporary(ty);
                    self.fill(copy, init);
                    self.generic(copy.pointer)
                }
                None => {
                    self.shared.refuse(self.here, "an argument that is not a scalar");
                    self.undefined(Type::Ptr(Space::Generic))
                }
            },
        }
    }

    /// Generic address of a string literal.
    fn text(&mut self, id: VariableId) -> Value {
        let Some(variable) = self.program.variables.get(id.index()) else {
            return self.constant(Type::Ptr(Space::Generic), 0);
        };
        let address = self.variable(id, variable.ty);
        self.generic(address.pointer)
    }

    /// `printf`: the arguments lie in memory one after another, each at a multiple of its size.
    pub(super) fn printf(&mut self, format: VariableId, args: &'a [Expr]) -> Value {
        let mut values = vec![];
        let mut size = 0u64;
        for arg in args {
            let value = self.value(arg);
            let kind = self.scalar(arg.ty).unwrap_or(Scalar::Void);
            let promoted = match kind {
                Scalar::Bool => Scalar::Integer { bits: 32, signed: true },
                Scalar::Integer { bits, signed } if bits < 32 => Scalar::Integer { bits: 32, signed },
                Scalar::Float => Scalar::Double,
                Scalar::Void | Scalar::Integer { .. } | Scalar::Double | Scalar::Pointer => kind,
            };
            let value = self.convert(value, kind, promoted);
            let bytes = u64::from(promoted.bytes().max(4));
            size = size.next_multiple_of(bytes);
            values.push((size, bytes, value));
            size += bytes;
        }
        let buffer = if values.is_empty() {
            self.constant(Type::Ptr(Space::Generic), 0)
        } else {
            let ty = args.first().map_or(self.source.result, |arg| arg.ty);
            let slot = self.slot(ty, size.next_multiple_of(8), 8);
            for (offset, bytes, value) in values {
                let to = self.offset(slot, offset, ty);
                self.store_memory(Address { align: bytes as u32, ..to }, value);
            }
            self.generic(slot.pointer)
        };
        let format = self.text(format);
        self.runtime("vprintf", vec![format, buffer], Some(Type::I32))
    }

    /// `__assertfail(message, file, line, function, bytes of a character)`.
    pub(super) fn assert_fail(&mut self, texts: [VariableId; 3], line: u32) -> Value {
        let [message, file, function] = texts.map(|id| self.text(id));
        let line = self.constant(Type::I32, u64::from(line));
        let size = self.long(1);
        self.runtime("__assertfail", vec![message, file, line, function, size], None);
        self.end(ir::Terminator::Unreachable);
        self.undefined(Type::I32)
    }

    /// Call of a function of the driver.
    fn runtime(&mut self, name: &str, args: Vec<Value>, result: Option<Type>) -> Value {
        let Some(row) = builtin::overloads(name).next() else {
            self.shared.refuse(self.here, "an unknown function of the driver");
            return self.undefined(Type::I32);
        };
        match result {
            Some(ty) => self.one(Op::Builtin(row, 0), args, ty),
            None => {
                self.push(Op::Builtin(row, 0), args, &[]);
                self.undefined(Type::I32)
            }
        }
    }
}
