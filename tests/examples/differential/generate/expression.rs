//! Expressions of a kernel.

use std::fmt::Write as _;

use rand_pcg::rand_core::Rng as _;

use super::Ty::{Byte, Char, Double, Float, Int, Long, Short, UInt, ULong, UShort};
use super::{Generator, INPUTS, MOST, Ty, Variable};

impl Generator {
    pub(super) fn literal(&mut self, ty: Ty) -> String {
        const FLOATS: [&str; 10] =
            ["0.0", "1.0", "-1.5", "0.1", "3.25", "-100.0", "1e-3", "7e4", "0.333", "-0.0"];
        const WHOLE: [&str; 10] = ["0.0", "1.0", "-1.0", "2.0", "3.0", "-5.0", "7.0", "4.0", "-2.0", "-0.0"];
        let floats = if self.kind.exact { WHOLE } else { FLOATS };
        let small = self.below(3) != 0;
        let value = if small { u64::from(self.below(20)) } else { self.rng.next_u64() };
        match ty {
            Int if value as i32 == i32::MIN => "(-2147483647 - 1)".into(),
            Int => format!("{}", value as i32),
            UInt => format!("{}u", value as u32),
            Long if value as i64 == i64::MIN => "0ll".into(),
            Long => format!("{}ll", value as i64),
            ULong => format!("{value}ull"),
            Short => format!("(short){}", value as i16),
            UShort => format!("(unsigned short){}", value as u16),
            Char => format!("(signed char){}", value as i8),
            Byte => format!("(unsigned char){}", value as u8),
            Float => format!("{}f", floats[self.below(10) as usize]),
            Double => floats[self.below(10) as usize].to_owned(),
        }
    }

    /// A value of the type, from a variable of it where there is one.
    pub(super) fn leaf(&mut self, ty: Ty) -> String {
        self.leaf_of(ty, 0)
    }

    /// A value that may be in an expression of a depth.
    pub(super) fn leaf_of(&mut self, ty: Ty, depth: u32) -> String {
        let exact = self.kind.exact && ty.is_float();
        let fits = |one: &Variable| one.ty == ty && (!exact || one.level <= depth);
        match self.below(10) {
            0 | 1 => self.literal(ty),
            2 => self.input(ty),
            3 => match self.pick(|one| one.array.is_some() && fits(one)) {
                Some(Variable { name, array: Some(length), .. }) => {
                    let index = self.index(length);
                    format!("{name}[{index}]")
                }
                _ => self.literal(ty),
            },
            _ => match self.pick(|one| one.array.is_none() && fits(one)) {
                Some(variable) => variable.name,
                None => self.literal(ty),
            },
        }
    }

    pub(super) fn input(&mut self, ty: Ty) -> String {
        let name = match ty {
            Int | Short | Char => "pi",
            UInt | Byte | UShort => "pu",
            Long | ULong => "pl",
            Float => "pf",
            Double => "pd",
        };
        let index = self.index(INPUTS);
        match ty {
            Short | UShort | Char | Byte | ULong => format!("({}){name}[{index}]", ty.name()),
            Int | UInt | Long | Float | Double => format!("{name}[{index}]"),
        }
    }

    /// An index below a power of two.
    pub(super) fn index(&mut self, length: u32) -> String {
        let mask = length - 1;
        match self.below(6) {
            0 => format!("{}", self.below(length)),
            1 => format!("threadIdx.x & {mask}"),
            2 => {
                let (by, plus) = (self.below(5), self.below(40));
                format!("(threadIdx.x * {by} + {plus}) & {mask}")
            }
            3 => format!("(blockIdx.x * blockDim.x + threadIdx.x) % {length}"),
            _ => {
                let inner = if self.chance(50) { UInt } else { Int };
                let value = self.leaf(inner);
                format!("({value}) & {mask}")
            }
        }
    }

