//! Cube maps: a direction to a face and a place on it.

use super::address::{AddressMode, Axis, Reach};
use super::footprint::{Footprint, Texel};

/// The face that a direction meets, and where: -1 to 1 in each of its axes. Of equal components z is taken before y and y
/// before x.
fn face(direction: [u32; 3]) -> (u32, [f32; 2]) {
    let [x, y, z] = direction.map(|bits| {
        let value = f32::from_bits(bits);
        if value.is_nan() || value.is_subnormal() { 0.0 } else { value.clamp(f32::MIN, f32::MAX) }
    });
    let (face, s, t, major) = if z.abs() >= x.abs() && z.abs() >= y.abs() {
        if z >= 0.0 { (4, x, -y, z) } else { (5, -x, -y, -z) }
    } else if y.abs() >= x.abs() {
        if y >= 0.0 { (2, x, z, y) } else { (3, x, -z, -y) }
    } else if x >= 0.0 {
        (0, -z, -y, x)
    } else {
        (1, z, -y, -x)
    };
    let along = |c: f32| if major == 0.0 { 0.0 } else { c / major };
    (face, [along(s), along(t)])
}

/// Texels that a direction reaches on a cube with edges of `size` texels, whose first face is slice `first`.
///
/// Each face answers places outside of it by the address modes, as a texture of its own does: none takes texels of another.
pub(super) fn footprint(
    size: u32,
    modes: [AddressMode; 2],
    direction: [u32; 3],
    first: u32,
    linear: bool,
) -> Footprint {
    let (face, place) = face(direction);
    let reach = if linear { Reach::Weighted } else { Reach::One };
    let along = |n: usize| {
        Axis { size, mode: modes[n], normalised: true, reach }.float((place[n] * 0.5 + 0.5).to_bits())
    };
    let (x, y) = (along(0), along(1));
    let texel = |x: i64, y: i64| {
        let inside = 0..i64::from(size);
        let texel = Texel { x: x as u32, y: y as u32, z: first + face };
        (inside.contains(&x) && inside.contains(&y)).then_some(texel)
    };
    if !linear {
        return Footprint::point(texel(x.near, y.near));
    }
    Footprint::plane(x, y, texel)
}
