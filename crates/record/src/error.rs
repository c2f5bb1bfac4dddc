//! Why a record is refused, with the field at fault.

use crate::types::VERSION;

/// Why a record is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Not JSON, or a field that is missing, unknown or of another type.
    #[error("field `{field}`: {message}")]
    Json {
        /// Path of the field, such as `experiments[0].series[1].points[3].y`.
        field: String,
        /// What the JSON reader found.
        message: String,
    },
    /// Another version of the format.
    #[error(
        "field `version`: this record has version {found}, this program reads {VERSION}; run the lab again to write a new one"
    )]
    Version {
        /// The record's version.
        found: u32,
    },
    /// A value that cannot be.
    #[error("field `{field}`: {message}")]
    Value {
        /// Path of the field.
        field: String,
        /// What is wrong with it.
        message: String,
    },
}

pub(crate) type Result<T = ()> = std::result::Result<T, Error>;
