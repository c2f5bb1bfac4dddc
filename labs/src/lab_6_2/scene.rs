//! The spheres, in each memory from which kernels read them.

use crate::plan::{Allocation, BufferId, Data, Plan, Target, Write};
use reference::rays::NUMBERS;
use std::sync::Arc;

/// The spheres of the source, a number that the first kernels know when they are compiled.
pub(super) const SPHERES: usize = 20;

/// Most spheres of 28 bytes that fit in 64 KiB.
pub(super) const MOST: usize = 2340;

/// Most spheres of 32 bytes that fit.
pub(super) const MOST_PACKED: usize = 2048;

/// All spheres, and the buffers that hold them.
pub(super) struct Scene {
    /// [`NUMBERS`] a sphere, [`MOST`] of them; a picture of fewer takes the first.
    pub(super) spheres: Arc<[f32]>,
    /// Buffer: as they are.
    pub(super) list: BufferId,
    /// Buffer: the first [`MOST_PACKED`], eight numbers a sphere.
    pub(super) packed: BufferId,
}

/// Adds buffers and symbols.
pub(super) fn plan(plan: &mut Plan, seed: u64) -> Scene {
    let spheres = reference::rays::scene(MOST, seed);
    let plain = Data::F32(Arc::clone(&spheres));
    let packed = Data::F32(packed(&spheres[..NUMBERS * MOST_PACKED]));
    for (source, data) in [(&kernels::RAYS, &plain), (&kernels::PACKED_RAYS, &packed)] {
        let target = Target::Symbol { source, name: "spheres" };
        plan.writes.push(Write { target, offset: 0, data: data.clone() });
    }
    let mut buffer = |name, data: Data, numbers: usize| {
        plan.buffer(name, Allocation::Linear { bytes: 4 * numbers as u64 }, Some(data))
    };
    let list = buffer("list", plain, NUMBERS * MOST);
    let packed = buffer("packed list", packed, 8 * MOST_PACKED);
    Scene { spheres, list, packed }
}

/// Two `float4` a sphere: x, y, z, radius; red, green, blue, nothing.
fn packed(spheres: &[f32]) -> Arc<[f32]> {
    let pair = |s: &[f32]| [s[4], s[5], s[6], s[3], s[0], s[1], s[2], 0.0];
    spheres.chunks(NUMBERS).flat_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_sphere_has_the_same_numbers_in_another_order() {
        let packed = packed(&[0.1, 0.2, 0.3, 40.0, 5.0, 6.0, 7.0]);
        assert_eq!(packed[..], [5.0, 6.0, 7.0, 40.0, 0.1, 0.2, 0.3, 0.0]);
    }
}
