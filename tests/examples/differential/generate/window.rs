//! Loops over a row whose iterations look at what their neighbours do: windows, running sums, exchanges.
//!
//! A row is the thread's own: an array, a row of one in shared memory, or a part of an input, which is only read.

use super::Ty::{self, Double, Float, Int, UInt, ULong, UShort};
use super::{Generator, INPUTS};

/// Elements of a row. Iterations begin at the first element with [`AROUND`] before it, and end at the last with that many after it.
const LENGTH: u32 = 16;
/// How far from its own element an iteration looks.
const AROUND: u32 = 2;

impl Generator {
    /// Such a loop.
    pub(super) fn window(&mut self) {
        let ty = [Float, UInt, UInt, UShort, ULong, Double][self.below(6) as usize];
        let word = ty.name();
        let [row, i, sum, bound, name] = ["row", "i", "v", "bound", "v"].map(|stem| self.fresh(stem));
        let written = self.row(&row, ty);
        let last = LENGTH - AROUND;
        let value = self.leaf(Int);
        self.line(&format!("{word} {sum} = 0;"));
        self.line(&format!("int {bound} = {AROUND} + (({value}) & 7) + (threadIdx.x & 3);"));
        let (walks, head) = match self.below(7) {
            0 => (false, format!("for (int {i} = {AROUND}; {i} < {last}; {i}++)")),
            1 => (false, format!("for (unsigned {i} = {AROUND}; {i} < {bound}; {i}++)")),
            2 => (false, format!("for (int {i} = {bound}; {i} >= {AROUND}; {i}--)")),
            3 => (false, format!("for (int {i} = {AROUND} + (threadIdx.x & 1); {i} < {last}; {i} += 2)")),
            4 => (false, format!("for (long long {i} = {bound}; {i} < {last}; {i}++)")),
            5 => {
                let pointer = if written { word.to_owned() } else { format!("const {word}") };
                let from = format!("{pointer} *{i} = {row} + {AROUND}");
                (true, format!("for ({from}; {i} < {row} + {bound}; {i}++)"))
            }
            _ => (false, format!("for (int {i} = {AROUND}; {i} < {bound}; {i}++)")),
        };
        let uniform = std::mem::replace(&mut self.uniform, false);
        self.unroll();
        self.open(&head);
        for _ in 0..=self.below(3) {
            self.turn(&row, if walks { None } else { Some(&i) }, &i, &sum, ty, written);
        }
        self.close("");
        self.uniform = uniform;
        self.declare_sum(&sum, ty);
        let index = self.index(LENGTH);
        self.line(&format!("{word} {name} = {row}[{index}];"));
        self.declare(&name, ty, None, true);
    }

    /// Declares a row; whether it may be written.
    fn row(&mut self, row: &str, ty: Ty) -> bool {
        let word = ty.name();
        let input = match ty {
            Float => "pf",
            Double => "pd",
            _ => "pu",
        };
        let from = self.below(INPUTS - LENGTH);
        match self.below(4) {
            0 if matches!(ty, Float | UInt | Double) => {
                let value = self.leaf(UInt);
                self.line(&format!("const {word} *{row} = {input} + (({value}) & 63);"));
                return false;
            }
            1 if matches!(ty, Float | UInt) => {
                let rows = self.fresh("rows");
                self.line(&format!("__shared__ {word} {rows}[80][{LENGTH}];"));
                self.line(&format!("{word} *{row} = {rows}[threadIdx.x];"));
            }
            _ => self.line(&format!("{word} {row}[{LENGTH}];")),
        }
        let k = self.fresh("k");
        let sign = if self.chance(50) { "+" } else { "^" };
        self.line(&format!(
            "for (int {k} = 0; {k} < {LENGTH}; {k}++) {row}[{k}] = {input}[({k} {sign} {from}) % {INPUTS}];"
        ));
        true
    }

    /// An element near that of an iteration: by index, or where there is none by a pointer.
    fn near(&mut self, row: &str, index: Option<&str>, pointer: &str) -> String {
        let by = i64::from(self.below(2 * AROUND + 1)) - i64::from(AROUND);
        match index {
            Some(i) if by == 0 => format!("{row}[{i}]"),
            Some(i) => format!("{row}[{i} {} {}]", if by < 0 { '-' } else { '+' }, by.abs()),
            None => format!("{pointer}[{by}]"),
        }
    }

    fn turn(&mut self, row: &str, index: Option<&str>, pointer: &str, sum: &str, ty: Ty, written: bool) {
        let [a, b, c] = [(); 3].map(|()| self.near(row, index, pointer));
        let operator = if ty.is_float() { ["+", "-"] } else { ["+", "^"] }[self.below(2) as usize];
        match self.below(if written { 8 } else { 3 }) {
            0 => self.line(&format!("{sum} += {a};")),
            1 => self.line(&format!("if ({a} < {b}) {sum} += {c};")),
            2 => {
                let leaves = ["break", "continue"][self.below(2) as usize];
                self.line(&format!("if ({a} == {b}) {leaves};"));
                self.line(&format!("{sum} += {c};"));
            }
            3 => {
                let taken = self.fresh("taken");
                self.open(&format!("if ({a} > {b})"));
                self.line(&format!("{} {taken} = {a};", ty.name()));
                self.line(&format!("{a} = {b};"));
                self.line(&format!("{b} = {taken};"));
                self.close("");
            }
            4 => {
                let (other, value) = (self.index(LENGTH), self.leaf(ty));
                self.line(&format!("{row}[{other}] = {value};"));
                self.line(&format!("{sum} += {a};"));
            }
            5 => {
                let (condition, value) = (self.condition(1), self.leaf(ty));
                self.line(&format!("if ({condition}) {a} = {value};"));
            }
            _ => {
                let value = self.reduced(&format!("{b} {operator} {c}"), ty);
                self.line(&format!("{a} = {value};"));
            }
        }
    }
}
