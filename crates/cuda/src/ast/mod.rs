//! Tree of a translation unit as it is written.
//!
//! Enters: nothing. Leaves: the types. Names are unresolved; where the grammar needs to know what a name is (type,
//! template or value), the parser decided, and what it decided is what the node says. Nodes never change once made, so
//! that templates are instantiated by walking the same nodes with other types. This module must never know what
//! anything means.
//!
//! Every node has the place of all of its text. No path from a declaration or a function's body down to a leaf is longer
//! than [`NESTING`] nodes (statements, expressions and types alike), so that a walk may recurse.

mod declaration;
mod expression;
mod statement;
mod ty;

pub(crate) use declaration::*;
pub(crate) use expression::*;
pub(crate) use statement::*;
pub(crate) use ty::*;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;

use crate::source::Span;

/// Greatest height of the tree.
pub(crate) const NESTING: u16 = 256;

/// Name of one word. Cheap to copy and to compare: names of one parse share their text.
#[derive(Clone, PartialOrd, Ord)]
pub(crate) struct Symbol(pub Rc<str>);

impl PartialEq for Symbol {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl PartialEq<str> for Symbol {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Deref for Symbol {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for Symbol {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

/// Word with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ident {
    /// The word.
    pub symbol: Symbol,
    /// Where.
    pub span: Span,
}

/// Name as written, perhaps qualified: `x`, `::a::b<T>::c`, `operator+`, `typename T::type`.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// Begins with `::`.
    pub global: bool,
    /// Begins with `typename`.
    pub typename: bool,
    /// Parts between `::`; never empty; the last is what is named.
    pub segments: Vec<Segment>,
    /// All of it.
    pub span: Span,
}

impl Name {
    /// The one word that it consists of: no qualification, no template arguments, no operator.
    pub(crate) fn simple(&self) -> Option<&Symbol> {
        match (&*self.segments, self.global) {
            ([Segment { id: Id::Word(symbol), arguments: None, .. }], false) => Some(symbol),
            _ => None,
        }
    }

    /// What is named, without the qualification.
    pub(crate) fn last(&self) -> Option<&Segment> {
        self.segments.last()
    }
}

/// Part of a name between `::`.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// The name itself.
    pub id: Id,
    /// Template arguments where `<…>` follows.
    pub arguments: Option<Rc<[TemplateArgument]>>,
    /// Where, arguments included.
    pub span: Span,
}

/// Name that is not qualified.
#[derive(Clone, Debug)]
pub(crate) enum Id {
    /// A word.
    Word(Symbol),
    /// `decltype(x)`, before `::` only.
    Decltype(Rc<Type>),
    /// `operator+`.
    Operator(OverloadedOperator),
    /// `operator T`.
    Conversion(Rc<Type>),
    /// `~T`.
    Destructor(Symbol),
    /// `operator""_x`, which is refused.
    Literal(Symbol),
}

/// Operator that a function may define.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OverloadedOperator {
    /// Unary, binary or both: by its spelling, such as `+`, `++`, `+=`, `==`, `,`, `->`, `->*`, `!`, `<=>`.
    Symbol(&'static str),
    /// `operator()`.
    Call,
    /// `operator[]`.
    Index,
    /// `operator new`, `operator delete` and their array forms.
    Allocation(&'static str),
}

/// Argument between `<` and `>`.
#[derive(Clone, Debug)]
pub(crate) enum TemplateArgument {
    /// What the parser knew to be a type.
    Type(Rc<Type>),
    /// All else; a plain name in here may turn out to be a type (or a template) where the parser could not know.
    Expression(Rc<Expr>),
    /// Either with `...` after.
    Pack(Box<TemplateArgument>),
}
