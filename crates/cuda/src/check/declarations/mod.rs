//! Declarations: what they enter into scopes, and functions and variables of namespaces checked once something needs them.

pub(crate) mod declare;
pub(crate) mod definition;
pub(crate) mod enumeration;
pub(crate) mod function;
pub(crate) mod global;
pub(crate) mod in_block;
pub(crate) mod specialise;
pub(crate) mod template;
pub(crate) mod variables;
