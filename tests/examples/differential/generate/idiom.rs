//! Pieces of code as students write them: loops over bits, sorting, reductions, scans, histograms, stencils, structs in arrays.
//!
//! What a block does together is where all its threads come by, and what order leaves open is kept out: atomics commute,
//! and no one uses what they return.

use super::Ty::{Double, Float, Int, Long, UInt, ULong};
use super::{Generator, INPUTS, Ty, Variable};

/// Lanes that a shuffle names: the last warp has 16.
const MASK: &str = "threadIdx.x < 64 ? 0xffffffffu : 0xffffu";

impl Generator {
    /// A piece for one thread.
    pub(super) fn alone(&mut self) {
        match self.below(14) {
            0 => self.sort(),
            1 => self.bits(),
            2 => self.greatest_divisor(),
            3 => self.search(),
            4 => self.horner(),
            5 => self.points(),
            6 => self.forever(),
            7 => self.lookup(),
            8 => self.bytes(),
            9 => self.running(),
            10 => self.increments(),
            11 | 12 => self.window(),
            _ => self.overloads(),
        }
    }

    /// A piece for all threads of a block.
    pub(super) fn together(&mut self) {
        match self.below(8) {
            0 | 1 => self.warp_reduction(),
            2 => self.scan(),
            3 => self.histogram(),
            4 => self.stencil(),
            5 => self.shared_points(),
            6 => self.dynamic(),
            _ => self.halving(),
        }
    }

    /// A depth at which floats are small enough to be summed over a block.
    fn summed_depth(&self) -> u32 {
        if self.kind.exact { 1 } else { 2 }
    }

    /// Insertion sort of an array of the thread's own.
    fn sort(&mut self) {
        let Some(Variable { name, ty, array: Some(length), .. }) =
            self.pick(|one| one.array.is_some() && one.assignable)
        else {
            return self.array();
        };
        let [i, j, key] = ["i", "j", "key"].map(|stem| self.fresh(stem));
        let operator = if self.chance(50) { ">" } else { "<" };
        let count = if self.chance(50) { length } else { self.below(length) + 1 };
        self.unroll();
        self.open(&format!("for (int {i} = 1; {i} < {count}; {i}++)"));
        self.line(&format!("{} {key} = {name}[{i}];", ty.name()));
        self.line(&format!("int {j} = {i} - 1;"));
        self.open(&format!("while ({j} >= 0 && {name}[{j}] {operator} {key})"));
        self.line(&format!("{name}[{j} + 1] = {name}[{j}];"));
        self.line(&format!("{j}--;"));
        self.close("");
        self.line(&format!("{name}[{j} + 1] = {key};"));
        self.close("");
    }

    /// Loops that go through the bits of a number.
    fn bits(&mut self) {
        let ty = if self.chance(60) { UInt } else { ULong };
        let [number, count] = ["n", "v"].map(|stem| self.fresh(stem));
        let value = self.expression(ty, 2);
        self.line(&format!("{} {number} = {value};", ty.name()));
        self.line(&format!("{} {count} = 0;", ty.name()));
        match self.below(4) {
            0 => {
                self.open(&format!("while ({number})"));
                self.line(&format!("{count} += {number} & 1;"));
                self.line(&format!("{number} >>= 1;"));
            }
            1 => {
                self.open(&format!("for (; {number} != 0; {number} &= {number} - 1)"));
                self.line(&format!("{count}++;"));
            }
            2 => {
                let steps = self.below(30) + 1;
                self.open(&format!("while ({number} != 1 && {count} < {steps})"));
                self.line(&format!("{number} = {number} % 2 == 0 ? {number} / 2 : 3 * {number} + 1;"));
                self.line(&format!("++{count};"));
            }
            _ => {
                let i = self.fresh("i");
                let bits = if ty == UInt { 32 } else { 64 };
                self.unroll();
                self.open(&format!("for (int {i} = 0; {i} < {bits}; ++{i})"));
                self.line(&format!("{count} = {count} << 1 | ({number} >> {i} & 1);"));
            }
        }
        self.close("");
        self.declare(&count, ty, None, true);
    }

