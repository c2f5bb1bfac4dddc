//! Random kernels whose results C++ defines, so that two compilers must agree on every bit.
//!
//! Enters: a seed. Leaves: CUDA C of one kernel with the functions and structs that it uses. What C++ leaves open is kept out by
//! construction: signed numbers are added as unsigned ones or are small, divisors are not zero, shifts and indices are masked,
//! floats are clamped before they become integers, barriers and shuffles stand where all threads of a block come by, and what a
//! thread reads of others lies behind a barrier.

use std::fmt::Write as _;

use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng as _;

/// Threads of a block; no multiple of a warp's 32.
pub(crate) const THREADS: u32 = 80;
/// Blocks of a launch.
pub(crate) const BLOCKS: u32 = 3;
/// Elements of each input.
pub(crate) const INPUTS: u32 = 256;
/// Elements of each output for a thread.
pub(crate) const OUTPUTS: u32 = 8;

/// Type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Int,
    UInt,
    Long,
    ULong,
    Short,
    UShort,
    Char,
    Byte,
    Float,
    Double,
}
use Ty::{Byte, Char, Double, Float, Int, Long, Short, UInt, ULong, UShort};

/// Types as often as students use them, about.
const TYPES: [Ty; 14] =
    [Int, Int, UInt, UInt, Long, ULong, Short, UShort, Char, Byte, Float, Float, Float, Double];

impl Ty {
    fn name(self) -> &'static str {
        match self {
            Int => "int",
            UInt => "unsigned",
            Long => "long long",
            ULong => "unsigned long long",
            Short => "short",
            UShort => "unsigned short",
            Char => "signed char",
            Byte => "unsigned char",
            Float => "float",
            Double => "double",
        }
    }

    fn is_float(self) -> bool {
        matches!(self, Float | Double)
    }

    /// Whether arithmetic is done in `int`, which holds all values.
    fn is_small(self) -> bool {
        matches!(self, Short | UShort | Char | Byte)
    }

    /// Unsigned type in which a sum of this one is computed.
    fn unsigned(self) -> &'static str {
        match self {
            Long | ULong => "unsigned long long",
            Int | UInt | Short | UShort | Char | Byte | Float | Double => "unsigned",
        }
    }
}

/// Variable in scope.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Ty,
    /// Elements, a power of two, of an array.
    array: Option<u32>,
    /// Whether it may be assigned: parameters of loops may not.
    assignable: bool,
    /// Depth of the expressions whose values it may hold, where floats are exact.
    level: u32,
}

/// Function that kernels may call.
#[derive(Clone, Debug)]
struct Function {
    name: String,
    result: Ty,
    parameters: Vec<Ty>,
    /// Number of template arguments, all small integers.
    templates: u32,
    /// Depth of the expression that it returns.
    level: u32,
}

/// Writer of one kernel.
pub(crate) struct Generator {
    rng: Pcg32,
    text: String,
    indent: usize,
    scopes: Vec<Vec<Variable>>,
    functions: Vec<Function>,
    count: u32,
    /// Whether the code being written is reached by all threads of a block together.
    uniform: bool,
    /// Loops around, whose bodies multiply the work.
    loops: u32,
    /// Whether a `break` or `continue` may stand here.
    in_loop: bool,
    /// Name prefix: kernels of one file share a name space.
    prefix: String,
    /// Members `a`, `b` and array `c` of a struct of this kernel's, by type.
    record: Option<(Ty, Ty)>,
    /// Members `a` and `b` of a struct that is passed and returned by value.
    pair: Option<(Ty, Ty)>,
    /// Variables of that struct.
    pairs: Vec<String>,
    /// What is asked for.
    kind: Kind,
}

/// What kernels are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// With `half` arithmetic.
    pub(crate) halves: bool,
    /// With floats whose sums and products are exact, so that contracting them changes no bit. All are whole numbers. A
    /// variable holds at most 7, an expression of depth 1 at most 7² + 7, and so on: B² + B each, at depth 3 below 2²⁴, which
    /// `float` holds. Variables of a level hold what expressions of that depth may.
    pub(crate) exact: bool,
}

/// The most that a variable of level 0 holds, where floats are exact.
const MOST: u32 = 7;

