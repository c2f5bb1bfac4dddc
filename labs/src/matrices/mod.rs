//! Parts that the labs of the matrix product share: three matrices in pitched memory, their inputs, and tests of C.
//!
//! Enters: a shape, a seed. Leaves: buffers of the plan, kernel arguments, expectations. It must never know how a kernel
//! computes the product.

pub(crate) mod facts;
pub(crate) mod sizes;

use crate::plan::{
    Allocation, Arg, BufferId, Buffers, Data, Expectation, Finding, Launch, POISON, Plan, SourceId, Target,
    Trial, Workload, Write,
};
use anyhow::{Result, bail};
use record::Axis;
use reference::input;
use reference::outputs::{self, Rectangle, Stray};
pub(crate) use reference::product::Shape;
use reference::product::{self, Worst};
use render::format;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The most elements of the three matrices together: 4 GiB.
const MOST_ELEMENTS: u64 = 1 << 30;

/// The most multiply-adds of which every element is compared; of a larger product, [`SAMPLE`] are.
const ALL: u64 = 1 << 30;

/// Elements compared of a product that is too large to compare all, the corners aside.
const SAMPLE: usize = 4096;

/// A shape in the words of the lab's flags.
///
/// # Errors
/// More memory than a run may ask for, or sums of more terms than the exact check can follow.
pub(crate) fn shape(m: u64, n: u64, p: u64) -> Result<Shape> {
    let elements =
        m.saturating_mul(n).saturating_add(n.saturating_mul(p)).saturating_add(m.saturating_mul(p));
    if elements > MOST_ELEMENTS {
        bail!(
            "matrices of {m} × {n}, {n} × {p} and {m} × {p} have {} elements together; at most {} (4 GiB): use a smaller \
             --rows, --inner, --columns or --scale",
            format::count(elements),
            format::count(MOST_ELEMENTS)
        );
    }
    if n > product::EXACT_TERMS as u64 {
        bail!("--inner {n}: at most {}, up to where a sum can be exact", product::EXACT_TERMS);
    }
    // Below 2³⁰, so they fit.
    Ok(Shape { m: m as usize, n: n as usize, p: p as usize })
}

/// The three matrices on a device, with random numbers in A and B.
#[derive(Clone)]
pub(crate) struct Matrices {
    pub(crate) shape: Shape,
    pub(crate) a: BufferId,
    pub(crate) b: BufferId,
    pub(crate) c: BufferId,
    oracle: Arc<Oracle>,
}

/// Contents of A and B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Random, of 24 bits: the plan's own.
    Uniform,
    /// Random multiples of 1/16, for which nothing is rounded.
    Sixteenths,
    /// Ones on the diagonal: the source's.
    Identity,
}

