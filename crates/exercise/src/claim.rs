//! The sources' sentences that exercises decide.
//!
//! Enters: `labs/claims.toml`. Leaves: each claim by its id. This module must never know which exercise decides it, or whether it
//! holds.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Texts on which the workbook is based, and what they say.
const FILE: &str = include_str!("../../../labs/claims.toml");

/// A sentence of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The sentence, in our words.
    pub claim: String,
    /// Title of the source.
    pub source: String,
    /// Section, heading or listing.
    pub place: String,
}

#[derive(Deserialize)]
struct File {
    sources: BTreeMap<String, Source>,
    claim: Vec<Entry>,
}

#[derive(Deserialize)]
struct Source {
    title: String,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    source: String,
    place: String,
    claim: String,
}

/// All claims, by id.
///
/// # Errors
/// A file that has another form, in words.
pub(crate) fn all() -> Result<BTreeMap<String, Claim>, String> {
    let File { sources, claim } =
        toml::from_str(FILE).map_err(|error| format!("labs/claims.toml: {error}"))?;
    let entry = |Entry { id, source, place, claim }: Entry| {
        let title = sources.get(&source).map(|source| source.title.clone());
        let title = title.ok_or_else(|| format!("labs/claims.toml: `{id}` has no source `{source}`"))?;
        Ok((id, Claim { claim, source: title, place }))
    };
    claim.into_iter().map(entry).collect()
}
