//! Matrices of a warp: `ldmatrix`, `stmatrix`, `movmatrix`, `mma`. What `wmma` is made of is in [`super::wmma`].

use super::context::Result;
use super::decoder::{Decoder, Pending};
use crate::ir::*;
use crate::lanes::ALL;
use crate::semantics::matrix::{Element, Product, Quads, Sum};
use ptx::{At, Instruction, Operand};

/// An instruction's modifiers, but those that all of the family have.
pub(super) fn words<'m>(i: &Instruction<'m>) -> Vec<&'m str> {
    i.modifiers.iter().copied().filter(|m| !matches!(*m, "sync" | "aligned" | "shared::cta")).collect()
}

/// `m16n8k16`: rows, columns and what is between them.
pub(super) fn shape(word: &str) -> Option<[usize; 3]> {
    let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

pub(super) fn element(word: &str, and: bool) -> Option<Element> {
    Some(match word {
        "f16" => Element::F16,
        "bf16" => Element::Bf16,
        "tf32" => Element::Tf32,
        "f64" => Element::F64,
        "e4m3" => Element::E4m3,
        "e5m2" => Element::E5m2,
        "s8" => Element::Whole { bits: 8, signed: true },
        "u8" => Element::Whole { bits: 8, signed: false },
        "s4" => Element::Whole { bits: 4, signed: true },
        "u4" => Element::Whole { bits: 4, signed: false },
        "b1" => Element::Bits { and },
        _ => return None,
    })
}

pub(super) fn sum(word: &str) -> Option<Sum> {
    Some(match word {
        "f16" => Sum::F16,
        "f32" => Sum::F32,
        "f64" => Sum::F64,
        "s32" => Sum::S32,
        _ => return None,
    })
}

/// A product of the tensor cores, if they have one of this shape and these types.
pub(super) fn product(
    [m, n, k]: [usize; 3],
    [a, b]: [Element; 2],
    [c, d]: [Sum; 2],
    saturate: bool,
) -> Option<Product> {
    use Element::*;
    // Bits of `k` that a register and its neighbours hold; 8 rows have one or two of these, 16 rows one to four.
    let shapes: &[[usize; 2]] = match (a, b) {
        (F16, F16) | (Bf16, Bf16) => &[[16, 8], [16, 16]],
        (Tf32, Tf32) => &[[16, 4], [16, 8]],
        (F64, F64) => &[[8, 4], [16, 4], [16, 8], [16, 16]],
        (Whole { bits: 8, .. }, Whole { bits: 8, .. }) => &[[8, 16], [16, 16], [16, 32]],
        (Whole { bits: 4, .. }, Whole { bits: 4, .. }) => &[[8, 32], [16, 32], [16, 64]],
        (Bits { .. }, Bits { .. }) => &[[8, 128], [16, 128], [16, 256]],
        (E4m3 | E5m2, E4m3 | E5m2) => &[[16, 16], [16, 32]],
        _ => return None,
    };
    let sums = match a {
        F16 | E4m3 | E5m2 => matches!((c, d), (Sum::F16, Sum::F16) | (Sum::F32, Sum::F32)),
        Bf16 | Tf32 => (c, d) == (Sum::F32, Sum::F32),
        F64 => (c, d) == (Sum::F64, Sum::F64),
        Whole { .. } | Bits { .. } => (c, d) == (Sum::S32, Sum::S32),
    };
    let saturates = !saturate || matches!(a, Whole { .. });
    // 32 of one bit are one element.
    let k_elements = if matches!(a, Bits { .. }) { k / 32 } else { k };
    let found = n == 8 && shapes.contains(&[m, k]) && sums && saturates;
    found.then_some(Product { m, n, k: k_elements, a, b, c, d, saturate, step: k_elements })
}

impl<'m> Decoder<'m, '_> {
    /// Begins a block that waits for all lanes, unless this one does; lanes whose guard does not hold go around.
    pub(super) fn gather_for_matrix(&mut self, at: At, guard: Guard) -> Result<Guard> {
        let all = self.immediate(at, File::W, ALL.into())?.0.into();
        if let Some((predicate, negated)) = guard.condition() {
            self.close(Pending::Skip { predicate, negated });
        } else if self.members != all && !self.block_is_empty() {
            self.close(Pending::Next);
        }
        self.members = all;
        Ok(Guard::ALWAYS)
    }

    /// `movmatrix`.
    pub(super) fn move_matrix(&mut self, i: &'m Instruction<'m>, _: Guard) -> Result<()> {
        if words(i) != ["m8n8", "trans", "b16"] {
            return self.context.unsupported(i.at, format!("`{}`", i.mnemonic()));
        }
        let [d, a] = &i.operands[..] else { return self.operand_error(i) };
        let d = self.results(i, std::slice::from_ref(d), 1, File::W)?;
        let a = self.sources(i, std::slice::from_ref(a), 1, File::W)?;
        self.emit_matrix(i, MatrixOperands { matrix: Matrix::Transpose, d, a, ..MatrixOperands::default() })
    }

    pub(super) fn operand_error<T>(&self, i: &Instruction<'m>) -> Result<T> {
        self.context.bad(i.at, format!("`{}` with these operands", i.mnemonic()))
    }

    /// The registers that an operand lists.
    fn listed(
        &self,
        i: &Instruction<'m>,
        operands: &'m [Operand<'m>],
        wanted: usize,
    ) -> Result<&'m [Operand<'m>]> {
        let list = match operands {
            [Operand::Vector(list)] => &list[..],
            list => list,
        };
        if list.len() == wanted { Ok(list) } else { self.operand_error(i) }
    }

    pub(super) fn results(
        &mut self,
        i: &Instruction<'m>,
        operands: &'m [Operand<'m>],
        wanted: usize,
        file: File,
    ) -> Result<Vec<Register>> {
        let mut out = vec![];
        for operand in self.listed(i, operands, wanted)? {
            let Operand::Name(name, None) = operand else { return self.operand_error(i) };
            out.push(if *name == "_" {
                self.temporary_register(i.at, file)?
            } else {
                self.result(i.at, name, file)?
            });
        }
        Ok(out)
    }

    pub(super) fn sources(
        &mut self,
        i: &Instruction<'m>,
        operands: &'m [Operand<'m>],
        wanted: usize,
        file: File,
    ) -> Result<Vec<Register>> {
        self.listed(i, operands, wanted)?.iter().map(|o| Ok(self.source(i.at, o, file)?.0)).collect()
    }

    pub(super) fn emit_matrix(&mut self, i: &Instruction<'m>, of: MatrixOperands) -> Result<()> {
        let matrix = self.enter(i.at, of)?;
        self.emit(Op::Matrix { matrix });
        Ok(())
    }

    /// `ldmatrix` and `stmatrix`.
    pub(super) fn rows(&mut self, i: &'m Instruction<'m>, _: Guard) -> Result<()> {
        let shared = i.modifiers.iter().any(|m| matches!(*m, "shared" | "shared::cta"));
        let mut words = words(i);
        words.retain(|w| *w != "shared");
        let transposed = words.contains(&"trans");
        words.retain(|w| *w != "trans");
        let count = match words[..] {
            ["m8n8", "x1", "b16"] => 1,
            ["m8n8", "x2", "b16"] => 2,
            ["m8n8", "x4", "b16"] => 4,
            _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
        };
        let [first, second] = &i.operands[..] else { return self.operand_error(i) };
        let load = i.opcode == "ldmatrix";
        let (address, registers) = if load { (second, first) } else { (first, second) };
        let matrix = Matrix::Rows { transposed, generic: !shared };
        let mut of = MatrixOperands { matrix, ..MatrixOperands::default() };
        let registers = std::slice::from_ref(registers);
        if load {
            of.d = self.results(i, registers, count, File::W)?;
        } else {
            of.a = self.sources(i, registers, count, File::W)?;
        }
        let address = self.address(i.at, address)?;
        self.emit_rows(i.at, load, of, address)
    }

    /// `ldmatrix` or `stmatrix` of the rows at these addresses.
    pub(super) fn emit_rows(
        &mut self,
        at: At,
        load: bool,
        of: MatrixOperands,
        address: Address,
    ) -> Result<()> {
        let access =
            MemoryOperand { address, bytes: 4, count: 4, elsewhere: true, ..MemoryOperand::default() };
        let access = self.enter_access(at, access)?;
        let matrix = self.enter(at, of)?;
        self.emit(if load { Op::LoadMatrix { access, matrix } } else { Op::StoreMatrix { access, matrix } });
        Ok(())
    }

    pub(super) fn mma(&mut self, i: &'m Instruction<'m>, _: Guard) -> Result<()> {
        let words = words(i);
        let unsupported = |d: &Self| d.context.unsupported(i.at, format!("`{}`", i.mnemonic()));
        let (saturate, and) = (words.contains(&"satfinite"), words.contains(&"and"));
        let words: Vec<&str> = words.iter().copied().filter(|w| *w != "satfinite").collect();
        let (words, counted) = match &words[..] {
            [words @ .., "xor" | "and", "popc"] => (words, true),
            words => (words, false),
        };
        let [size, rows, columns, d, a, b, c] = words else { return unsupported(self) };
        let (Some(size), Some(a), Some(b), Some(c), Some(d)) =
            (shape(size), element(a, and), element(b, and), sum(c), sum(d))
        else {
            return unsupported(self);
        };
        let [of_d, of_a, of_b, of_c] = &i.operands[..] else { return self.operand_error(i) };
        let list = std::slice::from_ref;
        if size == [8, 8, 4] && (a, b) == (Element::F16, Element::F16) && !saturate && !counted {
            let is = |word: &str, name: &str| word == name;
            let quads = Quads { a_columns: is(rows, "col"), b_rows: is(columns, "row"), c, d };
            let registers = |sum: Sum| if sum == Sum::F16 { 4 } else { 8 };
            let floats = |sum: Sum| matches!(sum, Sum::F16 | Sum::F32);
            if !floats(c) || !floats(d) {
                return unsupported(self);
            }
            let of = MatrixOperands {
                matrix: Matrix::Quads(quads),
                wide: false,
                a: self.sources(i, list(of_a), 2, File::W)?,
                b: self.sources(i, list(of_b), 2, File::W)?,
                c: self.sources(i, list(of_c), registers(c), File::W)?,
                d: self.results(i, list(of_d), registers(d), File::W)?,
            };
            return self.emit_matrix(i, of);
        }
        let bits = matches!(a, Element::Bits { .. });
        let Some(product) = product(size, [a, b], [c, d], saturate)
            .filter(|_| (*rows, *columns) == ("row", "col") && bits == counted)
        else {
            return unsupported(self);
        };
        let wide = a == Element::F64;
        let file = if wide { File::X } else { File::W };
        let of = MatrixOperands {
            matrix: Matrix::Product(product, Tiling::Whole),
            wide,
            a: self.sources(i, list(of_a), product.a_registers(), file)?,
            b: self.sources(i, list(of_b), product.b_registers(), file)?,
            c: self.sources(i, list(of_c), product.sum_registers(c), file)?,
            d: self.results(i, list(of_d), product.sum_registers(d), file)?,
        };
        self.emit_matrix(i, of)
    }
}
