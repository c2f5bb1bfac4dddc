//! Rules that several parts of a record keep to.

use crate::error::{Error, Result};
use crate::launch::Counters;
use std::collections::BTreeSet;

pub(super) fn wrong<T>(field: impl Into<String>, message: impl Into<String>) -> Result<T> {
    Err(Error::Value { field: field.into(), message: message.into() })
}

pub(super) fn finite(field: impl Fn() -> String, value: f64) -> Result {
    if value.is_finite() { Ok(()) } else { wrong(field(), format!("{value} is not a finite number")) }
}

pub(super) fn hash_holds(field: impl Fn() -> String, hash: &str, digits: usize) -> Result {
    let holds = hash.len() == digits && hash.bytes().all(|b| b.is_ascii_hexdigit());
    if holds { Ok(()) } else { wrong(field(), format!("is not {digits} hexadecimal digits")) }
}

pub(super) fn unique<'a>(field: &str, ids: impl Iterator<Item = &'a str>) -> Result {
    let mut seen = BTreeSet::new();
    for (i, id) in ids.enumerate() {
        if id.is_empty() {
            return wrong(format!("{field}[{i}].id"), "is empty");
        }
        if !seen.insert(id) {
            return wrong(format!("{field}[{i}].id"), format!("`{id}` occurs twice"));
        }
    }
    Ok(())
}

pub(super) fn names_hold(counters: &Counters, at: &str) -> Result {
    match counters.keys().find(|k| {
        k.is_empty() || !k.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    }) {
        Some(name) => wrong(format!("{at}.{name}"), "is not the name of a counter"),
        None => Ok(()),
    }
}