    pub(super) fn expression(&mut self, ty: Ty, depth: u32) -> String {
        if depth == 0 || self.chance(12) {
            return self.leaf_of(ty, depth);
        }
        match self.below(17) {
            0 => self.conversion(ty, depth - 1),
            14 | 15 => self.mixed(ty, depth - 1),
            16 if self.pair.is_some() => self.pair_member(ty, depth - 1),
            1 => {
                let (condition, a, b) = (
                    self.condition(depth - 1),
                    self.expression(ty, depth - 1),
                    self.expression(ty, depth - 1),
                );
                format!("({condition} ? {a} : {b})")
            }
            2 => self.call(ty, depth - 1),
            3 => self.intrinsic(ty, depth - 1),
            4 => self.unary(ty, depth - 1),
            5 if self.record.is_some() => self.member(ty, depth),
            _ => self.binary(ty, depth - 1),
        }
    }

    pub(super) fn binary(&mut self, ty: Ty, depth: u32) -> String {
        let (a, b) = (self.expression(ty, depth), self.expression(ty, depth));
        let name = ty.name();
        if ty.is_float() {
            let operator = ["+", "-", "*", "+", "*", "/"][self.below(6) as usize];
            if operator == "/" {
                // Division by zero is undefined, for floats too.
                let (suffix, absolute) = if ty == Float { ("f", "fabsf") } else { ("", "fabs") };
                if self.kind.exact {
                    let divisor = match self.below(2) {
                        0 => format!(
                            "{}{suffix}",
                            ["3.25", "-1.5", "0.1", "7.0"][self.below(4) as usize].replace("0.1", "5.1")
                        ),
                        _ => format!("({absolute}({b}) + 1.0{suffix})"),
                    };
                    return format!("trunc{suffix}({a} / {divisor})");
                }
                return match self.below(3) {
                    0 => {
                        format!("({a} / {}{suffix})", ["3.25", "-1.5", "0.1", "7.0"][self.below(4) as usize])
                    }
                    1 => format!("({a} / ({b} * {b} + 0.5{suffix}))"),
                    _ => format!("({a} / ({absolute}({b}) + 1.0{suffix}))"),
                };
            }
            return format!("({a} {operator} {b})");
        }
        let unsigned = ty.unsigned();
        let bits = if matches!(ty, Long | ULong) { 63 } else { 31 };
        match self.below(12) {
            0..=5 => {
                let operator = ["+", "-", "*"][self.below(3) as usize];
                format!("({name})(({unsigned})({a}) {operator} ({unsigned})({b}))")
            }
            6 | 7 => {
                let operator = ["&", "|", "^"][self.below(3) as usize];
                format!("({name})(({a}) {operator} ({b}))")
            }
            8 => format!("({name})(({unsigned})({a}) << (({b}) & {bits}))"),
            9 => {
                let amount = if ty.is_small() { 7 } else { bits };
                format!("({name})(({a}) >> (({b}) & {amount}))")
            }
            10 if self.chance(40) => {
                // Divisors over all of the type's width, odd.
                let operator = ["/", "%"][self.below(2) as usize];
                let most = match ty {
                    Long => "0x7fffffffffffffll",
                    ULong => "0xffffffffffffffffull",
                    Int => "0x7fffffff",
                    UInt => "0xffffffffu",
                    Short | UShort | Char | Byte | Float | Double => "127",
                };
                format!("({name})(({a}) {operator} ((({b}) & {most}) | 1))")
            }
            10 => {
                let (operator, divisor) = (["/", "%"][self.below(2) as usize], self.below(30) + 1);
                format!("({name})(({a}) {operator} {divisor})")
            }
            _ => {
                let operator = ["/", "%"][self.below(2) as usize];
                format!("({name})(({a}) {operator} ((({b}) & 15) + 1))")
            }
        }
    }