impl Matrices {
    /// Adds the buffers to the plan; `what` goes before their names.
    pub(crate) fn new(plan: &mut Plan, names: [&'static str; 3], shape: Shape, seed: u64) -> Self {
        let Shape { m, n, p } = shape;
        let (a, b) = inputs(shape, Input::Uniform, seed);
        let pitched = |rows: usize, columns: usize| Allocation::Pitched {
            width: 4 * columns as u64,
            height: rows as u64,
            depth: 1,
            element: 16,
        };
        let [a_is, b_is, c_is] = names;
        Matrices {
            shape,
            a: plan.buffer(a_is, pitched(m, n), Some(Data::F32(a.clone()))),
            b: plan.buffer(b_is, pitched(n, p), Some(Data::F32(b.clone()))),
            c: plan.buffer(c_is, pitched(m, p), None),
            oracle: Arc::new(Oracle { a, b, whole: shape, right: Mutex::default() }),
        }
    }

    /// The kernels' three structures, by value, for the upper left parts of this shape.
    pub(crate) fn arguments(&self, of: Shape) -> Vec<Arg> {
        let matrix = |buffer: BufferId, rows: usize, columns: usize| {
            structure(buffer, rows, columns, Arg::Pitch { buffer, element: 4 })
        };
        vec![matrix(self.a, of.m, of.n), matrix(self.b, of.n, of.p), matrix(self.c, of.m, of.p)]
    }

    /// Test of C for the upper left parts of this shape, with random numbers in A and B.
    pub(crate) fn expectation(&self, id: String, of: Shape) -> Expectation {
        self.expected_in(id, self.c, of, self.shape.p)
    }

    /// Test of C in another buffer, of rows of `stride` elements.
    pub(crate) fn expected_in(&self, id: String, buffer: BufferId, of: Shape, stride: usize) -> Expectation {
        let oracle = Arc::clone(&self.oracle);
        let which = if samples(of) {
            format!("{} elements and the corners are", format::count(SAMPLE as u64))
        } else {
            "each is".to_owned()
        };
        Expectation {
            id,
            what: format!(
                "all of C is written and nothing else; {which} within {:.1e} of a double-precision reference, relative to \
                 the sum of its products' magnitudes",
                of.bound()
            ),
            of: Target::Buffer(buffer),
            judge: Arc::new(move |words| oracle.judge(of, stride, words)),
        }
    }

    /// The upper left part of B, without gaps.
    pub(crate) fn packed_b(&self, of: Shape) -> Data {
        Data::F32(outputs::part(&self.oracle.b, self.shape.p, of.n, of.p).into())
    }

    /// A in rows that are `stride` elements apart, with zeros between them.
    pub(crate) fn strided_a(&self, stride: usize) -> Data {
        let Shape { m, n, .. } = self.shape;
        let mut rows = vec![0.0; m * stride];
        for (to, from) in rows.chunks_exact_mut(stride).zip(self.oracle.a.chunks_exact(n)) {
            to[..n].copy_from_slice(from);
        }
        Data::F32(rows.into())
    }

    /// A trial on other numbers than the plan's own, which stay in A and B from then on.
    pub(crate) fn trial(&self, id: String, input: Input, seed: u64, work: Workload) -> Trial {
        let shape = self.shape;
        let (a, b) = inputs(shape, input, seed);
        let put = |buffer, data: &Arc<[f32]>| Write {
            target: Target::Buffer(buffer),
            offset: 0,
            data: Data::F32(data.clone()),
        };
        let writes = vec![put(self.a, &a), put(self.b, &b)];
        let chance = format::count(u64::from(product::CHOICES));
        let what = match input {
            Input::Identity => {
                "A and B have ones on their diagonals and zeros elsewhere, and so must C".to_owned()
            }
            _ => format!(
                "multiples of 1/16, whose products and sums need no rounding: C·x = A·(B·x) in whole numbers for a random x, \
                 which a wrong row of C passes in one of {chance} cases"
            ),
        };
        let check = Expectation {
            id,
            what,
            of: Target::Buffer(self.c),
            judge: Arc::new(move |words| match dense(words, shape, shape.p) {
                Err(finding) => finding,
                Ok(c) => match product::freivalds(shape, &a, &b, &c, seed) {
                    None => Finding::good(format!("all {} rows are exact", format::count(shape.m as u64))),
                    Some(row) => Finding::bad(format!("row {row} is wrong")),
                },
            }),
        };
        Trial { writes, work, check }
    }
}

/// A kernel's `Matrix` by value.
pub(crate) fn structure(buffer: BufferId, rows: usize, columns: usize, stride: Arg) -> Arg {
    let size = |n: usize| Arg::U64(n as u64);
    Arg::Struct(vec![size(rows), size(columns), Arg::Buffer { buffer, offset: 0 }, stride])
}

/// One thread an element, in blocks of this shape.
pub(crate) fn naive(source: SourceId, of: Shape, [x, y]: [u32; 2], args: Vec<Arg>) -> Launch {
    let blocks = |length: usize, threads: u32| length.div_ceil(threads as usize) as u32;
    Launch::new(source, "product", [blocks(of.p, x), blocks(of.m, y), 1], [x, y, 1], args)
}

/// A figure's A, B and C, and the kernels' structures.
pub(crate) struct Figure {
    pub(crate) buffers: Buffers,
    pub(crate) ids: [BufferId; 3],
    pub(crate) args: Vec<Arg>,
}

/// Matrices whose rows are this many elements apart in B and C and without gaps in A.
pub(crate) fn figure(of: Shape, stride: usize) -> Figure {
    let mut buffers = Buffers::default();
    let matrices = [("A", of.m, of.n, of.n), ("B", of.n, of.p, stride), ("C", of.m, of.p, stride)];
    let placed = matrices.map(|(name, rows, columns, stride)| {
        let id = buffers.linear(name, 4 * (rows * stride) as u64);
        (id, structure(id, rows, columns, Arg::U64(stride as u64)))
    });
    let ids = placed.each_ref().map(|(id, _)| *id);
    Figure { buffers, ids, args: placed.map(|(_, arg)| arg).into() }
}

/// Each length less something, if anything is left, so that no tile divides it.
pub(crate) fn odd(shape: Shape) -> Option<Shape> {
    let less = |n: usize, by: usize| n.checked_sub(by).filter(|&n| n > 0);
    Some(Shape { m: less(shape.m, 3)?, n: less(shape.n, 5)?, p: less(shape.p, 7)? })
}

/// Floating-point operations: a multiplication and an addition for each term.
pub(crate) fn operations(shape: Shape) -> f64 {
    2.0 * shape.multiplications() as f64
}

/// The axis of [`crate::plan::Quantity::Rate`] in operations a nanosecond.
pub(crate) fn rate() -> Axis {
    Axis::new("rate", "GFLOP/s", record::Scale::Linear)
}

fn inputs(shape: Shape, input: Input, seed: u64) -> (Arc<[f32]>, Arc<[f32]>) {
    let Shape { m, n, p } = shape;
    let diagonal = |rows: usize, columns: usize| -> Arc<[f32]> {
        let mut values = vec![0.0; rows * columns];
        values.iter_mut().step_by(columns + 1).for_each(|one| *one = 1.0);
        values.into()
    };
    // Two seeds, so that A and B are different numbers.
    match input {
        Input::Uniform => (input::uniform(m * n, seed), input::uniform(n * p, !seed)),
        Input::Sixteenths => (input::sixteenths(m * n, seed), input::sixteenths(n * p, !seed)),
        Input::Identity => (diagonal(m, n), diagonal(n, p)),
    }
}

fn samples(of: Shape) -> bool {
    of.multiplications() > ALL
}

/// Contents of A and B, and the results that were found correct.
struct Oracle {
    a: Arc<[f32]>,
    b: Arc<[f32]>,
    whole: Shape,
    /// By m, n and p. A result of the same bits is as right.
    right: Mutex<BTreeMap<(usize, usize, usize), Right>>,
}

/// The first right C of a shape.
struct Right {
    c: Vec<f32>,
    worst: Worst,
}

impl Oracle {
    fn judge(&self, of: Shape, stride: usize, words: &[u32]) -> Finding {
        let c = match dense(words, of, stride) {
            Ok(c) => c,
            Err(finding) => return finding,
        };
        // Nothing panics while holding it, and the map would still be whole.
        let mut right = self.right.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (of.m, of.n, of.p);
        if let Some(Right { c: same, worst }) = right.get(&key)
            && bytemuck::cast_slice::<f32, u8>(same) == bytemuck::cast_slice::<f32, u8>(&c)
        {
            return good(of, worst);
        }
        let a = outputs::part(&self.a, self.whole.n, of.m, of.n);
        let b = outputs::part(&self.b, self.whole.p, of.n, of.p);
        let worst =
            if samples(of) { product::some(of, &a, &b, &c, SAMPLE, 1) } else { product::all(of, &a, &b, &c) };
        let Some(worst) = worst else { return Finding::bad("there is nothing to compare") };
        if worst.error > of.bound() {
            let Worst { row, column, found, expected, .. } = worst;
            return Finding::bad(format!("element ({row}, {column}) is {found}, but should be {expected}"));
        }
        let finding = good(of, &worst);
        right.entry(key).or_insert(Right { c, worst });
        finding
    }
}

fn good(of: Shape, worst: &Worst) -> Finding {
    let all = format::count((of.m * of.p) as u64);
    let which = if samples(of) {
        format!("{} of {all}", format::count(SAMPLE as u64 + 4))
    } else {
        format!("{all} of {all}")
    };
    Finding::good(format!("{which} elements match, largest relative error {:.1e}", worst.error))
}

/// C without what is around it.
fn dense(words: &[u32], of: Shape, stride: usize) -> Result<Vec<f32>, Finding> {
    let rectangle = Rectangle { rows: of.m, columns: of.p, stride };
    outputs::rectangle(words, rectangle, POISON).map_err(|stray| {
        Finding::bad(match stray {
            Stray::Missing { row, column } => format!("element ({row}, {column}) was not written"),
            Stray::Outside(at) => format!("word {at} is outside C and was written"),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { m: 9, n: 17, p: 12 };

    fn matrices() -> Matrices {
        Matrices::new(&mut Plan::default(), ["A", "B", "C"], SHAPE, 5)
    }

    /// C in single precision, in an array of rows of the whole width.
    fn computed(of: &Matrices, part: Shape) -> Vec<u32> {
        let mut words = vec![POISON; SHAPE.m * SHAPE.p];
        for row in 0..part.m {
            for column in 0..part.p {
                let term = |k: usize| of.oracle.a[row * SHAPE.n + k] * of.oracle.b[k * SHAPE.p + column];
                words[row * SHAPE.p + column] = (0..part.n).map(term).sum::<f32>().to_bits();
            }
        }
        words
    }

    #[test]
    fn a_right_product_is_found_right_whole_and_in_part() {
        let of = matrices();
        for part in [Some(SHAPE), odd(SHAPE)] {
            let Some(part) = part else { panic!("the shape is large enough") };
            let finding = (of.expectation(String::new(), part).judge)(&computed(&of, part));
            assert!(finding.passed, "{}", finding.found);
        }
    }

    #[test]
    fn an_element_too_many_and_one_too_few_are_named() {
        let of = matrices();
        let Some(part) = odd(SHAPE) else { panic!("the shape is large enough") };
        let found = |words: &[u32]| (of.expectation(String::new(), part).judge)(words).found;
        assert_eq!(found(&computed(&of, SHAPE)), "word 5 is outside C and was written");
        let mut words = computed(&of, part);
        words[SHAPE.p + 2] = POISON;
        assert_eq!(found(&words), "element (1, 2) was not written");
    }

    #[test]
    fn a_wrong_element_is_named_after_a_right_product_was_seen() {
        let of = matrices();
        let judge = of.expectation(String::new(), SHAPE).judge;
        let mut words = computed(&of, SHAPE);
        assert!(judge(&words).passed && judge(&words).passed);
        words[3 * SHAPE.p + 4] = 2.5f32.to_bits();
        let finding = judge(&words);
        assert!(!finding.passed && finding.found.starts_with("element (3, 4) is 2.5"), "{}", finding.found);
    }

    #[test]
    fn identities_and_sixteenths_must_be_exact() {
        let of = matrices();
        let none = Workload::Steps(Vec::new());
        let Trial { check, .. } = of.trial(String::new(), Input::Identity, 1, none.clone());
        let one = |at: usize| if at / SHAPE.p == at % SHAPE.p { 1.0f32 } else { 0.0 };
        let mut words: Vec<u32> = (0..SHAPE.m * SHAPE.p).map(|at| one(at).to_bits()).collect();
        assert!((check.judge)(&words).passed);
        words[SHAPE.p] = 1.0f32.to_bits();
        assert_eq!((check.judge)(&words), Finding::bad("row 1 is wrong"));
        let Trial { check, .. } = of.trial(String::new(), Input::Sixteenths, 1, none);
        assert_eq!((check.judge)(&words), Finding::bad("row 0 is wrong"));
    }

    #[test]
    fn what_is_too_large_is_refused_with_the_flags_that_help() {
        let refused = |m, n, p| shape(m, n, p).map_err(|e| e.to_string());
        assert!(refused(30_000, 30_000, 30_000).is_err_and(|e| e.contains("--rows") && e.contains("4 GiB")));
        assert!(refused(u64::MAX, u64::MAX, 2).is_err_and(|e| e.contains("--rows")));
        assert!(refused(1, 65_537, 1).is_err_and(|e| e.starts_with("--inner 65537")));
        assert_eq!(refused(4800, 6400, 3200), Ok(Shape { m: 4800, n: 6400, p: 3200 }));
    }
}
