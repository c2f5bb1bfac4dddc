//! The tree. Words are kept as written; only numbers are read.

use crate::error::Position;
use std::ops::Range;

/// Byte offset of a construct in the text; [`Module::place`] converts it to line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At(pub u32);

/// A PTX module.
#[derive(Clone, Debug, PartialEq)]
pub struct Module<'a> {
    /// `.version`.
    pub version: (u32, u32),
    /// `.target`'s words, such as `sm_52`, `debug`.
    pub target: Vec<&'a str>,
    /// `.address_size`; 32 if the module has none.
    pub address_size: u32,
    /// `.file` directives, as index and name.
    pub files: Vec<(u32, &'a str)>,
    /// Module-scope variables, in order.
    pub variables: Vec<Variable<'a>>,
    /// Functions and kernels, declarations included, in order.
    pub functions: Vec<Function<'a>>,
    pub(crate) line_starts: Vec<u32>,
}

impl Module<'_> {
    /// Line and column of a construct.
    pub fn place(&self, at: At) -> Position {
        place(&self.line_starts, at.0)
    }

    /// Name of a `.file` index.
    pub fn file(&self, index: u32) -> Option<&str> {
        self.files.iter().find(|(i, _)| *i == index).map(|(_, name)| *name)
    }
}

pub(crate) fn place(line_starts: &[u32], at: u32) -> Position {
    let line = line_starts.partition_point(|&start| start <= at);
    Position { line: line as u32, column: at - line_starts[line - 1] + 1 }
}

/// A variable or parameter declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable<'a> {
    /// Position of the declaration.
    pub at: At,
    /// Linkage: `visible`, `extern`, `weak`, `common`, or none.
    pub linkage: Option<&'a str>,
    /// State space: `const`, `global`, `shared`, `local`, `param`, `reg`, `tex`, `sampler`, `surf`.
    pub space: &'a str,
    /// Alignment by `.align`, bytes.
    pub align: Option<u64>,
    /// Vector width: 1, 2 or 4.
    pub vector: u32,
    /// Type, such as `b8`, `u64`, `f32`.
    pub ty: &'a str,
    /// Whether it is said to be a pointer, by `.ptr`.
    pub pointer: bool,
    /// Name; empty for a parameter of a prototype that has none.
    pub name: &'a str,
    /// Array dimensions; `None` for `[]`.
    pub dimensions: Vec<Option<u64>>,
    /// Initial value, after `=`.
    pub initialiser: Option<Initialiser<'a>>,
}