/// CUDA C of a kernel named `name` and all that it uses.
pub(crate) fn kernel(name: &str, seed: u64, kind: Kind) -> String {
    let mut generator = Generator {
        rng: Pcg32::new(seed, 0xda3e_39cb_94b9_5bdb),
        text: String::new(),
        indent: 0,
        scopes: vec![],
        functions: vec![],
        count: 0,
        uniform: false,
        loops: 0,
        in_loop: false,
        prefix: name.to_owned(),
        record: None,
        pair: None,
        pairs: vec![],
        kind,
    };
    generator.file();
    generator.text
}

impl Generator {
    fn below(&mut self, n: u32) -> u32 {
        self.rng.next_u32() % n.max(1)
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    fn ty(&mut self) -> Ty {
        TYPES[self.below(TYPES.len() as u32) as usize]
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.count += 1;
        format!("{stem}{}", self.count)
    }

    fn line(&mut self, text: &str) {
        let indent = self.indent * 4;
        let _ = writeln!(self.text, "{:indent$}{text}", "");
    }

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
        self.scopes.push(vec![]);
    }

    fn close(&mut self, text: &str) {
        self.scopes.pop();
        self.indent -= 1;
        self.line(&format!("}}{text}"));
    }

    fn declare(&mut self, name: &str, ty: Ty, array: Option<u32>, assignable: bool) {
        self.declare_level(name, ty, array, assignable, 0);
    }

