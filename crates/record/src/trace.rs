//! Traces: addresses and costs of single memory instructions, as the embedded device executed them, and how to draw
//! them.
//!
//! Enters: the accesses that a lab picked of a launch. Leaves: types that are written compactly (an access' lanes are
//! one line) and checked. The counts in them are the device's own; nothing here computes one.

use crate::launch::{Counters, Launch};
pub use access::{AccessKind, Fetch, Fetched, Space};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Lanes of a warp.
pub(crate) const WARP: u32 = 32;
/// Addresses are below this bound, which no buffer of any GPU reaches.
pub(crate) const HIGHEST: u64 = 1 << 48;

/// Accesses of one launch or several, drawn as one figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// Identifier, such as `halo`; unique among the record's traces.
    pub id: String,
    /// Title, such as `Who loads the halo`.
    pub title: String,
    /// Kind of drawing.
    pub draw: Draw,
    /// Names of a grid's colours, such as `step 1`; an access' `group` is an index into this list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// Panels of one launch each, drawn below each other; at least one.
    pub panels: Vec<Panel>,
}

/// Kind of drawing of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "as", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Draw {
    /// The one access of each panel, to global memory: lanes above, 32-byte sectors in their lines of 128 below.
    Sectors,
    /// The one access of each panel, to shared memory: lanes above, the 32 banks below, with the words that each must
    /// serve.
    Banks,
    /// The one access of each panel, to constant memory: lanes above, an address for each pass below.
    Constant,
    /// The one access of each panel, a fetch of a texture: lanes above, the texels that they read below.
    Texels,
    /// Memory as rows of elements, with those that the accesses touched marked.
    Grid {
        /// The memories shown; at least one.
        matrices: Vec<Matrix>,
        /// Whether an element shows the number of the thread that touched it (where only one did).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        threads: bool,
    },
}

/// A part of a memory, seen as rows of elements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matrix {
    /// Name of the memory in the accesses.
    pub memory: String,
    /// Caption above the grid, such as `A, 64 × 64 floats`.
    pub label: String,
    /// Offset of the first row from the memory's start, bytes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub offset: u64,
    /// Distance from one row to the next, bytes: the pitch.
    pub row_bytes: u64,
    /// Bytes of a row that hold elements; the rest is padding.
    pub used_bytes: u64,
    /// Number of rows.
    pub rows: u32,
    /// Size of an element, bytes.
    pub element_bytes: u32,
    /// Names of a row's elements, such as `x`, `y`, `z`; empty, or one for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// Whether the borders of sectors and lines are drawn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sectors: bool,
    /// Number of elements at the start of each row, and at its end, that are a halo.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub halo: u64,
}

/// Accesses picked from one launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// The launch's part in the figure, such as `each half-warp its own address`; may be empty.
    pub label: String,
    /// The launch that made the accesses.
    pub launch: Launch,
    /// Index of the block that was traced.
    pub block: [u32; 3],
    /// Accesses in the order in which they were made; at least one.
    pub accesses: Vec<Access>,
}

/// One memory instruction of one warp.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// Number of the warp in its block.
    pub warp: u32,
    /// The source file without its folders, such as `stencil.cu`.
    pub file: String,
    /// Line in that file, from 1.
    pub line: u32,
    /// PTX mnemonic, such as `ld.global.f32`.
    pub instruction: String,
    /// Direction of the access.
    pub kind: AccessKind,
    /// Memory that is accessed.
    pub space: Space,
    /// Bytes that each lane accesses.
    pub bytes: u32,
    /// Index into the trace's `groups`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub group: u64,
    /// Active lanes with their offsets, by the buffer or variable that they fall into.
    pub lanes: BTreeMap<String, Lanes>,
    /// Of a fetch of a texture, the texels; `lanes` has the offset of each lane's first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetch: Option<Fetch>,
    /// Counts that the access added to those of its launch.
    pub cost: Counters,
}

/// Lanes, each with an offset in bytes, by rising lane.
///
/// Written as runs of neighbouring lanes whose offsets rise or fall in even steps: `0-15:64+4 16-31:0 ` is 64, 68, …
/// 124 and sixteen times 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Lanes(Vec<(u32, u64)>);

