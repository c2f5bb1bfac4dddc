//! Interpreter of the representation, for tests: what a function computes, before and after passes.
//!
//! Enters: a module, a function and arguments. Leaves: the result, or why there is none; memory can be looked at. One thread,
//! all spaces in one memory, addresses from 4096 on. Inline assembly is refused, as are builtins but for a few of
//! mathematics. This module must never know how a
//! value came about.

use crate::builtin::{Builtin, Known, Meaning};

use super::{
    Binary, Block, Compare, Convert, Def, Edge, Function, FunctionId, Module, Op, Symbol, Terminator, Type,
    Unary, Value,
};

/// Most instructions of a run.
const STEPS: u64 = 1 << 22;
/// Most bytes of memory.
const MOST: usize = 1 << 24;
/// Address of the first function.
const FUNCTIONS: u64 = 1 << 32;

/// Memory and the module that runs in it.
pub(crate) struct Machine<'a> {
    module: &'a Module,
    memory: Vec<u8>,
    globals: Vec<u64>,
    steps: u64,
}

type Outcome<T> = Result<T, String>;

impl<'a> Machine<'a> {
    /// Memory with the globals in it.
    pub(crate) fn new(module: &'a Module) -> Self {
        let mut machine = Self { module, memory: vec![0; 4096], globals: vec![], steps: 0 };
        for global in &module.globals {
            let at = machine.allocate(global.size, global.align);
            machine.globals.push(at);
        }
        for (global, at) in module.globals.iter().zip(machine.globals.clone()) {
            let Some((bytes, addresses)) = &global.initial else { continue };
            machine.write(at, bytes).unwrap();
            for (offset, of, add) in addresses {
                let of = match of {
                    Symbol::Global(id) => machine.globals[id.index()],
                    Symbol::Function(id) => address_of(*id),
                };
                let to = of.wrapping_add(*add as u64);
                machine.write(at + offset, &to.to_le_bytes()).unwrap();
            }
        }
        machine
    }

    /// Instructions that were run, and edges that were followed.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// New memory.
    pub(crate) fn allocate(&mut self, size: u64, align: u32) -> u64 {
        let at = self.memory.len().next_multiple_of(align.max(1) as usize);
        self.memory.resize((at + size as usize).min(MOST), 0xaa);
        at as u64
    }

    /// Bytes at an address.
    pub(crate) fn read(&self, at: u64, size: u64) -> Outcome<&[u8]> {
        let range = at as usize..at.wrapping_add(size) as usize;
        self.memory.get(range).filter(|_| at >= 4096).ok_or(format!("a load of {size} bytes at {at}"))
    }

    /// Writes bytes.
    pub(crate) fn write(&mut self, at: u64, bytes: &[u8]) -> Outcome<()> {
        let range = at as usize..at.wrapping_add(bytes.len() as u64) as usize;
        let to = self.memory.get_mut(range).filter(|_| at >= 4096);
        to.ok_or(format!("a store of {} bytes at {at}", bytes.len()))?.copy_from_slice(bytes);
        Ok(())
    }

    /// Runs a function; arguments and results are bits, zero-extended.
    pub(crate) fn call(&mut self, id: FunctionId, args: &[u64]) -> Outcome<Vec<u64>> {
        let function = &self.module.functions[id.index()];
        let mut frame = Frame { function, values: vec![0; function.values.len()] };
        let params: Vec<Value> = function.params.iter().map(|param| param.value).collect();
        frame.assign(&params, args.to_vec());
        let mut block = Block(0);
        loop {
            for inst in &function.blocks[block.index()].insts {
                self.steps += 1;
                if self.steps > STEPS {
                    return Err("too many steps".to_owned());
                }
                self.inst(&mut frame, inst.index())?;
            }
            let edge = match &function.blocks[block.index()].end {
                Terminator::Return(values) => {
                    return Ok(values.iter().map(|value| frame.get(*value)).collect());
                }
                Terminator::Unreachable => return Err("what is never reached".to_owned()),
                Terminator::Jump(edge) => edge,
                Terminator::Branch(condition, yes, no) => {
                    if frame.get(*condition) != 0 {
                        yes
                    } else {
                        no
                    }
                }
                Terminator::Switch(value, cases, other) => {
                    let value = frame.get(*value);
                    cases.iter().find(|(case, _)| *case == value).map_or(other, |(_, edge)| edge)
                }
            };
            self.steps += 1;
            block = frame.follow(edge);
        }
    }

