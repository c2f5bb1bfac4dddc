//! Functions of the compiler.

use crate::builtin::{Builtin, Bytes, Cache, Known as Function, Meaning, Told};
use crate::evaluate::{self, Constant, Known, Scalar};
use crate::hir::{self, Arg, Expr, ExprKind, Integer, TypeKind};
use crate::ir::{Access, Binary, Compare, Convert, Op, Space, Terminator, Type, Unary, Value, Wrap};

use super::address::Address;
use super::function::Body;
use super::{memory_type, value_type};

/// Bytes that are set or moved one after another; more are by a loop.
const UNROLLED: u64 = 64;

impl<'a> Body<'a, '_> {
    /// Call that returns a scalar or nothing.
    pub(super) fn builtin(
        &mut self,
        row: &'static Builtin,
        ty: hir::Type,
        args: &'a [Arg],
        result: hir::Type,
    ) -> Value {
        let kind = self.scalar(result).unwrap_or(Scalar::Void);
        match row.meaning {
            Meaning::Known(function) => match self.known(function, args, kind) {
                Some(value) => value,
                None => self.row(row, ty, args, kind),
            },
            Meaning::Load(cache) => {
                let (access, pointer) = self.cached(cache, ty, args);
                let value = self.one(Op::Load(access), vec![pointer], memory_type(kind));
                self.loaded(value, kind)
            }
            Meaning::Store(cache) => {
                self.cached_store(cache, ty, args);
                self.undefined(Type::I32)
            }
            Meaning::Bytes(bytes) => self.bytes(bytes, args),
            Meaning::Told(told) => self.told(told, args, kind),
            Meaning::End(_) => {
                self.row(row, ty, args, kind);
                self.end(Terminator::Unreachable);
                self.undefined(value_type(kind))
            }
            Meaning::Pure(_)
            | Meaning::Warp(_)
            | Meaning::State(_)
            | Meaning::Fence(_)
            | Meaning::Barrier(_)
            | Meaning::Atomic(..)
            | Meaning::AtomicOrdered(_)
            | Meaning::LoadOrdered
            | Meaning::StoreOrdered
            | Meaning::FenceOrdered
            | Meaning::Call(_) => self.row(row, ty, args, kind),
        }
    }

    /// Call that returns a vector.
    pub(super) fn builtin_record(
        &mut self,
        row: &'static Builtin,
        ty: hir::Type,
        args: &'a [Arg],
        to: Address,
    ) {
        let Meaning::Load(cache) = row.meaning else {
            return self.shared.refuse(self.here, "an operation that returns a class");
        };
        let Some((element, fields)) = self.vector(ty) else {
            return self.shared.refuse(self.here, "a load of a class that is not a vector");
        };
        let (access, pointer) = self.cached(cache, ty, args);
        let types = vec![memory_type(element); fields.len()];
        let inst = self.push(Op::Load(access), vec![pointer], &types);
        for (number, (offset, ty)) in fields.into_iter().enumerate() {
            let value = self.result(inst, number);
            let field = self.offset(to, offset, ty);
            self.store_memory(field, value);
        }
    }

    /// Scalar type of a vector, and offsets and types of its elements.
    fn vector(&self, ty: hir::Type) -> Option<(Scalar, Vec<(u64, hir::Type)>)> {
        let TypeKind::Record(id) = self.program.types.kind(ty) else { return None };
        let record = self.program.records.get(id.index())?;
        let element = self.scalar(record.fields.first()?.ty)?;
        let same = record.fields.iter().all(|field| self.scalar(field.ty) == Some(element));
        let fields: Vec<_> = record.fields.iter().map(|field| (field.offset, field.ty)).collect();
        if same && matches!(fields.len(), 2 | 4) { Some((element, fields)) } else { None }
    }

    /// Value of an argument; a record is none.
    fn argument_value(&mut self, arg: Option<&'a Arg>) -> (Value, Scalar) {
        match arg {
            Some(Arg::Value(expr)) => {
                let kind = self.scalar(expr.ty).unwrap_or(Scalar::Void);
                (self.value(expr), kind)
            }
            Some(Arg::Init(_)) | None => {
                self.shared.refuse(self.here, "an argument that is not a scalar");
                (self.undefined(Type::I32), Scalar::Void)
            }
        }
    }

    /// Loads and stores with a cache operator.
    fn cached(&mut self, cache: Cache, ty: hir::Type, args: &'a [Arg]) -> (Access, Value) {
        let (pointer, _) = self.argument_value(args.first());
        let align = self.program.layout(ty).1;
        // Who asks for an operator gets each access.
        let access = Access { align, volatile: true, invariant: false, cache: Some(cache) };
        (access, pointer)
    }

    fn cached_store(&mut self, cache: Cache, ty: hir::Type, args: &'a [Arg]) {
        let (access, pointer) = self.cached(cache, ty, args);
        let mut values = vec![pointer];
        match args.get(1) {
            Some(Arg::Init(init)) => {
                let Some((element, fields)) = self.vector(ty) else {
                    return self.shared.refuse(self.here, "a store of a class that is not a vector");
                };
                let copy = self.temporary(ty);
                self.fill(copy, init);
                for (offset, ty) in fields {
                    let field = self.offset(copy, offset, ty);
                    let value = self.load_memory(field, memory_type(element));
                    values.push(value);
                }
            }
            other => {
                let (value, kind) = self.argument_value(other);
                let value = self.stored(value, kind);
                values.push(value);
            }
        }
        self.push(Op::Store(access), values, &[]);
    }

    /// Operations that the representation has itself.
    fn known(&mut self, function: Function, args: &'a [Arg], kind: Scalar) -> Option<Value> {
        let float = matches!(kind, Scalar::Float | Scalar::Double);
        let signed = matches!(kind, Scalar::Integer { signed: true, .. });
        match function {
            Function::Fma => {
                let args = args.iter().map(|arg| self.converted(arg, kind)).collect();
                Some(self.one(Op::Fma, args, value_type(kind)))
            }
            Function::Min | Function::Max => {
                let a = self.converted(args.first()?, kind);
                let b = self.converted(args.get(1)?, kind);
                let op = match (function == Function::Min, float, signed) {
                    (true, true, _) => Binary::FMin,
                    (true, false, true) => Binary::SMin,
                    (true, false, false) => Binary::UMin,
                    (false, true, _) => Binary::FMax,
                    (false, false, true) => Binary::SMax,
                    (false, false, false) => Binary::UMax,
                };
                Some(self.binary(op, a, b))
            }
            Function::Abs if float => {
                let a = self.converted(args.first()?, kind);
                Some(self.unary(Unary::FAbs, a))
            }
            Function::Bits => {
                let (value, from) = self.argument_value(args.first());
                if value_type(from) == value_type(kind) {
                    return Some(value);
                }
                Some(self.change(Convert::Bits, value, value_type(kind)))
            }
            Function::Abs
            | Function::Sqrt
            | Function::Floor
            | Function::Ceil
            | Function::Trunc
            | Function::Rint
            | Function::Copysign
            | Function::Popcount
            | Function::LeadingZeros
            | Function::ReverseBits
            | Function::MultiplyHigh => None,
        }
    }

    /// Argument as another type.
    fn converted(&mut self, arg: &'a Arg, to: Scalar) -> Value {
        let (value, from) = self.argument_value(Some(arg));
        self.convert(value, from, to)
    }

    /// `__cvta_generic_to_shared` and the like, which are conversions of pointers and their bits; `None` for other rows.
    fn between_spaces(&mut self, row: &Builtin, args: &'a [Arg]) -> Option<Value> {
        let named = |name: &str| match name {
            "global" => Some(Space::Global),
            "shared" => Some(Space::Shared),
            "constant" => Some(Space::Constant),
            "local" => Some(Space::Local),
            _ => None,
        };
        let words = row.name.strip_prefix("__cvta_")?;
        let (value, from) = self.argument_value(args.first());
        if let Some(space) = words.strip_prefix("generic_to_").and_then(named) {
            let there = self.change(Convert::Space, value, Type::Ptr(space));
            return Some(self.change(Convert::Bits, there, Type::I64));
        }
        let space = words.strip_suffix("_to_generic").and_then(named)?;
        let value = self.convert(value, from, letter_scalar(b'N')?);
        let there = self.change(Convert::Bits, value, Type::Ptr(space));
        Some(self.change(Convert::Space, there, Type::Ptr(Space::Generic)))
    }

    /// An instruction of the table.
    fn row(&mut self, row: &'static Builtin, ty: hir::Type, args: &'a [Arg], kind: Scalar) -> Value {
        if let Some(value) = self.between_spaces(row, args) {
            return value;
        }
        let letter = self.letter(ty);
        let (result, rest) = row.signature.split_once('(').unwrap_or(("v", ""));
        let letters = parameters(rest);
        let mut values = vec![];
        for (number, arg) in args.iter().enumerate() {
            let (value, from) = self.argument_value(Some(arg));
            let wanted = letters.get(number).copied().unwrap_or(b'v');
            let wanted = if wanted == b'T' { letter } else { wanted };
            let value = match letter_scalar(wanted) {
                Some(to) => self.convert(value, from, to),
                None => value,
            };
            values.push(value);
        }
        let op = Op::Builtin(row, letter);
        match (result, kind) {
            ("v", _) | (_, Scalar::Void) => {
                // Atomics whose result no one takes have one all the same.
                match self.row_type(result, letter) {
                    Some(ty) => self.one(op, values, ty),
                    None => {
                        self.push(op, values, &[]);
                        self.undefined(Type::I32)
                    }
                }
            }
            _ => {
                let own = if result == "T" { letter } else { result.bytes().next().unwrap_or(b'v') };
                let from = letter_scalar(own).unwrap_or(kind);
                let value = self.one(op, values, value_type(from));
                self.convert(value, from, kind)
            }
        }
    }

    fn row_type(&self, result: &str, letter: u8) -> Option<Type> {
        let own = if result == "T" { letter } else { result.bytes().next()? };
        letter_scalar(own).map(value_type)
    }

    /// Letter of the table for a type; 0 for `void`.
    fn letter(&self, ty: hir::Type) -> u8 {
        let integer = |integer: Integer| match integer {
            Integer::Char => b't',
            Integer::SChar => b'c',
            Integer::UChar => b'C',
            Integer::Short => b's',
            Integer::UShort => b'S',
            Integer::Int => b'i',
            Integer::UInt => b'u',
            Integer::Long => b'n',
            Integer::ULong => b'N',
            Integer::LongLong => b'l',
            Integer::ULongLong => b'L',
        };
        match self.program.types.kind(ty) {
            TypeKind::Integer(of) => integer(*of),
            TypeKind::Float => b'f',
            TypeKind::Double => b'd',
            TypeKind::Enum(id) => match self.program.enums.get(id.index()) {
                Some(of) => match self.program.types.kind(of.underlying) {
                    TypeKind::Integer(of) => integer(*of),
                    _ => 0,
                },
                None => 0,
            },
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::NullPointer
            | TypeKind::Pointer(_)
            | TypeKind::Reference { .. }
            | TypeKind::Member { .. }
            | TypeKind::Array(..)
            | TypeKind::UnknownArray(_)
            | TypeKind::Record(_)
            | TypeKind::Function(..) => 0,
        }
    }

    fn told(&mut self, told: Told, args: &'a [Arg], kind: Scalar) -> Value {
        match told {
            // Neither is evaluated.
            Told::Assume => self.undefined(Type::I32),
            Told::IsConstant => {
                let known = match args.first() {
                    Some(Arg::Value(expr)) => self.fixed(expr).is_some(),
                    Some(Arg::Init(_)) | None => false,
                };
                self.constant(value_type(kind), u64::from(known))
            }
            Told::Expect | Told::Aligned => {
                let value = match args.first() {
                    Some(arg) => self.converted(arg, kind),
                    None => self.undefined(value_type(kind)),
                };
                for other in args.iter().skip(1) {
                    self.argument_value(Some(other));
                }
                value
            }
            Told::Unreachable => {
                self.end(Terminator::Unreachable);
                self.undefined(value_type(kind))
            }
        }
    }

    /// Number that an expression has when compiling.
    fn fixed(&self, expr: &Expr) -> Option<Constant> {
        evaluate::evaluate(self.program, Known::default(), expr).ok()
    }

    /// What a pointer that was converted to `void *` was known to be a multiple of.
    fn alignment(&self, arg: Option<&'a Arg>) -> u32 {
        let Some(Arg::Value(expr)) = arg else { return 1 };
        let mut expr = expr;
        let mut align = 1;
        loop {
            if let Some(of) = self.pointee(expr.ty) {
                align = align.max(self.program.layout(of).1);
            }
            match &expr.kind {
                ExprKind::Cast(inner) if self.scalar(inner.ty) == Some(Scalar::Pointer) => expr = inner,
                _ => return align,
            }
        }
    }

    /// `memcpy`, `memmove`, `memset`.
    fn bytes(&mut self, bytes: Bytes, args: &'a [Arg]) -> Value {
        let (to, _) = self.argument_value(args.first());
        let (what, kind) = self.argument_value(args.get(1));
        let size = match args.get(2) {
            Some(Arg::Value(expr)) => match self.fixed(expr).and_then(Constant::integer) {
                Some(size) => self.long(size as i64),
                None => self.count(expr),
            },
            Some(Arg::Init(_)) | None => self.argument_value(None).0,
        };
        let align = self.alignment(args.first());
        let both = align.min(self.alignment(args.get(1)));
        let known = self.function.constant(size);
        match (bytes, known) {
            (Bytes::Copy, Some(size)) => self.copy(to, what, size, both),
            (Bytes::Move, Some(size)) if size <= 1 << 16 => {
                let between = self.slot(self.source.result, size, both);
                self.copy(between.pointer, what, size, both);
                self.copy(to, between.pointer, size, both);
            }
            (Bytes::Copy, None) => self.upwards(to, what, size),
            (Bytes::Move, _) => self.either_way(to, what, size),
            (Bytes::Fill, known) => {
                let byte = self.resize_byte(what, kind);
                match known {
                    Some(size) if self.function.constant(byte) == Some(0) => {
                        if size > 0 {
                            self.push(Op::Zero { size, align }, vec![to], &[]);
                        }
                    }
                    Some(size) if size <= UNROLLED => {
                        for number in 0..size {
                            self.put_byte(to, number, byte);
                        }
                    }
                    _ => self.each_byte(size, false, |body, at| body.store_byte(to, at, byte)),
                }
            }
        }
        to
    }

    fn resize_byte(&mut self, value: Value, kind: Scalar) -> Value {
        if let Some(bits) = self.function.constant(value) {
            return self.constant(Type::I8, bits);
        }
        self.convert(value, kind, Scalar::Integer { bits: 8, signed: false })
    }

    fn byte_access() -> Access {
        Access { align: 1, volatile: false, invariant: false, cache: None }
    }

    fn put_byte(&mut self, to: Value, number: u64, byte: Value) {
        let number = self.constant(Type::I64, number);
        self.store_byte(to, number, byte);
    }

    fn store_byte(&mut self, to: Value, at: Value, byte: Value) {
        let pointer = self.one(Op::Offset, vec![to, at], self.ty(to));
        self.push(Op::Store(Self::byte_access()), vec![pointer, byte], &[]);
    }

    fn move_byte(&mut self, to: Value, from: Value, at: Value) {
        let pointer = self.one(Op::Offset, vec![from, at], self.ty(from));
        let byte = self.one(Op::Load(Self::byte_access()), vec![pointer], Type::I8);
        self.store_byte(to, at, byte);
    }

    fn upwards(&mut self, to: Value, from: Value, size: Value) {
        self.each_byte(size, false, |body, at| body.move_byte(to, from, at));
    }

    /// Copies bytes that may overlap: from the end where they are moved up.
    fn either_way(&mut self, to: Value, from: Value, size: Value) {
        let (up, down, after) = (self.block(), self.block(), self.block());
        let higher = self.compare(Compare::ULt, from, to);
        self.fork(higher, down, up);
        self.begin(up);
        self.upwards(to, from, size);
        self.jump(after, vec![]);
        self.begin(down);
        self.each_byte(size, true, |body, at| body.move_byte(to, from, at));
        self.jump(after, vec![]);
        self.begin(after);
    }

    /// Loop over that many bytes, from the first or from the last.
    fn each_byte(&mut self, size: Value, back: bool, turn: impl FnOnce(&mut Self, Value)) {
        let (header, inside, after) = (self.block(), self.block(), self.block());
        let zero = self.long(0);
        self.jump(header, vec![zero]);
        self.begin(header);
        let number = self.function.block_param(header, Type::I64);
        let more = self.compare(Compare::ULt, number, size);
        self.fork(more, inside, after);
        self.begin(inside);
        let one = self.long(1);
        let wrap = Wrap { nsw: false, nuw: true };
        let next = self.binary(Binary::Add(wrap), number, one);
        let at = if back { self.binary(Binary::Sub(wrap), size, next) } else { number };
        turn(self, at);
        self.jump(header, vec![next]);
        self.begin(after);
    }
}

/// Letters of the parameters of a signature: those of pointers as `*`.
fn parameters(text: &str) -> Vec<u8> {
    let mut letters = vec![];
    let mut pointer = false;
    for letter in text.bytes() {
        match letter {
            b'*' | b'^' => pointer = true,
            b')' => break,
            _ if pointer => {
                letters.push(b'*');
                pointer = false;
            }
            _ => letters.push(letter),
        }
    }
    letters
}

/// What a letter of the table is; nothing for `void`.
fn letter_scalar(letter: u8) -> Option<Scalar> {
    let integer = |bits, signed| Some(Scalar::Integer { bits, signed });
    match letter {
        b'q' => Some(Scalar::Bool),
        b'c' | b't' => integer(8, true),
        b'C' => integer(8, false),
        b's' => integer(16, true),
        b'S' => integer(16, false),
        b'i' | b'k' => integer(32, true),
        b'u' => integer(32, false),
        b'n' | b'l' => integer(64, true),
        b'N' | b'L' => integer(64, false),
        b'f' => Some(Scalar::Float),
        b'd' => Some(Scalar::Double),
        b'*' | b'^' => Some(Scalar::Pointer),
        _ => None,
    }
}
