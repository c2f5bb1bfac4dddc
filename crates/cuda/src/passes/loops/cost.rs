//! How large LLVM finds a loop that it may unroll fully.
//!
//! Enters: a loop in its form, as the source has it. Leaves: whether that many copies of its iteration are few enough. An instruction is
//! 1, but for what a target computes on the way: an address is 1 with all its parts, what no iteration changes is none, and a division
//! is 4. The borders are those of NVRTC 12.9 for 30 loops of 2 to 400 iterations; the tests have some of them.

use super::form::Form;
use super::trips;
use crate::ir::{Binary, Block, Convert, Def, Function, Inst, Op, Value};
use crate::passes::effects::{Effect, effect};

/// Size of all iterations below which a loop is unrolled.
const WHOLE: usize = 405;
/// Size of those iterations that become one first, where they are too many; their number is a power of two.
const STEP: usize = 127;
/// Turns whose code is looked at before it is there.
const FORESEEN: usize = 10;
/// What the loop itself takes: its counter and its test.
const LOOP: usize = 2;
/// What counts the iterations of a loop before it, where several become one.
const COUNTING: usize = 16;
/// What a division costs, and what the others do that are several instructions of LLVM.
const DIVISION: usize = 4;
const SHUFFLE: usize = 3;
const APART: usize = 3;
const CHOICE: usize = 2;

/// Size of an iteration.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    all: usize,
    /// What is a constant, or part of an access, once the iteration's number is known.
    counted: usize,
    /// What is so only where no iteration is left to be counted.
    members: usize,
}

/// What a loop adds to the one around it where that many iterations become one: those, one for the iterations that are left, and what counts
/// them. By NVRTC's borders between 4 and 7 iterations of loops around loops of one, two and three loads.
pub(super) fn counted(turn: Cost, count: u32) -> usize {
    (turn.all + LOOP) * (count as usize + 1) + COUNTING
}

impl Cost {
    /// The size with that of loops within.
    pub(super) fn with(self, inner: usize) -> Self {
        Self { all: self.all + inner, ..self }
    }

    /// Whether a loop of that many iterations is unrolled of which the source does not ask it.
    pub(super) fn allows(self, turns: usize) -> bool {
        if self.all * turns + 2 < WHOLE || self.shrinks(1, turns) {
            return true;
        }
        // Several iterations become one, and what is left may be few enough then.
        let together = |count: &usize| turns.is_multiple_of(*count) && self.all * count <= STEP;
        [32, 16, 8, 4, 2].into_iter().find(together).is_some_and(|count| self.shrinks(count, turns))
    }

    /// Whether copies of that many iterations at a time are small enough in view of how much they shrink.
    fn shrinks(self, count: usize, turns: usize) -> bool {
        let whole = self.all.saturating_sub(self.counted);
        let (left, turn) = if count == 1 {
            (whole, self.all)
        } else {
            let left = whole + self.members;
            (left, left * count + self.counted - self.members + LOOP)
        };
        turns / count <= FORESEEN && turns * left * left * count < WHOLE * turn
    }
}

/// What a value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Depends {
    Nothing,
    /// What the loop does not change.
    Fixed,
    /// The iteration's number alone.
    Turn,
    Any,
}

impl Depends {
    fn and(self, other: Depends) -> Depends {
        match (self, other) {
            (Depends::Nothing, one) | (one, Depends::Nothing) => one,
            (one, same) if one == same => one,
            _ => Depends::Any,
        }
    }
}

/// By value: what it depends on.
fn depends(function: &Function, form: &Form) -> Vec<Depends> {
    let mut depends = vec![Depends::Fixed; function.values.len()];
    for block in &form.blocks {
        for param in &function.blocks[block.index()].params {
            let counts = *block == form.header && trips::is_known_each_turn(function, form, *param);
            depends[param.index()] = if counts { Depends::Turn } else { Depends::Any };
        }
    }
    for inst in insts(function, form) {
        let data = &function.insts[inst.index()];
        let of = |arg: &Value| match function.constant(*arg) {
            Some(_) => Depends::Nothing,
            None => depends[function.resolve(*arg).index()],
        };
        let found = match (effect(&data.op), &data.op) {
            // An address is part of the access, wherever the object is.
            (Effect::Pure, Op::Offset) if of(&data.args[0]) <= Depends::Fixed => match of(&data.args[1]) {
                Depends::Nothing => of(&data.args[0]),
                distance => distance,
            },
            (Effect::Pure, _) => data.args.iter().map(of).fold(Depends::Nothing, Depends::and),
            _ => Depends::Any,
        };
        data.results.iter().for_each(|result| depends[result.index()] = found);
    }
    depends
}

