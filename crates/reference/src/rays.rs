//! A picture of spheres along parallel rays, one ray a pixel: the nearest sphere that a ray meets gives the pixel its
//! colour, darker where it faces away.
//!
//! Rounding decides some pixels: where a ray grazes a sphere's edge, or meets two spheres at nearly the same depth. A
//! [`Reference`] knows for each pixel every value that single precision may give, and admits no other colour.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Numbers of a sphere: red, green, blue, radius, x, y, z.
pub const NUMBERS: usize = 7;

/// Half a unit in the last place of a number between 1 and 2.
const U: f64 = 1.0 / (1 << 24) as f64;

/// Error bound of r² − dx² − dy² in single precision, in units of U·(r² + dx² + dy²), with or without fused operations;
/// likewise for the comparison of dx² + dy² with r².
///
/// dx and dy are each rounded once, which moves their squares by 2U of each; the three squares may be rounded, U of
/// each; so is each of the two subtractions, whose results are at most r² + dx² and r² + dx² + dy². Together that is
/// 3U·r² + 5U·dx² + 4U·dy² and terms in U². For the comparison it is less.
const INSIDE: f64 = 5.01;

/// Half a unit for one rounding, terms in U² included.
const ONE: f64 = 1.01 * U;

/// Error bound of a colour: height / radius · part · 255, each rounded.
const COLOUR: f64 = 3.02 * U;

/// Spheres with random colours and positions, in the distribution of the sources: parts of a colour up to 1, positions
/// within ±500, radii from 20 to 120. Fewer spheres of one seed are the first of more.
pub fn scene(count: usize, seed: u64) -> Arc<[f32]> {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut below = |most: f32| (random.next_u32() >> 8) as f32 / 16_777_216.0 * most;
    let sphere = |_| {
        let [red, green, blue] = [below(1.0), below(1.0), below(1.0)];
        let [x, y, z] = [(); 3].map(|()| below(1000.0) - 500.0);
        [red, green, blue, below(100.0) + 20.0, x, y, z]
    };
    (0..count).flat_map(sphere).collect()
}

/// The rays of a picture, one for each pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Pixels of a row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Width of a pixel.
    pub scale: f32,
}

impl View {
    /// Positions of the rays of `count` pixels of a row (or column), in single precision like the kernels': the
    /// reference takes them as they are.
    fn rays(self, count: usize) -> Vec<f64> {
        (0..count).map(|at| f64::from((at as f32 - (count / 2) as f32) * self.scale)).collect()
    }
}

/// A sphere in double precision.
struct Sphere {
    paint: [f64; 3],
    radius: f64,
    x: f64,
    y: f64,
    z: f64,
}

/// Bounds on the intersection of a ray with a sphere in single precision.
struct Meeting {
    /// Least and greatest height above the sphere's centre.
    height: [f64; 2],
    /// Least and greatest depth.
    depth: [f64; 2],
    /// Whether the ray meets the sphere under every rounding.
    sure: bool,
}

impl Sphere {
    fn meet(&self, ray_x: f64, square_y: f64) -> Option<Meeting> {
        let (square_x, square) = ((ray_x - self.x).powi(2), self.radius * self.radius);
        let off = INSIDE * U * (square + square_x + square_y);
        let inside = square - square_x - square_y;
        if inside + off <= 0.0 {
            return None;
        }
        let height = [(inside - off).max(0.0).sqrt() * (1.0 - ONE), (inside + off).sqrt() * (1.0 + ONE)];
        let [least, greatest] = height.map(|h| h + self.z);
        let depth = [least - ONE * least.abs(), greatest + ONE * greatest.abs()];
        Some(Meeting { height, depth, sure: inside > off })
    }

    /// Whether the sphere may give a pixel this colour.
    fn admits(&self, meeting: &Meeting, pixel: u32) -> bool {
        let [red, green, blue, alpha] = pixel.to_le_bytes();
        let [least, greatest] = meeting.height;
        let part = |(&paint, found): (&f64, u8)| {
            let full = paint * 255.0 / self.radius;
            let least = (full * least * (1.0 - COLOUR)).floor();
            let greatest = (full * greatest * (1.0 + COLOUR)).floor();
            (least..=greatest.min(255.0)).contains(&f64::from(found))
        };
        alpha == 255 && self.paint.iter().zip([red, green, blue]).all(part)
    }
}

/// The black of a ray that meets nothing.
const NOTHING: u32 = 0xff00_0000;

/// All pictures that correct kernels may give.
pub struct Reference {
    view: View,
    spheres: Vec<Sphere>,
    xs: Vec<f64>,
    ys: Vec<f64>,
    /// For each pixel, the nearest depth at which a ray surely meets a sphere: anything surely behind it is not seen.
    surely: Vec<f64>,
}