    fn greatest_divisor(&mut self) {
        let ty = if self.chance(60) { UInt } else { ULong };
        let [a, b, rest] = ["v", "v", "rest"].map(|stem| self.fresh(stem));
        let (x, y) = (self.expression(ty, 2), self.expression(ty, 2));
        self.line(&format!("{} {a} = ({x}) & 0xffff, {b} = ({y}) & 0xfff;", ty.name()));
        self.open(&format!("while ({b} != 0)"));
        self.line(&format!("{} {rest} = {a} % {b};", ty.name()));
        self.line(&format!("{a} = {b};"));
        self.line(&format!("{b} = {rest};"));
        self.close("");
        self.declare(&a, ty, None, true);
    }

    /// Binary search in an input that need not be sorted.
    fn search(&mut self) {
        let [low, high, middle] = ["v", "v", "mid"].map(|stem| self.fresh(stem));
        let wanted = self.expression(Int, 2);
        let index = if self.chance(50) { "int" } else { "unsigned" };
        self.line(&format!("{index} {low} = 0, {high} = {INPUTS};"));
        self.open(&format!("while ({low} < {high})"));
        self.line(&format!("{index} {middle} = {low} + ({high} - {low}) / 2;"));
        if self.chance(30) {
            self.line(&format!("if (pi[{middle}] == ({wanted})) {{ {low} = {middle}; break; }}"));
        }
        self.line(&format!("if (pi[{middle}] < ({wanted})) {low} = {middle} + 1; else {high} = {middle};"));
        self.close("");
        self.declare(&low, if index == "int" { Int } else { UInt }, None, true);
    }

    /// A polynomial.
    fn horner(&mut self) {
        let ty = [Float, Float, Double, UInt][self.below(4) as usize];
        let [value, x] = ["v", "x"].map(|stem| self.fresh(stem));
        let (start, variable) = (self.leaf(ty), self.leaf(ty));
        self.line(&format!("{} {x} = {variable}, {value} = {start};", ty.name()));
        // 7⁵ + 7⁴ + … is still exact.
        let terms = self.below(if self.kind.exact { 4 } else { 9 }) + 1;
        for _ in 0..terms {
            let (a, sign) = (self.leaf(ty), if self.chance(70) { "+" } else { "-" });
            self.line(&format!("{value} = {value} * {x} {sign} {a};"));
        }
        self.declare_sum(&value, ty);
    }

    /// An array of structs, and a pointer into it.
    fn points(&mut self) {
        let (prefix, depth) = (self.prefix.clone(), self.summed_depth());
        let [name, at, i] = ["points", "at", "i"].map(|stem| self.fresh(stem));
        self.line(&format!("{prefix}_point {name}[4];"));
        self.unroll();
        self.open(&format!("for (int {i} = 0; {i} < 4; {i}++)"));
        self.declare(&i, Int, None, false);
        let (x, y, id) =
            (self.expression(Float, depth), self.expression(Float, depth), self.expression(Int, 2));
        if self.chance(50) {
            self.line(&format!("{name}[{i}] = {{{x}, {y}, {id}}};"));
        } else {
            self.line(&format!("{name}[{i}].x = {x};"));
            self.line(&format!("{name}[{i}].y = {y};"));
            self.line(&format!("{name}[{i}].id = {id};"));
        }
        self.close("");
        let (first, second) = (self.index(4), self.index(4));
        self.line(&format!("{prefix}_point *{at} = &{name}[{first}];"));
        if self.chance(40) {
            let changed = self.expression(Float, depth);
            self.line(&format!("{at}->y = {changed};"));
        }
        if self.chance(40) {
            self.line(&format!("{name}[{second}] = *{at};"));
        }
        let dot = self.fresh("v");
        self.line(&format!("float {dot} = {at}->dot({name}[{second}]);"));
        self.declare_level(&dot, Float, None, true, 3);
        self.declare_level(&format!("{at}->x"), Float, None, true, 1);
        self.declare_level(&format!("{name}[1].y"), Float, None, true, 1);
        self.declare(&format!("{at}->id"), Int, None, true);
    }