/// By value: whether more is made of it than the distance of an address or another address.
fn used(function: &Function, form: &Form) -> Vec<bool> {
    let mut used = vec![false; function.values.len()];
    let mut uses = |value: Value| used[function.resolve(value).index()] = true;
    for inst in insts(function, form) {
        let data = &function.insts[inst.index()];
        if !matches!(data.op, Op::Offset) {
            data.args.iter().for_each(|arg| uses(*arg));
        }
    }
    form.blocks.iter().for_each(|block| function.blocks[block.index()].end.uses().for_each(&mut uses));
    used
}

/// Bytes of the elements that a distance counts, where it is a number of them.
fn scale(function: &Function, distance: Value) -> Option<u64> {
    let Def::Result(inst, _) = function.values[function.resolve(distance).index()].def else {
        return Some(1);
    };
    let data = &function.insts[inst.index()];
    let Op::Binary(op) = data.op else { return Some(1) };
    let by = function.constant(*data.args.get(1)?)?;
    match op.without_wrap().0 {
        Binary::Shl(_) => 1u64.checked_shl(by as u32),
        Binary::Mul(_) => Some(by),
        _ => None,
    }
}

/// Whether an address is that of another element of the array that its own base is an element of: LLVM adds up the indices, and
/// extends the sum.
fn is_apart(function: &Function, inst: Inst) -> bool {
    let data = &function.insts[inst.index()];
    let [base, distance] = data.args.as_slice() else { return false };
    let Some((_, before)) = function.offset_of(*base) else { return false };
    let Some(bytes) = scale(function, before).filter(|bytes| *bytes > 0) else { return false };
    if function.constant(before).is_some() {
        return false;
    }
    match function.constant(*distance) {
        Some(distance) => distance.is_multiple_of(bytes),
        None => scale(function, *distance) == Some(bytes),
    }
}

/// Addresses of what is accessed that is no whole element of an array, such as a member of one.
fn members(function: &Function, form: &Form) -> Vec<Inst> {
    let of = |inst: Inst| {
        let data = &function.insts[inst.index()];
        let bytes: u64 = match &data.op {
            Op::Load(_) => data.results.iter().map(|value| u64::from(function.ty(*value).bytes())).sum(),
            Op::Store(_) => data.args[1..].iter().map(|value| u64::from(function.ty(*value).bytes())).sum(),
            _ => return None,
        };
        let Def::Result(address, _) = function.values[function.resolve(data.args[0]).index()].def else {
            return None;
        };
        let (_, distance) = function.offset_of(data.args[0])?;
        (scale(function, distance) != Some(bytes)).then_some(address)
    };
    insts(function, form).filter_map(of).collect()
}

fn insts<'a>(function: &'a Function, form: &'a Form) -> impl Iterator<Item = Inst> + 'a {
    form.blocks.iter().flat_map(|block| function.blocks[block.index()].insts.iter().copied())
}

/// Instructions of a loop that are not the same in all of its iterations.
pub(super) fn varying(function: &Function, form: &Form) -> Vec<Inst> {
    let depends = depends(function, form);
    let fixed = |value: &Value| matches!(depends[value.index()], Depends::Nothing | Depends::Fixed);
    let varies = |inst: &Inst| !function.insts[inst.index()].results.iter().any(fixed);
    insts(function, form).filter(varies).collect()
}

/// Size of a loop's iteration. What copies of an inner loop's iterations do counts though the loop never changes it: LLVM moves it out later.
pub(super) fn of(function: &Function, form: &Form, copied: &[bool]) -> Cost {
    let (depends, used) = (depends(function, form), used(function, form));
    let members = members(function, form);
    let mut cost = Cost::default();
    for inst in insts(function, form) {
        let (depends, used) = match function.insts[inst.index()].results.first() {
            Some(result) => (depends[result.index()], used[result.index()]),
            None => (Depends::Any, true),
        };
        let size = size(function, inst, used);
        let copied = copied.get(inst.index()) == Some(&true);
        if copied || !matches!(depends, Depends::Nothing | Depends::Fixed) {
            cost.all += size;
        }
        if depends == Depends::Turn {
            cost.counted += size;
            cost.members += if members.contains(&inst) { size } else { 0 };
        }
    }
    let branches = |block: &&Block| function.blocks[block.index()].end.edges().count() > 1;
    cost.all += form.blocks.iter().filter(branches).count();
    // The loop's own test.
    let counted = cost.counted.saturating_sub(1);
    Cost { all: cost.all.saturating_sub(2).max(1), counted, members: cost.members.min(counted) }
}

