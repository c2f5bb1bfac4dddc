//! Costs of PTX instructions on a multiprocessor: issue slots, and turns of the pipes that are slower than issue.
//!
//! Which function an opcode has for its cost, its row in the decoder's table says.
//!
//! A GPU executes what `ptxas` makes of PTX: some instructions become none (a move, a parameter), some become many (an
//! integer division). The numbers are those of the sequences that `ptxas` 13.0 makes for sm_90 on the usual path, held
//! against the time of each on an H200 (`crates/simt/tests/timing/throughput.toml`).

/// Turns that a warp takes, of one instruction; in quarters ([`Issue::SCALE`]), a sum of them over a basic block or the sampled
/// blocks of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Issue {
    /// PTX instructions.
    pub(crate) instructions: u64,
    /// Instructions issued.
    pub(crate) slots: u64,
    /// Of these on the integer pipe: arithmetic, logic, comparisons, selections.
    pub(crate) integer: u64,
    /// Products of integers, on a pipe that is as fast.
    pub(crate) multiply: u64,
    /// On the special function units: reciprocals, roots, exponentials, and most conversions.
    pub(crate) special: u64,
    /// In single precision.
    pub(crate) single: u64,
    /// In double precision.
    pub(crate) double: u64,
    /// In half precision, two values at once.
    pub(crate) half: u64,
    /// Lanes that read each other's registers, which goes through shared memory's crossbar.
    pub(crate) shuffles: u64,
    /// On tensor cores: `mma.m16n8k16` of `.f16` takes three.
    pub(crate) tensor: u64,
    /// Loads of constant memory, and other accesses, that a predicate turns off for all lanes: they take a turn each.
    pub(crate) constants_off: u64,
    pub(crate) accesses_off: u64,
}

impl Issue {
    /// Turns are kept in quarters: a loop of which four rounds become one has fewer than a whole one a round.
    pub(crate) const SCALE: u64 = 4;

    /// Adds a number of quarters of another's.
    pub(crate) fn add_scaled(&mut self, other: &Issue, quarters: u64) {
        (0..quarters).for_each(|_| self.add(other));
        // An instruction of the PTX counts as one whether the chip executes it or not.
        self.instructions += other.instructions * (Self::SCALE - quarters);
    }

    pub(crate) fn add(&mut self, other: &Issue) {
        self.instructions += other.instructions;
        self.slots += other.slots;
        self.integer += other.integer;
        self.multiply += other.multiply;
        self.special += other.special;
        self.single += other.single;
        self.double += other.double;
        self.half += other.half;
        self.shuffles += other.shuffles;
        self.tensor += other.tensor;
        self.constants_off += other.constants_off;
        self.accesses_off += other.accesses_off;
    }

    /// Takes all but the number of instructions: under a predicate they are issued whether a lane is there or not.
    pub(crate) fn taken(&mut self) -> Issue {
        let all = std::mem::take(self);
        self.instructions = all.instructions;
        Issue { instructions: 0, ..all }
    }
}

/// Instructions of every warp that no PTX says: the stack's address, the descriptor of global memory, the end.
pub(crate) const FRAME: Issue = Issue { instructions: 0, slots: 3, ..EMPTY };

const EMPTY: Issue = cost([0, 0, 0, 0], [0, 0, 0]).issue;

/// An instruction's turns, and how many results of each kind its own result waits for, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) issue: Issue,
    pub(crate) alu: u64,
    pub(crate) special: u64,
    pub(crate) double: u64,
    pub(crate) tensor: u64,
}

impl Cost {
    /// That of an instruction which another one does with its own.
    pub(crate) fn gone(self) -> Cost {
        Cost { issue: Issue { instructions: self.issue.instructions, ..Issue::default() }, ..Cost::default() }
    }
}

const fn cost(turns: [u64; 4], depth: [u64; 3]) -> Cost {
    let [slots, integer, special, double] = turns;
    let issue = Issue {
        instructions: 1,
        slots,
        integer,
        multiply: 0,
        special,
        single: 0,
        double,
        half: 0,
        shuffles: 0,
        tensor: 0,
        constants_off: 0,
        accesses_off: 0,
    };
    Cost { issue, alu: depth[0], special: depth[1], double: depth[2], tensor: 0 }
}

/// A cost of which everything on the integer pipe is products.
const fn products(mut cost: Cost) -> Cost {
    cost.issue.multiply = cost.issue.integer;
    cost.issue.integer = 0;
    cost
}

/// A cost of which everything that is on no other pipe computes in single precision.
const fn single(mut cost: Cost) -> Cost {
    let Issue { slots, integer, special, .. } = cost.issue;
    cost.issue.single = slots - integer - special;
    cost
}

