//! Figures of single instructions: how a warp reads one body from constant and from shared memory.

use super::gravity::{CONSTANT, GLOBAL, Places, SHARED, Variant, bodies};
use crate::plan::trace::{AccessKind, Draw, Space};
use crate::plan::{Buffers, Data, Panel, Pick, Plan, Step, Target, Trace, Write};

/// One block's bodies.
const N: usize = 256;

pub(super) fn plan(plan: &mut Plan) {
    plan.traces.extend([
        trace(
            "constant-broadcast",
            "A warp reads a body from constant memory: one address, no replay",
            Draw::Constant,
            &CONSTANT,
            Pick::new(AccessKind::Load, Space::Constant, "pass_bodies[j]").only(0),
        ),
        trace(
            "shared-broadcast",
            "A warp reads a body from shared memory: four banks serve all lanes",
            Draw::Banks,
            &SHARED,
            Pick::new(AccessKind::Load, Space::Shared, "tile[k]").only(0),
        ),
        trace(
            "global-broadcast",
            "A warp reads a body from global memory: one sector",
            Draw::Sectors,
            &GLOBAL,
            Pick::new(AccessKind::Load, Space::Global, "interact(a, me, bodies[j]").only(0),
        ),
    ]);
}

fn trace(id: &'static str, title: &'static str, draw: Draw, of: &Variant, pick: Pick) -> Trace {
    let bodies = Data::F32(bodies(N, 5));
    let mut buffers = Buffers::default();
    let at = buffers.linear("bodies", 16 * N as u64);
    let accelerations = buffers.linear("accelerations", 12 * N as u64);
    let launches =
        of.steps(Places { bodies: at, accelerations }, N, N).into_iter().filter_map(|step| match step {
            Step::Launch(launch) => Some(launch),
            _ => None,
        });
    let panel = |launch| Panel {
        texture: None,
        label: String::new(),
        writes: vec![],
        launch,
        block: [0; 3],
        warps: 0..1,
        picks: vec![pick.clone()],
    };
    Trace {
        id,
        title,
        draw,
        buffers,
        // A figure's launch is alone: data that a pass would copy are written.
        writes: [Target::Buffer(at), Target::Symbol { source: &kernels::GRAVITY, name: "pass_bodies" }]
            .map(|target| Write { target, offset: 0, data: bodies.clone() })
            .into(),
        panels: launches.map(panel).collect(),
    }
}
