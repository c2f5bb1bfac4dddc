//! Figures of single instructions: a warp that reads one sphere, and what it reads of which.

use crate::plan::trace::{AccessKind, Draw, Space};
use crate::plan::{
    Arg, BufferId, Buffers, Data, Launch, Matrix, Memory, Panel, Pick, Plan, SourceId, Target, Trace, Write,
};
use reference::rays::NUMBERS;

/// Four spheres before a picture of 16 × 2 pixels, one warp: of the second all rays see something, though the first is
/// before it for some; the third is next to all of them, and the fourth after the second.
const SPHERES: [[f32; NUMBERS]; 4] = [
    [1.0, 0.0, 0.0, 6.0, -6.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 40.0, 0.0, 0.0, -20.0],
    [0.0, 0.0, 1.0, 10.0, 80.0, 0.0, 0.0],
    [1.0, 1.0, 0.0, 20.0, 0.0, 0.0, -90.0],
];

pub(super) fn plan(plan: &mut Plan) {
    plan.traces.extend([constant(), global(), numbers()]);
}

/// The picture, and the spheres of either layout.
fn buffers() -> (Buffers, [BufferId; 2]) {
    let mut buffers = Buffers::default();
    let list = 32 * SPHERES.len() as u64;
    let ids = [("image", 4 * 32), ("list", list)].map(|(name, bytes)| buffers.linear(name, bytes));
    (buffers, ids)
}

fn constant() -> Trace {
    let pick = Pick::new(AccessKind::Load, Space::Constant, "float dx = ray.x - sphere.x").only(0);
    trace(
        "sphere-constant",
        "A warp reads a number of a sphere from constant memory: one broadcast",
        Draw::Constant,
        vec![panel("", &kernels::RAYS, "rays_constant", pick)],
    )
}

fn global() -> Trace {
    let plain = Pick::new(AccessKind::Load, Space::Global, "float dx = ray.x - sphere.x").only(0);
    let packed = Pick::new(AccessKind::Load, Space::Global, "float4 place = sphere.place").only(0);
    trace(
        "sphere-global",
        "The same from global memory: one sector",
        Draw::Sectors,
        vec![
            panel("a number of a sphere", &kernels::RAYS, "rays_global", plain),
            panel("four of them, as a float4", &kernels::PACKED_RAYS, "packed_global", packed),
        ],
    )
}

fn numbers() -> Trace {
    let load = |line, name| Pick::new(AccessKind::Load, Space::Constant, line).named(name);
    let picks = vec![
        load("float dx = ray.x - sphere.x", "in every test"),
        load("fmaf(-dy, dy, sphere.radius * sphere.radius)", "in every test"),
        load("float depth = height + sphere.z", "where a ray meets the sphere"),
        load("ray.red = sphere.red * shade", "where it is the nearest so far"),
        load("ray.green = sphere.green * shade", "where it is the nearest so far"),
        load("ray.blue = sphere.blue * shade", "where it is the nearest so far"),
    ];
    let rows =
        Matrix::rows(Memory::Symbol("spheres"), "four spheres", 4, SPHERES.len() as u32, NUMBERS as u64)
            .named(&["red", "green", "blue", "radius", "x", "y", "z"]);
    trace(
        "sphere-numbers",
        "What a warp reads of four spheres",
        Draw::Grid { matrices: vec![rows], threads: false },
        vec![Panel { picks, ..panel("", &kernels::RAYS, "rays_constant", load("", "")) }],
    )
}

fn trace(id: &'static str, title: &'static str, draw: Draw, panels: Vec<Panel>) -> Trace {
    let all = Data::F32(SPHERES.as_flattened().into());
    let (buffers, [_, list]) = buffers();
    Trace {
        id,
        title,
        draw,
        buffers,
        writes: [Target::Buffer(list), Target::Symbol { source: &kernels::RAYS, name: "spheres" }]
            .map(|target| Write { target, offset: 0, data: all.clone() })
            .into(),
        panels,
    }
}

fn panel(label: &str, source: SourceId, kernel: &'static str, pick: Pick) -> Panel {
    let (_, [image, list]) = buffers();
    let mut args =
        vec![image.into(), Arg::I32(16), Arg::I32(2), Arg::F32(1.0), Arg::I32(SPHERES.len() as i32)];
    if kernel.ends_with("global") {
        args.push(list.into());
    }
    Panel {
        texture: None,
        label: label.to_owned(),
        writes: Vec::new(),
        launch: Launch::new(source, kernel, [1; 3], [16, 2, 1], args),
        block: [0; 3],
        warps: 0..1,
        picks: vec![pick],
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::Plan;
    use anyhow::Result;

    #[test]
    fn a_warp_reads_a_sphere_in_one_pass_or_one_sector() -> Result<()> {
        let mut plan = Plan { sources: vec![&kernels::RAYS, &kernels::PACKED_RAYS], ..Plan::default() };
        super::plan(&mut plan);
        let costs = crate::trace::costs(&plan)?;
        assert_eq!(costs("sphere-constant", "idc_requests"), [1]);
        assert_eq!(costs("sphere-constant", "const_replays"), [0]);
        assert_eq!(costs("sphere-global", "global_load_sectors"), [1, 1]);
        // Three numbers of each sphere, z of the three that are met, and the colours of the two that are the nearest then.
        assert_eq!(costs("sphere-numbers", "idc_requests").len(), 3 * 4 + 3 + 3 * 2);
        Ok(())
    }
}
