//! Figures: which elements a warp needs, and how the addresses of its loads fall into sectors.

use super::launch::THREADS;
use crate::matrices::{Shape, figure, naive};
use crate::plan::trace::{AccessKind, Draw, Space};
use crate::plan::{Matrix, Memory, Panel, Pick, Plan, Trace};

pub(super) fn plan(plan: &mut Plan) {
    plan.traces.extend([elements(), blocks(), rows()]);
}

/// The loads of B and of A for a k, which are in one line.
const LOADS: &str = "return m.elements[row * m.stride + column]";
/// Picks each k by the number of loads that a warp made before.
const OF_B: u32 = 0;
const OF_A: u32 = 1;

/// All that one warp reads and computes, in a wide block and in one of a single column.
fn elements() -> Trace {
    let of = Shape { m: 48, n: 8, p: 48 };
    let matrices = figure(of, of.p);
    let [a, b, c] = matrices.ids;
    let rows = |buffer, name, rows: usize, columns: usize| {
        Matrix::rows(Memory::Buffer(buffer), name, 4, rows as u32, columns as u64)
    };
    let drawn = vec![rows(a, "A", of.m, of.n), rows(b, "B", of.n, of.p), rows(c, "C", of.m, of.p)];
    // Blocks whose first warp is within C.
    let panels =
        [("blocks 32 wide and 8 high", 32, [0, 2, 0]), ("blocks 1 wide and 256 high", 1, [20, 0, 0])].map(
            |(label, width, block)| Panel {
                texture: None,
                block,
                picks: vec![
                    Pick::new(AccessKind::Load, Space::Global, LOADS).named("read"),
                    Pick::new(AccessKind::Store, Space::Global, "= value").named("computed"),
                ],
                ..panel(label, of, of.p, width, 0)
            },
        );
    Trace {
        id: "warp-elements",
        title: "What one warp computes of C, and what it reads for that",
        draw: Draw::Grid { matrices: drawn, threads: false },
        buffers: matrices.buffers,
        writes: Vec::new(),
        panels: panels.into(),
    }
}

/// One load of the first warp, in blocks so wide.
fn panel(label: &str, of: Shape, stride: usize, width: u32, nth: u32) -> Panel {
    Panel {
        texture: None,
        label: label.to_owned(),
        writes: Vec::new(),
        launch: naive(&kernels::PITCHED_PRODUCT, of, [width, THREADS / width], figure(of, stride).args),
        block: [0; 3],
        warps: 0..1,
        picks: vec![Pick::new(AccessKind::Load, Space::Global, LOADS).only(nth)],
    }
}

fn blocks() -> Trace {
    // Rows of 256 bytes: whole sectors and lines, as in pitched memory.
    let of = Shape { m: 256, n: 64, p: 64 };
    let panels = [
        ("blocks of 16 × 16: two rows of A, one element each", 16, OF_A),
        (
            "blocks of 16 × 16: sixteen neighbours in a row of B, once for each of two rows of threads",
            16,
            OF_B,
        ),
        ("blocks of 32 × 8: thirty-two neighbours in a row of B", 32, OF_B),
        ("blocks of 1 × 256: thirty-two rows of A", 1, OF_A),
    ];
    Trace {
        id: "warp-sectors",
        title: "What one load of a warp asks for",
        draw: Draw::Sectors,
        buffers: figure(of, of.p).buffers,
        writes: Vec::new(),
        panels: panels.map(|(label, width, nth)| panel(label, of, of.p, width, nth)).into(),
    }
}

fn rows() -> Trace {
    let of = Shape { m: 8, n: 4, p: 317 };
    // The second row of B; a k has two loads.
    let panels = [("rows 320 elements apart", 320), ("rows of 317 elements without gaps", 317)]
        .map(|(label, stride)| panel(label, of, stride, 32, OF_B + 2));
    Trace {
        id: "packed-rows",
        title: "The second row of B, with and without padding",
        draw: Draw::Sectors,
        buffers: figure(of, 320).buffers,
        writes: Vec::new(),
        panels: panels.into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::Plan;
    use anyhow::Result;

    #[test]
    fn the_costs_are_those_that_the_chapter_explains() -> Result<()> {
        let mut plan = Plan { sources: vec![&kernels::PITCHED_PRODUCT], ..Plan::default() };
        super::plan(&mut plan);
        let costs = crate::trace::costs(&plan)?;
        assert_eq!(costs("warp-sectors", "global_load_sectors"), [2, 2, 4, 32]);
        assert_eq!(costs("packed-rows", "global_load_sectors"), [4, 5]);
        Ok(())
    }
}