/// Result of judging a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Column and row of the first pixel with a colour that is not admitted.
    pub wrong: Option<(usize, usize)>,
    /// Number of pixels decided by rounding: two spheres or more, or a sphere or none.
    pub contested: usize,
}

impl Reference {
    /// The reference for spheres of [`NUMBERS`] floats each.
    ///
    /// # Panics
    /// If the number of floats is not a multiple of that.
    pub fn new(spheres: &[f32], view: View) -> Self {
        assert!(spheres.len().is_multiple_of(NUMBERS), "whole spheres");
        let sphere = |s: &[f32]| {
            let s: Vec<f64> = s.iter().map(|&v| f64::from(v)).collect();
            Sphere { paint: [s[0], s[1], s[2]], radius: s[3], x: s[4], y: s[5], z: s[6] }
        };
        let mut reference = Reference {
            view,
            spheres: spheres.chunks(NUMBERS).map(sphere).collect(),
            xs: view.rays(view.width),
            ys: view.rays(view.height),
            surely: vec![],
        };
        let mut surely = vec![f64::NEG_INFINITY; view.width * view.height];
        if view.width > 0 {
            surely.par_chunks_mut(view.width).enumerate().for_each(|(row, surely)| {
                reference.visit(row, |_, column, meeting| {
                    if meeting.sure {
                        surely[column] = surely[column].max(meeting.depth[0]);
                    }
                });
            });
        }
        reference.surely = surely;
        reference
    }

    /// Calls `of` for each sphere and each ray of a row that may meet.
    fn visit(&self, row: usize, mut of: impl FnMut(&Sphere, usize, Meeting)) {
        for sphere in &self.spheres {
            let square_y = (self.ys[row] - sphere.y).powi(2);
            // Beyond this, r² is less than d² by far more than rounding may move either.
            let reach = sphere.radius * 1.0001;
            if square_y > reach * reach {
                continue;
            }
            for column in self.columns(sphere.x - reach..sphere.x + reach) {
                if let Some(meeting) = sphere.meet(self.xs[column], square_y) {
                    of(sphere, column, meeting);
                }
            }
        }
    }

    fn columns(&self, xs: Range<f64>) -> Range<usize> {
        self.xs.partition_point(|&x| x < xs.start)..self.xs.partition_point(|&x| x <= xs.end)
    }

