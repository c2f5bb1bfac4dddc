//! Reference results for the kernels, in double precision or exact, with the error that single precision may have.
//!
//! Enters: a kernel's inputs and its results, as slices. Leaves: their errors, and the largest errors that a correct
//! kernel may make. These loops take long, so this crate is optimised in every profile. It must never know of
//! devices, plans or records.
//!
//! ```
//! use reference::{input, product};
//!
//! // C = A·B in single precision, as a kernel would return it.
//! let shape = product::Shape { m: 2, n: 3, p: 4 };
//! let (a, b) = (input::uniform(shape.m * shape.n, 5), input::uniform(shape.n * shape.p, 6));
//! let mut c = vec![0.0f32; shape.m * shape.p];
//! for (at, element) in c.iter_mut().enumerate() {
//!     let (row, column) = (at / shape.p, at % shape.p);
//!     *element = (0..shape.n).map(|k| a[row * shape.n + k] * b[k * shape.p + column]).sum();
//! }
//!
//! // Its largest error stays below what three roundings can cause; one wrong element does not.
//! let worst = product::all(shape, &a, &b, &c).expect("an element");
//! assert!(worst.error <= shape.bound());
//! c[6] += 0.01;
//! let worst = product::all(shape, &a, &b, &c).expect("an element");
//! assert_eq!((worst.row, worst.column), (1, 2));
//! assert!(worst.error > shape.bound());
//! ```

pub mod bodies;
pub mod input;
pub mod outputs;
pub mod product;
pub mod rays;
pub mod stencil;
