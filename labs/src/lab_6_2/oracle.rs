//! Tests of a picture.
//!
//! Enters: the spheres, and an output with the memory after it. Leaves: whether every pixel was written, nothing else
//! was, and each has a colour that the double-precision reference admits. Pictures of one form are the same operations in
//! the same order: one that equals, bit for bit, one found right before is as right.

use crate::plan::{Finding, POISON};
use record::Check;
use reference::rays::{NUMBERS, Reference, View};
use render::format;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Operations of a kernel, and their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// The source's.
    Source,
    /// Operations of all other kernels, explicitly fused.
    Fused,
}

/// A picture, by its size and its spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Picture {
    pub(super) form: Form,
    /// Number of spheres, from the first.
    pub(super) count: usize,
    pub(super) view: View,
}

impl Picture {
    fn key(self) -> Key {
        let View { width, height, scale } = self.view;
        (self.form, self.count, width, height, scale.to_bits())
    }

    fn pixels(self) -> usize {
        self.view.width * self.view.height
    }
}

type Key = (Form, usize, usize, usize, u32);

/// The most pixels, of a million, for which rounding may decide what is seen: with more, the check would be lax.
const MOST_CONTESTED: f64 = 1000.0;

/// The spheres and what is known of their pictures.
pub(super) struct Oracle {
    spheres: Arc<[f32]>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The first right picture of each kind, and how many of its pixels are contested.
    right: BTreeMap<Key, (Arc<[u32]>, usize)>,
    compared: usize,
    different: usize,
}

impl Oracle {
    pub(super) fn new(spheres: Arc<[f32]>) -> Self {
        Oracle { spheres, state: Mutex::default() }
    }

    /// Judges a buffer that begins with the picture and was poisoned.
    pub(super) fn judge(&self, pictured: Picture, words: &[u32]) -> Finding {
        let (pixels, rest) = words.split_at(pictured.pixels().min(words.len()));
        if !all_poison(rest) {
            return Finding::bad("something was written past the end of the picture");
        }
        let mut state = self.lock();
        state.compared += 1;
        if let Some((right, _)) = state.right.get(&pictured.key()) {
            // Slices of words are compared as memory is.
            if **right == *pixels {
                return good();
            }
            state.different += 1;
        }
        let reference = Reference::new(&self.spheres[..NUMBERS * pictured.count], pictured.view);
        let found = reference.judge(pixels);
        if let Some((column, row)) = found.wrong {
            let pixel = pixels[row * pictured.view.width + column];
            return Finding::bad(if pixel == POISON {
                format!("the pixel in column {column}, row {row} was not written")
            } else {
                let [red, green, blue, alpha] = pixel.to_le_bytes();
                format!("the pixel in column {column}, row {row} is ({red}, {green}, {blue}, {alpha})")
            });
        }
        state.right.entry(pictured.key()).or_insert_with(|| (pixels.into(), found.contested));
        good()
    }

    /// Whether pictures that must be equal had the same bits.
    pub(super) fn identical(&self) -> Check {
        let State { compared, different, .. } = &*self.lock();
        Check {
            id: "identical".to_owned(),
            what: "all kernels but the two of the source's form make the same picture bit for bit, and so do those two"
                .to_owned(),
            passed: *different == 0,
            found: format!("{} of {compared} launches gave the bits of the first of their picture", compared - different),
            outputs: vec![],
        }
    }

    /// Whether the reference is strict.
    pub(super) fn contested(&self) -> Check {
        let state = self.lock();
        let contested: usize = state.right.values().map(|(_, contested)| contested).sum();
        let pixels: usize = state.right.values().map(|(picture, _)| picture.len()).sum();
        Check {
            id: "contested".to_owned(),
            what: format!(
                "rounding decides which sphere is seen, or whether one is, for at most {MOST_CONTESTED} pixels of a million; of those, each has a colour of one that may be seen"
            ),
            passed: pixels > 0 && contested as f64 <= pixels as f64 * MOST_CONTESTED / 1e6,
            found: format!(
                "{} of {} pixels in {} different pictures",
                format::count(contested as u64),
                format::count(pixels as u64),
                state.right.len()
            ),
            outputs: vec![],
        }
    }

    /// The picture, if one was found right.
    pub(super) fn picture(&self, pictured: Picture) -> Option<Arc<[u32]>> {
        self.lock().right.get(&pictured.key()).map(|(pixels, _)| Arc::clone(pixels))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while holding it, and the state would still be whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn good() -> Finding {
    Finding::good("every pixel is right")
}

fn all_poison(words: &[u32]) -> bool {
    // As memory, like the pictures: word by word takes long where nothing is optimised.
    const POISONED: [u32; 1024] = [POISON; 1024];
    words.chunks(POISONED.len()).all(|chunk| *chunk == POISONED[..chunk.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: View = View { width: 5, height: 3, scale: 1.0 };
    const PICTURE: Picture = Picture { form: Form::Fused, count: 1, view: VIEW };

    /// One sphere that fills the picture, all of it the same colour except for rounding: far away rays are parallel.
    fn oracle() -> Oracle {
        Oracle::new(vec![1.0, 0.5, 0.0, 1e6, 0.0, 0.0, 0.0].into())
    }

    fn buffer() -> Vec<u32> {
        let mut words = vec![0xff00_7ffe; 15];
        words.extend([POISON; 7]);
        words
    }

    #[test]
    fn a_right_picture_is_right_and_one_that_equals_it_too() {
        let oracle = oracle();
        let mut words = buffer();
        // The middle row's middle pixel meets the sphere's very top.
        for (at, word) in words.iter_mut().take(15).enumerate() {
            *word = if at == 7 { 0xff00_7fff } else { 0xff00_7ffe };
        }
        assert!(oracle.judge(PICTURE, &words).passed);
        assert!(oracle.judge(PICTURE, &words).passed);
        assert!(oracle.identical().passed && oracle.contested().passed);
        assert_eq!(oracle.picture(PICTURE).as_deref(), Some(&words[..15]));
        assert_eq!(oracle.picture(Picture { count: 0, ..PICTURE }), None);
    }

    #[test]
    fn a_pixel_that_was_not_written_is_named() {
        let mut words = buffer();
        words[7] = POISON;
        let found = oracle().judge(PICTURE, &words).found;
        assert_eq!(found, "the pixel in column 2, row 1 was not written");
    }

    #[test]
    fn a_write_past_the_end_of_the_picture_is_found() {
        let mut words = buffer();
        words[21] = 0;
        assert_eq!(
            oracle().judge(PICTURE, &words),
            Finding::bad("something was written past the end of the picture")
        );
    }

    #[test]
    fn a_right_picture_with_other_bits_is_right_and_not_identical() {
        let oracle = oracle();
        let mut words = buffer();
        assert!(oracle.judge(PICTURE, &words).passed);
        words[0] += 1;
        assert!(oracle.judge(PICTURE, &words).passed, "rounding admits 254 and 255");
        assert!(!oracle.identical().passed);
    }
}