    fn inst(&mut self, frame: &mut Frame<'_>, inst: usize) -> Outcome<()> {
        let function = frame.function;
        let data = &function.insts[inst];
        let args: Vec<u64> = data.args.iter().map(|arg| frame.get(*arg)).collect();
        let types: Vec<Type> = data.args.iter().map(|arg| function.ty(function.resolve(*arg))).collect();
        let to = data.results.first().map(|result| function.ty(*result));
        let result = match &data.op {
            Op::Unary(op) => unary(*op, types[0], args[0]),
            Op::Binary(op) => binary(*op, types[0], args[0], args[1])?,
            Op::Compare(op) => u64::from(compare(*op, types[0], args[0], args[1])),
            Op::Select => {
                if args[0] != 0 {
                    args[1]
                } else {
                    args[2]
                }
            }
            Op::Fma => match types[0] {
                Type::F32 => of32(f32s(args[0]).mul_add(f32s(args[1]), f32s(args[2]))),
                _ => f64s(args[0]).mul_add(f64s(args[1]), f64s(args[2])).to_bits(),
            },
            Op::Convert(op) => convert(*op, types[0], to.unwrap(), args[0]),
            Op::Slot { size, align } => self.allocate(*size, *align),
            Op::Global(id) => self.globals[id.index()],
            Op::Function(id) => address_of(*id),
            Op::Offset => args[0].wrapping_add(args[1]),
            Op::Load(access) => return self.load(frame, inst, args[0], access.align),
            Op::Store(access) => {
                let mut at = args[0];
                aligned(at, access.align)?;
                for (value, ty) in args.iter().zip(&types).skip(1) {
                    self.write(at, &value.to_le_bytes()[..ty.bytes() as usize])?;
                    at += u64::from(ty.bytes());
                }
                return Ok(());
            }
            Op::Copy { size, align } => {
                aligned(args[0] | args[1], *align)?;
                let bytes = self.read(args[1], *size)?.to_vec();
                return self.write(args[0], &bytes);
            }
            Op::Zero { size, align } => {
                aligned(args[0], *align)?;
                return self.write(args[0], &vec![0; *size as usize]);
            }
            Op::Call(id) => {
                let results = self.call(*id, &args)?;
                frame.assign(&data.results, results);
                return Ok(());
            }
            Op::CallIndirect => {
                let callee = self.function_at(args[0], &types[1..])?;
                let results = self.call(callee, &args[1..])?;
                frame.assign(&data.results, results);
                return Ok(());
            }
            Op::Builtin(row, _) => builtin(row, types.first().copied(), &args)?,
            Op::Asm(_) => return Err("inline assembly".to_owned()),
        };
        frame.assign(&data.results, vec![result]);
        Ok(())
    }

    /// The function whose address this is, if it takes arguments of these types.
    fn function_at(&self, address: u64, types: &[Type]) -> Outcome<FunctionId> {
        let id = FunctionId(address.wrapping_sub(FUNCTIONS) as u32);
        let function = self.module.functions.get(id.index()).filter(|_| address == address_of(id));
        let function = function.ok_or(format!("a call of {address}"))?;
        let same = function.params.iter().map(|param| function.ty(param.value)).eq(types.iter().copied());
        if same { Ok(id) } else { Err(format!("a call of {} with {types:?}", function.name)) }
    }

    fn load(&mut self, frame: &mut Frame<'_>, inst: usize, mut at: u64, align: u32) -> Outcome<()> {
        aligned(at, align)?;
        let function = frame.function;
        let results = &function.insts[inst].results;
        let mut values = vec![];
        for result in results {
            let size = u64::from(function.ty(*result).bytes());
            let mut bytes = [0; 8];
            bytes[..size as usize].copy_from_slice(self.read(at, size)?);
            values.push(u64::from_le_bytes(bytes));
            at += size;
        }
        frame.assign(results, values);
        Ok(())
    }
}

/// The address of a function, where no memory is.
fn address_of(id: FunctionId) -> u64 {
    FUNCTIONS + u64::from(id.0)
}

