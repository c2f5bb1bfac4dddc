//! Figures of single instructions: the tiles that a block walks over, and the banks of three layouts.

use super::variants::{Variant, launch, tiled};
use crate::matrices::{Shape, figure};
use crate::plan::trace::{AccessKind, Draw, Space};
use crate::plan::{Launch, Matrix, Memory, Panel, Pick, Plan, Trace};

pub(super) fn plan(plan: &mut Plan) {
    plan.traces.extend([walk(), banks()]);
}

fn with(variant: Variant, of: Shape) -> Launch {
    launch(variant, figure(of, of.p).args, of)
}

fn walk() -> Trace {
    let of = Shape { m: 64, n: 64, p: 64 };
    let matrices = figure(of, of.p);
    let [a, b, _] = matrices.ids;
    let rows = |buffer, name: &str| {
        Matrix::rows(Memory::Buffer(buffer), &format!("{name}, 64 × 64 elements"), 4, 64, 64)
    };
    Trace {
        id: "tile-walk",
        title: "What one block loads: a strip of A, a strip of B, tile by tile",
        draw: Draw::Grid { matrices: vec![rows(a, "A"), rows(b, "B")], threads: false },
        buffers: matrices.buffers,
        writes: Vec::new(),
        panels: vec![Panel {
            texture: None,
            label: String::new(),
            writes: Vec::new(),
            launch: with(tiled("tiled_16", 16), of),
            // The second row of tiles, the third column.
            block: [2, 1, 0],
            warps: 0..8,
            // Both loads of a step are in one line.
            picks: vec![
                Pick::new(AccessKind::Load, Space::Global, "return row < m.rows && column < m.columns")
                    .each("step", 2),
            ],
        }],
    }
}

fn banks() -> Trace {
    let of = Shape { m: 32, n: 32, p: 32 };
    // The loads of both tiles for a k are in one line, and the first is B's. A's is one word for all lanes.
    let panels = [
        ("row by row: neighbouring words", "tiled_32", "sum += left[y][k] * right[k][x]"),
        ("transposed: words 32 apart, all in one bank", "transposed_32", "sum += left[y][k] * right[x][k]"),
        ("transposed, rows of 33 words: one in each bank", "padded_32", "sum += left[y][k] * right[x][k]"),
    ]
    .map(|(label, kernel, line)| Panel {
        texture: None,
        label: label.to_owned(),
        writes: Vec::new(),
        launch: with(tiled(kernel, 32), of),
        block: [0; 3],
        warps: 0..1,
        picks: vec![Pick::new(AccessKind::Load, Space::Shared, line).only(0)],
    });
    Trace {
        id: "banks",
        title: "One load of B's tile by a warp",
        draw: Draw::Banks,
        buffers: figure(of, of.p).buffers,
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
        let sources = vec![&kernels::PITCHED_PRODUCT, &kernels::TILES];
        let mut plan = Plan { sources, ..Plan::default() };
        super::plan(&mut plan);
        let costs = crate::trace::costs(&plan)?;
        assert_eq!(costs("banks", "shared_load_wavefronts"), [1, 32, 1]);
        // Eight warps, four steps, a load of each matrix: two rows of sixteen elements.
        assert_eq!(costs("tile-walk", "global_load_sectors"), [4; 64]);
        Ok(())
    }
}
