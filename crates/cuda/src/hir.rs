//! Checked tree: every name resolved, every type known, every conversion written out, templates instantiated.
//!
//! Enters: what `check` finds in the tree as written. Leaves: the functions that kernels reach, for `evaluate` and `lower`.
//! This module must never know how anything is written: no overload, template, default argument or implicit conversion is left.
//!
//! There are three kinds of expressions. An [`Expr`] is a scalar value (a number, `bool`, an enumerator, a pointer) or `void`;
//! a [`Place`] is an lvalue, something with an address; an [`Init`] fills memory whose address its user knows, and means
//! what C++ calls a prvalue of class type. References are pointers here: a variable of reference type holds an address, and its
//! use is a [`PlaceKind::Deref`] of what it holds.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use crate::builtin::Builtin;
use crate::ir::{Bounds, Inline, Linkage, Space, Unroll};
use crate::sorted::Sorted;
use crate::source::Span;

/// Numbers of things in lists, a type for each list.
macro_rules! index {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(pub(crate) u32);
        impl $name {
            /// The number as an index.
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
pub(crate) use index;

index! {
    /// Index of the kinds of types that [`Types`] holds; equal types have equal indices.
    TypeId;
    /// Index of [`Program::records`].
    RecordId;
    /// Index of [`Program::enums`].
    EnumId;
    /// Index of [`Program::functions`].
    FunctionId;
    /// Index of [`Program::variables`].
    VariableId;
    /// Index of [`Function::locals`].
    LocalId;
}

/// A statement that `break` and `continue` leave or `goto` finds: unique in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Label(pub(crate) u32);

/// Type with its qualifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Type {
    /// Type without qualifiers.
    pub(crate) id: TypeId,
    /// `const`.
    pub(crate) constant: bool,
    /// `volatile`.
    pub(crate) volatile: bool,
}

/// Kind of an unqualified type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TypeKind {
    /// `void`.
    Void,
    /// `bool`: a byte, 0 or 1.
    Bool,
    /// Integers and characters.
    Integer(Integer),
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// Type of `nullptr`.
    NullPointer,
    /// Pointer.
    Pointer(Type),
    /// Reference.
    Reference {
        /// To what.
        to: Type,
        /// Whether it is `&&`.
        rvalue: bool,
    },
    /// Array of known length.
    Array(Type, u64),
    /// `T[]`: of a length that the launch or an initialiser says.
    UnknownArray(Type),
    /// Struct, class or union.
    Record(RecordId),
    /// Enumeration.
    Enum(EnumId),
    /// Pointer to a member, on the host's side: null is 0.
    Member {
        /// Class that has it.
        class: RecordId,
        /// What the member is.
        of: Type,
        /// Of a function, whether it is `const`.
        constant: bool,
    },
    /// Function: result and parameters. Only named, never a value.
    Function(Type, Vec<Type>),
}

/// Integer types; those of equal size stay distinct, for overloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "C's names")]
pub(crate) enum Integer {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
}

impl Integer {
    /// Bytes, as on Linux.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Integer::Char | Integer::SChar | Integer::UChar => 1,
            Integer::Short | Integer::UShort => 2,
            Integer::Int | Integer::UInt => 4,
            Integer::Long | Integer::ULong | Integer::LongLong | Integer::ULongLong => 8,
        }
    }

    /// Whether it has a sign; `char` has, as on x86.
    pub(crate) fn signed(self) -> bool {
        match self {
            Integer::Char
            | Integer::SChar
            | Integer::Short
            | Integer::Int
            | Integer::Long
            | Integer::LongLong => true,
            Integer::UChar | Integer::UShort | Integer::UInt | Integer::ULong | Integer::ULongLong => false,
        }
    }
}

/// All types, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Types {
    kinds: Vec<TypeKind>,
    known: crate::hash::Map<TypeKind, TypeId>,
}

impl Types {
    /// The unqualified type of a kind.
    pub(crate) fn of(&mut self, kind: TypeKind) -> Type {
        let id = match self.known.get(&kind) {
            Some(id) => *id,
            None => {
                let id = TypeId(self.kinds.len() as u32);
                self.kinds.push(kind.clone());
                self.known.insert(kind, id);
                id
            }
        };
        Type { id, constant: false, volatile: false }
    }

    /// Kind of a type.
    pub(crate) fn kind(&self, ty: Type) -> &TypeKind {
        &self.kinds[ty.id.index()]
    }
}