    /// An endless loop that is left from within.
    fn forever(&mut self) {
        if self.loops > 1 {
            return self.assign();
        }
        let turns = self.fresh("v");
        let most = self.below(9) + 2;
        self.line(&format!("unsigned {turns} = 0;"));
        self.loops += 1;
        let around = std::mem::replace(&mut self.in_loop, false);
        let uniform = std::mem::replace(&mut self.uniform, false);
        let head = if self.chance(50) { "while (true)" } else { "for (;;)" };
        self.open(head);
        self.line(&format!("if (++{turns} > {most}) break;"));
        self.declare(&turns, UInt, None, false);
        self.statements(1, 2);
        let condition = self.condition(1);
        self.line(&format!("if ({condition}) continue;"));
        self.statements(0, 2);
        let condition = self.condition(1);
        self.line(&format!("if ({condition}) break;"));
        self.close("");
        self.loops -= 1;
        (self.in_loop, self.uniform) = (around, uniform);
        self.declare(&turns, UInt, None, true);
    }

    /// A table of constants on the stack.
    fn lookup(&mut self) {
        let (ty, name) = (self.ty(), self.fresh("table"));
        let qualifier = ["const ", "constexpr ", "static const "][self.below(2) as usize];
        let values: Vec<String> = (0..8).map(|_| self.literal(ty)).collect();
        self.line(&format!("{qualifier}{} {name}[8] = {{{}}};", ty.name(), values.join(", ")));
        self.declare(&name, ty, Some(8), false);
    }

    /// The bits of a value as those of another type; which NaN it is, is left open.
    fn bytes(&mut self) {
        let [from, name] = ["from", "v"].map(|stem| self.fresh(stem));
        let prefix = self.prefix.clone();
        match self.below(6) {
            0 => {
                let value = self.expression(UInt, 2);
                self.line(&format!("unsigned {from} = {value};"));
                let at = self.index(4);
                self.line(&format!("unsigned {name} = ((const unsigned char *)&{from})[{at}];"));
            }
            1 => {
                let value = self.expression(ULong, 2);
                self.line(&format!("unsigned long long {from} = {value};"));
                let at = self.index(2);
                self.line(&format!("unsigned {name} = reinterpret_cast<unsigned *>(&{from})[{at}];"));
            }
            2 => {
                let value = self.expression(Float, 2);
                self.line(&format!("unsigned {name} = {prefix}_word({value});"));
            }
            3 => {
                let value = self.expression(Float, 2);
                self.line(&format!("float {from} = {value};"));
                self.line(&format!("if (!({from} == {from})) {from} = 0.0f;"));
                self.line(&format!("unsigned {name} = *(unsigned *)&{from};"));
            }
            4 => {
                let value = self.expression(Double, 2);
                self.line(&format!("double {from} = {value};"));
                self.line(&format!("if ({from} != {from}) {from} = 1.0;"));
                let half = if self.chance(50) { "__double2hiint" } else { "__double2loint" };
                self.line(&format!("unsigned {name} = (unsigned){half}({from});"));
            }
            _ => {
                let value = self.expression(UInt, 2);
                self.line(&format!("uchar4 {from};"));
                self.line(&format!("*(unsigned *)&{from} = {value};"));
                self.line(&format!("{from}.y ^= {from}.w;"));
                self.line(&format!("unsigned {name} = *reinterpret_cast<unsigned *>(&{from}) + {from}.x;"));
            }
        }
        self.declare(&name, UInt, None, true);
    }

