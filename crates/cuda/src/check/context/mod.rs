//! Contexts: the state of the checker, in parts that are each read and changed by their own methods alone.
//!
//! A method belongs to the context that has all it needs; what needs several takes them, or is the [`Checker`](super::Checker)'s.
//! No context knows another but those in its signatures.

pub(crate) mod body;
pub(crate) mod classes;
pub(crate) mod declarations;
pub(crate) mod frame;
mod index;
pub(crate) mod instances;
pub(crate) mod launches;
pub(crate) mod messages;
pub(crate) mod output;
pub(crate) mod recursion;
pub(crate) mod scopes;
pub(crate) mod templates;
