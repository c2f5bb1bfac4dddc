//! Errors in records, with the field at fault.

use crate::types::{VERSION, VERSION_WITH_SOURCES};

/// The reason why a record is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Not JSON, or a field that is missing, unknown or of another type.
    #[error("field `{field}`: {message}")]
    Json {
        /// Path of the field, such as `experiments[0].series[1].points[3].y`.
        field: String,
        /// Message of the JSON reader.
        message: String,
    },
    /// Another version of the format.
    #[error(
        "field `version`: this record has version {found}, this program reads {VERSION} and {VERSION_WITH_SOURCES}; {}",
        advice(*found)
    )]
    Version {
        /// The record's version.
        found: u32,
    },
    /// An impossible value.
    #[error("field `{field}`: {message}")]
    Value {
        /// Path of the field.
        field: String,
        /// The condition that the value breaks.
        message: String,
    },
}

/// What to do about a record of a version that is not read.
fn advice(version: u32) -> &'static str {
    if version > VERSION_WITH_SOURCES {
        "a newer Warpbook wrote it: read it with that one, or run the lab again"
    } else {
        "run the lab again to write a new one"
    }
}

pub(crate) type Result<T = ()> = std::result::Result<T, Error>;