    /// A running sum and maximum over an input, with a step that is not one.
    fn running(&mut self) {
        let ty = [Float, UInt, Double][self.below(3) as usize];
        let input = ["pf", "pu", "pd"][[Float, UInt, Double].iter().position(|one| *one == ty).unwrap_or(0)];
        let [sum, most, place, i] = ["v", "v", "v", "i"].map(|stem| self.fresh(stem));
        let word = ty.name();
        self.line(&format!("{word} {sum} = 0, {most} = {input}[0];"));
        self.line(&format!("int {place} = 0;"));
        let head = match self.below(4) {
            0 => format!("for (int {i} = threadIdx.x & 7; {i} < 64; {i} += 8)"),
            1 => format!("for (int {i} = 1; {i} < {INPUTS}; {i} *= 2)"),
            2 => format!("for (int {i} = {}; {i} > 0; {i} >>= 1)", self.below(INPUTS)),
            _ => format!("for (long long {i} = blockIdx.x; {i} < 40; {i} += gridDim.x)"),
        };
        self.unroll();
        self.open(&head);
        self.line(&format!("{sum} += {input}[{i}];"));
        self.line(&format!("if ({input}[{i}] > {most}) {{ {most} = {input}[{i}]; {place} = (int){i}; }}"));
        self.close("");
        self.declare_sum(&sum, ty);
        self.declare(&most, ty, None, true);
        self.declare(&place, Int, None, true);
    }

    /// Values of increments and of assignments.
    fn increments(&mut self) {
        let Some(counter) =
            self.pick(|one| one.assignable && one.array.is_none() && matches!(one.ty, UInt | ULong))
        else {
            return self.variable();
        };
        let (name, ty) = (self.fresh("v"), counter.ty);
        let value = self.leaf(Int);
        let taken = ["++@", "@++", "--@", "@--", "(@ += 3)", "(@ = @ ^ 5)"][self.below(6) as usize];
        self.line(&format!("{} {name} = {};", ty.name(), taken.replace('@', &counter.name)));
        self.declare(&name, ty, None, true);
        if let Some(Variable { name: array, array: Some(length), .. }) =
            self.pick(|one| one.assignable && one.array.is_some() && !one.ty.is_float())
        {
            self.line(&format!("{array}[{name}++ & {}] = ({value}) & 1;", length - 1));
        }
    }

    /// Functions of one name, an operator, an enumeration, and a template that calls itself.
    fn overloads(&mut self) {
        let (prefix, name) = (self.prefix.clone(), self.fresh("v"));
        let ty = [UInt, Int, Float, ULong][self.below(4) as usize];
        let value = self.small(ty, 2);
        match self.below(4) {
            0 => self.line(&format!("unsigned {name} = {prefix}_kind({value});")),
            1 => {
                let (x, n) = (self.expression(UInt, 2), self.below(6) + 1);
                self.line(&format!("unsigned {name} = {prefix}_power<{n}>({x});"));
            }
            2 => {
                let (sum, i) = (self.fresh("sum"), self.fresh("i"));
                let trips = self.below(6) + 1;
                self.line(&format!("{prefix}_sum {sum};"));
                self.open(&format!("for (int {i} = 0; {i} < {trips}; {i}++)"));
                self.declare(&i, Int, None, false);
                let added = self.expression(UInt, 2);
                self.line(&format!("{sum} += {added};"));
                self.close("");
                let index = self.index(2);
                self.line(&format!("unsigned {name} = {sum}[{index}] ^ {sum}();"));
            }
            _ => {
                let which = self.expression(UInt, 2);
                self.line(&format!("unsigned {name} = {prefix}_colour_of(({which}) & 3);"));
            }
        }
        self.declare(&name, UInt, None, true);
    }

    /// Reduction of 16 lanes by shuffles, then of the block.
    fn warp_reduction(&mut self) {
        let ty = [UInt, ULong, Float, Double, Float][self.below(5) as usize];
        let [value, i, all] = ["v", "i", "v"].map(|stem| self.fresh(stem));
        let start = self.expression(ty, self.summed_depth());
        self.line(&format!("{} {value} = {start};", ty.name()));
        let other = match self.below(2) {
            0 => format!("__shfl_down_sync({MASK}, {value}, {i}, 16)"),
            _ => format!("__shfl_xor_sync({MASK}, {value}, {i})"),
        };
        self.unroll();
        let halved = if self.chance(50) { "/= 2" } else { ">>= 1" };
        self.open(&format!("for (int {i} = 8; {i} > 0; {i} {halved})"));
        match (self.below(3), ty) {
            (0, Float) => self.line(&format!("{value} = fmaxf({value} + 0.0f, {other} + 0.0f);")),
            (0, Double) => self.line(&format!("{value} = fmin({value} + 0.0, {other} + 0.0);")),
            (0, _) => self.line(&format!("{value} = max({value}, {other});")),
            _ => self.line(&format!("{value} += {other};")),
        }
        self.close("");
        self.declare_level(&value, ty, None, true, 2);
        if self.chance(60) {
            let [shared, k] = ["s", "k"].map(|stem| self.fresh(stem));
            self.line(&format!("__shared__ {} {shared}[5];", ty.name()));
            self.line(&format!("if ((threadIdx.x & 15) == 0) {shared}[threadIdx.x / 16] = {value};"));
            self.line("__syncthreads();");
            self.line(&format!("{} {all} = 0;", ty.name()));
            self.unroll();
            self.line(&format!("for (int {k} = 0; {k} < 5; {k}++) {all} += {shared}[{k}];"));
            self.declare_sum(&all, ty);
        }
    }

