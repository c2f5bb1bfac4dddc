//! Statements of a kernel.

use super::Ty::{Byte, Char, Double, Float, Int, Long, Short, UInt, ULong, UShort};
use super::{Generator, INPUTS, Ty, Variable};

impl Generator {
    pub(super) fn variable(&mut self) {
        let ty = self.ty();
        let name = self.fresh("v");
        let level = self.below(4);
        let value = if level == 0 {
            self.small(ty, 3)
        } else {
            self.expression(ty, if self.kind.exact && ty.is_float() { level } else { 3 })
        };
        let qualifier = if self.chance(15) { "const " } else { "" };
        let spelled = if self.chance(10) && !ty.is_small() { "auto" } else { ty.name() };
        let value = if spelled == "auto" { format!("({})({value})", ty.name()) } else { value };
        self.line(&format!("{qualifier}{spelled} {name} = {value};"));
        self.declare_level(&name, ty, None, qualifier.is_empty(), level);
    }

    pub(super) fn array(&mut self) {
        let ty = self.ty();
        let name = self.fresh("r");
        let length = [4, 8, 16][self.below(3) as usize];
        if self.chance(50) {
            let values: Vec<String> = (0..length).map(|_| self.expression(ty, 1)).collect();
            let count = if self.chance(30) { length / 2 } else { length };
            let values: Vec<String> =
                values.iter().take(count as usize).map(|one| format!("({})({one})", ty.name())).collect();
            self.line(&format!("{} {name}[{length}] = {{{}}};", ty.name(), values.join(", ")));
        } else {
            self.line(&format!("{} {name}[{length}];", ty.name()));
            let unroll = if self.chance(50) { "#pragma unroll\n" } else { "" };
            let value = self.expression(ty, 2);
            self.text.push_str(unroll);
            let value = format!("({})({value})", ty.name());
            self.line(&format!("for (int i = 0; i < {length}; i++) {name}[i] = {value};"));
        }
        self.declare_level(&name, ty, Some(length), true, 2);
    }

    pub(super) fn assign(&mut self) {
        let Some(target) = self.pick(|one| one.assignable) else { return self.variable() };
        let place = match target.array {
            Some(length) => {
                let index = self.index(length);
                format!("{}[{index}]", target.name)
            }
            None => target.name.clone(),
        };
        let ty = target.ty;
        // Signed sums that could overflow are left out of compound assignment.
        let operators: &[&str] = match ty {
            UInt | ULong | Byte | Char | Short => &["=", "=", "+=", "-=", "*=", "^=", "|=", "&="],
            UShort => &["=", "=", "+=", "-=", "^=", "|=", "&="],
            Float | Double => &["=", "=", "+=", "-=", "*="],
            Int | Long => &["=", "=", "^=", "|=", "&="],
        };
        if matches!(ty, UInt | ULong | Byte | UShort) && self.chance(10) {
            let (before, after) =
                [("", "++"), ("++", ""), ("", "--"), ("", " <<= 3"), ("", " >>= 1")][self.below(5) as usize];
            self.line(&format!("{before}{place}{after};"));
            return;
        }
        let operator = operators[self.below(operators.len() as u32) as usize];
        if self.kind.exact && ty.is_float() {
            let value = if operator == "=" {
                if target.level == 0 { self.small(ty, 3) } else { self.expression(ty, target.level) }
            } else {
                let value = self.expression(ty, target.level.min(2));
                let old = self.fit(place.clone(), ty, target.level, 2);
                self.reduced(&format!("{old} {} {value}", operator.trim_end_matches('=')), ty)
            };
            self.line(&format!("{place} = {value};"));
            return;
        }
        let value = self.expression(ty, 3);
        self.line(&format!("{place} {operator} {value};"));
    }

    pub(super) fn branch(&mut self, depth: u32) {
        let condition = self.condition(2);
        let uniform = std::mem::replace(&mut self.uniform, false);
        self.open(&format!("if ({condition})"));
        self.statements(depth - 1, 3);
        if self.chance(50) {
            self.scopes.pop();
            self.scopes.push(vec![]);
            self.indent -= 1;
            self.line("} else {");
            self.indent += 1;
            self.statements(depth - 1, 3);
        }
        self.close("");
        self.uniform = uniform;
    }