/// What an instruction costs, of whose result more is made than an address, or not.
fn size(function: &Function, inst: Inst, used: bool) -> usize {
    let data = &function.insts[inst.index()];
    match data.op {
        Op::Offset if used && is_apart(function, inst) => APART,
        Op::Offset => usize::from(used),
        Op::Convert(Convert::Truncate) => 0,
        Op::Binary(op) => match op.without_wrap().0 {
            Binary::SDiv | Binary::UDiv | Binary::SRem | Binary::URem | Binary::FDiv => DIVISION,
            Binary::SMin | Binary::SMax | Binary::UMin | Binary::UMax => CHOICE,
            // The scaling of an index.
            Binary::Shl(_) | Binary::Mul(_) if !used => 0,
            _ => 1,
        },
        Op::Builtin(row, _) if row.name.starts_with("__builtin_shfl") => SHUFFLE,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Input, Options, compile};

    /// Whether a loop of that many iterations with that body is gone.
    fn unrolled(body: &str, turns: u32) -> bool {
        let text = format!(
            "struct Sphere {{ float x, y, z, radius; }}; __constant__ Sphere spheres[64]; __global__ void k(const float *a, const float *b, float *o, int n) {{ int x = blockIdx.x * blockDim.x + threadIdx.x; float r = 0, q = 1; for (int i = 0; i < {turns}; i++) {{ {body} }} o[x] = r + q; }}"
        );
        let input = Input { name: "k.cu", text: &text, include: &|_| None };
        let ptx = compile(&input, &Options::default()).unwrap().ptx;
        // Back to a label that is above.
        let mut labels = Vec::new();
        !ptx.lines().map(str::trim).any(|line| {
            labels.extend(line.strip_suffix(':'));
            let target = line.rsplit_once("bra ").or(line.rsplit_once("bra.uni "));
            target.is_some_and(|(_, target)| labels.contains(&target.trim().trim_end_matches(';')))
        })
    }

    #[test]
    fn a_loop_is_unrolled_up_to_the_turns_at_which_nvrtc_does() {
        let ray = "float dx = x - spheres[i].x, dy = n - spheres[i].y; float in = spheres[i].radius * spheres[i].radius - dx * dx - dy * dy; if (in > 0.0f) r = fmaxf(r, spheres[i].z + sqrtf(in));";
        for (body, most) in [
            ("r += a[i];", 80),
            ("r += a[i] * b[i];", 50),
            ("r += a[x + i] * b[i];", 40),
            ("r += a[n * 3 + i] * b[i * n + x];", 33),
            ("float v = a[i]; if (v < 0) break; r += v;", 57),
            ("o[i] = a[i] * 2;", 57),
            ("r = 1.0f / (r + a[i]);", 44),
            (ray, 18),
        ] {
            assert!(unrolled(body, most), "{body} {most}");
            assert!(!unrolled(body, most + 1), "{body} {}", most + 1);
        }
    }

    #[test]
    fn a_loop_around_one_whose_turns_become_one_is_unrolled_as_often_as_nvrtc_does() {
        for (inner, most) in
            [("r += a[j];", 7), ("r += a[j] * b[j];", 5), ("q = 0; r += a[j * 32 + i] * b[j];", 4)]
        {
            let body = format!("for (int j = 0; j < n; j++) {{ {inner} }}");
            let copies = |turns: u32| {
                let text = format!(
                    "__global__ void k(const float *a, const float *b, float *o, int n) {{ float r = 0, q = 1; for (int i = 0; i < {turns}; i++) {{ {body} }} o[0] = r + q; }}"
                );
                let input = Input { name: "k.cu", text: &text, include: &|_| None };
                compile(&input, &Options::default()).unwrap().ptx.matches("setp").count()
            };
            assert!(copies(most) > 2 * copies(1), "{inner} {most}");
            assert!(copies(most + 1) < 2 * copies(1), "{inner} {}", most + 1);
        }
    }

    #[test]
    fn turns_that_divide_into_few_are_unrolled_beyond_that() {
        for (body, turns) in [
            ("r += a[i];", 128),
            ("r += a[i] * b[i];", 64),
            ("float v = a[i]; if (v < 0) break; r += v;", 96),
        ] {
            assert!(unrolled(body, turns), "{body}");
            assert!(!unrolled(body, turns + 1), "{body}");
        }
        assert!(!unrolled("r += a[i] * b[i];", 128));
        assert!(!unrolled("r += a[i] * b[x + i];", 64));
    }
}
