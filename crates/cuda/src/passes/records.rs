//! Records that calls pass and return by their parts.
//!
//! Enters: all functions of a module, with the calls that stay; a record is passed by the address of a copy, and returned to an
//! address that the caller gives. Leaves: each scalar of it as an argument or a result of its own, so that neither the caller's
//! copy nor the callee's needs to lie in memory. As NVRTC's code does. What is called through its address, or from elsewhere, is
//! called as it was lowered.
//!
//! Counter: `local_load_requests`. Of `scale` in passes.cu NVRTC's code has 0, ours without the pass 9.

use crate::ir::{
    Access, Block, Convert, DebugLocation, Def, Function, Inst, InstData, Op, Param, Record, Space,
    Terminator, Type, Value,
};

/// How a function is called: the records among its parameters by their numbers, and that which it returns.
#[derive(Default)]
struct Signature {
    params: Vec<(usize, Record)>,
    returned: Option<Record>,
}

/// Passes and returns all records that may be by their parts.
pub(crate) fn run(functions: &mut [Function], as_lowered: &[bool]) {
    let keep = |(function, keep): (&mut Function, &bool)| {
        if *keep { Signature::default() } else { take_apart(function) }
    };
    let signatures: Vec<Signature> = functions.iter_mut().zip(as_lowered).map(keep).collect();
    if signatures.iter().all(|one| one.params.is_empty() && one.returned.is_none()) {
        return;
    }
    for function in functions {
        for block in 0..function.blocks.len() {
            let insts = std::mem::take(&mut function.blocks[block].insts);
            let mut out = Vec::with_capacity(insts.len());
            for inst in insts {
                match function.insts[inst.index()].op {
                    Op::Call(callee) => call(function, inst, &signatures[callee.index()], &mut out),
                    _ => out.push(inst),
                }
            }
            function.blocks[block].insts = out;
        }
    }
}

/// Makes parameters and results of the parts of a function's records; inside, each record is memory of the thread, which later
/// passes make values of.
fn take_apart(function: &mut Function) -> Signature {
    let mut signature = Signature::default();
    super::resolve_operands(function);
    let place = DebugLocation { span: function.span, inlined: 0 };
    let (mut entry, mut values) = (vec![], vec![]);
    if let Some(record) = function.record.clone() {
        let result = function.params.remove(0).value;
        let memory = memory(function, &record, place, &mut entry);
        function.replace(result, memory);
        function.results = record.parts.iter().map(|(_, ty)| *ty).collect();
        for block in 0..function.blocks.len() {
            if let Terminator::Return(_) = function.blocks[block].end {
                let place = function.blocks[block].end_place;
                let mut out = std::mem::take(&mut function.blocks[block].insts);
                let parts = load(function, memory, &record, place, &mut out);
                function.blocks[block].insts = out;
                function.blocks[block].end = Terminator::Return(parts);
            }
        }
        signature.returned = Some(record);
    }
    let first = usize::from(signature.returned.is_some());
    for (number, param) in std::mem::take(&mut function.params).into_iter().enumerate() {
        let Some(record) = param.record.clone() else {
            values.push(param.value);
            function.params.push(param);
            continue;
        };
        let memory = memory(function, &record, place, &mut entry);
        function.replace(param.value, memory);
        for (offset, ty) in &record.parts {
            let value = function.value(*ty, Def::Undefined);
            let to = function.offset(memory, *offset, place, &mut entry);
            entry.push(function.inst(Op::Store(access(&record, *offset)), [to, value], &[], place));
            values.push(value);
            function.params.push(Param { value, record: None, ..param.clone() });
        }
        signature.params.push((number + first, record));
    }
    for (number, value) in values.iter().enumerate() {
        function.values[value.index()].def = Def::Param(Block(0), number as u32);
    }
    if let Some(block) = function.blocks.first_mut() {
        block.params = values;
        block.insts.splice(0..0, entry);
    }
    super::resolve_operands(function);
    signature
}

/// Passes the parts of what a call's arguments lead to, and stores those that come back.
fn call(function: &mut Function, inst: Inst, signature: &Signature, out: &mut Vec<Inst>) {
    let InstData { op, args, place, .. } = function.insts[inst.index()].clone();
    if signature.params.is_empty() && signature.returned.is_none() {
        return out.push(inst);
    }
    let skipped = usize::from(signature.returned.is_some());
    let mut given = vec![];
    for (number, arg) in args.iter().enumerate().skip(skipped) {
        match signature.params.iter().find(|(one, _)| *one == number) {
            Some((_, record)) => given.extend(load(function, *arg, record, place, out)),
            None => given.push(*arg),
        }
    }
    let Some(record) = &signature.returned else {
        function.insts[inst.index()].args = given.into();
        return out.push(inst);
    };
    let types: Vec<Type> = record.parts.iter().map(|(_, ty)| *ty).collect();
    let call = function.inst(op, given, &types, place);
    out.push(call);
    let results = function.insts[call.index()].results.to_vec();
    for ((offset, _), value) in record.parts.iter().zip(results) {
        let to = function.offset(args[0], *offset, place, out);
        out.push(function.inst(Op::Store(access(record, *offset)), [to, value], &[], place));
    }
}

/// Generic address of new memory for a record.
fn memory(function: &mut Function, record: &Record, place: DebugLocation, out: &mut Vec<Inst>) -> Value {
    let op = Op::Slot { size: record.size, align: record.align };
    let slot = function.inst(op, [], &[Type::Ptr(Space::Local)], place);
    let address = function.insts[slot.index()].results[0];
    let generic = function.inst(Op::Convert(Convert::Space), [address], &[Type::Ptr(Space::Generic)], place);
    out.extend([slot, generic]);
    function.insts[generic.index()].results[0]
}

/// Values of a record's parts.
fn load(
    function: &mut Function,
    from: Value,
    record: &Record,
    place: DebugLocation,
    out: &mut Vec<Inst>,
) -> Vec<Value> {
    let mut values = vec![];
    for (offset, ty) in &record.parts {
        let from = function.offset(from, *offset, place, out);
        let load = function.inst(Op::Load(access(record, *offset)), [from], &[*ty], place);
        out.push(load);
        values.push(function.insts[load.index()].results[0]);
    }
    values
}

/// Access to a part.
fn access(record: &Record, offset: u64) -> Access {
    let align = super::sroa::align_at(record.align, offset);
    Access { align, volatile: false, invariant: false, cache: None }
}