    pub(super) fn repeat(&mut self, depth: u32) {
        let counter = self.fresh("i");
        let uniform = std::mem::replace(&mut self.uniform, false);
        let around = std::mem::replace(&mut self.in_loop, true);
        self.loops += 1;
        let most = if self.loops > 1 { 4 } else { 12 };
        let trips = self.below(most) + 1;
        if self.chance(25) {
            let unroll =
                ["#pragma unroll\n", "#pragma unroll 4\n", "#pragma unroll 1\n"][self.below(3) as usize];
            self.text.push_str(unroll);
        }
        match self.below(5) {
            0 => {
                let start = self.expression(UInt, 1);
                self.open(&format!(
                    "for (unsigned {counter} = ({start}) & 3; {counter} < {trips}; {counter}++)"
                ));
                self.declare(&counter, UInt, None, false);
            }
            1 => {
                let value = self.expression(Int, 2);
                self.open(&format!(
                    "for (int {counter} = (({value}) & {trips}); {counter} >= 0; {counter}--)"
                ));
                self.declare(&counter, Int, None, false);
            }
            2 => {
                self.line(&format!("int {counter} = {trips};"));
                self.open(&format!("while ({counter}-- > 0)"));
            }
            3 => {
                self.line(&format!("unsigned {counter} = 0;"));
                self.open("do");
            }
            _ => {
                self.open(&format!("for (int {counter} = 0; {counter} < {trips}; {counter}++)"));
                self.declare(&counter, Int, None, false);
            }
        }
        let is_do = self.text.trim_end().ends_with("do {");
        self.statements(depth - 1, 3);
        if self.chance(20) {
            let condition = self.condition(1);
            let how = if is_do || self.chance(50) { "break" } else { "continue" };
            self.line(&format!("if ({condition}) {how};"));
            self.statements(0, 1);
        }
        self.close(&if is_do { format!(" while (++{counter} < {trips});") } else { String::new() });
        self.loops -= 1;
        self.in_loop = around;
        self.uniform = uniform;
    }

    pub(super) fn switch(&mut self, depth: u32) {
        let value = self.expression(Int, 2);
        let uniform = std::mem::replace(&mut self.uniform, false);
        let around = std::mem::replace(&mut self.in_loop, false);
        let cases = self.below(6) + 2;
        self.open(&format!("switch (({value}) & 7)"));
        for case in 0..cases {
            self.line(&format!("case {case}: {{"));
            self.indent += 1;
            self.scopes.push(vec![]);
            self.statements(depth - 1, 2);
            self.close("");
            if self.chance(75) {
                self.line("break;");
            }
        }
        if self.chance(50) {
            self.line("default: {");
            self.indent += 1;
            self.scopes.push(vec![]);
            self.statements(depth - 1, 2);
            self.close("");
        }
        self.close("");
        self.in_loop = around;
        self.uniform = uniform;
    }

    /// Each thread writes its element, all wait, each reads any, all wait.
    pub(super) fn exchange(&mut self) {
        let ty = self.ty();
        let name = self.fresh("s");
        let value = self.expression(ty, 2);
        let taken = self.fresh("v");
        self.line(&format!("__shared__ {} {name}[128];", ty.name()));
        self.line(&format!("{name}[threadIdx.x] = {value};"));
        self.line(&format!("if (threadIdx.x < 48) {name}[80 + threadIdx.x] = ({})threadIdx.x;", ty.name()));
        self.line("__syncthreads();");
        let index = self.index(128);
        self.line(&format!("{} {taken} = {name}[{index}];", ty.name()));
        self.declare_level(&taken, ty, None, true, 2);
        if self.chance(50) {
            // A reduction in shared memory.
            let unsigned = if ty.is_float() { ty.name() } else { ty.unsigned() };
            self.line("__syncthreads();");
            self.open("for (int half = 64; half > 0; half /= 2)");
            let sum = format!(
                "({})(({unsigned}){name}[threadIdx.x] + ({unsigned}){name}[threadIdx.x + half])",
                ty.name()
            );
            self.line(&format!("if (threadIdx.x < half) {name}[threadIdx.x] = {sum};"));
            self.line("__syncthreads();");
            self.close("");
            let all = self.fresh("v");
            self.line(&format!("{} {all} = {name}[0];", ty.name()));
            self.declare_level(&all, ty, None, true, 3);
        }
    }

