//! `wmma`: decoded into what ptxas makes of it for sm_90, ordinary accesses or `ldmatrix`, and products of the
//! tensor cores' shapes. So its accesses are checked and counted as what they are.
//!
//! PTX leaves open which lane holds which elements. Here it is as on sm_90 (measured on an H200 for all shapes, types and
//! layouts, which make no difference to it): fragments are those of `mma`, side by side; `.m8n32k16` is the product of the
//! transposed matrices, `.m32n8k16`; and a fragment of `.f16` factors repeats its registers until it has eight.

use super::access::Make;
use super::context::Result;
use super::decoder::Decoder;
use super::matrix::{element, product, shape, sum, words};
use crate::ir::*;
use crate::semantics::matrix::{Element, Product, Sum};
use ptx::{Instruction, Operand};

/// How registers of a fragment lie in their matrix.
struct Fragment {
    /// Bits of an element, and elements that a lane has next to each other.
    bits: u32,
    run: u32,
    /// Registers for each run: one with all of them, or one an element.
    each: usize,
    /// The first elements (row and column) of tiles of 8 by 4 runs.
    tiles: Vec<[u32; 2]>,
    /// Whether runs lie along rows: then a tile has 8 rows.
    along_rows: bool,
    registers: usize,
    /// Whether it is `a` or `b`.
    factor: bool,
}

/// How many products of which kind `wmma.mma` is.
fn tiled(size: [usize; 3], ab: Element, [c, d]: [Sum; 2], saturate: bool) -> Option<(Product, Tiling)> {
    let (tiling, m) = match size {
        [16, 16, _] => (Tiling::Columns, 16),
        [32, 8, _] => (Tiling::Rows, 16),
        [8, 32, _] => (Tiling::Turned, 16),
        _ => (Tiling::Whole, 8),
    };
    let known = match ab {
        Element::F16 | Element::Bf16 | Element::Whole { bits: 8, .. } => {
            tiling != Tiling::Whole && size[2] == 16
        }
        Element::Tf32 => size == [16, 16, 8],
        Element::F64 => size == [8, 8, 4],
        Element::Whole { .. } => size == [8, 8, 32],
        Element::Bits { .. } => size == [8, 8, 128],
        Element::E4m3 | Element::E5m2 => false,
    };
    // Sums of halves may become ones of singles and the other way round.
    let mixed = ab == Element::F16 && matches!(c, Sum::F16 | Sum::F32);
    let of = product([m, 8, size[2]], [ab, ab], [if mixed { d } else { c }, d], saturate)?;
    // ptxas takes the smaller ones.
    let step = if ab == Element::Tf32 { 4 } else { of.step };
    known.then_some((Product { c, step, ..of }, tiling))
}

impl Fragment {
    /// Of `a` or `b`.
    fn factor(size: [usize; 3], ab: Element, is_a: bool) -> Option<Self> {
        let sums = match ab {
            Element::F64 => Sum::F64,
            Element::Whole { .. } | Element::Bits { .. } => Sum::S32,
            Element::F16 | Element::Bf16 | Element::Tf32 | Element::E4m3 | Element::E5m2 => Sum::F32,
        };
        let (of, _) = tiled(size, ab, [sums; 2], false)?;
        let bits = if matches!(ab, Element::Bits { .. }) { 1 } else { ab.bits() };
        let run = (32 / bits).max(1);
        let (m, k) = (if is_a { size[0] } else { size[1] } as u32, size[2] as u32);
        // 16 rows of `k` elements as they are in `a` of a product, or 8 as in `b`: `.m16n16`'s `b` is two of these.
        let turned = size[0] == 8 && of.m == 16;
        let rows = if is_a != turned { of.m as u32 } else { 8 };
        let mut tiles = vec![];
        for block in (0..m).step_by(rows as usize) {
            for k in (0..k).step_by(4 * run as usize) {
                for half in (0..rows).step_by(8) {
                    let row = block + half;
                    tiles.push(if is_a { [row, k] } else { [k, row] });
                }
            }
        }
        let registers = if ab == Element::F16 { 8 } else { tiles.len() };
        Some(Fragment { bits, run, each: 1, tiles, along_rows: is_a, registers, factor: true })
    }