/// Field of a record, or a base class, which comes first and has no name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    /// Name; empty for a base or an anonymous struct or union.
    pub(crate) name: Rc<str>,
    /// Type.
    pub(crate) ty: Type,
    /// Bytes from the beginning.
    pub(crate) offset: u64,
    /// For a bit-field: its first bit counted from `offset`'s byte, within a unit of its type's size, and its width.
    pub(crate) bits: Option<(u32, u32)>,
    /// Whether it is a base class.
    pub(crate) base: bool,
    /// Where it is declared.
    pub(crate) span: Span,
}

/// Struct, class or union.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    /// Name as messages show it, with template arguments.
    pub(crate) name: Rc<str>,
    /// Fields in order, bases first.
    pub(crate) fields: Vec<Field>,
    /// Bytes.
    pub(crate) size: u64,
    /// Alignment in bytes.
    pub(crate) align: u32,
    /// Whether all fields lie at the same place.
    pub(crate) union: bool,
    /// Whether it is the class of a lambda.
    pub(crate) lambda: bool,
    /// Whether a function may be given, and return, a copy of the bytes: no one wrote what copying one or its end does. Known
    /// of what functions take and return.
    pub(crate) bytes_alone: bool,
}

/// Enumeration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Enum {
    /// Name as messages show it.
    pub(crate) name: Rc<str>,
    /// Integer type (or `bool`) of its values.
    pub(crate) underlying: Type,
    /// Whether it converts to integers only by casts.
    pub(crate) scoped: bool,
}

/// All that kernels reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Types.
    pub(crate) types: Types,
    /// Records.
    pub(crate) records: Vec<Record>,
    /// Enumerations.
    pub(crate) enums: Vec<Enum>,
    /// Kernels, and functions that they call.
    pub(crate) functions: Vec<Function>,
    /// Variables with static storage.
    pub(crate) variables: Vec<Variable>,
    /// Symbols of the kernels whose instances are asked for, by the lines that name them.
    pub(crate) asked: Vec<(u32, String)>,
    /// Symbols of kernels that are `extern "C"`, each with the one that would tell the types of its parameters.
    pub(crate) typed: Vec<(String, String)>,
    /// Names of the reader's functions that are the host's alone, in their order.
    pub(crate) host: Vec<String>,
    /// Of the host's side: variable that holds the exception that was thrown and not caught yet.
    pub(crate) thrown: Option<VariableId>,
    /// Whether other units call its functions, and define some that it calls.
    pub(crate) linked: bool,
    /// Of the host's side: function that ends the program, where it throws at all.
    pub(crate) uncaught: Option<FunctionId>,
    /// Of the host's side: functions that launch a kernel with their own arguments, each with the kernel's symbol.
    pub(crate) stubs: Vec<(FunctionId, String)>,
}

impl Program {
    /// Bytes and alignment of a complete type; 0 bytes for `void`, functions and arrays of unknown length.
    pub(crate) fn layout(&self, ty: Type) -> (u64, u32) {
        match self.types.kind(ty) {
            TypeKind::Void | TypeKind::Function(..) => (0, 1),
            TypeKind::Bool => (1, 1),
            TypeKind::Integer(integer) => (u64::from(integer.bytes()), integer.bytes()),
            TypeKind::Float => (4, 4),
            TypeKind::Double | TypeKind::NullPointer | TypeKind::Pointer(_) | TypeKind::Reference { .. } => {
                (8, 8)
            }
            TypeKind::Array(of, length) => {
                let (size, align) = self.layout(*of);
                (size.saturating_mul(*length), align)
            }
            // Of that to a function the first half is used.
            TypeKind::Member { of, .. } if matches!(self.types.kind(*of), TypeKind::Function(..)) => (16, 8),
            TypeKind::Member { .. } => (8, 8),
            TypeKind::UnknownArray(of) => (0, self.layout(*of).1),
            TypeKind::Record(id) => (self.records[id.index()].size, self.records[id.index()].align),
            TypeKind::Enum(id) => self.layout(self.enums[id.index()].underlying),
        }
    }
}