    pub(super) fn shuffle(&mut self) {
        let ty = [Int, UInt, Float, Long, Double][self.below(5) as usize];
        let value = self.expression(ty, 2);
        let name = self.fresh("v");
        // The last warp has 16 lanes.
        let mask = "threadIdx.x < 64 ? 0xffffffffu : 0xffffu";
        let lane = self.below(16);
        let how = match self.below(3) {
            0 => format!("__shfl_xor_sync({mask}, {value}, {})", lane & 7),
            1 => format!("__shfl_down_sync({mask}, {value}, {}, 16)", lane & 7),
            _ => format!("__shfl_sync({mask}, {value}, {lane})"),
        };
        self.line(&format!("{} {name} = {how};", ty.name()));
        self.declare_level(&name, ty, None, true, 2);
        if self.chance(40) {
            let vote = self.fresh("v");
            let condition = self.condition(1);
            self.line(&format!("unsigned {vote} = __ballot_sync({mask}, {condition});"));
            self.declare(&vote, UInt, None, true);
        }
    }

    pub(super) fn atomics(&mut self) {
        let name = self.fresh("a");
        let value = self.expression(UInt, 2);
        let taken = self.fresh("v");
        let operation =
            ["atomicAdd", "atomicMax", "atomicMin", "atomicXor", "atomicOr"][self.below(5) as usize];
        let index = self.index(4);
        self.line(&format!("__shared__ unsigned {name}[4];"));
        self.line(&format!("if (threadIdx.x < 4) {name}[threadIdx.x] = threadIdx.x * 77;"));
        self.line("__syncthreads();");
        self.line(&format!("{operation}(&{name}[{index}], {value});"));
        self.line("__syncthreads();");
        self.line(&format!("unsigned {taken} = {name}[threadIdx.x & 3];"));
        self.declare(&taken, UInt, None, true);
    }

    pub(super) fn lambda(&mut self) {
        let (ty, name) = (self.ty(), self.fresh("l"));
        let capture = if self.chance(50) { "=" } else { "&" };
        // Not as a function's own parameters are called, which have other types.
        let parameter = self.fresh("arg");
        self.scopes.push(vec![]);
        self.declare_level(&parameter, ty, None, false, 1);
        let value = self.expression(ty, 2);
        self.scopes.pop();
        self.line(&format!(
            "auto {name} = [{capture}]({0} {parameter}) -> {0} {{ return {value}; }};",
            ty.name()
        ));
        let (argument, result) = (self.expression(ty, 1), self.fresh("v"));
        self.line(&format!("{} {result} = {name}({argument});", ty.name()));
        self.declare_level(&result, ty, None, true, 2);
    }

    pub(super) fn vector(&mut self) {
        if self.chance(50) {
            return self.other_vector();
        }
        let name = self.fresh("q");
        let index = self.index(INPUTS / 4);
        self.line(&format!("float4 {name} = *(const float4 *)&pf[({index}) * 4];"));
        for part in ["x", "w"] {
            self.declare(&format!("{name}.{part}"), Float, None, true);
        }
    }

    pub(super) fn other_vector(&mut self) {
        let name = self.fresh("q");
        let (word, input, ty, count) = [
            ("int4", "pi", Int, 4),
            ("uint2", "pu", UInt, 2),
            ("uchar4", "pu", Byte, 1),
            ("short2", "pi", Short, 1),
            ("float2", "pf", Float, 2),
            ("double2", "pd", Double, 2),
            ("longlong2", "pl", Long, 2),
        ][self.below(7) as usize];
        if self.chance(30) {
            let parts = if word.ends_with('4') { 4 } else { 2 };
            let values: Vec<String> = (0..parts).map(|_| self.expression(ty, 1)).collect();
            self.line(&format!("{word} {name} = make_{word}({});", values.join(", ")));
        } else {
            let index = self.index(INPUTS / 4);
            self.line(&format!("{word} {name} = *(const {word} *)&{input}[({index}) * {count}];"));
        }
        for part in ["x", "y"] {
            self.declare_level(&format!("{name}.{part}"), ty, None, true, 1);
        }
    }

