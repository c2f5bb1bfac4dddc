//! Words that all figures share: where an instruction is, counts with their nouns, and why a panel is refused.
//!
//! Enters: a trace's panels, accesses and costs. Leaves: text. This module must never know where it is written.

use crate::Error;
use crate::format::plural;
use record::{Access, Counters, Panel, Space};

/// Kernel, line and mnemonic of the instruction.
pub(super) fn where_from(panel: &Panel, access: &Access) -> String {
    let kernel = match &panel.launch.kernel[..] {
        "" => String::new(),
        name => format!("kernel {name}, "),
    };
    format!(
        "{kernel}line {} of {}: {}, {} a {}; warp {} of {}",
        access.line,
        access.file,
        access.instruction,
        bytes(u64::from(access.bytes)),
        if access.space == Space::Texture { "texel" } else { "lane" },
        access.warp,
        block(panel)
    )
}

/// The block that was traced, in a text that is not broken between the word and its number.
pub(super) fn block(panel: &Panel) -> String {
    let [x, y, z] = panel.block;
    match panel.launch.grid {
        [_, 1, 1] => format!("block\u{a0}{x}"),
        [_, _, 1] => format!("block\u{a0}({x},\u{a0}{y})"),
        _ => format!("block\u{a0}({x},\u{a0}{y},\u{a0}{z})"),
    }
}

pub(super) fn counter(cost: &Counters, name: &str) -> u64 {
    cost.get(name).copied().unwrap_or(0)
}

/// `4 bytes`.
pub(super) fn bytes(n: u64) -> String {
    plural(n, "byte")
}

/// Reason why a panel could not be drawn.
pub(super) enum Refusal {
    Drawing(Error),
    /// A cost that the addresses do not explain: both, in words.
    Unexplained(String),
}

impl Refusal {
    pub(super) fn into_error(self, refuse: impl Fn(String) -> Error) -> Error {
        match self {
            Refusal::Drawing(error) => error,
            Refusal::Unexplained(what) => refuse(what),
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Refusal::Drawing(error)
    }
}