/// Variable with static storage: outside of functions, `__shared__`, `static` or a string literal.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// Name as written.
    pub(crate) name: Rc<str>,
    /// Symbol in PTX: the name for `extern "C"` and variables outside of namespaces, otherwise mangled.
    pub(crate) symbol: String,
    /// Type.
    pub(crate) ty: Type,
    /// Global, Shared or Constant.
    pub(crate) space: Space,
    /// Alignment in bytes, at least that of the type.
    pub(crate) align: u32,
    /// Whether it is in the module even if no kernel uses it: the host may look it up.
    pub(crate) visible: bool,
    /// Whether it is `__managed__`, so that both sides have it at one address.
    #[cfg_attr(not(feature = "host"), allow(dead_code, reason = "what runs a program's host side asks"))]
    pub(crate) managed: bool,
    /// `extern __shared__ T name[]`, or in any other space what another unit defines.
    pub(crate) external: bool,
    /// Who finds it by its name.
    pub(crate) linkage: Linkage,
    /// First contents; only what `evaluate` can fold to bytes and addresses.
    pub(crate) init: Option<Init>,
    /// Where it is declared.
    pub(crate) span: Span,
}

/// Kernel or function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Name as written, with template arguments, qualified.
    pub(crate) name: Rc<str>,
    /// Symbol in PTX: the name for `extern "C"`, otherwise as the Itanium ABI mangles it.
    pub(crate) symbol: String,
    /// Whether it is a `__global__` function.
    pub(crate) kernel: bool,
    /// Whether the host begins with it: `main`, and what starts variables before it.
    pub(crate) visible: bool,
    /// Whether it is defined elsewhere: in the C library or the CUDA runtime. It has no body.
    pub(crate) external: bool,
    /// Whether an exception that would leave it ends the program.
    pub(crate) noexcept: bool,
    /// Whether it takes arguments after its parameters (`...`): the address of their cells of 8 bytes comes last.
    pub(crate) variadic: Option<LocalId>,
    /// Who finds it by its name.
    pub(crate) linkage: Linkage,
    /// `__forceinline__`, `__noinline__`.
    pub(crate) inline: Inline,
    /// `__launch_bounds__` and its like.
    pub(crate) bounds: Bounds,
    /// Whether constant expressions may call it.
    pub(crate) constexpr: bool,
    /// What it returns: `void`, a scalar, a reference, or a record.
    pub(crate) result: Type,
    /// Parameters: the first of `locals`; `this` is the first of a method's. A record is passed by value: the function's own copy.
    pub(crate) params: Vec<LocalId>,
    /// Parameters and variables of all scopes, temporaries included.
    pub(crate) locals: Vec<Local>,
    /// Body.
    pub(crate) body: Vec<Stmt>,
    /// Variable that lies where the result is returned to: each `return` names it, and no copy is made.
    pub(crate) returned: Option<LocalId>,
    /// Of the host's side: variables and temporaries whose classes have destructors, with the statements that end them.
    pub(crate) ends: Vec<(LocalId, Vec<Stmt>)>,
    /// Those of them that end only where an exception leaves the function: what a constructor has made so far.
    pub(crate) unwound: Vec<LocalId>,
    /// Where its name is written in its definition.
    pub(crate) span: Span,
    /// Where its body ends.
    pub(crate) end: Span,
}

/// Parameter, automatic variable or temporary.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    /// Name as written; empty for a temporary.
    pub(crate) name: Rc<str>,
    /// Type; a reference holds an address.
    pub(crate) ty: Type,
    /// Alignment in bytes, at least that of the type.
    pub(crate) align: u32,
    /// `__restrict__`, of a parameter.
    pub(crate) restrict: bool,
    /// `__grid_constant__`, of a kernel's parameter.
    pub(crate) grid_constant: bool,
    /// Where it is declared.
    pub(crate) span: Span,
}

/// Statement.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    /// What it is.
    pub(crate) kind: StmtKind,
    /// Where it is written.
    pub(crate) span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    /// An expression for its effects.
    Expr(Expr),
    /// A place evaluated for its effects, such as `x = 1` or `++x`, whose value no one uses.
    Place(Place),
    /// An initialiser evaluated into its own temporary, such as a call that returns a struct no one uses.
    Init(LocalId, Init),
    /// Variable's scope begins: uninitialised where there is no initialiser.
    Let(LocalId, Option<Init>),
    /// Scope.
    Block(Vec<Stmt>),
    /// Branch.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// All loops. (`while` has no step; `do` tests after the body; variables of a `for`'s head are declared around it.)
    Loop {
        /// Named by `break` and `continue` in it.
        label: Label,
        /// Condition before each iteration, `None` for always; of a `do`, after each iteration.
        condition: Option<Expr>,
        /// Whether the condition is tested after the body.
        after: bool,
        /// After each iteration, also after `continue`.
        step: Vec<Stmt>,
        /// Body.
        body: Vec<Stmt>,
        /// `#pragma unroll`.
        unroll: Option<Unroll>,
    },
    /// Switch on an integer that was promoted: the body with [`StmtKind::Target`] in it.
    Switch {
        /// Named by `break` in it.
        label: Label,
        /// Value.
        value: Expr,
        /// Values of cases (ranges written out as first and last), each with the label of its [`StmtKind::Target`].
        cases: Vec<(i128, i128, Label)>,
        /// Label of `default`.
        default: Option<Label>,
        /// Body.
        body: Vec<Stmt>,
    },
    /// Where a `case`, `default` or named label is.
    Target(Label),
    /// Jump to a [`StmtKind::Target`].
    Goto(Label),
    /// Leaves a loop or switch.
    Break(Label),
    /// Next iteration of a loop.
    Continue(Label),
    /// Return of nothing or of a scalar (a reference: the address).
    Return(Option<Expr>),
    /// Return of a record, built at the caller's place.
    ReturnInit(Init),
    /// Memory filled that nothing was in: where `new` allocated it, or of a variable with static storage.
    Fill(Place, Init),
    /// Statements, and what is done where they throw.
    Try(Vec<Stmt>, Vec<Handler>),
    /// Inline assembly.
    Asm(Box<Asm>),
}

