//! Figures of single instructions: what a warp's lanes ask of each memory, and who loads the stencil's halo.

use super::chase::{Path, Spread, WORDS, starts};
use super::oracle::RADIUS;
use crate::plan::trace::{AccessKind, Draw, Space};
use crate::plan::{Arg, Buffers, Data, Launch, Matrix, Memory, Panel, Pick, Plan, Target, Trace, Write};

/// Lanes of a warp.
const LANES: u64 = 32;
/// Threads of the stencil's block: their numbers fit into a figure.
const BLOCK: u64 = 32;

pub(super) fn plan(plan: &mut Plan) {
    plan.traces.extend([first(), replays(), sectors(), banks(), halo()]);
}

/// The lanes' starts: how many different addresses, how far apart, and for which lanes.
type Starts = (&'static str, u32, u32, Spread);

const OF_TABLE: &str = "((const char *)table + at)";

/// Loads from constant memory, a launch for each of `of`.
fn constant(id: &'static str, title: &'static str, of: &[Starts]) -> Trace {
    let pick = Pick::new(AccessKind::Load, Space::Constant, OF_TABLE);
    chase(id, title, Draw::Constant, Path::Constant, of, &pick)
}

fn first() -> Trace {
    let of = [
        ("one entry for all lanes", 1, 4, Spread::Interleaved),
        ("four entries, one for every eight lanes", 4, 4, Spread::Halves),
    ];
    constant("one-and-four", "A warp reads constant memory: one entry, and four", &of)
}

fn replays() -> Trace {
    let of = [
        ("all lanes the same address", 1, 4, Spread::Interleaved),
        ("each half-warp an address of its own", 2, 4, Spread::Halves),
        ("each lane an address of its own", 32, 4, Spread::Interleaved),
    ];
    constant("constant-broadcasts", "Constant memory serves one address with each broadcast", &of)
}

fn sectors() -> Trace {
    let of = [
        ("all lanes the same address", 1, 4, Spread::Interleaved),
        ("neighbouring words", 32, 4, Spread::Interleaved),
        ("words 64 bytes apart", 32, 64, Spread::Interleaved),
    ];
    let pick = Pick::new(AccessKind::Load, Space::Global, "((const char *)in + at)");
    let title = "Through the read-only cache: sectors of 32 bytes, however many lanes share them";
    chase("read-only-sectors", title, Draw::Sectors, Path::ReadOnly, &of, &pick)
}

fn banks() -> Trace {
    let of = [
        ("all lanes the same word", 1, 4, Spread::Interleaved),
        ("neighbouring words", 32, 4, Spread::Interleaved),
        ("words 64 bytes apart", 32, 64, Spread::Interleaved),
    ];
    let pick = Pick::new(AccessKind::Load, Space::Shared, "((const char *)smem + at)");
    chase(
        "shared-banks",
        "Shared memory: one word a bank in each wavefront",
        Draw::Banks,
        Path::Shared,
        &of,
        &pick,
    )
}

/// The first dependent load of a chase, once for each pattern.
fn chase(
    id: &'static str,
    title: &'static str,
    draw: Draw,
    path: Path,
    patterns: &[Starts],
    pick: &Pick,
) -> Trace {
    let bytes = 4 * u64::from(WORDS);
    let mut buffers = Buffers::default();
    let [starts_at, output, table] = [("starts", 4 * LANES), ("ends", 4 * LANES), ("in", bytes)]
        .map(|(name, bytes)| buffers.linear(name, bytes));
    let identity = Data::U32((0..WORDS).map(|word| 4 * word).collect());
    let panel = |&(label, k, distance, spread): &Starts| {
        let row = Data::U32(starts(k, distance, spread).into());
        let launch = super::chase::one_round(path, [starts_at, output, table]);
        Panel {
            texture: None,
            label: label.to_owned(),
            writes: vec![Write { target: Target::Buffer(starts_at), offset: 0, data: row }],
            launch,
            block: [0; 3],
            warps: 0..1,
            picks: vec![pick.clone().only(0)],
        }
    };
    Trace {
        id,
        title,
        draw,
        buffers,
        writes: [Target::Buffer(table), Target::Symbol { source: &kernels::CHASE, name: "table" }]
            .map(|target| Write { target, offset: 0, data: identity.clone() })
            .into(),
        panels: patterns.iter().map(panel).collect(),
    }
}

fn halo() -> Trace {
    let (radius, n) = (RADIUS as u64, 3 * BLOCK);
    let bytes = 4 * (n + 2 * radius);
    let inner = 4 * radius;
    // The second of three blocks: what it loads begins RADIUS elements before its own, which are RADIUS into the array.
    let first = 4 * BLOCK;
    let columns = BLOCK + 2 * radius;
    let mut buffers = Buffers::default();
    let [input, output] = ["in", "out"].map(|name| buffers.linear(name, bytes));
    let row = |memory, label: &str| Matrix { halo: radius, ..Matrix::rows(memory, label, 4, 1, columns) };
    let part = Matrix {
        layout: crate::plan::Layout::Rows {
            offset: first,
            row_bytes: 4 * columns,
            used_bytes: 4 * columns,
            rows: 1,
        },
        sectors: true,
        ..row(Memory::Buffer(input), "in: elements, with the number of the thread that loads each")
    };
    let staged = row(Memory::Shared, "smem: elements, with the number of the thread that stores each");
    let parts = [
        ("each thread its own", "if (idx < n + RADIUS) smem[sidx] = in[idx]"),
        ("the halo before", "smem[sidx - RADIUS] = in[idx - RADIUS]"),
        ("the halo behind", "smem[sidx + blockDim.x] = in[idx + blockDim.x]"),
    ];
    let picks = parts.into_iter().flat_map(|(name, line)| {
        [(AccessKind::Load, Space::Global), (AccessKind::Store, Space::Shared)]
            .map(|(kind, space)| Pick::new(kind, space, line).named(name))
    });
    Trace {
        id: "halo",
        title: "Who loads the stencil's halo",
        draw: Draw::Grid { matrices: vec![part, staged], threads: true },
        buffers,
        writes: Vec::new(),
        panels: vec![Panel {
            texture: None,
            label: String::new(),
            writes: Vec::new(),
            launch: Launch::new(
                &kernels::STENCIL,
                "stencil_constant",
                [3, 1, 1],
                [BLOCK as u32, 1, 1],
                vec![
                    Arg::Buffer { buffer: input, offset: inner },
                    Arg::Buffer { buffer: output, offset: inner },
                    Arg::I32(n as i32),
                ],
            )
            .with_shared(4 * columns as u32),
            block: [1, 0, 0],
            warps: 0..1,
            picks: picks.collect(),
        }],
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::Plan;
    use anyhow::Result;

    #[test]
    fn the_costs_are_those_that_the_chapter_explains() -> Result<()> {
        let mut plan = Plan { sources: vec![&kernels::STENCIL, &kernels::CHASE], ..Plan::default() };
        super::plan(&mut plan);
        let costs = crate::trace::costs(&plan)?;
        assert_eq!(costs("one-and-four", "const_replays"), [0, 3]);
        assert_eq!(costs("constant-broadcasts", "const_replays"), [0, 1, 31]);
        assert_eq!(costs("read-only-sectors", "global_load_sectors"), [1, 4, 32]);
        assert_eq!(costs("shared-banks", "shared_load_wavefronts"), [1, 1, 16]);
        // In the order of the program: each load, and its store to shared memory. A block's own part begins in the middle of
        // a sector.
        assert_eq!(costs("halo", "global_load_sectors"), [5, 0, 1, 0, 1, 0]);
        Ok(())
    }
}