    /// Prefix sums of a block, or of 16 lanes.
    fn scan(&mut self) {
        let ty = self.summed();
        let [shared, step, taken, name] = ["s", "step", "taken", "v"].map(|stem| self.fresh(stem));
        let (value, word) = (self.expression(ty, self.summed_depth()), ty.name());
        if self.chance(40) {
            self.line(&format!("{word} {name} = {value};"));
            self.unroll();
            self.open(&format!("for (unsigned {step} = 1; {step} < 16; {step} *= 2)"));
            self.line(&format!("{word} {taken} = __shfl_up_sync({MASK}, {name}, {step}, 16);"));
            self.line(&format!("if ((threadIdx.x & 15) >= {step}) {name} += {taken};"));
            self.close("");
        } else {
            self.line(&format!("__shared__ {word} {shared}[80];"));
            self.line(&format!("{shared}[threadIdx.x] = {value};"));
            self.line("__syncthreads();");
            self.open(&format!("for (unsigned {step} = 1; {step} < 80; {step} *= 2)"));
            self.line(&format!(
                "{word} {taken} = threadIdx.x >= {step} ? {shared}[threadIdx.x - {step}] : ({word})0;"
            ));
            self.line("__syncthreads();");
            self.line(&format!("{shared}[threadIdx.x] += {taken};"));
            self.line("__syncthreads();");
            self.close("");
            self.line(&format!("{word} {name} = {shared}[threadIdx.x];"));
        }
        self.declare_sum(&name, ty);
    }

    /// Atomics that commute, over a table in shared memory.
    fn histogram(&mut self) {
        let exact = self.kind.exact;
        let (ty, operations): (Ty, &[&str]) = match self.below(4) {
            0 if exact => (Float, &["atomicAdd"]),
            1 => (ULong, &["atomicAdd", "atomicMax", "atomicMin", "atomicXor"]),
            2 => (Int, &["atomicAdd", "atomicMax", "atomicMin", "atomicAnd", "atomicSub"]),
            _ => (UInt, &["atomicAdd", "atomicMax", "atomicOr", "atomicSub", "atomicXor"]),
        };
        let [bins, i, name] = ["s", "i", "v"].map(|stem| self.fresh(stem));
        let operation = operations[self.below(operations.len() as u32) as usize];
        self.line(&format!("__shared__ {} {bins}[16];", ty.name()));
        self.line(&format!("if (threadIdx.x < 16) {bins}[threadIdx.x] = 0;"));
        self.line("__syncthreads();");
        let uniform = std::mem::replace(&mut self.uniform, false);
        self.open(&format!("for (unsigned {i} = threadIdx.x; {i} < {INPUTS}; {i} += blockDim.x)"));
        self.declare(&i, UInt, None, false);
        let value = if self.chance(40) { "1".to_owned() } else { self.expression(ty, 0) };
        let which = if self.chance(60) { format!("pi[{i}] & 15") } else { format!("{i} % 16") };
        if self.chance(30) {
            let condition = self.condition(1);
            self.line(&format!("if ({condition})"));
        }
        if ty == UInt && self.chance(25) {
            // The same through exchanges.
            let [old, seen] = ["old", "seen"].map(|stem| self.fresh(stem));
            self.open("");
            self.line(&format!("unsigned {old} = {bins}[{which}], {seen};"));
            self.open("do");
            self.line(&format!("{seen} = {old};"));
            self.line(&format!("{old} = atomicCAS(&{bins}[{which}], {seen}, {seen} + ({value}));"));
            self.close(&format!(" while ({seen} != {old});"));
            self.close("");
        } else {
            self.line(&format!("{operation}(&{bins}[{which}], ({})({value}));", ty.name()));
        }
        self.close("");
        self.uniform = uniform;
        self.line("__syncthreads();");
        let index = self.index(16);
        self.line(&format!("{} {name} = {bins}[{index}];", ty.name()));
        self.declare_level(&name, ty, None, true, 2);
    }