/// What catches exceptions of a type.
#[derive(Clone, Debug)]
pub(crate) struct Handler {
    /// Address of the object that was thrown, as one of the type that is caught; null where it is not of it.
    pub(crate) caught: Expr,
    /// Variable that holds that address in the body.
    pub(crate) object: LocalId,
    /// What is done then.
    pub(crate) body: Vec<Stmt>,
}

/// Inline assembly.
#[derive(Clone, Debug)]
pub(crate) struct Asm {
    /// Text with operands as `%0`, `%1`, …: outputs first, then inputs (names already replaced).
    pub(crate) text: String,
    /// `volatile`, or without outputs.
    pub(crate) volatile: bool,
    /// Whether `memory` is clobbered.
    pub(crate) memory: bool,
    /// Class letter, place, and whether it is read too (`+`).
    pub(crate) outputs: Vec<(u8, Place, bool)>,
    /// Class letter and value; class `n` has a constant.
    pub(crate) inputs: Vec<(u8, Expr)>,
}

/// Scalar value, or `void`.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    /// What it is.
    pub(crate) kind: ExprKind,
    /// Type, without qualifiers.
    pub(crate) ty: Type,
    /// Where it is written.
    pub(crate) span: Span,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    /// Integer, `bool`, enumerator or null pointer: its value.
    Integer(i128),
    /// Float or double: its bits, in the type's format.
    Float(u64),
    /// What a place holds.
    Load(Box<Place>),
    /// Address of a place: a pointer (also the decay of an array), or the value of a reference.
    Address(Box<Place>),
    /// `-x`, `~x` (promoted already), `!x` (of a `bool`).
    Unary(Unary, Box<Expr>),
    /// Arithmetic of two operands of the result's type; of shifts, the right operand has its own promoted type.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Comparison of two operands of one type, to `bool`.
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// `&&`, `||` of `bool`: the right one is evaluated only where it decides.
    Logical(Logical, Box<Expr>, Box<Expr>),
    /// Pointer and a signed or unsigned integer of 64 bits: that many elements on; `true` for back.
    Offset(Box<Expr>, Box<Expr>, bool),
    /// Difference of pointers in elements.
    Difference(Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Conversion to this expression's type.
    Cast(Box<Expr>),
    /// Effects in order, then a value.
    Sequence(Vec<Stmt>, Box<Expr>),
    /// `x++`, `x--`: the value before.
    PostStep(Box<Place>, Step),
    /// Call of a function that returns nothing, a scalar or a reference (its address). Arguments after the parameters are those
    /// of `...`, promoted.
    Call(FunctionId, Args),
    /// The same of the function that a pointer leads to.
    CallPointer(Box<Expr>, Args),
    /// Address of a function.
    Function(FunctionId),
    /// Row of [`crate::builtin`]'s table, with the type that its `T` means (`void` for none), and arguments in order.
    Builtin(&'static Builtin, Type, Args),
    /// `printf`: the format, a string literal, and arguments promoted as C does.
    Printf(VariableId, Vec<Expr>),
    /// `assert` that failed: message, file, line and function are string literals.
    AssertFail([VariableId; 3], u32),
}

/// Arguments of a call in the order of its parameters, and the order in which they are evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Args {
    list: Vec<Arg>,
    /// How many are evaluated first, one after the other; those that follow are evaluated from the last on.
    pub(crate) first: usize,
}