/// Mathematics of one instruction.
fn builtin(row: &Builtin, ty: Option<Type>, args: &[u64]) -> Outcome<u64> {
    let single = ty == Some(Type::F32);
    let each = |short: fn(f32) -> f32, long: fn(f64) -> f64| {
        if single { of32(short(f32s(args[0]))) } else { long(f64s(args[0])).to_bits() }
    };
    Ok(match (row.meaning, row.name) {
        (Meaning::Known(Known::Rint), _) => each(f32::round_ties_even, f64::round_ties_even),
        (Meaning::Known(Known::Floor), _) => each(f32::floor, f64::floor),
        (Meaning::Known(Known::Ceil), _) => each(f32::ceil, f64::ceil),
        (Meaning::Known(Known::Trunc), _) => each(f32::trunc, f64::trunc),
        (Meaning::Known(Known::Sqrt), _) => each(f32::sqrt, f64::sqrt),
        (Meaning::Known(Known::Abs), _) => each(f32::abs, f64::abs),
        (Meaning::Known(Known::Copysign), _) if single => of32(f32s(args[0]).copysign(f32s(args[1]))),
        (Meaning::Known(Known::Copysign), _) => f64s(args[0]).copysign(f64s(args[1])).to_bits(),
        (Meaning::Known(Known::LeadingZeros), _) if ty == Some(Type::I64) => {
            u64::from(args[0].leading_zeros())
        }
        (Meaning::Known(Known::LeadingZeros), _) => u64::from((args[0] as u32).leading_zeros()),
        (Meaning::Known(Known::Min), _) if floating(ty) => lesser(ty, args[0], args[1]),
        (Meaning::Known(Known::Max), _) if floating(ty) => {
            let negative = |bits| if single { bits ^ 1 << 31 } else { bits ^ 1 << 63 };
            negative(lesser(ty, negative(args[0]), negative(args[1])))
        }
        // About as good as the hardware's, of which only the upper half counts.
        (_, "__builtin_rsqrt_approx_ftz") if !single => {
            let x = f64s(args[0]);
            let flushed = if x.abs() < f64::MIN_POSITIVE { 0.0f64.copysign(x) } else { x };
            let root = if flushed == 0.0 { flushed.recip() } else { flushed.sqrt().recip() };
            root.to_bits() >> 32 << 32
        }
        (_, "__mulhi") => u64::from(((i64::from(args[0] as i32) * i64::from(args[1] as i32)) >> 32) as u32),
        (_, "__umul64hi") => ((u128::from(args[0]) * u128::from(args[1])) >> 64) as u64,
        (_, "__double2hiint") => args[0] >> 32,
        (_, "__double2loint") => args[0] & 0xffff_ffff,
        (_, "__hiloint2double") => args[0] << 32 | args[1] & 0xffff_ffff,
        (_, "__double2ll_rn") => of_long(f64s(args[0]).round_ties_even()),
        (_, "__float2ll_rn") => of_long(f64::from(f32s(args[0]).round_ties_even())),
        (_, "__double2ll_rz") => of_long(f64s(args[0])),
        (_, "__float2ll_rz") => of_long(f64::from(f32s(args[0]))),
        (_, other) => return Err(format!("the builtin {other}")),
    })
}

fn floating(ty: Option<Type>) -> bool {
    matches!(ty, Some(Type::F32 | Type::F64))
}

/// Smaller number, or the one that is a number; a negative zero is below a positive one.
fn lesser(ty: Option<Type>, a: u64, b: u64) -> u64 {
    let value = |bits| if ty == Some(Type::F32) { f64::from(f32s(bits)) } else { f64s(bits) };
    let (x, y) = (value(a), value(b));
    if y.is_nan() || x < y || x == y && x.is_sign_negative() { a } else { b }
}

fn of_long(value: f64) -> u64 {
    (value as i64).cast_unsigned()
}

fn aligned(at: u64, align: u32) -> Outcome<()> {
    if at.is_multiple_of(u64::from(align.max(1))) {
        Ok(())
    } else {
        Err(format!("{at} is not a multiple of {align}"))
    }
}

struct Frame<'a> {
    function: &'a Function,
    values: Vec<u64>,
}

impl Frame<'_> {
    fn get(&self, value: Value) -> u64 {
        let value = self.function.resolve(value);
        match self.function.values[value.index()].def {
            Def::Constant(bits) => cut(self.function.ty(value), bits.get()),
            Def::Undefined => 0,
            Def::Result(..) | Def::Param(..) | Def::Alias(_) => self.values[value.index()],
        }
    }

    fn assign(&mut self, to: &[Value], values: Vec<u64>) {
        for (to, value) in to.iter().zip(values) {
            self.values[to.index()] = cut(self.function.ty(*to), value);
        }
    }

    fn follow(&mut self, edge: &Edge) -> Block {
        let values = edge.args.iter().map(|arg| self.get(*arg)).collect();
        let params = self.function.blocks[edge.block.index()].params.clone();
        self.assign(&params, values);
        edge.block
    }
}

fn width(ty: Type) -> u32 {
    if ty == Type::Pred { 1 } else { ty.bytes() * 8 }
}

fn cut(ty: Type, bits: u64) -> u64 {
    let width = width(ty);
    if width == 64 { bits } else { bits & ((1 << width) - 1) }
}

fn signed(ty: Type, bits: u64) -> i64 {
    let shift = 64 - width(ty);
    ((bits << shift) as i64) >> shift
}

