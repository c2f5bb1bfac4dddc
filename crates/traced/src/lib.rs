//! Accesses that the embedded device noted, in the form in which records have them and figures are drawn.
//!
//! Enters: an access. Leaves: the same, at a line of a file, with its lanes by memory. This crate must never know what it is
//! drawn for.

use device::{Part, TracedAccess};
use record::{Lanes, Space};
use std::collections::BTreeMap;

/// An access in the form of records, in the group 0; nothing for one without a line of source, or with lanes in several
/// memories.
pub fn recorded_access(access: &TracedAccess) -> Option<record::Access> {
    let (file, line) = access.place.counted_line()?;
    let [part] = &access.parts[..] else { return None };
    recorded_part(access, part, (file, *line)).ok()
}

/// The part of an access that falls into one memory, at a line of a file, in the group 0.
///
/// # Errors
/// Lanes that records do not take, in words.
pub fn recorded_part(
    access: &TracedAccess,
    part: &Part,
    place: (&str, u32),
) -> Result<record::Access, String> {
    recorded(access, std::slice::from_ref(part), part.space, place)
}

/// An access whose lanes may be in several memories of one kind, at a line of a file, in the group 0.
///
/// # Errors
/// Lanes that are in memories of several kinds, or that records do not take, in words.
pub fn recorded_whole(access: &TracedAccess, place: (&str, u32)) -> Result<record::Access, String> {
    let space = access.parts.first().ok_or("no lane takes part")?.space;
    if access.parts.iter().any(|part| part.space != space) {
        return Err("its lanes are in memories of several kinds".to_owned());
    }
    recorded(access, &access.parts, space, place)
}

fn recorded(
    access: &TracedAccess,
    parts: &[Part],
    space: Space,
    (file, line): (&str, u32),
) -> Result<record::Access, String> {
    if space == Space::Texture && access.fetch.is_none() {
        return Err("its lanes fetch from several textures".to_owned());
    }
    let mut lanes = BTreeMap::new();
    // All lanes of a fetch may read the border.
    for part in parts.iter().filter(|part| space != Space::Texture || !part.lanes.is_empty()) {
        lanes.insert(part.memory.clone(), Lanes::new(part.lanes.clone())?);
    }
    Ok(record::Access {
        warp: access.warp,
        file: file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned(),
        line,
        instruction: access.mnemonic.clone(),
        kind: access.kind,
        space,
        bytes: access.bytes,
        group: 0,
        lanes,
        fetch: access.fetch.as_deref().cloned(),
        cost: access.cost.iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name.to_owned(), n)).collect(),
    })
}