impl Args {
    /// Numbers of arguments in the order in which they are evaluated.
    pub(crate) fn evaluated(&self) -> impl Iterator<Item = usize> + use<> {
        let first = self.first.min(self.list.len());
        (0..first).chain((first..self.list.len()).rev())
    }
}

impl From<Vec<Arg>> for Args {
    /// Arguments that are evaluated in their order.
    fn from(list: Vec<Arg>) -> Self {
        Self { list, first: usize::MAX }
    }
}

impl Deref for Args {
    type Target = Vec<Arg>;

    fn deref(&self) -> &Vec<Arg> {
        &self.list
    }
}

impl DerefMut for Args {
    fn deref_mut(&mut self) -> &mut Vec<Arg> {
        &mut self.list
    }
}

/// Argument of a call.
#[derive(Clone, Debug)]
pub(crate) enum Arg {
    /// Scalar, or a reference's address.
    Value(Expr),
    /// Record by value.
    Init(Init),
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    /// `-`
    Negate,
    /// `~`
    Invert,
    /// `!`
    Not,
}

/// Binary operators, signed, unsigned or floating by the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "C's operators")]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "C's operators")]
pub(crate) enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Operators that evaluate their right side only where it decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "C's operators")]
pub(crate) enum Logical {
    And,
    Or,
}

/// `++` or `--`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "C's operators")]
pub(crate) enum Step {
    Up,
    Down,
}

/// Lvalue.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// What it is.
    pub(crate) kind: PlaceKind,
    /// Type with qualifiers, never a reference.
    pub(crate) ty: Type,
    /// Where it is written.
    pub(crate) span: Span,
}

/// What a place is.
#[derive(Clone, Debug)]
pub(crate) enum PlaceKind {
    /// Variable of the function. (One of reference type is here the variable that holds the address, of pointer type.)
    Local(LocalId),
    /// Variable with static storage.
    Variable(VariableId),
    /// What a pointer or reference leads to.
    Deref(Box<Expr>),
    /// Field, by its number in the record.
    Field(Box<Place>, u32),
    /// Element of an array place, by an integer of 64 bits.
    Element(Box<Place>, Box<Expr>),
    /// `c ? a : b` of lvalues.
    Conditional(Box<Expr>, Box<Place>, Box<Place>),
    /// Effects in order, then a place.
    Sequence(Vec<Stmt>, Box<Place>),
    /// `a = b` of scalars.
    Assign(Box<Place>, Box<Expr>),
    /// `a = b` of records, copied byte by byte.
    AssignInit(Box<Place>, Box<Init>),
    /// `a op= b`: the place is converted to the operand's type (for shifts: the last, promoted), computed, and converted back.
    Compound(Box<Place>, Binary, Box<Expr>, Type),
    /// `p += n`, `p -= n` of pointers; `true` for back.
    CompoundOffset(Box<Place>, Box<Expr>, bool),
    /// `++x`, `--x`.
    PreStep(Box<Place>, Step),
    /// Temporary that an initialiser fills here; it lives as long as its function's other variables.
    Temporary(LocalId, Box<Init>),
}

/// What fills memory.
#[derive(Clone, Debug)]
pub(crate) enum Init {
    /// A scalar.
    Value(Expr),
    /// All bytes zero.
    Zero,
    /// Nothing is written.
    Nothing,
    /// Fields by number; those not named are left as they are (the checker names all that must be written).
    Fields(Sorted<u32, Init>),
    /// Elements of an array, then the filler for the rest.
    Elements(Vec<Init>, Option<Box<Init>>),
    /// String literal for an array of characters, padded with zeros.
    Bytes(Rc<[u8]>),
    /// Copy of a record or array, byte by byte.
    Copy(Box<Place>),
    /// Record that a function returns.
    Call(FunctionId, Args),
    /// Record that the function returns which a pointer leads to.
    CallPointer(Box<Expr>, Args),
    /// Row of [`crate::builtin`]'s table that returns a vector type (`__ldg` of a `float4`).
    Builtin(&'static Builtin, Type, Args),
    /// Constructor: a function whose first parameter is `this`, the memory to be filled.
    Construct(FunctionId, Args),
    /// `c ? a : b` of records.
    Conditional(Box<Expr>, Box<Init>, Box<Init>),
    /// Effects in order, then what fills.
    Sequence(Vec<Stmt>, Box<Init>),
    /// All bytes zero, then what it says.
    Zeroed(Box<Init>),
    /// What fills an object of a class with virtual functions, then at offsets the addresses of tables, past what comes before
    /// their functions.
    Tables(Box<Init>, Vec<VariableId>, Vec<u64>),
}
