//! What a PTX instruction takes of a multiprocessor, by its mnemonic: issue slots, and turns of the pipes that are
//! slower than issue.
//!
//! A GPU executes what `ptxas` makes of PTX: some instructions become none (a move, a parameter), some become many (an
//! integer division). The numbers are those of the sequences that `ptxas` 13.0 makes for sm_90 on the usual path, held
//! against the time of each on an H200 (`crates/simt/tests/timing/throughput.toml`).

/// Turns that a warp takes. Also a sum of them, over a basic block or the sampled blocks of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Issue {
    /// PTX instructions.
    pub(crate) instructions: u64,
    /// Instructions issued.
    pub(crate) slots: u64,
    /// Of these on the integer pipe: arithmetic, logic, comparisons, selections.
    pub(crate) integer: u64,
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
}

impl Issue {
    pub(crate) fn add(&mut self, other: &Issue) {
        self.instructions += other.instructions;
        self.slots += other.slots;
        self.integer += other.integer;
        self.special += other.special;
        self.single += other.single;
        self.double += other.double;
        self.half += other.half;
        self.shuffles += other.shuffles;
        self.tensor += other.tensor;
    }
}

/// An instruction's turns, and how many results of each kind its own result waits for, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) issue: Issue,
    pub(crate) alu: u64,
    pub(crate) special: u64,
    pub(crate) double: u64,
    pub(crate) tensor: u64,
}

const fn cost(turns: [u64; 4], depth: [u64; 3]) -> Cost {
    let [slots, integer, special, double] = turns;
    let issue = Issue {
        instructions: 1,
        slots,
        integer,
        special,
        single: 0,
        double,
        half: 0,
        shuffles: 0,
        tensor: 0,
    };
    Cost { issue, alu: depth[0], special: depth[1], double: depth[2], tensor: 0 }
}

/// The same where what is on no other pipe computes in single precision.
const fn single(mut cost: Cost) -> Cost {
    let Issue { slots, integer, special, .. } = cost.issue;
    cost.issue.single = slots - integer - special;
    cost
}

const NOTHING: Cost = cost([0, 0, 0, 0], [0, 0, 0]);
const ONE: Cost = cost([1, 0, 0, 0], [1, 0, 0]);
const INTEGER: Cost = cost([1, 1, 0, 0], [1, 0, 0]);
const DOUBLE: Cost = cost([1, 0, 0, 1], [0, 0, 1]);
const SPECIAL: Cost = cost([1, 0, 1, 0], [0, 1, 0]);