impl Lanes {
    /// Offsets of lanes, as (lane, offset in bytes): lanes below 32 in rising order, offsets below 2^48.
    ///
    /// # Errors
    /// Lanes or offsets that break this, named in the message.
    pub fn new(lanes: Vec<(u32, u64)>) -> std::result::Result<Self, String> {
        if lanes.is_empty() {
            return Err("no lane takes part".into());
        }
        for (n, (lane, offset)) in lanes.iter().enumerate() {
            if *lane >= WARP {
                return Err(format!("there is no lane {lane}, a warp has {WARP}"));
            }
            if n > 0 && lanes[n - 1].0 >= *lane {
                return Err(format!("lane {lane} comes after lane {}", lanes[n - 1].0));
            }
            if *offset >= HIGHEST {
                return Err(format!("offset {offset} of lane {lane} is beyond any memory"));
            }
        }
        Ok(Lanes(lanes))
    }

    /// Lanes with their offsets in bytes.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.0.iter().copied()
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut at = 0;
        while let Some(&(first, offset)) = self.0.get(at) {
            let follows = |n: usize, step: i64| {
                let (before, here) = (self.0[n - 1], self.0.get(n).copied().unwrap_or_default());
                here.0 == before.0 + 1 && here.1 as i64 - before.1 as i64 == step
            };
            let mut end = at + 1;
            let step = match self.0.get(end) {
                Some(next) if next.0 == first + 1 => next.1 as i64 - offset as i64,
                _ => 0,
            };
            while end < self.0.len() && follows(end, step) {
                end += 1;
            }
            write!(f, "{}{first}", if at > 0 { " " } else { "" })?;
            if end - at > 1 {
                write!(f, "-{}", self.0[end - 1].0)?;
            }
            write!(f, ":{offset}")?;
            if end - at > 1 && step != 0 {
                write!(f, "{step:+}")?;
            }
            at = end;
        }
        Ok(())
    }
}

impl FromStr for Lanes {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let mut lanes = Vec::new();
        for piece in text.split(' ') {
            let broken = || {
                format!(
                    "`{piece}` is not a piece such as `0-15:64+4`: lanes, an offset, and from one to the next"
                )
            };
            let (which, place) = piece.split_once(':').ok_or_else(broken)?;
            let (first, last) = which.split_once('-').unwrap_or((which, which));
            let (first, last): (u32, u32) =
                (first.parse().map_err(|_| broken())?, last.parse().map_err(|_| broken())?);
            if last >= WARP {
                return Err(format!("there is no lane {last}, a warp has {WARP}"));
            }
            if last < first {
                return Err(format!("lane {last} comes after lane {first}"));
            }
            let sign = place.find(['+', '-']).unwrap_or(place.len());
            let offset: i64 = place[..sign].parse().map_err(|_| broken())?;
            let step: i64 =
                if sign == place.len() { 0 } else { place[sign..].parse().map_err(|_| broken())? };
            for lane in first..=last {
                let offset = i64::from(lane - first).checked_mul(step).and_then(|d| offset.checked_add(d));
                lanes.push((lane, offset.and_then(|o| u64::try_from(o).ok()).ok_or_else(broken)?));
            }
        }
        Lanes::new(lanes)
    }
}

impl From<Lanes> for String {
    fn from(lanes: Lanes) -> Self {
        lanes.to_string()
    }
}

impl TryFrom<String> for Lanes {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        text.parse()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn both_ways(lanes: Vec<(u32, u64)>, text: &str) {
        let lanes = Lanes::new(lanes).unwrap();
        assert_eq!(lanes.to_string(), text);
        assert_eq!(text.parse(), Ok(lanes));
    }

    #[test]
    fn lanes_are_one_line_that_reads_back() {
        both_ways((0..32).map(|l| (l, 4 * u64::from(l))).collect(), "0-31:0+4");
        both_ways((0..32).map(|l| (l, 64)).collect(), "0-31:64");
        both_ways((0..32).map(|l| (l, 124 - 4 * u64::from(l))).collect(), "0-31:124-4");
        both_ways(vec![(3, 8)], "3:8");
        both_ways(vec![(0, 0), (1, 4), (5, 8), (6, 8), (31, 0)], "0-1:0+4 5-6:8 31:0");
    }

    #[test]
    fn lanes_that_cannot_be_are_refused() {
        for (text, why) in [
            ("32:0", "there is no lane 32"),
            ("0-40:0", "there is no lane 40"),
            ("5-4:0", "lane 4 comes after lane 5"),
            ("0:0 0:4", "lane 0 comes after lane 0"),
            ("0-31:4-4", "is not a piece"),
            ("0-31:281474976710656", "beyond any memory"),
            ("0-31:9223372036854775807+9223372036854775807", "is not a piece"),
            ("", "is not a piece"),
            ("0:x", "is not a piece"),
            ("-1:0", "is not a piece"),
        ] {
            let error = text.parse::<Lanes>().expect_err(text);
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