    /// Iterations over two buffers in shared memory.
    fn stencil(&mut self) {
        let ty = self.summed();
        let [shared, now, i, name] = ["s", "now", "i", "v"].map(|stem| self.fresh(stem));
        let (value, factor, word) = (self.small(ty, 2), self.leaf(ty), ty.name());
        let trips = self.below(6) + 1;
        self.line(&format!("__shared__ {word} {shared}[2][82];"));
        self.line(&format!("{shared}[0][threadIdx.x + 1] = {value};"));
        self.line(&format!("if (threadIdx.x < 4) {shared}[threadIdx.x & 1][(threadIdx.x >> 1) * 81] = 1;"));
        self.line("__syncthreads();");
        self.line(&format!("int {now} = 0;"));
        self.unroll();
        self.open(&format!("for (int {i} = 0; {i} < {trips}; {i}++)"));
        let next = self.reduced(
            &format!(
                "{shared}[{now}][threadIdx.x] + {shared}[{now}][threadIdx.x + 2] * {factor} - {shared}[{now}][threadIdx.x + 1]"
            ),
            ty,
        );
        self.line(&format!("{shared}[1 - {now}][threadIdx.x + 1] = {next};"));
        self.line("__syncthreads();");
        let other = if self.chance(50) { format!("1 - {now}") } else { format!("{now} ^ 1") };
        self.line(&format!("{now} = {other};"));
        self.close("");
        let index = self.index(64);
        self.line(&format!("{word} {name} = {shared}[{now}][{index}];"));
        self.declare(&name, ty, None, true);
    }

    /// Structs in shared memory.
    fn shared_points(&mut self) {
        let (prefix, depth) = (self.prefix.clone(), self.summed_depth());
        let [shared, taken] = ["s", "point"].map(|stem| self.fresh(stem));
        let (x, y, id) =
            (self.expression(Float, depth), self.expression(Float, depth), self.expression(Int, 2));
        self.line(&format!("__shared__ {prefix}_point {shared}[80];"));
        self.line(&format!("{shared}[threadIdx.x] = {{{x}, {y}, {id}}};"));
        self.line("__syncthreads();");
        let index = self.index(64);
        let reference = if self.chance(50) {
            format!("const {prefix}_point &{taken}")
        } else {
            format!("{prefix}_point {taken}")
        };
        self.line(&format!("{reference} = {shared}[{index}];"));
        let dot = self.fresh("v");
        self.line(&format!("float {dot} = {taken}.dot({shared}[79 - threadIdx.x]);"));
        self.declare_level(&dot, Float, None, true, 3);
        self.declare_level(&format!("{taken}.x"), Float, None, false, 1);
        self.declare(&format!("{taken}.id"), Int, None, false);
    }

    /// Shared memory of the launch's size.
    fn dynamic(&mut self) {
        let ty = [Float, Int, Double, Long, UInt][self.below(5) as usize];
        let [place, name] = ["dynamic", "v"].map(|stem| self.fresh(stem));
        let (value, word) = (self.expression(ty, 2), ty.name());
        self.line(&format!("{word} *{place} = ({word} *){}_dynamic;", self.prefix));
        self.line("__syncthreads();");
        self.line(&format!("{place}[threadIdx.x] = {value};"));
        self.line("__syncthreads();");
        let index = self.index(64);
        self.line(&format!("{word} {name} = {place}[{index}];"));
        self.line("__syncthreads();");
        self.declare_level(&name, ty, None, true, 2);
    }