/// The cost of an instruction by its opcode and modifiers.
pub(crate) fn of(mnemonic: &str) -> Cost {
    let opcode = mnemonic.split('.').next().unwrap_or_default();
    let has = |modifier: &str| mnemonic.split('.').any(|m| m == modifier);
    let half = has("f16") || has("f16x2") || has("bf16") || has("bf16x2");
    let wide = has("u64") || has("s64") || has("b64");
    let float = has("f32");
    let approximate = has("approx") || has("full");
    // Without `.ftz`, subnormal numbers are scaled before and after.
    let scaled = |plain: Cost| {
        if has("ftz") || half { plain } else { cost([4, 1, 1, 0], [plain.alu + 5, 1, 0]) }
    };
    match opcode {
        "mov" | "cvta" | "neg" | "abs" | "ret" | "isspacep" | "pragma" => NOTHING,
        "ld" if has("param") => NOTHING,
        "add" | "sub" | "mul" | "fma" | "mad" if half => {
            let mut cost = cost([1, 0, 0, 0], [2, 0, 0]);
            cost.issue.half = 1;
            cost
        }
        "add" | "sub" | "mul" | "fma" | "mad" if has("f64") => DOUBLE,
        "add" | "sub" | "mul" | "fma" | "mad" if float => single(ONE),
        "mul" | "mad" if wide && !has("wide") => cost([4, 4, 0, 0], [4, 0, 0]),
        "mul" | "mad" if has("hi") => cost([2, 2, 0, 0], [2, 0, 0]),
        "div" if has("f64") => cost([16, 1, 1, 12], [0, 1, 14]),
        "rcp" if has("f64") && !approximate => cost([10, 1, 1, 6], [0, 1, 7]),
        "sqrt" if has("f64") => cost([16, 1, 1, 12], [0, 1, 12]),
        "div" if float && approximate => single(scaled(cost([2, 0, 1, 0], [1, 1, 0]))),
        "div" if float => single(cost([17, 2, 1, 0], [10, 1, 0])),
        "sqrt" if !approximate => single(cost([11, 2, 1, 0], [9, 1, 0])),
        "rcp" if float && !approximate => single(cost([7, 2, 1, 0], [6, 1, 0])),
        "sin" | "cos" => single(cost([2, 0, 1, 0], [1, 1, 0])),
        "rcp" | "sqrt" | "rsqrt" | "ex2" | "lg2" => scaled(SPECIAL),
        "tanh" => SPECIAL,
        "div" | "rem" if wide => cost([80, 50, 4, 0], [90, 3, 0]),
        "div" | "rem" => cost([18, 13, 3, 0], [22, 2, 0]),
        "popc" | "clz" | "brev" | "bfind" => SPECIAL,
        "cvt" => convert(mnemonic),
        "setp" | "set" | "min" | "max" if has("f64") => cost([2, 1, 0, 1], [1, 0, 1]),
        "shfl" => {
            let mut cost = cost([1, 0, 0, 0], [0, 0, 0]);
            cost.issue.shuffles = 1;
            cost
        }
        "mma" => product(mnemonic),
        "wmma" if has("mma") => product(mnemonic),
        // What they load and store is counted as that.
        "wmma" => cost([6, 0, 0, 0], [0, 0, 0]),
        "movmatrix" => {
            let mut cost = cost([1, 0, 0, 0], [0, 0, 0]);
            cost.issue.shuffles = 1;
            cost
        }
        "redux" | "match" => cost([2, 0, 2, 0], [0, 1, 0]),
        "bfe" | "bfi" => cost([2, 2, 0, 0], [2, 0, 0]),
        "bra" | "brx" | "call" | "bar" | "barrier" | "exit" | "membar" | "fence" | "nanosleep" => {
            cost([1, 0, 0, 0], [0, 0, 0])
        }
        "ld" | "ldu" | "ldmatrix" | "stmatrix" | "st" | "atom" | "red" | "cp" | "prefetch" | "prefetchu" => {
            cost([1, 0, 0, 0], [0, 0, 0])
        }
        _ => INTEGER,
    }
}

/// Products of matrices, timed on an H200: turns of half a cycle of a multiprocessor that has many of them, and how many
/// turns' time a sum that depends on the last one waits.
fn product(mnemonic: &str) -> Cost {
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
        // Those of Volta are no products of tensor cores any more.
        _ if k == 4 => return cost([130, 0, 0, 0], [12, 0, 0]),
        _ => (16 * k, 1),
    };
    // A row of `a`: 128 bits take two turns, 256 bits three.
    let turns = if row <= 128 { 2 } else { 3 * row.div_ceil(256) };
    of(slots, turns, turns)
}

/// Conversions: to and from integers and `f64` by the special function units, unless from a 32-bit integer to `f32`.
fn convert(mnemonic: &str) -> Cost {
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
    fn what_ptxas_removes_costs_nothing_and_what_it_expands_costs_more() {
        for free in ["mov.u32", "ld.param.u64", "cvta.to.global.u64"] {
            assert_eq!(of(free).issue.slots, 0, "{free}");
        }
        assert_eq!(
            of("fma.rn.f32").issue,
            Issue { instructions: 1, slots: 1, single: 1, ..Issue::default() }
        );
        assert_eq!(of("add.s32").issue.integer, 1);
        assert_eq!(of("fma.rn.f64").issue.double, 1);
        assert_eq!(of("fma.rn.f16x2").issue.half, 1);
        assert_eq!(of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").issue.tensor, 3);
        assert_eq!(of("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32").issue.tensor, 2);
        assert_eq!(of("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32").issue.tensor, 6);
        assert!(of("div.rn.f32").issue.slots > of("div.full.f32").issue.slots);
        assert!(of("div.u64").issue.slots > of("div.u32").issue.slots);
        assert!(of("rsqrt.approx.f32").alu > of("rsqrt.approx.ftz.f32").alu);
    }

    #[test]
    fn conversions_take_the_pipe_of_their_types() {
        assert_eq!(of("cvt.rn.f32.s32"), INTEGER);
        assert_eq!(of("cvt.rzi.s32.f32"), SPECIAL);
        assert_eq!(of("cvt.rn.f64.s32"), SPECIAL);
        assert_eq!(of("cvt.f64.f32"), SPECIAL);
        assert_eq!(of("cvt.rn.f16.f32"), ONE);
        assert_eq!(of("cvt.u64.u32"), NOTHING);
        assert_eq!(of("cvt.s64.s32"), INTEGER);
    }
}
