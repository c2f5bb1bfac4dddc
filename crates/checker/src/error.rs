//! Why a case could not be run to its end.

use exercise::expression;

/// Why a case could not be run to its end.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The student's source has something that the exercise needs otherwise, or it faulted.
    #[error(transparent)]
    Device(#[from] device::Error),
    /// The manifest has no value for the case.
    #[error(transparent)]
    Formula(#[from] expression::Error),
    /// The module has no kernel of this name; it has those.
    #[error("no kernel named `{0}`; the source has: {1}")]
    Missing(String, String),
    /// The module has several of this name.
    #[error("several kernels are named `{0}`, but the exercise launches one: {1}")]
    Ambiguous(String, String),
    /// The kernel's parameters are not those that are passed, in words.
    #[error("{0}")]
    Signature(String),
    /// The module's variable of this name has other bytes than what it is copied to.
    #[error(
        "the variable `{0}` has {1} bytes, but the host copies {2}: its type is not the one that the exercise names"
    )]
    Size(String, u64, u64),
    /// The manifest's numbers make no launch.
    #[error("{0}")]
    Shape(String),
    /// Who launches did not want to continue.
    #[error("the run was abandoned")]
    Left,
}