    /// A pointer to one of two variables, or into an array.
    pub(super) fn pointer(&mut self) {
        let name = self.fresh("ptr");
        let array = self.chance(50);
        let Some(first) = self.pick(|one| one.assignable && one.array.is_some() == array) else {
            return self.variable();
        };
        let ty = first.ty;
        let second = self.pick(|one| {
            one.assignable && one.array == first.array && one.ty == ty && one.level == first.level
        });
        let second = second.unwrap_or_else(|| first.clone()).name;
        match first.array {
            Some(length) if self.chance(50) => {
                let index = self.index(length);
                self.line(&format!("{} *{name} = {} + ({index});", ty.name(), first.name));
                self.declare_level(&format!("(*{name})"), ty, None, true, first.level);
            }
            Some(length) => {
                let condition = self.condition(1);
                self.line(&format!("{} *{name} = {condition} ? {} : {second};", ty.name(), first.name));
                self.declare_level(&name, ty, Some(length), true, first.level);
            }
            None => {
                let condition = self.condition(1);
                self.line(&format!("{} *{name} = {condition} ? &{} : &{second};", ty.name(), first.name));
                self.declare_level(&format!("(*{name})"), ty, None, true, first.level);
            }
        }
    }

    /// A reference to a variable or an element, or a function that is given one.
    pub(super) fn reference(&mut self) {
        let Some(target) = self.pick(|one| one.assignable) else { return self.variable() };
        let (ty, name) = (target.ty, self.fresh("ref"));
        let place = match target.array {
            Some(length) => {
                let index = self.index(length);
                format!("{}[{index}]", target.name)
            }
            None => target.name,
        };
        if self.chance(50) {
            let value = self.expression(ty, if self.kind.exact { target.level.min(2) } else { 2 });
            self.line(&format!("{}_least({place}, {value});", self.prefix));
            return;
        }
        self.line(&format!("{} &{name} = {place};", ty.name()));
        self.declare_level(&name, ty, None, true, target.level);
    }

    pub(super) fn pair_statement(&mut self) {
        let Some((first, second)) = self.pair else { return self.assign() };
        let (prefix, value) = (self.prefix.clone(), self.pair_value(2));
        let known = self.pairs.last().cloned();
        match (self.below(3), known) {
            (0, Some(name)) => self.line(&format!("{name} = {value};")),
            (1, Some(name)) => {
                let changed = self.small(second, 2);
                self.line(&format!("{prefix}_update({name}, {changed});"));
            }
            _ => {
                let name = self.fresh("pair");
                self.line(&format!("{prefix}_pair {name} = {value};"));
                for (member, ty) in [("a", first), ("b", second), ("f", Float)] {
                    self.declare(&format!("{name}.{member}"), ty, None, true);
                }
                if self.uniform {
                    self.pairs.push(name);
                }
            }
        }
    }

    /// Type of numbers that are summed: no signed overflow.
    pub(super) fn summed(&mut self) -> Ty {
        [Float, Float, Double, UInt, ULong][self.below(5) as usize]
    }

    pub(super) fn unroll(&mut self) {
        let unroll = ["", "", "#pragma unroll\n", "#pragma unroll 2\n", "#pragma unroll 1\n"];
        let chosen = unroll[self.below(5) as usize];
        self.text.push_str(chosen);
    }