fn f32s(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64s(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn of32(value: f32) -> u64 {
    u64::from(value.to_bits())
}

fn unary(op: Unary, ty: Type, a: u64) -> u64 {
    let sign = 1u64 << (width(ty) - 1);
    match op {
        Unary::Not => !a,
        Unary::Neg => a.wrapping_neg(),
        Unary::FNeg => a ^ sign,
        Unary::FAbs => a & !sign,
    }
}

fn binary(op: Binary, ty: Type, a: u64, b: u64) -> Outcome<u64> {
    let (x, y) = (signed(ty, a), signed(ty, b));
    let amount = (b & 0xffff_ffff).min(u64::from(width(ty)));
    let float = |one: fn(f32, f32) -> f32, two: fn(f64, f64) -> f64| match ty {
        Type::F32 => of32(one(f32s(a), f32s(b))),
        _ => two(f64s(a), f64s(b)).to_bits(),
    };
    Ok(match op {
        Binary::Add(_) => a.wrapping_add(b),
        Binary::Sub(_) => a.wrapping_sub(b),
        Binary::Mul(_) => a.wrapping_mul(b),
        Binary::SDiv | Binary::UDiv | Binary::SRem | Binary::URem if b == 0 => {
            return Err("a division by zero".to_owned());
        }
        Binary::SDiv => x.wrapping_div(y) as u64,
        Binary::UDiv => a / b,
        Binary::SRem => x.wrapping_rem(y) as u64,
        Binary::URem => a % b,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl(_) => a.checked_shl(amount as u32).unwrap_or(0),
        Binary::LShr => a.checked_shr(amount as u32).unwrap_or(0),
        Binary::AShr => (x >> amount.min(63)) as u64,
        Binary::SMin => x.min(y) as u64,
        Binary::SMax => x.max(y) as u64,
        Binary::UMin => a.min(b),
        Binary::UMax => a.max(b),
        Binary::FAdd => float(|a, b| a + b, |a, b| a + b),
        Binary::FSub => float(|a, b| a - b, |a, b| a - b),
        Binary::FMul => float(|a, b| a * b, |a, b| a * b),
        Binary::FDiv => float(|a, b| a / b, |a, b| a / b),
        Binary::FMin => float(f32::min, f64::min),
        Binary::FMax => float(f32::max, f64::max),
    })
}

fn compare(op: Compare, ty: Type, a: u64, b: u64) -> bool {
    let (x, y) = (signed(ty, a), signed(ty, b));
    let order = match ty {
        Type::F32 => f32s(a).partial_cmp(&f32s(b)),
        Type::F64 => f64s(a).partial_cmp(&f64s(b)),
        Type::Pred | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr(_) => Some(a.cmp(&b)),
    };
    let ordered = |holds: fn(std::cmp::Ordering) -> bool| order.is_some_and(holds);
    let unordered = |holds: fn(std::cmp::Ordering) -> bool| order.is_none_or(holds);
    match op {
        Compare::Eq | Compare::FOEq => ordered(|order| order.is_eq()),
        Compare::Ne | Compare::FONe => ordered(|order| order.is_ne()),
        Compare::SLt => x < y,
        Compare::SLe => x <= y,
        Compare::SGt => x > y,
        Compare::SGe => x >= y,
        Compare::ULt | Compare::FOLt => ordered(|order| order.is_lt()),
        Compare::ULe | Compare::FOLe => ordered(|order| order.is_le()),
        Compare::UGt | Compare::FOGt => ordered(|order| order.is_gt()),
        Compare::UGe | Compare::FOGe => ordered(|order| order.is_ge()),
        Compare::FUEq => unordered(|order| order.is_eq()),
        Compare::FUNe => unordered(|order| order.is_ne()),
        Compare::FULt => unordered(|order| order.is_lt()),
        Compare::FULe => unordered(|order| order.is_le()),
        Compare::FUGt => unordered(|order| order.is_gt()),
        Compare::FUGe => unordered(|order| order.is_ge()),
        Compare::FOrd => order.is_some(),
        Compare::FUno => order.is_none(),
    }
}

fn convert(op: Convert, from: Type, to: Type, a: u64) -> u64 {
    let wide = if from == Type::F32 { f64::from(f32s(a)) } else { f64s(a) };
    let bits = width(to);
    match op {
        Convert::Truncate | Convert::ZeroExtend | Convert::Bits | Convert::Space => a,
        Convert::SignExtend => signed(from, a) as u64,
        Convert::SToF if to == Type::F32 => of32(signed(from, a) as f32),
        Convert::SToF => (signed(from, a) as f64).to_bits(),
        Convert::UToF if to == Type::F32 => of32(a as f32),
        Convert::UToF => (a as f64).to_bits(),
        Convert::FToS => {
            let most = i64::MAX >> (64 - bits);
            (wide as i64).clamp(-most - 1, most) as u64
        }
        Convert::FToU => (wide as u64).min(u64::MAX >> (64 - bits)),
        Convert::Float if to == Type::F32 => of32(wide as f32),
        Convert::Float => wide.to_bits(),
    }
}