    /// Compares a picture, given row by row, with the admitted ones.
    ///
    /// # Panics
    /// If there are not width · height pixels.
    pub fn judge(&self, pixels: &[u32]) -> Found {
        let View { width, height, .. } = self.view;
        assert_eq!(pixels.len(), width * height, "a picture of the view's size");
        if width == 0 {
            return Found { wrong: None, contested: 0 };
        }
        let row = |(row, pixels): (usize, &[u32])| {
            let surely = &self.surely[row * width..][..width];
            // Where nothing is surely met, the background may be seen.
            let mut candidates: Vec<u32> =
                surely.iter().map(|&d| u32::from(d == f64::NEG_INFINITY)).collect();
            let mut right: Vec<bool> =
                candidates.iter().zip(pixels).map(|(&c, &pixel)| c == 1 && pixel == NOTHING).collect();
            self.visit(row, |sphere, column, meeting| {
                if meeting.depth[1] >= surely[column] {
                    candidates[column] += 1;
                    right[column] |= sphere.admits(&meeting, pixels[column]);
                }
            });
            Found {
                wrong: right.iter().position(|&right| !right).map(|column| (column, row)),
                contested: candidates.iter().filter(|&&c| c > 1).count(),
            }
        };
        let both = |a: Found, b: Found| Found {
            wrong: [a.wrong, b.wrong].into_iter().flatten().min_by_key(|&(column, row)| (row, column)),
            contested: a.contested + b.contested,
        };
        pixels.par_chunks(width).enumerate().map(row).reduce(|| Found { wrong: None, contested: 0 }, both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: View = View { width: 131, height: 67, scale: 7.7 };

    /// The picture as a kernel computes it: in single precision, fused or not.
    fn picture(spheres: &[f32], view: View, fused: bool) -> Vec<u32> {
        let fma = |a: f32, b: f32, c: f32| if fused { a.mul_add(b, c) } else { a * b + c };
        let pixel = |at: usize| {
            let (column, row) = (at % view.width, at / view.width);
            let ray_x = (column as f32 - (view.width / 2) as f32) * view.scale;
            let ray_y = (row as f32 - (view.height / 2) as f32) * view.scale;
            let (mut colour, mut nearest) = ([0u8; 3], -2e10f32);
            for s in spheres.chunks(NUMBERS) {
                let (dx, dy) = (ray_x - s[4], ray_y - s[5]);
                let inside = fma(-dx, dx, fma(-dy, dy, s[3] * s[3]));
                if inside > 0.0 && inside.sqrt() + s[6] > nearest {
                    nearest = inside.sqrt() + s[6];
                    let shade = inside.sqrt() / s[3];
                    colour = [0, 1, 2].map(|part| (s[part] * shade * 255.0) as u8);
                }
            }
            u32::from_le_bytes([colour[0], colour[1], colour[2], 255])
        };
        (0..view.width * view.height).map(pixel).collect()
    }

    #[test]
    fn pictures_in_single_precision_are_right_fused_or_not() {
        for seed in 0..4 {
            let spheres = scene(300, seed);
            let reference = Reference::new(&spheres, VIEW);
            for fused in [true, false] {
                let found = reference.judge(&picture(&spheres, VIEW, fused));
                assert_eq!(found.wrong, None, "seed {seed}, fused {fused}");
                assert!(found.contested < 5, "{found:?}");
            }
        }
    }

    #[test]
    fn one_wrong_pixel_is_found_where_it_is() {
        let spheres = scene(20, 5);
        let reference = Reference::new(&spheres, VIEW);
        let right = picture(&spheres, VIEW, true);
        for (column, row) in [(0, 0), (130, 66), (65, 33), (17, 60)] {
            // Two steps of red: more than rounding makes.
            let mut pixels = right.clone();
            pixels[row * VIEW.width + column] ^= 2;
            assert_eq!(reference.judge(&pixels).wrong, Some((column, row)));
        }
        let mut pixels = right;
        pixels[100] &= 0x00ff_ffff;
        assert_eq!(reference.judge(&pixels).wrong, Some((100, 0)), "transparent");
    }

    #[test]
    fn a_sphere_too_few_is_found() {
        let spheres = scene(20, 5);
        let reference = Reference::new(&spheres, VIEW);
        let mut seen = 0;
        for left_out in 0..20 {
            let mut fewer = spheres.to_vec();
            fewer.drain(left_out * NUMBERS..(left_out + 1) * NUMBERS);
            seen += usize::from(reference.judge(&picture(&fewer, VIEW, true)).wrong.is_some());
        }
        // Some may be hidden behind others, but not many.
        assert!(seen >= 15, "{seen}");
    }

    #[test]
    fn of_two_spheres_in_one_place_either_may_be_seen_and_no_third() {
        let one = [1.0, 0.0, 0.0, 50.0, 0.0, 0.0, 0.0];
        let other = [0.0, 1.0, 0.0, 50.0, 0.0, 0.0, 0.0];
        let view = View { width: 9, height: 9, scale: 1.0 };
        let reference = Reference::new(&[one, other].concat(), view);
        for first in [[one, other], [other, one]] {
            let found = reference.judge(&picture(&first.concat(), view, true));
            assert_eq!(found, Found { wrong: None, contested: 81 });
        }
        let third = picture(&[0.0, 0.0, 1.0, 50.0, 0.0, 0.0, 0.0], view, true);
        assert_eq!(reference.judge(&third).wrong, Some((0, 0)));
    }

    #[test]
    fn a_ray_that_grazes_a_sphere_may_miss_it_and_the_next_may_not() {
        // The rays at x = 50 and -50 touch the sphere, that at 49 meets it.
        let view = View { width: 101, height: 1, scale: 1.0 };
        let reference = Reference::new(&[1.0, 1.0, 1.0, 50.0, 0.0, 0.0, 0.0], view);
        let right = picture(&[1.0, 1.0, 1.0, 50.0, 0.0, 0.0, 0.0], view, true);
        assert_eq!(reference.judge(&right), Found { wrong: None, contested: 2 });
        let mut pixels = right;
        pixels[99] = NOTHING;
        assert_eq!(reference.judge(&pixels).wrong, Some((99, 0)));
    }

    #[test]
    fn a_scene_has_the_sources_distribution_and_a_prefix() {
        let spheres = scene(2000, 5);
        for s in spheres.chunks(NUMBERS) {
            assert!(s[..3].iter().all(|c| (0.0..1.0).contains(c)));
            assert!((20.0..120.0).contains(&s[3]) && s[4..].iter().all(|c| (-500.0..500.0).contains(c)));
        }
        let mean = spheres.chunks(NUMBERS).map(|s| s[3]).sum::<f32>() / 2000.0;
        assert!((mean - 70.0).abs() < 3.0, "{mean}");
        assert_eq!(scene(20, 5)[..], spheres[..20 * NUMBERS]);
        assert_ne!(scene(20, 5), scene(20, 6));
    }

    #[test]
    fn a_picture_without_pixels_is_right() {
        let view = View { width: 0, height: 5, scale: 1.0 };
        let found = Reference::new(&scene(3, 1), view).judge(&[]);
        assert_eq!(found, Found { wrong: None, contested: 0 });
    }
}