    /// Declares a variable that holds what expressions of a depth may.
    fn declare_level(&mut self, name: &str, ty: Ty, array: Option<u32>, assignable: bool, level: u32) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(Variable { name: name.to_owned(), ty, array, assignable, level });
        }
    }

    /// Whether a value of a level may stand in an expression of a depth.
    fn allowed(&self, ty: Ty, level: u32, depth: u32) -> bool {
        !self.kind.exact || !ty.is_float() || level <= depth
    }

    /// A value of a level where one of depth 0 is wanted.
    fn fit(&mut self, value: String, ty: Ty, level: u32, depth: u32) -> String {
        if self.allowed(ty, level, depth) { value } else { self.reduced(&value, ty) }
    }

    /// A small number made of a larger one, where floats are exact.
    fn reduced(&mut self, value: &str, ty: Ty) -> String {
        if !self.kind.exact || !ty.is_float() {
            return value.to_owned();
        }
        match (ty, self.below(3)) {
            (Float, 0) => format!("fminf(fmaxf({value}, -{MOST}.0f), {MOST}.0f)"),
            (_, 0) => format!("fmin(fmax({value}, -{MOST}.0), {MOST}.0)"),
            _ => format!("{}_small({value})", self.prefix),
        }
    }

    /// An expression whose value a variable of level 0 may hold.
    fn small(&mut self, ty: Ty, depth: u32) -> String {
        if !self.kind.exact || !ty.is_float() {
            return self.expression(ty, depth);
        }
        if self.chance(40) {
            return self.expression(ty, 0);
        }
        let value = self.expression(ty, depth);
        self.reduced(&value, ty)
    }

    /// An integer as one that a float holds exactly.
    fn as_float(&self, value: &str, ty: Ty) -> String {
        if self.kind.exact {
            format!("({})(({value}) & {MOST})", ty.name())
        } else {
            format!("({})({value})", ty.name())
        }
    }

    fn pick(&mut self, is: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let found: Vec<&Variable> = self.scopes.iter().flatten().filter(|one| is(one)).collect();
        let count = found.len() as u32;
        if count == 0 {
            return None;
        }
        let chosen = self.rng.next_u32() % count;
        found.get(chosen as usize).map(|one| (*one).clone())
    }

    // Expressions ------------------------------------------------------------------------------------------------------

    fn literal(&mut self, ty: Ty) -> String {
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
    fn leaf(&mut self, ty: Ty) -> String {
        self.leaf_of(ty, 0)
    }

    /// A value that may stand in an expression of a depth.
    fn leaf_of(&mut self, ty: Ty, depth: u32) -> String {
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

    fn input(&mut self, ty: Ty) -> String {
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
    fn index(&mut self, length: u32) -> String {
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

    fn expression(&mut self, ty: Ty, depth: u32) -> String {
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

    fn binary(&mut self, ty: Ty, depth: u32) -> String {
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
    fn mixed(&mut self, ty: Ty, depth: u32) -> String {
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
    fn pair_member(&mut self, ty: Ty, depth: u32) -> String {
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
    fn pair_value(&mut self, depth: u32) -> String {
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

    fn unary(&mut self, ty: Ty, depth: u32) -> String {
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

    fn conversion(&mut self, ty: Ty, depth: u32) -> String {
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

    fn condition(&mut self, depth: u32) -> String {
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

    fn call(&mut self, ty: Ty, depth: u32) -> String {
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
    fn converted(&mut self, value: &str, from: Ty, to: Ty) -> String {
        if from.is_float() && !to.is_float() {
            return format!("({})(({value}) > ({})1 ? 1 : 0)", to.name(), from.name());
        }
        if to.is_float() && !from.is_float() {
            return self.as_float(value, to);
        }
        if from == to { value.to_owned() } else { format!("({})({value})", to.name()) }
    }

    fn intrinsic(&mut self, ty: Ty, depth: u32) -> String {
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

    fn member(&mut self, ty: Ty, depth: u32) -> String {
        let Some((first, second)) = self.record else { return self.leaf(ty) };
        let (value, from, level) = match self.below(3) {
            0 => ("rec.a".to_owned(), first, 0),
            1 => ("rec.total()".to_owned(), second, 2),
            _ => (format!("rec.c[{}]", self.index(4)), second, 1),
        };
        let value = self.fit(value, from, level, depth);
        self.converted(&value, from, ty)
    }

    // Statements -------------------------------------------------------------------------------------------------------

    fn variable(&mut self) {
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

    fn array(&mut self) {
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

    fn assign(&mut self) {
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

    fn branch(&mut self, depth: u32) {
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

    fn repeat(&mut self, depth: u32) {
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

    fn switch(&mut self, depth: u32) {
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
    fn exchange(&mut self) {
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

    fn shuffle(&mut self) {
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

    fn atomics(&mut self) {
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

    fn lambda(&mut self) {
        let (ty, name) = (self.ty(), self.fresh("l"));
        let capture = if self.chance(50) { "=" } else { "&" };
        let parameter = self.fresh("p");
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

    fn vector(&mut self) {
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

    fn other_vector(&mut self) {
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
    fn pointer(&mut self) {
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
    fn reference(&mut self) {
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

    fn pair_statement(&mut self) {
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
    fn summed(&mut self) -> Ty {
        [Float, Float, Double, UInt, ULong][self.below(5) as usize]
    }

    fn unroll(&mut self) {
        let unroll = ["", "", "#pragma unroll\n", "#pragma unroll 2\n", "#pragma unroll 1\n"];
        let chosen = unroll[self.below(5) as usize];
        self.text.push_str(chosen);
    }

    /// A small matrix in a local array, and its square.
    fn matrix(&mut self) {
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
    fn accumulate(&mut self) {
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
    fn declare_sum(&mut self, sum: &str, ty: Ty) {
        self.declare_level(sum, ty, None, true, 3);
        if self.kind.exact && ty.is_float() {
            let (name, value) = (self.fresh("v"), self.reduced(sum, ty));
            self.line(&format!("{} {name} = {value};", ty.name()));
            self.declare(&name, ty, None, true);
        }
    }

    /// Truth values in variables.
    fn boolean(&mut self) {
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
    fn best(&mut self) {
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

    fn half(&mut self) {
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

    /// A tile in shared memory, filled and summed over in turns.
    fn tiles(&mut self) {
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
    fn grid(&mut self) {
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
    fn votes(&mut self) {
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
    fn boxed(&mut self) {
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

    fn statements(&mut self, depth: u32, most: u32) {
        for _ in 0..=self.below(most) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.below(34) {
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

    // Declarations -----------------------------------------------------------------------------------------------------

    fn structure(&mut self) {
        let (first, second) = (self.ty(), self.ty());
        let name = format!("{}_record", self.prefix);
        self.open(&format!("struct {name}"));
        self.line(&format!("{} a;", first.name()));
        self.line(&format!("{} c[4];", second.name()));
        let start = self.below(1000);
        self.line(&format!("unsigned b = {start};"));
        self.line(&format!("__device__ {name}({} a, {} x) : a(a) {{", first.name(), second.name()));
        self.line("    for (int i = 0; i < 4; i++) c[i] = x;");
        self.line("}");
        let sum = if second.is_float() {
            "c[0] + c[1] * c[2] - c[3]".to_owned()
        } else {
            format!("({0})c[0] + ({0})c[1] * ({0})c[2] - ({0})c[3]", second.unsigned())
        };
        self.line(&format!("__device__ {} total() const {{ return {sum}; }}", second.name()));
        self.line(&format!("__device__ void set(int i, {} x) {{ c[i & 3] = x; b++; }}", second.name()));
        self.close(";");
        self.record = Some((first, second));
    }

    /// Templates and tables that statements use.
    fn shared_declarations(&mut self) {
        let prefix = self.prefix.clone();
        if self.kind.exact {
            self.line("template <typename T>");
            self.line(&format!("__device__ T {prefix}_small(T x) {{ return (T)((int)x % {}); }}", MOST + 1));
        }
        self.line("template <int N, typename T>");
        self.open(&format!("__device__ T {prefix}_best(const T *values, T start)"));
        self.unroll();
        self.line("for (int i = 0; i < N; i++)");
        let operator = if self.chance(50) { "<" } else { ">" };
        self.line(&format!("    if (start {operator} values[i]) start = values[i];"));
        self.line("return start;");
        self.close("");
        self.line("template <typename T>");
        self.open(&format!("__device__ void {prefix}_least(T &place, T value)"));
        self.line("if (value < place) place = value;");
        self.close("");
        self.line("template <typename T>");
        self.open(&format!("struct {prefix}_box"));
        self.line("T value;");
        self.line("__device__ T get() const { return value; }");
        self.line(&format!("__device__ {prefix}_box least(const {prefix}_box &other) const {{ return value < other.value ? *this : other; }}"));
        self.line(&format!("__device__ {prefix}_box operator*({prefix}_box other) const {{ return {{value * other.value + T(1)}}; }}"));
        self.close(";");
        for _ in 0..self.below(3) {
            let (ty, name) = (self.ty(), self.fresh("table"));
            let qualifier = ["__constant__", "__device__ const", "__constant__"][self.below(3) as usize];
            let values: Vec<String> = (0..8).map(|_| self.literal(ty)).collect();
            self.line(&format!("{qualifier} {} {prefix}_{name}[8] = {{{}}};", ty.name(), values.join(", ")));
            self.declare(&format!("{prefix}_{name}"), ty, Some(8), false);
        }
    }

    /// A struct that is passed and returned by value.
    fn by_value(&mut self) {
        let (first, second) = (self.ty(), self.ty());
        let prefix = self.prefix.clone();
        self.open(&format!("struct {prefix}_pair"));
        self.line(&format!("{} a; {} b; float f;", first.name(), second.name()));
        self.close(";");
        let inline = ["", "", "__forceinline__ ", "__noinline__ "][self.below(4) as usize];
        self.open(&format!(
            "__device__ {inline}{prefix}_pair {prefix}_make({} a, {} b, float f)",
            first.name(),
            second.name()
        ));
        self.line(&format!("{prefix}_pair made;"));
        self.line("made.a = a;");
        self.line("made.b = b;");
        let value = self.reduced("f * 2.0f", Float);
        self.line(&format!("made.f = {value};"));
        self.line("return made;");
        self.close("");
        self.open(&format!(
            "__device__ {inline}{prefix}_pair {prefix}_combine({prefix}_pair x, const {prefix}_pair &y)"
        ));
        self.line("if (y.a < x.a) x.a = y.a;");
        let value = self.reduced("x.f * y.f + x.f", Float);
        self.line(&format!("x.f = {value};"));
        self.line("return x;");
        self.close("");
        self.open(&format!("__device__ {prefix}_pair operator+({prefix}_pair x, {prefix}_pair y)"));
        let value = self.reduced("x.f + y.f", Float);
        self.line(&format!("return {prefix}_pair{{y.a, x.b, {value}}};"));
        self.close("");
        self.open(&format!("__device__ {inline}void {prefix}_update({prefix}_pair &x, {} b)", second.name()));
        self.line("if (b < x.b) { x.b = b; return; }");
        if self.kind.exact {
            let value = self.reduced("x.f - 2.0f * (float)((int)b & 3)", Float);
            self.line(&format!("x.f = {value};"));
        } else {
            self.line("x.f -= 0.5f * (float)b;");
        }
        self.close("");
        self.pair = Some((first, second));
    }

    fn function(&mut self) {
        let result = self.ty();
        let name = format!("{}_{}", self.prefix, self.functions.len());
        let parameters: Vec<Ty> = (0..=self.below(3)).map(|_| self.ty()).collect();
        let templates = u32::from(self.chance(30));
        let words: Vec<String> =
            parameters.iter().enumerate().map(|(n, ty)| format!("{} p{n}", ty.name())).collect();
        if templates > 0 {
            self.line("template <int N>");
        }
        let inline = ["", "", "__forceinline__ ", "__noinline__ "][self.below(4) as usize];
        self.open(&format!(
            "__device__ {inline}{} {name}({}, const int *pi, const unsigned *pu, const long long *pl, const float *pf, const double *pd)",
            result.name(),
            words.join(", ")
        ));
        let record = self.record.take();
        for (n, ty) in parameters.iter().enumerate() {
            self.declare(&format!("p{n}"), *ty, None, true);
        }
        if templates > 0 {
            self.line("int templated = N * 3;");
            self.declare("templated", Int, None, true);
        }
        let functions = std::mem::take(&mut self.functions);
        self.loops = 1;
        let level = if self.kind.exact { self.below(3) } else { 2 };
        self.statements(2, 4);
        if self.chance(30) {
            let (condition, value) = (self.condition(1), self.expression(result, level.min(1)));
            self.line(&format!("if ({condition}) return {value};"));
            self.statements(1, 2);
        }
        self.loops = 0;
        let value = if level == 0 { self.small(result, 2) } else { self.expression(result, level) };
        self.line(&format!("return {value};"));
        self.close("");
        self.record = record;
        self.functions = functions;
        self.functions.push(Function { name, result, parameters, templates, level });
    }

    fn file(&mut self) {
        self.scopes.push(vec![]);
        if self.kind.halves {
            self.line("#include <cuda_fp16.h>");
        }
        self.shared_declarations();
        if self.chance(60) {
            self.structure();
        }
        if self.chance(50) {
            self.by_value();
        }
        for _ in 0..self.below(4) {
            self.function();
        }
        let name = self.prefix.clone();
        self.open(&format!(
            "extern \"C\" __global__ void {name}(const int *__restrict__ pi, const unsigned *pu, const long long *pl, const float *pf, const double *pd, int *oi, unsigned *ou, long long *ol, float *of, double *od, int n, float x)"
        ));
        self.declare("n", Int, None, true);
        self.declare("x", Float, None, true);
        self.line("unsigned t = blockIdx.x * blockDim.x + threadIdx.x;");
        self.declare("t", UInt, None, false);
        if let Some((first, second)) = self.record {
            let (a, b) = (self.leaf(first), self.leaf(second));
            self.line(&format!("{name}_record rec({a}, {b});"));
        }
        self.uniform = true;
        for round in 0..self.below(8) + 4 {
            self.statement(3);
            if self.record.is_some() && round % 3 == 1 {
                let second = self.record.map_or(Int, |one| one.1);
                let (index, value) =
                    (self.expression(Int, 1), self.expression(second, if self.kind.exact { 1 } else { 2 }));
                self.line(&format!("rec.set({index}, {value});"));
            }
        }
        self.uniform = false;
        self.outputs();
        self.close("");
    }

    /// Every variable that is still in scope reaches an output.
    fn outputs(&mut self) {
        let variables: Vec<Variable> = self.scopes.iter().flatten().cloned().collect();
        let outputs = [("oi", Int), ("ou", UInt), ("ol", Long), ("of", Float), ("od", Double)];
        for (name, ty) in outputs {
            if self.chance(8) {
                let condition = self.condition(1);
                self.line(&format!("if ({condition}) return;"));
            }
            for place in 0..self.below(OUTPUTS) + 1 {
                let mut value = self.expression(ty, 3);
                if let Some(one) = variables.get((place as usize * 5 + ty as usize) % variables.len().max(1))
                    && one.array.is_none()
                    && !one.ty.is_float()
                    && !ty.is_float()
                {
                    value = format!("({})(({})({value}) ^ ({1}){})", ty.name(), ty.unsigned(), one.name);
                }
                if self.chance(20) {
                    let condition = self.condition(1);
                    self.line(&format!("if ({condition})"));
                }
                self.line(&format!("{name}[t * {OUTPUTS} + {place}] = {value};"));
                if name == "ou" && self.chance(10) {
                    let (how, value) = (
                        ["atomicAdd", "atomicMax", "atomicExch"][self.below(3) as usize],
                        self.expression(UInt, 1),
                    );
                    self.line(&format!("{how}(&ou[t * {OUTPUTS} + {place}], {value});"));
                }
            }
        }
    }
}
