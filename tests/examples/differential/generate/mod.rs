//! Random kernels whose results C++ defines, so that two compilers must agree on every bit.
//!
//! Enters: a seed. Leaves: CUDA C of one kernel with the functions and structs that it uses. What C++ leaves open is kept out by
//! construction: signed numbers are added as unsigned ones or are small, divisors are not zero, shifts and indices are masked,
//! floats are clamped before they become integers, barriers and shuffles are where all threads of a block come by, and what a
//! thread reads of others is after a barrier.

mod declaration;
mod expression;
mod idiom;
mod language;
mod statement;
mod window;

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
    /// Whether a `break` or `continue` may be here.
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

/// A kernel and how it is launched.
pub(crate) struct Kernel {
    pub(crate) name: String,
    /// CUDA C of the kernel and of all that it uses.
    pub(crate) text: String,
    /// Threads of a block in x, y, z.
    pub(crate) block: [u32; 3],
}

/// Bytes of shared memory that a launch adds.
pub(crate) const DYNAMIC: u32 = 8 * THREADS;

/// A kernel named `name`.
pub(crate) fn kernel(name: &str, seed: u64, kind: Kind) -> Kernel {
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
    let (block, thread) = match generator.below(8) {
        0 => ([16, 5, 1], "(threadIdx.y * 16 + threadIdx.x)"),
        1 => ([20, 4, 1], "(threadIdx.y * blockDim.x + threadIdx.x)"),
        2 => ([8, 5, 2], "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"),
        _ => ([THREADS, 1, 1], "threadIdx.x"),
    };
    generator.file();
    let mut text = generator.text;
    if block[1] > 1 {
        text = text.replace("threadIdx.x", thread);
        text = text.replace("* blockDim.x + threadIdx", "* blockDim.@ + threadIdx");
        text = text.replace("+ blockDim.x * (threadIdx", "+ blockDim.@ * (threadIdx");
        text = text
            .replace("blockDim.x", "(blockDim.x * blockDim.y * blockDim.z)")
            .replace("blockDim.@", "blockDim.x");
    }
    // A thread's own coordinates.
    let text = text.replace("own.", "threadIdx.");
    let text = format!("// threads: {} {} {}\n{text}", block[0], block[1], block[2]);
    Kernel { name: name.to_owned(), text, block }
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

    /// Whether a value of a level may be in an expression of a depth.
    fn allowed(&self, ty: Ty, level: u32, depth: u32) -> bool {
        !self.kind.exact || !ty.is_float() || level <= depth
    }

    /// A value of a level where one of depth 0 is required.
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
}