    /// Operands of several types, converted as C++ says.
    pub(super) fn mixed(&mut self, ty: Ty, depth: u32) -> String {
        let integer = |one: &mut Self| loop {
            let ty = one.ty();
            if !ty.is_float() {
                return ty;
            }
        };
        let (other, name) = (integer(self), ty.name());
        match ty {
            Float | Double => {
                let narrow = if ty == Double && self.chance(50) { Float } else { other };
                let (a, b) = (self.expression(ty, depth), self.expression(narrow, depth));
                let b = if self.kind.exact && !narrow.is_float() { format!("(({b}) & {MOST})") } else { b };
                match self.below(5) {
                    0 => {
                        let condition = self.condition(depth);
                        format!("({name})({condition} ? {b} : {a})")
                    }
                    1 => format!("({b} * {a})"),
                    2 => format!("({a} - {b})"),
                    3 => format!("({a} * {b})"),
                    _ => format!("({a} + {b})"),
                }
            }
            Int | UInt | Long | ULong | Short | UShort | Char | Byte => {
                let third = integer(self);
                let (a, b) = (self.expression(other, depth), self.expression(third, depth));
                if self.chance(40) {
                    let condition = self.condition(depth);
                    return format!("({name})({condition} ? {a} : {b})");
                }
                if other.is_small() && third.is_small() {
                    // Promoted to int, which holds the result (but not the square of 65535).
                    let product = if other == UShort && third == UShort { "+" } else { "*" };
                    let operator = ["+", "-", product, "&", "^", "+"][self.below(6) as usize];
                    return format!("({name})({a} {operator} {b})");
                }
                let operator = ["&", "|", "^"][self.below(3) as usize];
                match self.below(4) {
                    0 => format!("({name})(({a}) % ((({b}) & 63) + 1))"),
                    1 => format!("({name})(({a}) >> (({b}) & 7))"),
                    _ => format!("({name})(({a}) {operator} ({b}))"),
                }
            }
        }
    }

    /// A member of a struct that a function returns.
    pub(super) fn pair_member(&mut self, ty: Ty, depth: u32) -> String {
        let Some(types) = self.pair else { return self.leaf(ty) };
        let value = self.pair_value(depth);
        let (member, from) = match self.below(3) {
            0 => ("a", types.0),
            1 => ("b", types.1),
            _ => ("f", Float),
        };
        self.converted(&format!("{value}.{member}"), from, ty)
    }

    /// A struct by value. Its floats are of level 0.
    pub(super) fn pair_value(&mut self, depth: u32) -> String {
        let (Some((first, second)), prefix) = (self.pair, self.prefix.clone()) else { return String::new() };
        let known = self.pairs.last().cloned();
        match (self.below(5), known) {
            (0 | 1, Some(name)) => name,
            (2, Some(name)) if depth > 0 => {
                let other = self.pair_value(depth - 1);
                format!("{prefix}_combine({name}, {other})")
            }
            (3, Some(name)) if depth > 0 => {
                let other = self.pair_value(depth - 1);
                format!("({other} + {name})")
            }
            _ => {
                let (a, b) = (self.small(first, depth.min(1)), self.small(second, depth.min(1)));
                let x = self.small(Float, depth.min(1));
                format!("{prefix}_make({a}, {b}, {x})")
            }
        }
    }

    pub(super) fn unary(&mut self, ty: Ty, depth: u32) -> String {
        let a = self.expression(ty, depth);
        let name = ty.name();
        if ty.is_float() {
            return format!("(-({a}))");
        }
        match self.below(3) {
            0 => format!("({name})(~({a}))"),
            1 => format!("({name})(0 - ({})({a}))", ty.unsigned()),
            _ => format!("({name})(!({a}))"),
        }
    }

