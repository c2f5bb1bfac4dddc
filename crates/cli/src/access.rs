//! Accesses that the embedded device noted, in the form in which records have them and figures are drawn.
//!
//! Enters: an access. Leaves: the same. This module must never know what it is drawn for.

use record::Lanes;
use std::collections::BTreeMap;

/// An access in the form of records, in the group 0; nothing for one without a line of source, or with lanes in several
/// memories.
pub fn recorded_access(access: &device::TracedAccess) -> Option<record::Access> {
    let (file, line) = access.place.counted_line()?;
    let [part] = &access.parts[..] else { return None };
    Some(record::Access {
        warp: access.warp,
        file: file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned(),
        line: *line,
        instruction: access.mnemonic.clone(),
        kind: kind(access.kind),
        space: space(part.space),
        bytes: access.bytes,
        group: 0,
        lanes: BTreeMap::from([(part.memory.clone(), Lanes::new(part.lanes.clone()).ok()?)]),
        cost: access.cost.iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name.to_owned(), n)).collect(),
    })
}

/// Kind of an access, as records have it.
pub fn kind(kind: device::AccessKind) -> record::AccessKind {
    match kind {
        device::AccessKind::Load => record::AccessKind::Load,
        device::AccessKind::Store => record::AccessKind::Store,
        device::AccessKind::Atomic => record::AccessKind::Atomic,
    }
}

/// Memory of an access, as records have it.
pub fn space(space: device::Space) -> record::Space {
    match space {
        device::Space::Global => record::Space::Global,
        device::Space::Shared => record::Space::Shared,
        device::Space::Constant => record::Space::Constant,
        device::Space::Local => record::Space::Local,
    }
}