/// A variable's initial value.
#[derive(Clone, Debug, PartialEq)]
pub enum Initialiser<'a> {
    /// One value.
    Value(Operand<'a>),
    /// `{ … }`, nested as the array is.
    List(Vec<Initialiser<'a>>),
    /// `name = value`, of a sampler or texture.
    Field(&'a str, Operand<'a>),
}

/// `.entry` or `.func`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function<'a> {
    /// Position of the name.
    pub at: At,
    /// Linkage: `visible`, `extern`, `weak`, or none.
    pub linkage: Option<&'a str>,
    /// Whether this is an `.entry`, a kernel.
    pub is_kernel: bool,
    /// Name of the function.
    pub name: &'a str,
    /// Return parameters of a `.func`.
    pub returns: Vec<Variable<'a>>,
    /// Parameters.
    pub parameters: Vec<Variable<'a>>,
    /// Performance and other directives between the parameters and the body, such as `maxntid` with its numbers.
    pub directives: Vec<(&'a str, Vec<u64>)>,
    /// Statements; none for a declaration.
    pub body: Option<Vec<Statement<'a>>>,
    /// Bytes of the body in the text, with its braces; none for a declaration.
    pub span: Option<Range<u32>>,
}

/// A statement of a function's body.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement<'a> {
    /// `name:`
    Label(At, &'a str),
    /// `.reg`, `.local`, `.shared`, … in a body.
    Variable(Box<Variable<'a>>),
    /// `.reg .b32 %r<9>;`: registers `%r0` to `%r8`.
    Registers {
        /// Position of the directive.
        at: At,
        /// Vector width: 1, 2 or 4.
        vector: u32,
        /// Type of the registers.
        ty: &'a str,
        /// Name without the number.
        prefix: &'a str,
        /// Number of registers.
        count: u32,
    },
    /// An instruction.
    Instruction(Instruction<'a>),
    /// `.loc`: source line of the following instructions.
    Loc {
        /// `.file` index.
        file: u32,
        /// Line, 0 where the compiler knows none.
        line: u32,
        /// Column.
        column: u32,
        /// File, line and column of the call that it was inlined at.
        inlined_at: Option<(u32, u32, u32)>,
    },
    /// `{ … }`, a scope of its own.
    Block(Vec<Statement<'a>>),
    /// `label: .callprototype (…) _ (…);`, with its label.
    Prototype(&'a str, Box<Function<'a>>),
    /// `.pragma`, `.branchtargets`, `.calltargets`, … with the label before them, as words.
    Directive {
        /// Position of the directive.
        at: At,
        /// Label before the directive.
        label: Option<&'a str>,
        /// Name of the directive.
        name: &'a str,
        /// Words up to `;`.
        words: Vec<&'a str>,
    },
}

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction<'a> {
    /// Position of the guard or, without one, the opcode.
    pub at: At,
    /// Guard: `@%p` or `@!%p`.
    pub guard: Option<Guard<'a>>,
    /// Opcode, such as `ld`.
    pub opcode: &'a str,
    /// Modifiers after the opcode's dots, such as `global`, `v4`, `u32`.
    pub modifiers: Vec<&'a str>,
    /// Operands in order.
    pub operands: Vec<Operand<'a>>,
}

impl Instruction<'_> {
    /// Opcode and modifiers, such as `ld.global.u32`.
    pub fn mnemonic(&self) -> String {
        let mut words = self.opcode.to_owned();
        for modifier in &self.modifiers {
            words.push('.');
            words.push_str(modifier);
        }
        words
    }
}

/// An instruction's predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard<'a> {
    /// Whether the predicate is negated (`!`).
    pub negated: bool,
    /// The predicate register.
    pub register: &'a str,
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand<'a> {
    /// A register, special register, symbol or label, with the component after its dot (`%tid` `.x`).
    Name(&'a str, Option<&'a str>),
    /// An integer constant, two's complement.
    Integer(u64),
    /// `0f…`: an f32's bits.
    F32(u32),
    /// `0d…` or a decimal: an f64's bits.
    F64(u64),
    /// `symbol + integer`, and `generic(symbol) + integer`.
    Sum {
        /// The symbol.
        symbol: &'a str,
        /// Bytes past the symbol.
        offset: i64,
        /// Whether the symbol is in `generic( )`.
        generic: bool,
    },
    /// `[base + offset]`.
    Address {
        /// A register, a symbol, or nothing for an absolute address.
        base: Option<&'a str>,
        /// Bytes past the base.
        offset: i64,
    },
    /// `[a, b, {x, y}]`: a texture or surface, with a sampler, or a tensor, and the coordinates in it.
    Access(Vec<Operand<'a>>),
    /// `symbol[index]` or `symbol[register + index]`, an element of an array.
    Element {
        /// The array.
        symbol: &'a str,
        /// Index of the element, or what is added to the register's.
        index: i64,
        /// The register, if the index is not a constant.
        register: Option<&'a str>,
        /// Bytes of an element; 0 as long as no one looked it up.
        bytes: u64,
    },
    /// `mask(symbol)`: those bits of an address that the mask has, moved down to bit 0; in initial values only.
    Masked(u64, Box<Operand<'a>>),
    /// `-a`, of a video instruction: a register and its part.
    Negative(&'a str, Option<&'a str>),
    /// `{a, b, …}`.
    Vector(Vec<Operand<'a>>),
    /// `{a, b, …}|p`: registers for a texture fetch, and a predicate for whether the texels were resident.
    VectorPair(Vec<Operand<'a>>, &'a str),
    /// `!a`.
    Not(&'a str),
    /// `a|b`.
    Pair(&'a str, &'a str),
    /// `(a, b, …)`, of a call.
    List(Vec<Operand<'a>>),
}
