//! Figures of single instructions: the sectors of a warp's load, with one element a lane and with four.

use crate::plan::trace::{AccessKind, Draw, Space};
use crate::plan::{Arg, Buffers, Launch, Panel, Pick, Plan, Trace};

/// Lanes of the warp that is drawn.
const LANES: u32 = 32;

pub(super) fn plan(plan: &mut Plan) {
    let one = Load { kernel: "add", each: 1, line: "if (i < n) c[i] = a[i]", nth: 1 };
    let four = Load { kernel: "add4", each: 4, line: "*(const float4 *)(a + i)", nth: 0 };
    plan.traces.extend([
        sum("neighbours", "Sectors of a warp's load: one element a lane", one),
        sum("four-a-lane", "Sectors of a warp's load: four elements a lane", four),
    ]);
}

/// The load of `a` in a kernel.
struct Load {
    kernel: &'static str,
    /// Elements of a lane.
    each: u32,
    line: &'static str,
    /// Its number among the loads of that line, which NVRTC orders as it likes.
    nth: u32,
}

/// The load of `a` in one warp's sum.
fn sum(id: &'static str, title: &'static str, Load { kernel, each, line, nth }: Load) -> Trace {
    let n = LANES * each;
    let mut buffers = Buffers::default();
    let [a, b, c] = ["a", "b", "c"].map(|name| buffers.linear(name, 4 * u64::from(n)));
    let mut args = [a, b, c].map(|buffer| Arg::Buffer { buffer, offset: 0 }).to_vec();
    // At most 128.
    args.push(Arg::I32(n as i32));
    Trace {
        id,
        title,
        draw: Draw::Sectors,
        buffers,
        writes: Vec::new(),
        panels: vec![Panel {
            texture: None,
            label: String::new(),
            writes: Vec::new(),
            launch: Launch::new(&kernels::ADD, kernel, [1; 3], [LANES, 1, 1], args),
            block: [0; 3],
            warps: 0..1,
            picks: vec![Pick::new(AccessKind::Load, Space::Global, line).only(nth)],
        }],
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::Plan;
    use anyhow::Result;

    #[test]
    fn the_figures_show_what_the_lab_counts() -> Result<()> {
        let mut plan = Plan { sources: vec![&kernels::ADD], ..Plan::default() };
        super::plan(&mut plan);
        let costs = crate::trace::costs(&plan)?;
        for (id, sectors) in [("neighbours", 4), ("four-a-lane", 16)] {
            assert_eq!(costs(id, "global_load_requests"), [1], "{id}");
            assert_eq!(costs(id, "global_load_sectors"), [sectors], "{id}");
        }
        let traces = crate::trace::traces(&super::super::LAB)?;
        let accesses = traces.iter().flat_map(|trace| &trace.panels).flat_map(|panel| &panel.accesses);
        assert!(accesses.flat_map(|access| access.lanes.keys()).eq(["a", "a"]));
        Ok(())
    }
}
