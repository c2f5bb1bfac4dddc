//! Instructions that only compute: moves, the vectorised table, the long tail of scalar functions, carry chains.

use super::access::NARROW_WINDOWS;
use super::context::{Result, type_bytes};
use super::decoder::Decoder;
use super::names::{Name, Uniformity};
use super::values::Value;
use crate::ir::*;
use crate::memory::{CONSTANT_WINDOW, LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW};
use crate::semantics::scalar::{self, Kind, Scalar, video};
use ptx::{Instruction, Operand};

impl<'m> Decoder<'m, '_> {
    pub(super) fn alu(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        if let "add" | "addc" | "sub" | "subc" | "mad" | "madc" = i.opcode
            && (i.opcode.ends_with('c') || i.modifiers.contains(&"cc"))
        {
            return self.carry(i, guard);
        }
        if i.opcode == "lop3" && matches!(i.modifiers[..], ["or" | "and", "b32"]) {
            return self.lop3_with_predicate(i, guard);
        }
        if video::is_video(i.opcode) {
            return self.video(i, guard);
        }
        let mnemonic = i.mnemonic();
        if let Some(function) = Function::named(&mnemonic) {
            return self.vectorised(i, guard, function);
        }
        if i.opcode == "setp" && i.modifiers.len() >= 3 && matches!(i.modifiers[1], "and" | "or" | "xor") {
            return self.combined_setp(i, guard);
        }
        if i.opcode == "setp" && i.modifiers.last().is_some_and(|ty| ty.ends_with("x2")) {
            return self.packed_setp(i, guard);
        }
        match scalar::find_named(i.opcode, &i.modifiers, &mnemonic) {
            Some(scalar) => self.scalar(i, guard, scalar),
            None => self.context.unsupported(i.at, format!("`{mnemonic}`")),
        }
    }

    fn operands(&self, i: &Instruction<'m>, wanted: usize) -> Result<()> {
        if i.operands.len() == wanted {
            return Ok(());
        }
        let is = i.operands.len();
        self.context.bad(i.at, format!("`{}` takes {wanted} operands, not {is}", i.mnemonic()))
    }

    fn vectorised(&mut self, i: &'m Instruction<'m>, guard: Guard, function: Function) -> Result<()> {
        let shape = function.shape();
        let (file, sources) = shape.files();
        let imm_operands = usize::from(shape == Form::w_wwwi);
        self.operands(i, 1 + sources.len() + imm_operands)?;
        let mut known = Uniformity::LAUNCH;
        let mut registers = [Register::default(); 3];
        for (n, (operand, file)) in i.operands[1..].iter().zip(sources).enumerate() {
            let (register, earliest) = self.source_of_any_width(i, operand, *file)?;
            registers[n] = register;
            known = known.and(earliest);
        }
        let mut value = function.of(registers);
        if imm_operands == 1 {
            let Operand::Integer(table @ 0..=255) = i.operands[4] else {
                return self.context.bad(i.at, "`lop3`'s table is a number from 0 to 255");
            };
            value.immediate = table as u8;
        }
        match &i.operands[0] {
            Operand::Name(name, None) if file == File::W && i.opcode == "cvt" => {
                self.write_converted(i, guard, name, value.into(), known)
            }
            // A move of what is fixed is another name for it.
            Operand::Name(name, None)
                if matches!(function, Function::MovW | Function::MovX) && known == Uniformity::LAUNCH =>
            {
                let file_is = self.register_file(i.at, name)?;
                if file_is != file {
                    return self.write(i.at, guard, name, value, known);
                }
                self.write_uniform(i, guard, name, registers[0])
            }
            Operand::Name(name, None) => self.write(i.at, guard, name, value, known),
            Operand::Pair(p, q) if file == File::P => self.write_pair(i, guard, p, q, value.into()),
            _ => self.context.bad(i.at, format!("`{}` writes a register", i.mnemonic())),
        }
    }

    /// `p|q`: what an instruction gives, and its opposite.
    fn write_pair(
        &mut self,
        i: &Instruction<'m>,
        guard: Guard,
        p: &'m str,
        q: &'m str,
        value: Value,
    ) -> Result<()> {
        let d = self.temporary(i.at, value)?;
        let guard = self.kept(i, guard)?;
        self.write(i.at, guard, p, Function::MovP.of([d]), Uniformity::WARP)?;
        self.write(i.at, guard, q, Function::NotP.of([d]), Uniformity::WARP)
    }

    /// A guard for several writes, of which the first may write the guard's own predicate.
    fn kept(&mut self, i: &Instruction<'m>, guard: Guard) -> Result<Guard> {
        match guard.condition() {
            None => Ok(guard),
            Some((predicate, negated)) => {
                let copy = self.temporary(i.at, Function::MovP.of([predicate]))?;
                Ok(Guard::on(copy, negated))
            }
        }
    }

    /// A comparison by its mnemonic, into a new predicate.
    fn comparison(
        &mut self,
        i: &'m Instruction<'m>,
        modifiers: &[&str],
        a: &'m Operand<'m>,
        b: &'m Operand<'m>,
    ) -> Result<Register> {
        let plain = format!("setp.{}", modifiers.join("."));
        if let Some(function) = Function::named(&plain) {
            let (_, sources) = function.shape().files();
            let (a, _) = self.source(i.at, a, sources[0])?;
            let (b, _) = self.source(i.at, b, sources[1])?;
            return self.temporary(i.at, function.of([a, b]));
        }
        match scalar::find("setp", modifiers) {
            Some(scalar) if scalar.sources.len() == 2 => {
                let (value, _) = self.scalar_call(i, scalar, &[a, b])?;
                self.temporary(i.at, value)
            }
            _ => self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
        }
    }

    /// `setp.lt.and.s32 p|q, a, b, c`: the comparison, and its opposite, then `and`, `or` or `xor` with `c`.
    fn combined_setp(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let combine = match i.modifiers[1] {
            "and" => Function::AndP,
            "or" => Function::OrP,
            _ => Function::XorP,
        };
        let mut plain = i.modifiers.clone();
        plain.remove(1);
        let [result, a, b, c] = &i.operands[..] else {
            return self.operands(i, 4);
        };
        let (c, _) = self.source(i.at, c, File::P)?;
        let d = self.comparison(i, &plain, a, b)?;
        let value = combine.of([d, c]);
        match result {
            Operand::Name(p, None) => self.write(i.at, guard, p, value, Uniformity::WARP),
            Operand::Pair(p, q) => {
                // `c` may be `p` itself.
                let both = self.temporary(i.at, value)?;
                let not = self.temporary(i.at, Function::NotP.of([d]))?;
                let other = self.temporary(i.at, combine.of([not, c]))?;
                let guard = self.kept(i, guard)?;
                self.write(i.at, guard, p, Function::MovP.of([both]), Uniformity::WARP)?;
                self.write(i.at, guard, q, Function::MovP.of([other]), Uniformity::WARP)
            }
            _ => self.context.bad(i.at, format!("`{}` writes predicates", i.mnemonic())),
        }
    }

    /// `setp.lt.f16x2 p|q, a, b`: a predicate for each half.
    fn packed_setp(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let [Operand::Pair(p, q), a, b] = &i.operands[..] else {
            return self.context.unsupported(i.at, format!("this form of `{}`", i.mnemonic()));
        };
        let (Some(low), Some(high)) =
            (scalar::find("setp.lo", &i.modifiers), scalar::find("setp.hi", &i.modifiers))
        else {
            return self.context.unsupported(i.at, format!("`{}`", i.mnemonic()));
        };
        let (low, _) = self.scalar_call(i, low, &[a, b])?;
        let (high, _) = self.scalar_call(i, high, &[a, b])?;
        let guard = self.kept(i, guard)?;
        self.write(i.at, guard, p, low, Uniformity::WARP)?;
        self.write(i.at, guard, q, high, Uniformity::WARP)
    }

    /// `lop3.or.b32 d|p, a, b, c, table, q`: in addition to the result whether it is not zero, combined with `q`.
    fn lop3_with_predicate(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let [Operand::Pair(d, p), a, b, c, Operand::Integer(table @ 0..=255), q] = &i.operands[..] else {
            let what =
                format!("`{}` takes `d|p`, three operands, a number up to 255 and a predicate", i.mnemonic());
            return self.context.bad(i.at, what);
        };
        let [(a, _), (b, _), (c, _)] =
            [self.source(i.at, a, File::W)?, self.source(i.at, b, File::W)?, self.source(i.at, c, File::W)?];
        let (q, _) = self.source(i.at, q, File::P)?;
        let lop3 = Compute { immediate: *table as u8, ..Function::Lop3W.of([a, b, c]) };
        let value = self.temporary(i.at, lop3)?;
        let (zero, _) = self.immediate(i.at, File::W, 0)?;
        let any = self.temporary(i.at, Function::NeW.of([value, zero]))?;
        // Before either result is written: one may be an operand, or the guard.
        let combine = if i.modifiers[0] == "or" { Function::OrP } else { Function::AndP };
        let both = self.temporary(i.at, combine.of([any, q]))?;
        let guard = self.kept(i, guard)?;
        self.write(i.at, guard, d, Function::MovW.of([value]), Uniformity::WARP)?;
        self.write(i.at, guard, p, Function::MovP.of([both]), Uniformity::WARP)
    }

    /// A video instruction: operands with parts and signs, and what is made of the result.
    fn video(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        fn part<'m>(operand: &Operand<'m>) -> (bool, Option<&'m str>) {
            match operand {
                Operand::Name(_, part) => (false, *part),
                Operand::Negative(_, part) => (true, *part),
                _ => (false, None),
            }
        }
        let [result @ Operand::Name(name, _), operands @ ..] = &i.operands[..] else {
            return self.context.bad(i.at, format!("`{}` writes a register", i.mnemonic()));
        };
        let parts: Vec<_> = operands.iter().map(part).collect();
        let Some((compute, flags)) = video::find(i.opcode, &i.modifiers, part(result).1, &parts) else {
            return self.context.unsupported(i.at, format!("this form of `{}`", i.mnemonic()));
        };
        let mut sources = [ScalarOperand::default(); 4];
        sources[3] = ScalarOperand::Immediate(flags);
        for (source, operand) in sources.iter_mut().zip(operands) {
            let whole = match operand {
                Operand::Name(name, _) | Operand::Negative(name, _) => &Operand::Name(name, None),
                other => other,
            };
            *source = ScalarOperand::Register(File::W, self.source(i.at, whole, File::W)?.0);
        }
        if operands.len() < 3 {
            sources[2] = ScalarOperand::Register(File::W, self.immediate(i.at, File::W, 0)?.0);
        }
        let call = self.enter(i.at, ScalarCall { scalar: compute, sources })?;
        self.write(i.at, guard, name, call, Uniformity::WARP)
    }

    /// A scalar function with its operands; a result is still to be named.
    fn scalar_call(
        &mut self,
        i: &Instruction<'m>,
        scalar: Scalar,
        operands: &[&'m Operand<'m>],
    ) -> Result<(Id<ScalarCall>, Uniformity)> {
        let mut sources = [ScalarOperand::default(); 4];
        let mut known = Uniformity::LAUNCH;
        if operands.len() != scalar.sources.len() {
            let (wanted, is) = (scalar.sources.len() + 1, operands.len() + 1);
            return self.context.bad(i.at, format!("`{}` takes {wanted} operands, not {is}", i.mnemonic()));
        }
        for (n, (operand, kind)) in operands.iter().zip(scalar.sources).enumerate() {
            let file = match kind {
                Kind::W => File::W,
                Kind::X => File::X,
                Kind::P => File::P,
                Kind::Immediate => {
                    let Operand::Integer(value) = operand else {
                        return self.context.bad(i.at, format!("`{}` takes a number here", i.mnemonic()));
                    };
                    sources[n] = ScalarOperand::Immediate(*value as u32);
                    continue;
                }
            };
            let (register, earliest) = self.source_of_any_width(i, operand, file)?;
            sources[n] = ScalarOperand::Register(file, register);
            known = known.and(earliest);
        }
        Ok((self.enter(i.at, ScalarCall { scalar, sources })?, known))
    }

    /// `cvt` may read and write registers that are wider than its types.
    fn source_of_any_width(
        &mut self,
        i: &Instruction<'m>,
        operand: &'m Operand<'m>,
        file: File,
    ) -> Result<(Register, Uniformity)> {
        if i.opcode == "cvt"
            && file == File::W
            && let Operand::Name(name, None) = operand
            && matches!(self.names.find(name), Some(Name::Register(r)) if self.names.registers[r as usize].file == File::X)
        {
            let (a, _) = self.source(i.at, operand, File::X)?;
            let d = self.temporary(i.at, Function::Truncate64.of([a]))?;
            return Ok((d, Uniformity::WARP));
        }
        self.source(i.at, operand, file)
    }

    fn scalar(&mut self, i: &'m Instruction<'m>, guard: Guard, scalar: Scalar) -> Result<()> {
        let operands: Vec<&Operand<'m>> = i.operands.iter().skip(1).collect();
        let (value, known) = self.scalar_call(i, scalar, &operands)?;
        let file = self.kernel[value].result();
        match &i.operands[0] {
            Operand::Name(name, None) if file == File::W && i.opcode == "cvt" => {
                self.write_converted(i, guard, name, value.into(), known)
            }
            Operand::Name(name, None) => self.write(i.at, guard, name, value, known),
            Operand::Pair(p, q) if file == File::P => self.write_pair(i, guard, p, q, value.into()),
            _ => self.context.bad(i.at, format!("`{}` writes a register", i.mnemonic())),
        }
    }

    /// Writes a result of up to 32 bits of a `cvt`, whose register may be wider.
    fn write_converted(
        &mut self,
        i: &Instruction<'m>,
        guard: Guard,
        name: &'m str,
        value: Value,
        known: Uniformity,
    ) -> Result<()> {
        if name == "_" || self.register_file(i.at, name)? != File::X {
            return self.write(i.at, guard, name, value, known);
        }
        let a = self.temporary(i.at, value)?;
        let signed = i.modifiers.iter().rev().nth(1).is_some_and(|ty| ty.starts_with('s'));
        let extend = if signed { Function::SignExtend32 } else { Function::ZeroExtend32 };
        self.write(i.at, guard, name, extend.of([a]), Uniformity::WARP)
    }

    /// `add.cc`, `addc`, `addc.cc`, …: the sum, and the carry flag.
    fn carry(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let writes_flag = i.modifiers.contains(&"cc");
        let reads_flag = i.opcode.ends_with('c');
        let low = !i.modifiers.contains(&"hi");
        let (carry, sum) = match (i.opcode.trim_end_matches('c'), low) {
            ("add", _) => ("carry.add", "sum.add"),
            ("sub", _) => ("carry.sub", "sum.sub"),
            (_, true) => ("carry.madlo", "sum.madlo"),
            (_, false) => ("carry.madhi", "sum.madhi"),
        };
        let ty = i.modifiers.last().copied().unwrap_or_default();
        let (Some(carry), Some(sum)) = (scalar::find(carry, &[ty]), scalar::find(sum, &[ty])) else {
            return self.context.unsupported(i.at, format!("`{}`", i.mnemonic()));
        };
        let Some(Operand::Name(result, None)) = i.operands.first() else {
            return self.context.bad(i.at, format!("`{}` writes a register", i.mnemonic()));
        };
        let flag = match self.carry_flag {
            Some(flag) => flag,
            None => {
                let flag = self.new_register(i.at, File::P)?;
                self.carry_flag = Some(flag);
                flag
            }
        };
        // The flag is a carry: a subtraction adds the complement, and carries where it does not borrow. So it is for an
        // `addc` after a `sub.cc` too, as in the division of 128-bit integers.
        let borrows = i.opcode.starts_with("sub");
        let flag_in = match (reads_flag, borrows) {
            (true, true) => self.temporary(i.at, Function::NotP.of([flag]))?,
            (true, false) => flag,
            (false, _) => self.immediate(i.at, File::P, 0)?.0,
        };
        let file = if sum.result == Kind::X { File::X } else { File::W };
        self.operands(i, sum.sources.len())?;
        let mut sources = [ScalarOperand::default(); 4];
        for (n, operand) in i.operands[1..].iter().enumerate() {
            sources[n] = ScalarOperand::Register(file, self.source(i.at, operand, file)?.0);
        }
        sources[i.operands.len() - 1] = ScalarOperand::Register(File::P, flag_in);
        let emit = |decoder: &mut Self, scalar: Scalar| {
            let call = decoder.enter(i.at, ScalarCall { scalar, sources })?;
            decoder.temporary(i.at, call)
        };
        // Both before either is written: the result may be an operand.
        let flag_out = if writes_flag { Some(emit(self, carry)?) } else { None };
        let value = emit(self, sum)?;
        let op = if file == File::X { Function::MovX } else { Function::MovW };
        self.write(i.at, guard, result, op.of([value]), Uniformity::WARP)?;
        if let Some(a) = flag_out {
            let op = if borrows { Function::NotP } else { Function::MovP };
            self.emit(Inst { guard, op: op.of([a]).to(flag) });
        }
        Ok(())
    }

    /// `mov`, with the packing of vectors into registers and back.
    pub(super) fn mov(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let [result, source] = &i.operands[..] else { return self.operands(i, 2) };
        let ty = i.modifiers.last().copied().unwrap_or_default();
        let Some(bits) = type_bytes(ty).map(|bytes| bytes as u32 * 8) else {
            return self.alu(i, guard);
        };
        match (result, source) {
            (Operand::Vector(to), _) if matches!(i.modifiers.first(), Some(&"v2" | &"v4")) => {
                self.move_elements(i, guard, to, source, bits)
            }
            (Operand::Vector(parts), source) => self.unpack(i, guard, parts, source, bits),
            (Operand::Name(name, None), Operand::Vector(parts)) => self.pack(i, guard, name, parts, bits),
            (Operand::Name(name, None), _) => {
                // The type's size alone matters, and the table has one of each.
                let (op, file) =
                    if bits == 64 { (Function::MovX, File::X) } else { (Function::MovW, File::W) };
                let (a, known) = self.source(i.at, source, file)?;
                if known == Uniformity::LAUNCH && self.register_file(i.at, name)? == file {
                    return self.write_uniform(i, guard, name, a);
                }
                self.write(i.at, guard, name, op.of([a]), known)
            }
            _ => self.context.bad(i.at, "`mov` writes a register"),
        }
    }

    /// `mov.v4`: element by element, all of them read before one is written.
    fn move_elements(
        &mut self,
        i: &'m Instruction<'m>,
        guard: Guard,
        to: &'m [Operand<'m>],
        source: &'m Operand<'m>,
        bits: u32,
    ) -> Result<()> {
        let (op, file) = if bits == 64 { (Function::MovX, File::X) } else { (Function::MovW, File::W) };
        let mut values = vec![];
        for (n, axis) in ["x", "y", "z", "w"].into_iter().enumerate().take(to.len()) {
            let (value, _) = match source {
                Operand::Vector(from) if from.len() == to.len() => self.source(i.at, &from[n], file)?,
                // A special register of several.
                Operand::Name(name, None) if name.starts_with('%') && self.names.register(name).is_none() => {
                    self.special(i.at, name, Some(axis), file)?
                }
                _ => return self.context.bad(i.at, format!("`{}` with these operands", i.mnemonic())),
            };
            let value = if value.is_uniform() { value } else { self.temporary(i.at, op.of([value]))? };
            values.push(value);
        }
        for (part, value) in to.iter().zip(values) {
            match part {
                Operand::Name("_", None) => {}
                Operand::Name(name, None) => {
                    self.write(i.at, guard, name, op.of([value]), Uniformity::WARP)?;
                }
                _ => return self.context.bad(i.at, "`mov` writes registers"),
            }
        }
        Ok(())
    }

    fn unpack(
        &mut self,
        i: &'m Instruction<'m>,
        guard: Guard,
        parts: &'m [Operand<'m>],
        source: &'m Operand<'m>,
        bits: u32,
    ) -> Result<()> {
        let file = if bits == 64 { File::X } else { File::W };
        let (whole, _) = self.source(i.at, source, file)?;
        let part_bits = bits / (parts.len() as u32).max(1);
        for (n, part) in parts.iter().enumerate() {
            let Operand::Name(name, None) = part else {
                return self.context.bad(i.at, "`mov` writes registers");
            };
            if *name == "_" {
                continue;
            }
            let at = n as u32 * part_bits;
            let mut from = whole;
            if file == File::X {
                let op = if at >= 32 { Function::HighX } else { Function::Truncate64 };
                from = self.temporary(i.at, op.of([from]))?;
            }
            if part_bits < 32 {
                let (count, _) = self.immediate(i.at, File::W, u64::from(at % 32))?;
                from = self.temporary(i.at, Function::ShrU32.of([from, count]))?;
                let op = if part_bits == 16 { Function::ZeroExtend16 } else { Function::ZeroExtend8 };
                from = self.temporary(i.at, op.of([from]))?;
            }
            self.write(i.at, guard, name, Function::MovW.of([from]), Uniformity::WARP)?;
        }
        Ok(())
    }

    fn pack(
        &mut self,
        i: &'m Instruction<'m>,
        guard: Guard,
        name: &'m str,
        parts: &'m [Operand<'m>],
        bits: u32,
    ) -> Result<()> {
        let part_bits = bits / (parts.len() as u32).max(1);
        // 32-bit words first.
        let mut words = vec![];
        for group in parts.chunks((32 / part_bits.clamp(1, 32)) as usize) {
            let mut word = None;
            for (n, part) in group.iter().enumerate() {
                let (mut a, _) = self.source(i.at, part, File::W)?;
                if part_bits < 32 {
                    let op = if part_bits == 16 { Function::ZeroExtend16 } else { Function::ZeroExtend8 };
                    a = self.temporary(i.at, op.of([a]))?;
                    let (b, _) = self.immediate(i.at, File::W, u64::from(n as u32 * part_bits))?;
                    a = self.temporary(i.at, Function::ShlW.of([a, b]))?;
                }
                word = Some(match word {
                    Some(b) => self.temporary(i.at, Function::OrW.of([a, b]))?,
                    None => a,
                });
            }
            words.extend(word);
        }
        match (&words[..], bits) {
            ([low, high], 64) => {
                self.write(i.at, guard, name, Function::PackX.of([*low, *high]), Uniformity::WARP)
            }
            ([a], 16 | 32) => self.write(i.at, guard, name, Function::MovW.of([*a]), Uniformity::WARP),
            _ => self.context.unsupported(i.at, format!("this form of `{}`", i.mnemonic())),
        }
    }

    /// `cvta`, `cvta.to`: between a state space's own addresses and generic ones.
    pub(super) fn convert_address(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let [Operand::Name(result, None), source] = &i.operands[..] else { return self.operands(i, 2) };
        let to = i.modifiers.contains(&"to");
        let wide = i.modifiers.last() == Some(&"u64");
        let narrow = i.modifiers.last() == Some(&"u32") && self.context.module.address_size == 32;
        let window = match i.modifiers.iter().find_map(|m| window(m)) {
            Some(window) if wide => window,
            Some(window) if narrow => {
                let place =
                    NARROW_WINDOWS.iter().find(|(_, of)| *of == window).map_or(0, |(top, _)| top << 24);
                let (a, known) = self.source(i.at, source, File::W)?;
                let moved = if to { place.wrapping_neg() } else { place };
                let (b, _) = self.immediate(i.at, File::W, moved)?;
                return self.write(i.at, guard, result, Function::AddW.of([a, b]), known);
            }
            _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
        };
        let (a, known) = self.source(i.at, source, File::X)?;
        if window == 0 {
            if known == Uniformity::LAUNCH {
                return self.write_uniform(i, guard, result, a);
            }
            return self.write(i.at, guard, result, Function::MovX.of([a]), known);
        }
        let (b, _) = self.immediate(i.at, File::X, window)?;
        // Addresses of a frame in a kernel are numbers known now, and stay so.
        if let Some(address) = self.known_number(File::X, a) {
            let moved = if to { address.wrapping_sub(window) } else { address.wrapping_add(window) };
            let (number, _) = self.immediate(i.at, File::X, moved)?;
            return self.write_uniform(i, guard, result, number);
        }
        let op = if to { Function::SubX } else { Function::AddX };
        self.write(i.at, guard, result, op.of([a, b]), known)
    }

    /// `isspacep`: whether a generic address lies in a state space.
    pub(super) fn is_space(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let ([Operand::Name(result, None), address], Some(window)) =
            (&i.operands[..], i.modifiers.iter().find_map(|m| window(m)))
        else {
            return self.context.unsupported(i.at, format!("`{}`", i.mnemonic()));
        };
        let (a, _) = self.source(i.at, address, File::X)?;
        let value = if window == 0 {
            // Whatever is after all windows.
            let (b, _) = self.immediate(i.at, File::X, crate::memory::FIRST)?;
            Function::GeU64.of([a, b])
        } else {
            let (b, _) = self.immediate(i.at, File::X, window)?;
            let offset = self.temporary(i.at, Function::SubX.of([a, b]))?;
            // A block's own shared memory is the lowest part of the cluster's.
            let own = window == SHARED_WINDOW && !i.modifiers.contains(&"shared::cluster");
            let size = if own { 1 << crate::memory::RANK_AT } else { crate::memory::WINDOW };
            let (b, _) = self.immediate(i.at, File::X, size)?;
            Function::LtU64.of([offset, b])
        };
        self.write(i.at, guard, result, value, Uniformity::WARP)
    }
}

/// Where a state space lies among the generic addresses.
fn window(space: &str) -> Option<u64> {
    match space {
        "global" => Some(0),
        "shared" | "shared::cta" | "shared::cluster" => Some(SHARED_WINDOW),
        "local" => Some(LOCAL_WINDOW),
        "const" => Some(CONSTANT_WINDOW),
        "param" | "param::entry" => Some(PARAMETER_WINDOW),
        _ => None,
    }
}