    /// A small matrix in a local array, and its square.
    pub(super) fn matrix(&mut self) {
        let (ty, name, square) = (self.summed(), self.fresh("m"), self.fresh("m"));
        let [i, j, k] = ["i", "j", "k"].map(|stem| self.fresh(stem));
        self.line(&format!("{} {name}[4][4];", ty.name()));
        self.unroll();
        self.open(&format!("for (int {i} = 0; {i} < 4; {i}++)"));
        self.declare(&i, Int, None, false);
        self.open(&format!("for (int {j} = 0; {j} < 4; {j}++)"));
        self.declare(&j, Int, None, false);
        let value = self.expression(ty, if self.kind.exact { 1 } else { 2 });
        self.line(&format!("{name}[{i}][{j}] = {value};"));
        self.close("");
        self.close("");
        self.declare_level(&format!("{name}[{}]", self.count & 3), ty, Some(4), true, 1);
        self.declare_level(&format!("{name}[threadIdx.x & 3]"), ty, Some(4), true, 1);
        if self.chance(50) {
            self.line(&format!("{} {square}[4][4] = {{}};", ty.name()));
            self.unroll();
            self.open(&format!("for (int {i} = 0; {i} < 4; {i}++)"));
            self.open(&format!("for (int {j} = 0; {j} < 4; {j}++)"));
            self.unroll();
            let product = format!("{name}[{i}][{k}] * {name}[{k}][{j}]");
            self.line(&format!("for (int {k} = 0; {k} < 4; {k}++) {square}[{i}][{j}] += {product};"));
            self.close("");
            self.close("");
            self.declare_level(&format!("{square}[{}]", self.count & 3), ty, Some(4), true, 3);
        }
    }

    /// A sum of products in a loop over an input.
    pub(super) fn accumulate(&mut self) {
        let (ty, sum, i) = (self.summed(), self.fresh("v"), self.fresh("i"));
        let input = match ty {
            Double => "pd",
            UInt => "pu",
            ULong => "pl",
            _ => "pf",
        };
        let start = self.expression(ty, 1);
        self.line(&format!("{} {sum} = {start};", ty.name()));
        let operator = if self.chance(80) { "+=" } else { "-=" };
        let trips = self.below(20) + 1;
        self.loops += 1;
        let around = std::mem::replace(&mut self.in_loop, false);
        let uniform = std::mem::replace(&mut self.uniform, false);
        match self.below(3) {
            0 => {
                let (by, factor) = (self.below(7), self.below(3));
                self.unroll();
                self.open(&format!("for (int {i} = 0; {i} < {trips}; {i}++)"));
                self.declare(&i, Int, None, false);
                let other = self.expression(ty, factor);
                let element = format!("{input}[(threadIdx.x * {by} + {i}) & 255]");
                self.line(&format!("{sum} {operator} {element} * {other};"));
            }
            1 => {
                let walk = self.fresh("ptr");
                let element = if ty == ULong { "long long" } else { ty.name() };
                self.line(&format!("const {element} *{walk} = {input} + (threadIdx.x & 63);"));
                self.unroll();
                self.open(&format!("for (int {i} = {trips}; {i} > 0; {i}--)"));
                self.declare(&i, Int, None, false);
                let other = self.expression(ty, 1);
                self.line(&format!("{sum} {operator} {other} * *{walk}++;"));
            }
            _ => {
                self.open(&format!("for (unsigned {i} = threadIdx.x; {i} < {INPUTS}; {i} += blockDim.x)"));
                self.declare(&i, UInt, None, false);
                let (value, other) = (self.expression(ty, 1), self.expression(ty, 1));
                self.line(&format!("{sum} {operator} {input}[{i}] * {value} + {other};"));
            }
        }
        if self.chance(40) {
            self.statements(1, 2);
        }
        if self.chance(20) {
            let condition = self.condition(1);
            self.line(&format!("if ({condition}) break;"));
        }
        self.close("");
        self.loops -= 1;
        self.in_loop = around;
        self.uniform = uniform;
        self.declare_sum(&sum, ty);
    }

    /// Declares a sum of many terms.
    pub(super) fn declare_sum(&mut self, sum: &str, ty: Ty) {
        self.declare_level(sum, ty, None, true, 3);
        if self.kind.exact && ty.is_float() {
            let (name, value) = (self.fresh("v"), self.reduced(sum, ty));
            self.line(&format!("{} {name} = {value};", ty.name()));
            self.declare(&name, ty, None, true);
        }
    }

