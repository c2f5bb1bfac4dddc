//! Calls.
//!
//! Enters: calls of functions by name or address. Leaves: their code, with the results on the stack. Addresses of functions are
//! numbers of WebAssembly's table; that one has a function of the right type there is checked before, for the place of the call.

use super::site::{Fault, Given};
use super::trees::{Base, fixed};
use super::types::Signature;
use super::writer::{CALL_SITE, Writer};
use crate::ir::{DebugLocation, Def, Function, FunctionId, Inst, Op, Type, Value};
use crate::source::Span;
use wasm_encoder::{BlockType, InstructionSink, MemArg, MemArgTarget};

/// An instruction that a function of the C library is.
type Single = for<'a, 'b> fn(&'a mut InstructionSink<'b>) -> &'a mut InstructionSink<'b>;

/// Functions that are one instruction each, by their names for `double`, with the instructions for that and for `float`. None of
/// them sets `errno` here.
const SINGLE: &[(&str, Single, Single)] = &[
    ("fabs", |to| to.f64_abs(), |to| to.f32_abs()),
    ("sqrt", |to| to.f64_sqrt(), |to| to.f32_sqrt()),
    ("floor", |to| to.f64_floor(), |to| to.f32_floor()),
    ("ceil", |to| to.f64_ceil(), |to| to.f32_ceil()),
    ("trunc", |to| to.f64_trunc(), |to| to.f32_trunc()),
    ("rint", |to| to.f64_nearest(), |to| to.f32_nearest()),
    ("nearbyint", |to| to.f64_nearest(), |to| to.f32_nearest()),
    ("copysign", |to| to.f64_copysign(), |to| to.f32_copysign()),
];

/// The instruction that an external function is.
fn single(function: &Function) -> Option<Single> {
    let of = |name: &str| SINGLE.iter().find(|(one, ..)| *one == name);
    let (ty, instruction) = match (of(&function.name), function.name.strip_suffix('f').and_then(of)) {
        (Some((_, of_double, _)), _) => (Type::F64, *of_double),
        (None, Some((.., of_float))) => (Type::F32, *of_float),
        (None, None) => return None,
    };
    let params = if function.name.starts_with("copysign") { 2 } else { 1 };
    let expected = Signature::new(std::iter::repeat_n(ty, params), [ty].into_iter());
    (function.external && Signature::of(function) == expected).then_some(instruction)
}

impl Writer<'_> {
    /// Calls a function.
    pub(super) fn call(&mut self, inst: Inst, callee: FunctionId) {
        let function = self.function;
        self.call_with(inst, callee, &function.insts[inst.index()].args);
    }

    fn call_with(&mut self, inst: Inst, callee: FunctionId, args: &[Value]) {
        args.iter().for_each(|arg| self.value(*arg));
        if let Some(instruction) = self.unit.module.functions.get(callee.index()).and_then(single) {
            instruction(&mut self.sink());
            return;
        }
        self.note_call(inst, callee, args);
        self.hand_count();
        match self.unit.functions.get(callee.index()).copied().flatten() {
            Some(number) => {
                self.sink().call(number);
            }
            None => self.refuse(inst, || "a call of a function that is not there".to_owned()),
        }
    }

    /// Notes where the source calls a function of the library. What the library itself calls is on behalf of that.
    fn note_call(&mut self, inst: Inst, callee: FunctionId, args: &[Value]) {
        let Some(called) = self.unit.module.functions.get(callee.index()) else { return };
        if !called.external && (self.unit.written)(called.span) {
            return;
        }
        let external = called.external;
        let Some(call) = self.note_place(inst).filter(|_| external) else { return };
        for (argument, value) in args.iter().enumerate() {
            if let Some((Base::Slot(slot), at)) = fixed(self.function, *value)
                && let Some(bytes) = self.slot_size(slot).checked_sub(at.unsigned_abs())
                && at >= 0
            {
                self.shared.given.push(Given { call, argument, bytes });
            }
        }
    }

    /// Notes where the source has a call, if it is there; its number.
    fn note_place(&mut self, inst: Inst) -> Option<u32> {
        let (function, written) = (self.function, self.unit.written);
        let span = user_place(function, function.insts[inst.index()].place, written)?;
        if self.shared.calls.last() != Some(&span) {
            self.shared.calls.push(span);
        }
        let number = self.shared.calls.len() as u32;
        self.sink().i32_const(number.cast_signed()).global_set(CALL_SITE);
        Some(number)
    }

    /// The function that an address is of, where code says so.
    fn known_function(&self, address: Value) -> Option<FunctionId> {
        let Def::Result(inst, _) = self.function.values[address.index()].def else { return None };
        match self.function.insts[inst.index()].op {
            Op::Function(id) => Some(id),
            _ => None,
        }
    }

    /// Calls the function at an address.
    pub(super) fn call_indirect(&mut self, inst: Inst) {
        let function = self.function;
        let data = &function.insts[inst.index()];
        let Some((address, args)) = data.args.split_first() else { return };
        let types = |values: &[Value]| -> Vec<_> { values.iter().map(|value| function.ty(*value)).collect() };
        let signature = Signature::new(types(args).into_iter(), types(&data.results).into_iter());
        if let Some(callee) = self.known_function(*address)
            && Signature::of(&self.unit.module.functions[callee.index()]) == signature
        {
            return self.call_with(inst, callee, args);
        }
        let ty = self.shared.types.number(signature);
        let (count, signatures) = (self.unit.layout.table.len() as i64 + 1, self.unit.layout.signatures);
        let address = self.twice(*address);
        self.sink().block(BlockType::Empty).block(BlockType::Empty);
        self.push(address);
        self.sink().i64_const(count).i64_ge_u().br_if(0);
        self.push(address);
        let number = MemArg { offset: signatures, align: 2, target: MemArgTarget::Memory(0), ordering: None };
        self.sink().i32_wrap_i64().i32_const(2).i32_shl().i32_load(number);
        self.sink().i32_const(ty as i32 + 1).i32_eq().br_if(1).end();
        self.fault(Fault::Call, data.place, |this| this.push(address));
        self.sink().end();
        // It may be a function of the library: a `cudaFree` that a pointer calls at its end.
        self.note_place(inst);
        args.iter().for_each(|arg| self.value(*arg));
        self.hand_count();
        self.push(address);
        self.sink().i32_wrap_i64().call_indirect(0, ty);
        self.done(address);
    }
}

/// Where the source has what is at a place: of what was inlined from the library, the call.
pub(crate) fn user_place(
    function: &Function,
    place: DebugLocation,
    written: &dyn Fn(Span) -> bool,
) -> Option<Span> {
    let mut at = place;
    while !written(at.span) {
        let outer = (at.inlined as usize).checked_sub(1)?;
        at = function.inlined.get(outer)?.call;
    }
    Some(at.span)
}
