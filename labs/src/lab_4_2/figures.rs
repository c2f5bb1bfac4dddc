//! Figures of single instructions: how packed rows cross lines and padded ones do not, and what the start of a row
//! does to the sectors of a warp.

use crate::plan::trace::{AccessKind, Draw, Space, Texture};
use crate::plan::{Allocation, Arg, Buffers, Launch, Matrix, Memory, Panel, Pick, Plan, Trace};

/// The line of the kernel that reads and writes.
const LINE: &str = "2.0f * row_of(in, in_pitch, row)[col]";
/// Bytes of a line.
const BYTES: u64 = 128;

pub(super) fn plan(plan: &mut Plan) {
    plan.traces.extend([pitched_row(), row_starts(), texture_column()]);
}

/// One block doubles rows of 15 floats, from packed memory to padded.
fn pitched_row() -> Trace {
    const WIDTH: u64 = 15;
    const HEIGHT: u32 = 8;
    let bytes = 4 * WIDTH * u64::from(HEIGHT);
    let lines = bytes.div_ceil(BYTES);
    let mut buffers = Buffers::default();
    let packed = buffers.linear("in", lines * BYTES);
    let shape = Allocation::Pitched { width: 4 * WIDTH, height: HEIGHT.into(), depth: 1, element: 4 };
    let pitched = buffers.add("out", shape);
    let label = "packed: rows of 15 floats, one behind the other, in lines of 128 bytes";
    // At most a few lines.
    let from =
        Matrix { sectors: true, ..Matrix::rows(Memory::Buffer(packed), label, 4, lines as u32, BYTES / 4) };
    let to = Matrix::pitched(pitched, "padded: the same rows, each at a multiple of the pitch", 4);
    let picks =
        [AccessKind::Load, AccessKind::Store].map(|kind| Pick::new(kind, Space::Global, LINE).by_warp());
    Trace {
        id: "pitched-row",
        title: "Packed rows begin anywhere, padded ones at a line",
        draw: Draw::Grid { matrices: vec![from, to], threads: false },
        buffers,
        writes: Vec::new(),
        panels: vec![Panel {
            texture: None,
            label: String::new(),
            writes: Vec::new(),
            launch: Launch::new(
                &kernels::ROWS,
                "scale",
                [1; 3],
                [32, HEIGHT, 1],
                vec![
                    Arg::Buffer { buffer: packed, offset: 0 },
                    Arg::U64(4 * WIDTH),
                    Arg::Buffer { buffer: pitched, offset: 0 },
                    Arg::Pitch { buffer: pitched, element: 1 },
                    Arg::I32(WIDTH as i32),
                    Arg::I32(HEIGHT as i32),
                ],
            ),
            block: [0; 3],
            warps: 0..HEIGHT,
            picks: picks.into(),
        }],
    }
}

/// A warp reads 32 floats that begin at a line, at a sector, and within one.
fn row_starts() -> Trace {
    let mut buffers = Buffers::default();
    let (from, to) = (buffers.linear("in", 2 * BYTES), buffers.linear("out", BYTES));
    let panel = |(label, start): (&str, u64)| Panel {
        texture: None,
        label: label.to_owned(),
        writes: Vec::new(),
        launch: Launch::new(
            &kernels::ROWS,
            "scale",
            [1; 3],
            [32, 1, 1],
            vec![
                Arg::Buffer { buffer: from, offset: 4 * start },
                Arg::U64(BYTES),
                Arg::Buffer { buffer: to, offset: 0 },
                Arg::U64(BYTES),
                Arg::I32(32),
                Arg::I32(1),
            ],
        ),
        block: [0; 3],
        warps: 0..1,
        picks: vec![Pick::new(AccessKind::Load, Space::Global, LINE).only(0)],
    };
    let starts = [
        ("a row that begins at a line", 0),
        ("8 floats later: at a sector", 8),
        ("1 float later: within a sector", 1),
    ];
    Trace {
        id: "row-starts",
        title: "Sectors of a warp's 32 floats, by where they begin",
        draw: Draw::Sectors,
        buffers,
        writes: Vec::new(),
        panels: starts.map(panel).into(),
    }
}

/// A warp fetches a column of a texture's texels, over rows of memory and in an array.
fn texture_column() -> Trace {
    let mut buffers = Buffers::default();
    let out = buffers.linear("out", BYTES);
    let shape = Allocation::Pitched { width: 4 * 32, height: 32, depth: 1, element: 4 };
    let image = buffers.add("image", shape);
    let panel = |(label, array): (&str, bool)| Panel {
        label: label.to_owned(),
        writes: Vec::new(),
        texture: Some(Texture { buffer: image, array }),
        launch: Launch::new(
            &kernels::FETCH,
            "fetch_column",
            [1; 3],
            [32, 1, 1],
            vec![Arg::Buffer { buffer: out, offset: 0 }],
        ),
        block: [0; 3],
        warps: 0..1,
        picks: vec![Pick::new(AccessKind::Load, Space::Texture, "tex2D<float>(image").only(0)],
    };
    Trace {
        id: "texture-column",
        title: "Sectors of a column of 32 texels, each of a float",
        draw: Draw::Texels,
        buffers,
        writes: Vec::new(),
        panels: [("over rows of memory", false), ("in an array", true)].map(panel).into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::Plan;
    use anyhow::Result;

    #[test]
    fn the_figures_show_what_the_lab_counts() -> Result<()> {
        let mut plan = Plan { sources: vec![&kernels::ROWS], ..Plan::default() };
        super::plan(&mut plan);
        let costs = crate::trace::costs(&plan)?;
        let sectors = |id: &str, counter: &str| -> Vec<u64> {
            costs(id, counter).into_iter().filter(|&n| n > 0).collect()
        };
        assert_eq!(sectors("row-starts", "global_load_sectors"), [4, 4, 5]);
        // Rows of 60 bytes begin at each eighth byte of a sector once: packed, some of them touch three.
        assert_eq!(sectors("pitched-row", "global_load_sectors"), [2, 3, 3, 3, 3, 3, 3, 2]);
        assert_eq!(sectors("pitched-row", "global_store_sectors"), [2; 8]);
        assert_eq!(sectors("texture-column", "texture_sectors"), [32, 16]);
        Ok(())
    }
}
