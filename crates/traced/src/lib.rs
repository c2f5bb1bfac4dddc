//! Accesses that the embedded device noted, in the form in which records have them and figures are drawn.
//!
//! Enters: an access. Leaves: the same. This crate must never know what it is drawn for.

use device::{Part, TracedAccess};
use record::Lanes;
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
    space: device::Space,
    (file, line): (&str, u32),
) -> Result<record::Access, String> {
    if space == device::Space::Texture && access.fetch.is_none() {
        return Err("its lanes fetch from several textures".to_owned());
    }
    let mut lanes = BTreeMap::new();
    // All lanes of a fetch may read the border.
    for part in parts.iter().filter(|part| space != device::Space::Texture || !part.lanes.is_empty()) {
        lanes.insert(part.memory.clone(), Lanes::new(part.lanes.clone())?);
    }
    Ok(record::Access {
        warp: access.warp,
        file: file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned(),
        line,
        instruction: access.mnemonic.clone(),
        kind: access_kind(access.kind),
        space: access_space(space),
        bytes: access.bytes,
        group: 0,
        lanes,
        fetch: access.fetch.as_deref().map(fetch),
        cost: access.cost.iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name.to_owned(), n)).collect(),
    })
}

/// Kind of an access, as records have it.
pub fn access_kind(kind: device::AccessKind) -> record::AccessKind {
    match kind {
        device::AccessKind::Load => record::AccessKind::Load,
        device::AccessKind::Store => record::AccessKind::Store,
        device::AccessKind::Atomic => record::AccessKind::Atomic,
    }
}

/// Memory of an access, as records have it.
pub fn access_space(space: device::Space) -> record::Space {
    match space {
        device::Space::Global => record::Space::Global,
        device::Space::Shared => record::Space::Shared,
        device::Space::Constant => record::Space::Constant,
        device::Space::Local => record::Space::Local,
        device::Space::Texture => record::Space::Texture,
    }
}

fn fetch(fetch: &device::Fetch) -> record::Fetch {
    let device::Fetch { size, sector, request, together, passes, ref lanes } = *fetch;
    let lanes =
        lanes.iter().map(|one| record::Fetched { lane: one.lane, at: one.at, texels: one.texels.clone() });
    record::Fetch { size, sector, request, together, passes, lanes: lanes.collect() }
}