    /// Of sums.
    fn sums(size: [usize; 3], sum: Sum) -> Option<Self> {
        let bits = match sum {
            Sum::F16 => 16,
            Sum::F32 | Sum::S32 => 32,
            Sum::F64 => 64,
        };
        let known = matches!(
            (sum, size),
            (Sum::F16 | Sum::F32 | Sum::S32, [16, 16, 16] | [32, 8, 16] | [8, 32, 16])
                | (Sum::F32, [16, 16, 8])
                | (Sum::F64, [8, 8, 4])
                | (Sum::S32, [8, 8, 32 | 128])
        );
        if !known {
            return None;
        }
        let (m, n) = (size[0] as u32, size[1] as u32);
        let mut tiles = vec![];
        for column in (0..n).step_by(8) {
            for row in (0..m).step_by(8) {
                tiles.push([row, column]);
            }
        }
        let each = if bits == 16 { 1 } else { 2 };
        let registers = each * tiles.len();
        Some(Fragment { bits, run: 2, each, tiles, along_rows: size[1] != 32, registers, factor: false })
    }
}

/// Where a fragment is loaded from or stored to.
struct Memory {
    space: Space,
    /// Rows lie one after the other; else columns.
    row_major: bool,
    /// Bytes from a row (or column) to the next: a register in `W`, and the number, where it is known.
    pitch: Register,
    known_pitch: Option<u32>,
    address: Address,
}

impl Memory {
    /// The operation that loads.
    fn load(&self) -> Make {
        match self.space {
            Space::Global => |access| Op::LoadGlobal { access },
            Space::Shared => |access| Op::LoadShared { access },
            Space::Generic => |access| Op::LoadGeneric { access },
        }
    }

    /// The operation that stores.
    fn store(&self) -> Make {
        match self.space {
            Space::Global => |access| Op::StoreGlobal { access },
            Space::Shared => |access| Op::StoreShared { access },
            Space::Generic => |access| Op::StoreGeneric { access },
        }
    }

    /// Where an element is: rows of memory, and bytes in a row.
    fn place(&self, [row, column]: [u32; 2], bits: u32) -> [u32; 2] {
        if self.row_major { [row, column * bits / 8] } else { [column, row * bits / 8] }
    }
}