    /// A reduction in shared memory whose loop is left by a condition that all threads share.
    fn halving(&mut self) {
        let ty = self.summed();
        let [shared, i, name] = ["s", "i", "v"].map(|stem| self.fresh(stem));
        let (value, word) = (self.expression(ty, self.summed_depth()), ty.name());
        self.line(&format!("__shared__ {word} {shared}[80];"));
        self.line(&format!("{shared}[threadIdx.x] = {value};"));
        self.open(&format!("for (unsigned {i} = 40; {i} >= 5; {i} >>= 1)"));
        self.line("__syncthreads();");
        self.line(&format!("if (threadIdx.x >= {i}) continue;"));
        self.line(&format!("{shared}[threadIdx.x] += {shared}[threadIdx.x + {i}];"));
        self.close("");
        self.line("__syncthreads();");
        let index = self.index(4);
        self.line(&format!("{word} {name} = {shared}[{index}];"));
        self.declare_sum(&name, ty);
    }

    /// What the pieces use.
    pub(super) fn idiom_declarations(&mut self) {
        let prefix = self.prefix.clone();
        let (a, b, c) = (self.below(50) + 1, self.below(50), self.below(7) + 2);
        self.line(&format!("extern __shared__ __align__(16) unsigned char {prefix}_dynamic[];"));
        self.line(&format!("struct {prefix}_point {{"));
        self.line("    float x, y;");
        self.line("    int id;");
        self.line(&format!(
            "    __device__ float dot(const {prefix}_point &o) const {{ return x * o.x + y * o.y; }}"
        ));
        self.line("};");
        self.line(&format!("union {prefix}_cast {{ float f; unsigned u; unsigned char bytes[4]; }};"));
        self.line(&format!("__device__ unsigned {prefix}_word(float x) {{"));
        self.line(&format!("    {prefix}_cast cast;"));
        self.line("    cast.f = x == x ? x : 1.0f;");
        self.line(&format!("    return cast.u ^ cast.bytes[{}];", self.count & 3));
        self.line("}");
        self.line(&format!("__device__ unsigned {prefix}_kind(int x) {{ return (unsigned)x + {a}; }}"));
        self.line(&format!("__device__ unsigned {prefix}_kind(unsigned x) {{ return x * {c}; }}"));
        self.line(&format!(
            "__device__ unsigned {prefix}_kind(unsigned long long x, int by = {c}) {{ return x / by; }}"
        ));
        self.line(&format!("__device__ unsigned {prefix}_kind(float x) {{ return x > {b}.0f; }}"));
        self.line(&format!(
            "template <int N> __device__ unsigned {prefix}_power(unsigned x) {{ return x * {prefix}_power<N - 1>(x + {b}); }}"
        ));
        self.line(&format!(
            "template <> __device__ unsigned {prefix}_power<0>(unsigned x) {{ return x | 1; }}"
        ));
        self.line(&format!("struct {prefix}_sum {{"));
        self.line(&format!("    unsigned all[2] = {{{a}, {b}}};"));
        self.line(&format!("    __device__ {prefix}_sum &operator+=(unsigned x) {{ all[0] += x; all[1] ^= x; return *this; }}"));
        self.line("    __device__ unsigned operator[](int i) const { return all[i]; }");
        self.line(&format!("    __device__ unsigned operator()() const {{ return all[0] % {c} + all[1]; }}"));
        self.line("};");
        self.line(&format!("enum class {prefix}_colour {{ red, green = {c}, blue }};"));
        self.line(&format!("__device__ unsigned {prefix}_colour_of(unsigned n) {{"));
        self.line(&format!("    {prefix}_colour colour = n == 0 ? {prefix}_colour::red : n == 1 ? {prefix}_colour::green : {prefix}_colour::blue;"));
        self.line("    switch (colour) {");
        self.line(&format!("    case {prefix}_colour::red: return {a};"));
        self.line(&format!("    case {prefix}_colour::green: n += {b};"));
        self.line("    default: return n + (unsigned)colour;");
        self.line("    }");
        self.line("}");
    }
}