const NOTHING: Cost = cost([0, 0, 0, 0], [0, 0, 0]);
const ISSUED: Cost = cost([1, 0, 0, 0], [0, 0, 0]);
const ONE: Cost = cost([1, 0, 0, 0], [1, 0, 0]);
const INTEGER: Cost = cost([1, 1, 0, 0], [1, 0, 0]);
const PRODUCT: Cost = products(INTEGER);
const DOUBLE: Cost = cost([1, 0, 0, 1], [0, 0, 1]);
const SPECIAL: Cost = cost([1, 0, 1, 0], [0, 1, 0]);

/// An instruction's words as they are in the text: the opcode and its modifiers, with dots between them.
#[derive(Clone, Copy)]
pub(crate) struct Mnemonic<'a>(pub(crate) &'a str);

impl Mnemonic<'_> {
    fn has(self, modifier: &str) -> bool {
        self.0.split('.').any(|m| m == modifier)
    }

    /// Whether it is of halves, one or two at once.
    fn half(self) -> bool {
        ["f16", "f16x2", "bf16", "bf16x2"].into_iter().any(|ty| self.has(ty))
    }

    /// Whether it is of integers of 64 bits.
    fn wide(self) -> bool {
        ["u64", "s64", "b64"].into_iter().any(|ty| self.has(ty))
    }

    fn approximate(self) -> bool {
        self.has("approx") || self.has("full")
    }

    /// Without `.ftz`, subnormal numbers are scaled before and after.
    fn scaled(self, plain: Cost) -> Cost {
        if self.has("ftz") || self.half() { plain } else { cost([4, 1, 1, 0], [plain.alu + 5, 1, 0]) }
    }

    /// The cost of a sum or a product of floating-point numbers, if it is one.
    fn float(self) -> Option<Cost> {
        if self.half() {
            let mut cost = cost([1, 0, 0, 0], [2, 0, 0]);
            cost.issue.half = 1;
            Some(cost)
        } else if self.has("f64") {
            Some(DOUBLE)
        } else if self.has("f32") {
            Some(single(ONE))
        } else {
            None
        }
    }
}

// The costs of instructions by their opcodes' rows in the decoder's table, each with what modifiers change.

/// A special register that is read into another one.
pub(crate) const SPECIAL_REGISTER: Cost = ISSUED;

/// Removed by `ptxas`, or folded into what follows.
pub(crate) fn free(_: Mnemonic) -> Cost {
    NOTHING
}

/// On the integer pipe.
pub(crate) fn integer(_: Mnemonic) -> Cost {
    INTEGER
}

/// An issue slot and no pipe of its own: control flow, and accesses to memory, which are counted as such.
pub(crate) fn issued(_: Mnemonic) -> Cost {
    ISSUED
}

/// `add`, `sub`, `fma`.
pub(crate) fn sum(of: Mnemonic) -> Cost {
    // The chip adds 32 bits at a time.
    of.float().unwrap_or(if of.wide() { cost([2, 2, 0, 0], [2, 0, 0]) } else { INTEGER })
}

/// `mul`, `mad`.
pub(crate) fn multiply(of: Mnemonic) -> Cost {
    match of.float() {
        Some(float) => float,
        None if of.wide() && !of.has("wide") => products(cost([4, 4, 0, 0], [4, 0, 0])),
        None if of.has("hi") => products(cost([2, 2, 0, 0], [2, 0, 0])),
        None => PRODUCT,
    }
}

/// `div`, `rem`.
pub(crate) fn divide(of: Mnemonic) -> Cost {
    if of.has("f64") {
        cost([16, 1, 1, 12], [0, 1, 14])
    } else if of.has("f32") && of.approximate() {
        single(of.scaled(cost([2, 0, 1, 0], [1, 1, 0])))
    } else if of.has("f32") {
        single(cost([17, 2, 1, 0], [10, 1, 0]))
    } else if of.wide() {
        cost([80, 50, 4, 0], [90, 3, 0])
    } else {
        cost([18, 13, 3, 0], [22, 2, 0])
    }
}

/// `rcp`.
pub(crate) fn reciprocal(of: Mnemonic) -> Cost {
    if of.approximate() {
        of.scaled(SPECIAL)
    } else if of.has("f64") {
        cost([10, 1, 1, 6], [0, 1, 7])
    } else if of.has("f32") {
        single(cost([7, 2, 1, 0], [6, 1, 0]))
    } else {
        of.scaled(SPECIAL)
    }
}

/// `sqrt`.
pub(crate) fn root(of: Mnemonic) -> Cost {
    if of.has("f64") {
        cost([16, 1, 1, 12], [0, 1, 12])
    } else if of.approximate() {
        of.scaled(SPECIAL)
    } else {
        single(cost([11, 2, 1, 0], [9, 1, 0]))
    }
}

/// `sin`, `cos`: the argument is reduced first.
pub(crate) fn sine(_: Mnemonic) -> Cost {
    single(cost([2, 0, 1, 0], [1, 1, 0]))
}

/// `rsqrt`, `ex2`, `lg2`.
pub(crate) fn approximate(of: Mnemonic) -> Cost {
    of.scaled(SPECIAL)
}