impl<'m> Decoder<'m, '_> {
    pub(super) fn wmma(&mut self, i: &'m Instruction<'m>, _: Guard) -> Result<()> {
        let done = match &words(i)[..] {
            ["load", which @ ("a" | "b" | "c"), layout, size, space @ .., ty] => {
                self.fragment(i, which, layout, size, space, ty)?
            }
            ["store", "d", layout, size, space @ .., ty] => self.fragment(i, "d", layout, size, space, ty)?,
            ["mma", words @ ..] => self.wmma_product(i, words)?,
            _ => false,
        };
        if done { Ok(()) } else { self.context.unsupported(i.at, format!("`{}`", i.mnemonic())) }
    }

    /// `wmma.mma`; says whether there is one of these modifiers.
    fn wmma_product(&mut self, i: &'m Instruction<'m>, words: &[&str]) -> Result<bool> {
        let (and, saturate) = (words.contains(&"and"), words.contains(&"satfinite"));
        let words: Vec<&str> = words
            .iter()
            .copied()
            .filter(|w| !matches!(*w, "and" | "xor" | "popc" | "satfinite" | "rn"))
            .collect();
        let (rows, columns, size, types) = match words[..] {
            [rows, columns, size, d, c] => (rows, columns, size, [d, "f16", "f16", c]),
            [rows, columns, size, d, a, b, c] => (rows, columns, size, [d, a, b, c]),
            _ => return Ok(false),
        };
        let [d, a, b, c] = types;
        let (Some(size), Some(ab), Some(c), Some(d)) = (shape(size), element(a, and), sum(c), sum(d)) else {
            return Ok(false);
        };
        let layouts = [rows, columns].iter().all(|l| matches!(*l, "row" | "col"));
        let (Some((of, tiling)), true) = (tiled(size, ab, [c, d], saturate), layouts && a == b) else {
            return Ok(false);
        };
        let (Some(rows), Some(columns)) =
            (Fragment::factor(size, ab, true), Fragment::factor(size, ab, false))
        else {
            return Ok(false);
        };
        let [of_d, of_a, of_b, of_c] = &i.operands[..] else { return self.operand_error(i) };
        let parts = if tiling == Tiling::Whole { 1 } else { 2 };
        let wide = ab == Element::F64;
        let file = if wide { File::X } else { File::W };
        let list = std::slice::from_ref;
        let of = MatrixOperands {
            matrix: Matrix::Product(of, tiling),
            wide,
            a: self.sources(i, list(of_a), rows.registers, file)?,
            b: self.sources(i, list(of_b), columns.registers, file)?,
            c: self.sources(i, list(of_c), parts * of.sum_registers(c), file)?,
            d: self.results(i, list(of_d), parts * of.sum_registers(d), file)?,
        };
        self.emit_matrix(i, of)?;
        Ok(true)
    }

    /// `wmma.load` and `wmma.store`; says whether there is one of these modifiers.
    fn fragment(
        &mut self,
        i: &'m Instruction<'m>,
        which: &str,
        layout: &str,
        size: &str,
        space: &[&str],
        ty: &str,
    ) -> Result<bool> {
        let space = match space {
            [] if i.modifiers.contains(&"shared::cta") => Space::Shared,
            ["shared"] => Space::Shared,
            ["global"] => Space::Global,
            [] => Space::Generic,
            _ => return Ok(false),
        };
        let Some(size) = shape(size) else { return Ok(false) };
        let fragment = match which {
            "a" | "b" => element(ty, false).and_then(|ab| Fragment::factor(size, ab, which == "a")),
            _ => sum(ty).and_then(|sum| Fragment::sums(size, sum)),
        };
        let (Some(fragment), true) = (fragment, matches!(layout, "row" | "col")) else { return Ok(false) };
        let row_major = layout == "row";
        if fragment.bits < 8 && row_major != fragment.along_rows {
            return Ok(false);
        }
        let (first, second, stride) = match &i.operands[..] {
            [first, second] => (first, second, None),
            [first, second, stride] => (first, second, Some(stride)),
            _ => return self.operand_error(i),
        };
        let (address, registers) = if which == "d" { (first, second) } else { (second, first) };
        let file = if fragment.bits == 64 { File::X } else { File::W };
        let registers = std::slice::from_ref(registers);
        let registers = match which {
            "d" => self.sources(i, registers, fragment.registers, file)?,
            _ => self.results(i, registers, fragment.registers, file)?,
        };
        let [m, n, k] = size.map(|n| n as u64);
        let natural = match (which, row_major) {
            ("a", true) | ("b", false) => k,
            ("a", false) => m,
            ("b", true) => n,
            (_, true) => n,
            (_, false) => m,
        };
        let stride = match stride {
            Some(stride) => self.source(i.at, stride, File::W)?.0,
            None => self.immediate(i.at, File::W, natural)?.0,
        };
        let known_stride = self.known_number(File::W, stride);
        let (pitch, known_pitch) = match known_stride {
            Some(elements) => {
                let bytes = elements.wrapping_mul(u64::from(fragment.bits)) / 8;
                (self.immediate(i.at, File::W, bytes)?.0, Some(bytes as u32))
            }
            None => {
                let bits = self.immediate(i.at, File::W, u64::from(fragment.bits))?.0;
                let three = self.immediate(i.at, File::W, 3)?.0;
                let bits = self.temporary(i.at, Function::MulLoW.of([stride, bits]))?;
                (self.temporary(i.at, Function::ShrU32.of([bits, three]))?, None)
            }
        };
        let address = self.address(i.at, address)?;
        let memory = Memory { space, row_major, pitch, known_pitch, address };
        self.emit_matrix(i, MatrixOperands::default())?;
        if which == "d" {
            self.store_fragment(i, &fragment, &memory, &registers)?;
        } else {
            self.load_fragment(i, &fragment, &memory, &registers)?;
        }
        Ok(true)
    }

    fn load_fragment(
        &mut self,
        i: &Instruction<'m>,
        of: &Fragment,
        memory: &Memory,
        registers: &[Register],
    ) -> Result<()> {
        let along = of.along_rows == memory.row_major;
        // Where each tile begins: rows of memory, and bytes in a row.
        let tiles: Vec<[u32; 2]> = of.tiles.iter().map(|tile| memory.place(*tile, of.bits)).collect();
        let word = of.run * of.bits == 32 && of.each == 1;
        match (along, word, of.bits) {
            (along, true, ..=16)
                if memory.space == Space::Shared && of.factor && (along || of.bits == 16) =>
            {
                // As many matrices at once as ptxas takes: those of one product.
                let together = if of.bits == 16 { 4 } else { 2 };
                for (tiles, registers) in tiles.chunks(together).zip(registers.chunks(together)) {
                    let register = self.addresses_of_rows(i, memory, tiles)?;
                    let matrix = Matrix::Rows { transposed: !along, generic: false };
                    let use_ = MatrixOperands {
                        matrix,
                        d: registers[..tiles.len()].to_vec(),
                        ..MatrixOperands::default()
                    };
                    self.emit_rows(i.at, true, use_, Address { register, ..memory.address })?;
                }
            }
            (true, true, _) | (false, true, 16) => {
                let lanes = self.lanes(i, memory, 4, None)?;
                for (tile, register) in tiles.iter().zip(registers) {
                    self.access_of_lanes(i, memory, memory.load(), lanes, *tile, &[*register], 4)?;
                    if !along {
                        self.transpose(i, *register, *register)?;
                    }
                }
            }
            (true, false, bits) => {
                let bytes = bits / 8;
                let lanes = self.lanes(i, memory, bytes * of.run, None)?;
                for (tile, registers) in tiles.iter().zip(registers.chunks(of.each)) {
                    self.access_of_lanes(i, memory, memory.load(), lanes, *tile, registers, bytes)?;
                }
            }
            (false, _, 8) => {
                let lanes = self.lanes(i, memory, 1, Some(of.run))?;
                for (tile, register) in tiles.iter().zip(registers) {
                    let mut bytes = [Register::default(); 4];
                    for (n, byte) in bytes.iter_mut().enumerate() {
                        *byte = self.temporary_register(i.at, File::W)?;
                        let place = [tile[0] + n as u32, tile[1]];
                        self.access_of_lanes(i, memory, memory.load(), lanes, place, &[*byte], 1)?;
                    }
                    let mut word = bytes[0];
                    for (n, byte) in bytes.iter().enumerate().skip(1) {
                        let b = self.immediate(i.at, File::W, 8 * n as u64)?.0;
                        let up = self.temporary(i.at, Function::ShlW.of([*byte, b]))?;
                        word = self.temporary(i.at, Function::OrW.of([word, up]))?;
                    }
                    self.emit(Function::MovW.of([word]).to(*register));
                }
            }
            (false, _, bits) => {
                let lanes = self.lanes(i, memory, bits / 8, Some(of.run))?;
                for (tile, registers) in tiles.iter().zip(registers.chunks(of.each)) {
                    for (n, register) in registers.iter().enumerate() {
                        let place = [tile[0] + n as u32, tile[1]];
                        self.access_of_lanes(i, memory, memory.load(), lanes, place, &[*register], bits / 8)?;
                    }
                }
            }
        }
        for n in of.tiles.len() * of.each..registers.len() {
            let a = registers[n % of.tiles.len()];
            self.emit(Function::MovW.of([a]).to(registers[n]));
        }
        Ok(())
    }

    fn store_fragment(
        &mut self,
        i: &Instruction<'m>,
        of: &Fragment,
        memory: &Memory,
        registers: &[Register],
    ) -> Result<()> {
        let along = of.along_rows == memory.row_major;
        let bytes = of.bits / 8;
        let tiles = of.tiles.iter().map(|tile| memory.place(*tile, of.bits));
        let lanes = if along || of.each == 1 {
            self.lanes(i, memory, bytes * of.run, None)?
        } else {
            self.lanes(i, memory, bytes, Some(of.run))?
        };
        for (tile, registers) in tiles.zip(registers.chunks(of.each)) {
            if of.each == 1 {
                let mut register = registers[0];
                if !along {
                    register = self.temporary_register(i.at, File::W)?;
                    self.transpose(i, register, registers[0])?;
                }
                self.access_of_lanes(i, memory, memory.store(), lanes, tile, &[register], 4)?;
            } else if along {
                self.access_of_lanes(i, memory, memory.store(), lanes, tile, registers, bytes)?;
            } else {
                for (n, register) in registers.iter().enumerate() {
                    let place = [tile[0] + n as u32, tile[1]];
                    self.access_of_lanes(i, memory, memory.store(), lanes, place, &[*register], bytes)?;
                }
            }
        }
        Ok(())
    }

    fn transpose(&mut self, i: &Instruction<'m>, d: Register, a: Register) -> Result<()> {
        let of =
            MatrixOperands { matrix: Matrix::Transpose, d: vec![d], a: vec![a], ..MatrixOperands::default() };
        self.emit_matrix(i, of)
    }

    /// A value that is the same whenever it is computed, if what it is made of is.
    fn once(&mut self, i: &Instruction<'m>, value: Compute, constant: bool) -> Result<Register> {
        if !(constant && self.is_kernel) {
            return self.temporary(i.at, value);
        }
        if let Some(&d) = self.of_thread.get(&value) {
            return Ok(d);
        }
        let d = self.new_register(i.at, value.result().0)?;
        self.of_thread.insert(value, d);
        self.kernel.thread_code.push(value.to(d).into());
        Ok(d)
    }

    /// An operation of `W` on a value that only the lane decides.
    fn of_lane(&mut self, i: &Instruction<'m>, function: Function, a: Register, b: u64) -> Result<Register> {
        let b = self.immediate(i.at, File::W, b)?.0;
        self.once(i, function.of([a, b]), true)
    }

    fn lane(&mut self, i: &Instruction<'m>) -> Result<Register> {
        Ok(self.source(i.at, &Operand::Name("%laneid", None), File::W)?.0)
    }

    /// The address of a row of memory and bytes in it, which the lane decides, in the address's file.
    fn address_of_lane(
        &mut self,
        i: &Instruction<'m>,
        memory: &Memory,
        row: Register,
        bytes: Register,
    ) -> Result<Register> {
        let constant = memory.known_pitch.is_some();
        let pitch = memory.pitch;
        if memory.address.wide {
            let c = self.once(i, Function::ZeroExtend32.of([bytes]), true)?;
            let b = self.once(i, Function::MadWideU32.of([row, pitch, c]), constant)?;
            return self.temporary(i.at, Function::AddX.of([memory.address.register, b]));
        }
        let b = self.once(i, Function::MadLoW.of([row, pitch, bytes]), constant)?;
        self.temporary(i.at, Function::AddW.of([memory.address.register, b]))
    }

    /// Each lane's address in the first tile: eight rows of four runs of `bytes` bytes, or, where runs lie across the rows,
    /// eight elements of `bytes` bytes in the rows of four runs.
    fn lanes(
        &mut self,
        i: &Instruction<'m>,
        memory: &Memory,
        bytes: u32,
        across: Option<u32>,
    ) -> Result<Register> {
        let lane = self.lane(i)?;
        let (eighth, fourth) =
            (self.of_lane(i, Function::ShrU32, lane, 2)?, self.of_lane(i, Function::AndW, lane, 3)?);
        let (row, column) = match across {
            Some(run) => (self.of_lane(i, Function::MulLoW, fourth, run.into())?, eighth),
            None => (eighth, fourth),
        };
        let column = self.of_lane(i, Function::MulLoW, column, bytes.into())?;
        self.address_of_lane(i, memory, row, column)
    }

    /// The addresses of the rows of one to four matrices, eight lanes each.
    fn addresses_of_rows(
        &mut self,
        i: &Instruction<'m>,
        memory: &Memory,
        tiles: &[[u32; 2]],
    ) -> Result<Register> {
        let lane = self.lane(i)?;
        // A byte for each matrix: no tile begins further away.
        let packed = |which: usize| tiles.iter().rev().fold(0, |all, tile| all << 8 | u64::from(tile[which]));
        let shift = self.of_lane(i, Function::AndW, lane, 24)?;
        let mut of_matrix = |which: usize| {
            let a = self.immediate(i.at, File::W, packed(which))?.0;
            let moved = self.once(i, Function::ShrU32.of([a, shift]), true)?;
            self.of_lane(i, Function::AndW, moved, 0xff)
        };
        let (first, bytes) = (of_matrix(0)?, of_matrix(1)?);
        let row = self.of_lane(i, Function::AndW, lane, 7)?;
        let row = self.once(i, Function::AddW.of([row, first]), true)?;
        self.address_of_lane(i, memory, row, bytes)
    }

    /// An access of all lanes, `place` (rows and bytes) away from `lanes`.
    #[allow(clippy::too_many_arguments, reason = "an access is all of this")]
    fn access_of_lanes(
        &mut self,
        i: &Instruction<'m>,
        memory: &Memory,
        op: Make,
        lanes: Register,
        place: [u32; 2],
        registers: &[Register],
        bytes: u32,
    ) -> Result<()> {
        let [rows, in_row] = place;
        let mut a = lanes;
        let mut offset = i64::from(memory.address.offset) + i64::from(in_row);
        match memory.known_pitch {
            Some(pitch) => offset += i64::from(rows) * i64::from(pitch),
            None if rows > 0 => {
                let rows = self.immediate(i.at, File::W, rows.into())?.0;
                let mad = if memory.address.wide { Function::MadWideU32 } else { Function::MadLoW };
                a = self.temporary(i.at, mad.of([rows, memory.pitch, a]))?;
            }
            None => {}
        }
        let Ok(offset) = i32::try_from(offset) else {
            return self.context.unsupported(i.at, "address offsets of more than 32 bits");
        };
        let mut access = MemoryOperand {
            bytes: bytes as u8,
            count: registers.len() as u8,
            address: Address { register: a, offset, ..memory.address },
            ..MemoryOperand::default()
        };
        for (element, register) in access.registers.iter_mut().zip(registers) {
            *element = (*register).into();
        }
        access.wide = [bytes == 8; 4];
        let access = self.enter_access(i.at, access)?;
        self.emit(op(access));
        Ok(())
    }
}
