//! Cube maps: a direction to a face and a place on it.

use super::address::{AddressMode, Axis, Reach, Span};

/// The face that a direction meets, and where: -1 to 1 in each of its axes. Of equal components z is taken before y and y
/// before x.
///
/// ptxas multiplies a direction by `rcp.approx` of its largest component, and the texture unit does not divide again: with
/// that reciprocal's bits, 300,000 directions on a cube of 8,192 texels met an H200's places bit for bit. Here it is 1/x
/// rounded to nearest, as `rcp.approx` is on the embedded device; the chip's differs in the last place for 13 per cent of
/// all significands, and then the place by 2^-24 of a face.
fn face(direction: [u32; 3]) -> (u32, [f32; 2]) {
    let component = direction.map(|bits| {
        let value = f32::from_bits(bits);
        if value.is_nan() || value.is_subnormal() { 0.0 } else { value }
    });
    let largest = component.iter().fold(0f32, |most, c| most.max(c.abs()));
    let [x, y, z] = component.map(|c| {
        let scaled = c * (1.0 / largest);
        if scaled.is_nan() || scaled.is_subnormal() { 0.0 } else { scaled }
    });
    if z.abs() >= x.abs() && z.abs() >= y.abs() {
        if z >= 0.0 { (4, [x, -y]) } else { (5, [-x, -y]) }
    } else if y.abs() >= x.abs() {
        if y >= 0.0 { (2, [x, z]) } else { (3, [x, -z]) }
    } else if x >= 0.0 {
        (0, [-z, -y])
    } else {
        (1, [z, -y])
    }
}

/// The face of a direction on a cube with edges of `size` texels, and its span along both axes of the face.
///
/// Each face answers places outside of it by the address modes, as a texture of its own does: none takes texels of another.
pub(super) fn spans(
    size: u32,
    modes: [AddressMode; 2],
    direction: [u32; 3],
    reach: Reach,
) -> (u32, [Span; 2]) {
    let (face, place) = face(direction);
    let along = |n: usize| {
        Axis { size, mode: modes[n], normalised: true, reach }.place(f64::from(place[n]) * 0.5 + 0.5, 0)
    };
    (face, [along(0), along(1)])
}

/// A change of a direction as the change of its place on the face that it meets, in faces.
///
/// Approximate: it is what the driver's function gives as long as the changed direction meets the same face.
pub(super) fn gradient(direction: [u32; 3], change: [u32; 3]) -> [f64; 2] {
    let at = direction.map(|bits| f64::from(f32::from_bits(bits)));
    let changed: [f64; 3] = std::array::from_fn(|n| at[n] + f64::from(f32::from_bits(change[n])));
    let [s, t, major] = match face(direction).0 {
        0 | 1 => [2, 1, 0],
        2 | 3 => [0, 2, 1],
        _ => [0, 1, 2],
    };
    [s, t].map(|n| (changed[n] / changed[major].abs() - at[n] / at[major].abs()) / 2.0)
}