    pub(super) fn conversion(&mut self, ty: Ty, depth: u32) -> String {
        let from = self.ty();
        let a = self.expression(from, depth);
        let name = ty.name();
        if ty.is_float() && !from.is_float() {
            return self.as_float(&a, ty);
        }
        if ty.is_float() || !from.is_float() {
            return format!("({name})({a})");
        }
        // From a float that fits the type.
        let (least, most) = match ty {
            Byte => ("0", "255"),
            Char => ("-128", "127"),
            UShort => ("0", "65535"),
            Short => ("-32000", "32000"),
            UInt | ULong => ("0", "1e9"),
            Int | Long | Float | Double => ("-1e9", "1e9"),
        };
        match from {
            Float => {
                let suffix =
                    |text: &str| if text.contains('e') { format!("{text}f") } else { format!("{text}.0f") };
                format!("({name})fminf(fmaxf({a}, {}), {})", suffix(least), suffix(most))
            }
            _ => format!("({name})fmin(fmax({a}, (double){least}), (double){most})"),
        }
    }

    pub(super) fn condition(&mut self, depth: u32) -> String {
        let ty = self.ty();
        let (a, b) = (self.expression(ty, depth), self.expression(ty, depth));
        let operator = ["<", "<=", ">", ">=", "==", "!="][self.below(6) as usize];
        let other = self.ty();
        let b = if self.chance(15) { self.expression(other, depth) } else { b };
        let compared = format!("({a}) {operator} ({b})");
        match self.below(8) {
            0 if depth > 0 => {
                let other = self.condition(depth - 1);
                format!("(({compared}) && {other})")
            }
            1 if depth > 0 => {
                let other = self.condition(depth - 1);
                format!("(({compared}) || {other})")
            }
            2 => format!("(!({compared}))"),
            4 => match self.pick(|one| one.array.is_none() && !one.ty.is_float()) {
                Some(one) => format!("({} & {})", one.name, self.below(7) + 1),
                None => format!("({compared})"),
            },
            3 => {
                let bit = self.below(6);
                format!("((threadIdx.x >> {bit} & 1) != 0)")
            }
            _ => format!("({compared})"),
        }
    }

    pub(super) fn call(&mut self, ty: Ty, depth: u32) -> String {
        if self.functions.is_empty() || self.loops > 2 {
            return self.leaf(ty);
        }
        let chosen = self.below(self.functions.len() as u32) as usize;
        let function = self.functions[chosen].clone();
        let mut arguments: Vec<String> =
            function.parameters.iter().map(|one| self.small(*one, depth.min(1))).collect();
        arguments.push("pi, pu, pl, pf, pd".to_owned());
        let mut name = function.name.clone();
        if function.templates > 0 {
            let argument = self.below(4) + 1;
            let _ = write!(name, "<{argument}>");
        }
        let call = format!("{name}({})", arguments.join(", "));
        let call = self.fit(call, function.result, function.level, depth);
        self.converted(&call, function.result, ty)
    }

    /// A value of one type as another, safely.
    pub(super) fn converted(&mut self, value: &str, from: Ty, to: Ty) -> String {
        if from.is_float() && !to.is_float() {
            return format!("({})(({value}) > ({})1 ? 1 : 0)", to.name(), from.name());
        }
        if to.is_float() && !from.is_float() {
            return self.as_float(value, to);
        }
        if from == to { value.to_owned() } else { format!("({})({value})", to.name()) }
    }

