//! Calls: candidates, overload resolution, implicit conversions of arguments, and messages where nothing fits.

pub(crate) mod builtin_call;
pub(crate) mod bytes;
pub(crate) mod call;
pub(crate) mod callee;
pub(crate) mod dynamic;
pub(crate) mod format;
pub(crate) mod launch;
pub(crate) mod no_match;
pub(crate) mod overload;
pub(crate) mod pointer;
pub(crate) mod printing;
pub(crate) mod rank;
pub(crate) mod reason;
pub(crate) mod sequence;
pub(crate) mod variadic;
