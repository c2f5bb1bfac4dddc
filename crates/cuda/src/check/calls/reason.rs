//! Why a function does not take the operands of a call.
//!
//! Enters: what a candidate lacks. Leaves: its text, when a message is made; what else the message says is decided by the
//! variant. This module must never know how candidates are found.

use std::fmt::{Display, Formatter, Result};

/// Why a function does not take the operands. Types are as messages show them, arguments are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// More template arguments are given than there are parameters.
    TemplateParameters,
    /// It is written with template arguments and has no template parameters.
    NoTemplate,
    /// `auto` for a list in braces.
    AutoOfList,
    /// `auto` for an argument that its pattern does not match.
    Auto { argument: usize },
    /// Two arguments stand for one template parameter, with different types.
    Conflict { argument: usize, shown: String, first: usize },
    /// An argument does not match the template parameter.
    Pattern { argument: usize, shown: String },
    /// Nothing says what a template argument is.
    Open { name: String, number: bool },
    /// Its own types are invalid, which is an error where it is declared.
    Declaration,
    /// Its types are invalid with the template arguments.
    Substitution,
    /// Its types are invalid in this source.
    Types,
    /// Template arguments cannot be fitted to their parameters: the error of that.
    Arguments(Option<String>),
    /// Number of arguments.
    Count { least: usize, most: usize, given: usize },
    /// Its object is `const`, and it is not.
    ConstObject,
    /// Its object is of another class or value category.
    Object,
    /// `...` of C.
    Variadic,
    /// An argument has no conversion to its parameter.
    Conversion { argument: usize, from: String, to: String },
    /// The first argument of a function on memory is no pointer.
    Pointer,
    /// The first argument of a function that writes memory points to `const`.
    ConstPointee,
    /// A function on memory has no overload for the type in memory.
    Overload { shown: String, others: Vec<String> },
}

impl Display for Reason {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::TemplateParameters => f.write_str("it has fewer template parameters"),
            Self::NoTemplate => f.write_str("it is not a template"),
            Self::AutoOfList => f.write_str("`auto` cannot be deduced from a list"),
            Self::Auto { argument } => write!(f, "`auto` cannot be deduced from argument {}", argument + 1),
            Self::Conflict { argument, shown, first } => write!(
                f,
                "deduced conflicting types for the template parameter: argument {} is `{shown}`, unlike argument {}",
                argument + 1,
                first + 1
            ),
            Self::Pattern { argument, shown } => {
                write!(f, "argument {} of type `{shown}` does not match the template parameter", argument + 1)
            }
            Self::Open { name, number } => {
                let number = if *number { ", a number" } else { "" };
                write!(f, "could not infer template argument `{name}`{number}")
            }
            Self::Declaration => f.write_str("its types are invalid"),
            Self::Substitution => f.write_str("its types are invalid with these arguments"),
            Self::Types => f.write_str("its types are invalid here"),
            Self::Arguments(error) => f.write_str(error.as_deref().unwrap_or("its arguments do not match")),
            Self::Count { least, most, given } => {
                f.write_str("it takes ")?;
                match least == most {
                    true => write!(f, "{least} argument{}", if *least == 1 { "" } else { "s" })?,
                    false => write!(f, "{least} to {most} arguments")?,
                }
                write!(f, ", not {given}")
            }
            Self::ConstObject => f.write_str("the object is `const`, but the method is not marked `const`"),
            Self::Object => f.write_str("it cannot be called on this object"),
            Self::Variadic => f.write_str("variadic functions are not supported by this compiler"),
            Self::Conversion { argument, from, to } => {
                write!(f, "cannot convert argument {} from `{from}` to `{to}`", argument + 1)
            }
            Self::Pointer => f.write_str("its first argument is not a pointer to a number or vector"),
            Self::ConstPointee => f.write_str("its first argument points to `const` data"),
            Self::Overload { shown, others } => {
                write!(f, "there is no overload for `{shown}`, only for `{}`", others.join("`, `"))
            }
        }
    }
}
