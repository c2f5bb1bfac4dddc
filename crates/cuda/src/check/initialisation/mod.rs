//! Initialisation: by value, by parentheses and by braces, and variables of functions.

pub(crate) mod initialise;
pub(crate) mod list;
pub(crate) mod narrowing;
pub(crate) mod variable;