    /// Truth values in variables.
    pub(super) fn boolean(&mut self) {
        let [first, second] = ["t", "t"].map(|stem| self.fresh(stem));
        let (a, b) = (self.condition(2), self.condition(2));
        self.line(&format!("bool {first} = {a}, {second} = {b};"));
        let (ty, name) = (self.ty(), self.fresh("v"));
        match self.below(3) {
            0 => {
                let (x, y) = (self.expression(ty, 2), self.expression(ty, 2));
                self.line(&format!("{} {name} = {first} && !{second} ? {x} : {y};", ty.name()));
            }
            1 => self.line(&format!("{} {name} = {first} + {second};", ty.name())),
            _ => {
                let condition = self.condition(1);
                let operator = ["|=", "&=", "^=", "="][self.below(4) as usize];
                self.line(&format!("{first} {operator} {condition};"));
                self.line(&format!("{} {name} = {first} == {second};", ty.name()));
            }
        }
        self.declare_level(&name, ty, None, true, 2);
    }

    /// A function template over a type and a number, given an array.
    pub(super) fn best(&mut self) {
        let Some(Variable { name: array, ty, array: Some(length), level, .. }) =
            self.pick(|one| one.array.is_some())
        else {
            return self.array();
        };
        let (name, start) = (self.fresh("v"), self.expression(ty, 1));
        let explicit =
            if self.chance(50) { format!("<{length}, {}>", ty.name()) } else { format!("<{length}>") };
        let start = format!("({})({start})", ty.name());
        self.line(&format!("{} {name} = {}_best{explicit}({array}, {start});", ty.name(), self.prefix));
        self.declare_level(&name, ty, None, true, level.max(1));
    }

    pub(super) fn half(&mut self) {
        if !self.kind.halves {
            return self.assign();
        }
        let [a, b, name] = ["h", "h", "v"].map(|stem| self.fresh(stem));
        let of = |value: &str| format!("__float2half(fminf(fmaxf({value}, -200.0f), 200.0f))");
        let depth = if self.kind.exact { 1 } else { 2 };
        let (x, y) = (self.expression(Float, depth), self.expression(Float, depth));
        self.line(&format!("__half {a} = {}, {b} = {};", of(&x), of(&y)));
        let result = match self.below(7) {
            0 => format!("{a} + {b}"),
            1 => format!("{a} * {b}"),
            2 => format!("__hfma({a}, {b}, {a})"),
            3 => format!("__hsub({b}, {a})"),
            4 => format!("-{a}"),
            5 => format!("__hgt({a}, {b}) ? {a} : {b}"),
            _ => format!("__hmul({a}, {a})"),
        };
        self.line(&format!("float {name} = __half2float({result});"));
        self.declare_level(&name, Float, None, true, 3);
    }

    /// A tile in shared memory, filled and summed over in iterations.
    pub(super) fn tiles(&mut self) {
        let ty = [Float, Float, Double, UInt][self.below(4) as usize];
        let [tile, sum, i, k] = ["s", "v", "i", "k"].map(|stem| self.fresh(stem));
        let start = self.expression(ty, 1);
        self.line(&format!("__shared__ {} {tile}[128];", ty.name()));
        self.line(&format!("{} {sum} = {start};", ty.name()));
        let (trips, inner) = (self.below(5) + 1, 1 << self.below(5));
        self.unroll();
        self.open(&format!("for (int {i} = 0; {i} < {trips}; {i}++)"));
        self.declare(&i, Int, None, false);
        self.uniform = false;
        let value = self.expression(ty, 2);
        self.line(&format!("{tile}[threadIdx.x] = {value};"));
        self.line(&format!("if (threadIdx.x < 48) {tile}[80 + threadIdx.x] = {i};"));
        self.line("__syncthreads();");
        self.unroll();
        let other = self.leaf(ty);
        let by = self.below(4) + 1;
        self.line(&format!(
            "for (int {k} = 0; {k} < {inner}; {k}++) {sum} += {tile}[(threadIdx.x + {k} * {by}) & 127] * {other};"
        ));
        self.line("__syncthreads();");
        self.uniform = true;
        self.close("");
        self.declare_sum(&sum, ty);
    }

