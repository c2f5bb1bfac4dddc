//! Initialisation: by value, by parentheses and by braces, and variables of functions.

pub(crate) mod binding;
pub(crate) mod initialise;
pub(crate) mod list;
pub(crate) mod members;
pub(crate) mod narrowing;
pub(crate) mod variable;
pub(crate) mod variable_array;