    pub(super) fn intrinsic(&mut self, ty: Ty, depth: u32) -> String {
        let choice = self.below(11);
        let (call, result) = match ty {
            Float => {
                let (a, b, c) = (
                    self.expression(Float, depth),
                    self.expression(Float, depth),
                    self.expression(Float, depth),
                );
                let call = match choice {
                    0 => format!("fmaf({a}, {b}, {c})"),
                    // Which of -0 and +0 is smaller is left open; with +0 added there is no -0.
                    1 => format!("fminf({a} + 0.0f, {b} + 0.0f)"),
                    2 => format!("fmaxf({a} + 0.0f, {b} + 0.0f)"),
                    3 => format!("fabsf({a})"),
                    4 if self.kind.exact => format!("truncf(sqrtf(fabsf({a})))"),
                    4 => format!("sqrtf({a})"),
                    5 => format!("truncf({a})"),
                    6 => format!("rintf({a})"),
                    7 => format!("__fadd_rn({a}, {b})"),
                    8 => format!("__fmul_rn({a}, {b})"),
                    9 if self.kind.exact => format!("fminf(fmaxf({a}, -2.0f), 6.0f)"),
                    9 => format!("fminf(fmaxf({a}, -2.5f), 1e4f)"),
                    _ => format!("floorf({a})"),
                };
                (call, Float)
            }
            Double => {
                let (a, b, c) = (
                    self.expression(Double, depth),
                    self.expression(Double, depth),
                    self.expression(Double, depth),
                );
                let call = match choice {
                    0 => format!("fma({a}, {b}, {c})"),
                    1 => format!("fmin({a} + 0.0, {b} + 0.0)"),
                    2 => format!("fmax({a} + 0.0, {b} + 0.0)"),
                    3 => format!("fabs({a})"),
                    4 if self.kind.exact => format!("trunc(sqrt(fabs({a})))"),
                    4 => format!("sqrt({a})"),
                    5 => format!("trunc({a})"),
                    6 => format!("rint({a})"),
                    7 => format!("__dadd_rn({a}, {b})"),
                    8 => format!("floor({a})"),
                    _ => format!("ceil({a})"),
                };
                (call, Double)
            }
            Long | ULong => {
                let (a, b) = (self.expression(ULong, depth), self.expression(ULong, depth));
                match choice {
                    0 => (format!("__popcll({a})"), Int),
                    1 => (format!("__umul64hi({a}, {b})"), ULong),
                    2 => (format!("__clzll((long long)({a}))"), Int),
                    3 => (format!("__brevll({a})"), ULong),
                    _ => (format!("max({a}, {b})"), ULong),
                }
            }
            Int | UInt | Short | UShort | Char | Byte => {
                let (a, b) = (self.expression(UInt, depth), self.expression(UInt, depth));
                let (i, j) = (self.expression(Int, depth), self.expression(Int, depth));
                match self.below(14) {
                    0 => (format!("__popc({a})"), Int),
                    1 => (format!("__umulhi({a}, {b})"), UInt),
                    2 => (format!("__clz((int)({a}))"), Int),
                    3 => (format!("__brev({a})"), UInt),
                    4 => (format!("__byte_perm({a}, {b}, 0x{:04x})", self.below(0x8000) & 0x7777), UInt),
                    5 => (format!("__funnelshift_l({a}, {b}, {i})"), UInt),
                    6 => (format!("min({i}, {j})"), Int),
                    8 => (format!("min(max({i}, -100), {})", self.below(300)), Int),
                    9 => (format!("__ffs({i})"), Int),
                    10 => (format!("__mulhi({i}, {j})"), Int),
                    11 => (format!("abs(({i}) >> 1)"), Int),
                    12 => (format!("__float2int_rn(fminf(fmaxf((float)({i}), -1e6f), 1e6f) * 0.5f)"), Int),
                    7 => (format!("max({a}, {b})"), UInt),
                    _ => (format!("__float_as_int((float)({i}))"), Int),
                }
            }
        };
        self.converted(&call, result, ty)
    }

    pub(super) fn member(&mut self, ty: Ty, depth: u32) -> String {
        let Some((first, second)) = self.record else { return self.leaf(ty) };
        let (value, from, level) = match self.below(3) {
            0 => ("rec.a".to_owned(), first, 0),
            1 => ("rec.total()".to_owned(), second, 2),
            _ => (format!("rec.c[{}]", self.index(4)), second, 1),
        };
        let value = self.fit(value, from, level, depth);
        self.converted(&value, from, ty)
    }
}