    /// A shared array of two dimensions, written by rows and read by columns.
    pub(super) fn grid(&mut self) {
        let ty = self.ty();
        let [name, taken] = ["s", "v"].map(|stem| self.fresh(stem));
        let width = 16 + self.below(2);
        let value = self.expression(ty, 2);
        self.line(&format!("__shared__ {} {name}[8][{width}];", ty.name()));
        self.line(
            "int row = threadIdx.x / 16, column = threadIdx.x % 16;"
                .replace("row", &format!("{name}row"))
                .replace("column", &format!("{name}column"))
                .as_str(),
        );
        self.line(&format!("{name}[{name}row][{name}column] = {value};"));
        self.line(&format!(
            "if ({name}row < 3) {name}[5 + {name}row][{name}column] = ({})threadIdx.x;",
            ty.name()
        ));
        self.line("__syncthreads();");
        let (i, j) = (self.index(8), self.index(16));
        let read = match self.below(3) {
            0 => format!("{name}[{name}column & 7][{name}row]"),
            1 => format!("{name}[{i}][{name}column]"),
            _ => format!("{name}[{i}][{j}]"),
        };
        self.line(&format!("{} {taken} = {read};", ty.name()));
        self.declare_level(&taken, ty, None, true, 2);
    }

    /// Votes and reductions of a warp and of a block.
    pub(super) fn votes(&mut self) {
        let name = self.fresh("v");
        // The last warp has 16 lanes.
        let mask = "threadIdx.x < 64 ? 0xffffffffu : 0xffffu";
        let condition = self.condition(2);
        let value = self.expression(UInt, 2);
        let vote = match self.below(7) {
            0 => format!("__any_sync({mask}, {condition})"),
            1 => format!("__all_sync({mask}, {condition})"),
            2 => format!("__syncthreads_count({condition})"),
            3 => format!("__syncthreads_or({condition})"),
            4 => format!("__syncthreads_and({condition})"),
            _ => format!("__shfl_up_sync({mask}, {value}, 1)"),
        };
        self.line(&format!("unsigned {name} = {vote};"));
        self.declare(&name, UInt, None, true);
    }

    /// Objects of a struct template.
    pub(super) fn boxed(&mut self) {
        let (ty, prefix) = (self.ty(), self.prefix.clone());
        let [first, second, name] = ["x", "x", "v"].map(|stem| self.fresh(stem));
        let (a, b) = (self.expression(ty, 2), self.expression(ty, 2));
        let word = ty.name();
        self.line(&format!(
            "{prefix}_box<{word}> {first} = {{({word})({a})}}, {second} = {{({word})({b})}};"
        ));
        let result = match self.below(3) {
            0 if ty.is_float() => format!("({first} * {second}).get()"),
            1 => format!("{second}.least({first}).get()"),
            _ => format!("{first}.least({second}).value"),
        };
        self.line(&format!("{word} {name} = {result};"));
        self.declare_level(&name, ty, None, true, 3);
        self.declare_level(&format!("{first}.value"), ty, None, true, 2);
    }

    pub(super) fn statements(&mut self, depth: u32, most: u32) {
        for _ in 0..=self.below(most) {
            self.statement(depth);
        }
    }

    pub(super) fn statement(&mut self, depth: u32) {
        match self.below(47) {
            42..=46 => self.part(),
            34..=38 => self.alone(),
            39..=41 if self.uniform => self.together(),
            20 => self.pointer(),
            21 => self.reference(),
            22 => self.pair_statement(),
            23 => self.matrix(),
            24 | 25 if self.loops < 2 => self.accumulate(),
            26 => self.boolean(),
            27 => self.best(),
            28 => self.half(),
            29 if self.uniform => self.tiles(),
            30 if self.uniform => self.grid(),
            31 if self.uniform => self.votes(),
            32 => self.boxed(),
            0..=3 => self.variable(),
            4..=8 => self.assign(),
            9 => self.array(),
            10 | 11 if depth > 0 => self.branch(depth),
            12..=14 if depth > 0 && self.loops < 3 => self.repeat(depth),
            15 if depth > 0 => self.switch(depth),
            16 if self.uniform => self.exchange(),
            17 if self.uniform => self.shuffle(),
            18 if self.uniform => self.atomics(),
            18 => self.vector(),
            19 => self.lambda(),
            _ => self.assign(),
        }
    }
}
