//! Fields of a request.
//!
//! Enters: a request's object. Leaves: values of the types that are needed, or what is wrong with them. This module must
//! never know what they are for.

use crate::value;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A field's text.
pub(crate) fn text<'r>(request: &'r Value, name: &str) -> Result<&'r str, String> {
    request[name].as_str().ok_or_else(|| format!("`{name}` is not a text"))
}

/// A field's text, if it is there.
pub(crate) fn optional_text<'r>(request: &'r Value, name: &str) -> Result<Option<&'r str>, String> {
    if request[name].is_null() { Ok(None) } else { text(request, name).map(Some) }
}

/// A field's number, or another where it is not there.
pub(crate) fn number(request: &Value, name: &str, otherwise: u64) -> Result<u64, String> {
    let given = &request[name];
    if given.is_null() {
        return Ok(otherwise);
    }
    given.as_u64().ok_or_else(|| format!("`{name}` is not a whole number from 0 on"))
}

/// A field's value.
pub(crate) fn read<T: DeserializeOwned>(request: &Value, name: &str) -> Result<T, String> {
    value::read(&request[name]).map_err(|error| format!("`{name}`: {error}"))
}