/// A turn of the special function units: `tanh`, and counts of bits.
pub(crate) fn special(_: Mnemonic) -> Cost {
    SPECIAL
}

/// `setp`, `set`, `min`, `max`.
pub(crate) fn compare(of: Mnemonic) -> Cost {
    if of.has("f64") { cost([2, 1, 0, 1], [1, 0, 1]) } else { INTEGER }
}

/// `shfl`, `movmatrix`: lanes read each other's registers.
pub(crate) fn shuffle(_: Mnemonic) -> Cost {
    let mut cost = ISSUED;
    cost.issue.shuffles = 1;
    cost
}

/// `redux`, `match`.
pub(crate) fn reduction(_: Mnemonic) -> Cost {
    cost([2, 0, 2, 0], [0, 1, 0])
}

/// `bfe`, `bfi`: fields of bits.
pub(crate) fn bit_field(_: Mnemonic) -> Cost {
    cost([2, 2, 0, 0], [2, 0, 0])
}

/// `wmma`: what it loads and stores is counted as that.
pub(crate) fn fragments(of: Mnemonic) -> Cost {
    if of.has("mma") { product(of) } else { cost([6, 0, 0, 0], [0, 0, 0]) }
}

/// Products of matrices, timed on an H200: turns of half a cycle of a multiprocessor that has many of them, and how many
/// turns' time a sum that depends on the last one waits.
pub(crate) fn product(Mnemonic(mnemonic): Mnemonic) -> Cost {
    let has = |modifier: &str| mnemonic.split('.').any(|m| m == modifier);
    let size = mnemonic.split('.').find_map(|word| {
        let (mn, k) = word.strip_prefix('m')?.split_once('k')?;
        let (m, n) = mn.split_once('n')?;
        Some((m.parse::<u64>().ok()?, n.parse::<u64>().ok()?, k.parse::<u64>().ok()?))
    });
    let Some((m, n, k)) = size else { return ONE };
    let products = (m * n).div_ceil(128);
    let bits = ["s4", "u4", "b1", "s8", "u8", "e4m3", "e5m2", "tf32", "f64"].into_iter().find(|ty| has(ty));
    let of = |slots: u64, turns: u64, depth: u64| {
        let mut cost = cost([slots * products, 0, 0, 0], [0, 0, 0]);
        cost.issue.tensor = turns * products;
        cost.tensor = depth;
        cost
    };
    let (row, slots) = match bits {
        Some("f64") => {
            return match (m, k) {
                (8, _) => of(1, 8, 3),
                (_, 4) => of(1, 9, 4),
                (_, 8) => of(1, 16, 7),
                _ => of(1, 36, 15),
            };
        }
        // Those of 4 bits are made of two of 8 bits.
        Some("s4" | "u4") => (8 * k, 100),
        Some("e4m3" | "e5m2") => (16 * k, 18),
        Some("b1") => (k, 1),
        Some("s8" | "u8") => (8 * k, 1),
        Some("tf32") => (32 * k, 1),
        // Those of Volta are products of tensor cores no longer.
        _ if k == 4 => return cost([130, 0, 0, 0], [12, 0, 0]),
        _ => (16 * k, 1),
    };
    // A row of `a`: 128 bits take two turns, 256 bits three.
    let turns = if row <= 128 { 2 } else { 3 * row.div_ceil(256) };
    of(slots, turns, turns)
}

/// `cvt`: to and from integers and `f64` by the special function units, unless from a 32-bit integer to `f32`.
pub(crate) fn convert(Mnemonic(mnemonic): Mnemonic) -> Cost {
    let mut types =
        mnemonic.rsplit('.').filter(|m| m.len() <= 4 && m.ends_with(|c: char| c.is_ascii_digit()));
    let (from, to) = (types.next().unwrap_or_default(), types.next().unwrap_or_default());
    let float = |ty: &str| ty.starts_with('f') || ty.starts_with("bf");
    match (float(from), float(to)) {
        (false, false) if from == to || to == "u64" => NOTHING,
        (false, false) => INTEGER,
        (false, true) if to == "f32" && !from.ends_with("64") => INTEGER,
        (true, true) if from != "f64" && to != "f64" => ONE,
        _ => SPECIAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_take_the_pipe_of_their_types() {
        assert_eq!(convert(Mnemonic("cvt.rn.f32.s32")), INTEGER);
        assert_eq!(convert(Mnemonic("cvt.rzi.s32.f32")), SPECIAL);
        assert_eq!(convert(Mnemonic("cvt.rn.f64.s32")), SPECIAL);
        assert_eq!(convert(Mnemonic("cvt.f64.f32")), SPECIAL);
        assert_eq!(convert(Mnemonic("cvt.rn.f16.f32")), ONE);
        assert_eq!(convert(Mnemonic("cvt.u64.u32")), NOTHING);
        assert_eq!(convert(Mnemonic("cvt.s64.s32")), INTEGER);
    }
}
