//! The sum of two vectors: the kernel's bandwidth, and its time compared with that of the copies it needs.

use super::lengths::steps;
use crate::plan::{
    Allocation, Arg, BufferId, Data, Direction, Expectation, Experiment, Finding, HostMemory, Launch, POISON,
    Plan, Point, Quantity, Series, Step, Target, Transfer, Trial, Workload,
};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use record::{Axis, Scale};
use render::format;
use std::sync::Arc;

const BLOCK: u32 = 256;

/// The vectors.
#[derive(Clone, Copy)]
struct Vectors {
    a: BufferId,
    b: BufferId,
    c: BufferId,
}

/// A kernel that adds, and the elements that one of its threads does.
#[derive(Clone, Copy)]
struct Adder {
    kernel: &'static str,
    each: u32,
}

const ADD: Adder = Adder { kernel: "add", each: 1 };
/// A thread does four elements by one access of 16 bytes to each vector.
const ADD4: Adder = Adder { kernel: "add4", each: 4 };

pub(super) fn plan(plan: &mut Plan, n: usize, seed: u64) {
    let (a, b) = (input(n, seed), input(n, seed.wrapping_add(1)));
    let sums: Arc<[u32]> = a.iter().zip(&*b).map(|(a, b)| (a + b).to_bits()).collect();
    let copied: Arc<[u32]> = a.iter().map(|a| a.to_bits()).collect();
    let shape = Allocation::Linear { bytes: 4 * n as u64 };
    let vectors = Vectors {
        a: plan.buffer("a", shape, Some(Data::F32(a))),
        b: plan.buffer("b", shape, Some(Data::F32(b))),
        c: plan.buffer("c", shape, None),
    };
    let sizes = steps(1024, 4, n as u64);
    parts(plan, vectors, &sizes);
    bandwidths(plan, vectors, &sizes, &sums, copied);
    // Lengths that no block divides, and that leave three, two and one of the four elements of a thread.
    for less in [5, 6, 7] {
        let Some(odd) = n.checked_sub(less).filter(|&odd| odd > 0) else { continue };
        for adder in [ADD, ADD4] {
            plan.trials.push(Trial {
                writes: Vec::new(),
                work: Workload::Launch(launch(adder, vectors, odd as u64)),
                check: expectation(format!("{}/ends", adder.kernel), SUM, vectors, &sums, odd),
            });
        }
    }
}

/// Time of the kernel compared with that of the copies that it needs.
fn parts(plan: &mut Plan, vectors: Vectors, sizes: &[u64]) {
    let timed = |work: &dyn Fn(u64) -> Workload, per: f64| -> Vec<Point> {
        let point = |&n: &u64| Point {
            x: n as f64,
            writes: Vec::new(),
            work: work(n),
            quantity: Quantity::Time { per },
            check: None,
            profiled: false,
        };
        sizes.iter().map(point).collect()
    };
    // Of one vector; there are two to the device and one to the host.
    let copies = |direction: Direction, vectors: f64| {
        let copy = |n| Workload::Transfer(Transfer { direction, memory: HostMemory::Pageable, bytes: 4 * n });
        timed(&copy, 1.0 / vectors)
    };
    plan.experiments.push(Experiment {
        id: "parts",
        title: "Sum of two vectors: where the time goes",
        x: Axis::new("elements", "", Scale::Log2),
        y: Axis::new("time", "ns", Scale::Log10),
        series: vec![
            Series::new("to-device", "a and b to the device", copies(Direction::ToDevice, 2.0)),
            Series::new("add", "the kernel", timed(&|n| Workload::Launch(launch(ADD, vectors, n)), 1.0)),
            Series::new("to-host", "c to the host", copies(Direction::ToHost, 1.0)),
        ],
    });
}

/// Bandwidth of the kernels, and of a copy on the device to compare them with.
fn bandwidths(plan: &mut Plan, vectors: Vectors, sizes: &[u64], sums: &Arc<[u32]>, copied: Arc<[u32]>) {
    let kernel = |adder: Adder| -> Vec<Point> {
        let point = |&n: &u64| Point {
            x: n as f64,
            writes: Vec::new(),
            work: Workload::Launch(launch(adder, vectors, n)),
            quantity: Quantity::Bandwidth { bytes: 12.0 * n as f64 },
            check: Some(expectation(format!("{}/{n}", adder.kernel), SUM, vectors, sums, n as usize)),
            profiled: true,
        };
        sizes.iter().map(point).collect()
    };
    let copy = |&n: &u64| Point {
        x: n as f64,
        writes: Vec::new(),
        work: Workload::Steps(vec![Step::Copy {
            to: vectors.c,
            to_offset: 0,
            from: vectors.a,
            from_offset: 0,
            bytes: 4 * n,
        }]),
        quantity: Quantity::Bandwidth { bytes: 8.0 * n as f64 },
        check: Some(expectation("copy".to_owned(), COPY, vectors, &copied, n as usize)),
        profiled: false,
    };
    plan.experiments.push(Experiment {
        id: "add",
        title: "Sum of two vectors: bandwidth of the kernels",
        x: Axis::new("elements", "", Scale::Log2),
        y: Axis::new("bandwidth", "GB/s", Scale::Linear),
        series: vec![
            Series::new("add", "one element a thread", kernel(ADD)),
            Series::new("add4", "four elements a thread, float4", kernel(ADD4)),
            Series {
                id: "copy".to_owned(),
                label: "copy of a vector on the device".to_owned(),
                reference: true,
                points: sizes.iter().map(copy).collect(),
            },
        ],
    });
}

fn launch(adder: Adder, vectors: Vectors, n: u64) -> Launch {
    // At most 2^28 elements.
    let n = n as u32;
    Launch::new(
        &kernels::ADD,
        adder.kernel,
        [n.div_ceil(adder.each * BLOCK), 1, 1],
        [BLOCK, 1, 1],
        vec![vectors.a.into(), vectors.b.into(), vectors.c.into(), Arg::I32(n as i32)],
    )
}

/// From 0 to 1.
fn input(n: usize, seed: u64) -> Arc<[f32]> {
    let mut random = Pcg32::seed_from_u64(seed);
    (0..n).map(|_| (random.next_u32() >> 8) as f32 / (1 << 24) as f32).collect()
}

const SUM: &str = "each sum is that of single precision, bit for bit, and nothing is written beyond them";
const COPY: &str = "a copy on the device has every element, bit for bit, and nothing is written beyond them";

/// Expectation that `c` begins with the first `n` of these words, and that nothing follows.
fn expectation(id: String, what: &str, vectors: Vectors, words: &Arc<[u32]>, n: usize) -> Expectation {
    let wanted = Arc::clone(words);
    Expectation {
        id,
        what: what.to_owned(),
        of: Target::Buffer(vectors.c),
        judge: Arc::new(move |words| judge(words, &wanted, n)),
    }
}

fn judge(words: &[u32], sums: &[u32], n: usize) -> Finding {
    if words[..n] != sums[..n] {
        let wrong = words.iter().zip(sums).position(|(is, should)| is != should).unwrap_or(n);
        let how = if words[wrong] == POISON { "was not written" } else { "is wrong" };
        return Finding::bad(format!("element {wrong} of {n} {how}"));
    }
    if words[n..].iter().any(|word| *word != POISON) {
        return Finding::bad(format!("something was written beyond the {n} elements"));
    }
    Finding::good(format!("{0} of {0} elements are right", format::count(n as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_a_missing_and_a_stray_element_are_reported() {
        let sums = [1, 2, 3, 4];
        assert!(judge(&[1, 2, 3, POISON], &sums, 3).passed);
        assert_eq!(judge(&[1, 9, 3, POISON], &sums, 3), Finding::bad("element 1 of 3 is wrong"));
        assert_eq!(judge(&[1, 2, POISON, POISON], &sums, 3), Finding::bad("element 2 of 3 was not written"));
        assert!(!judge(&[1, 2, 3, 4], &sums, 3).passed);
    }

    #[test]
    fn every_element_has_a_thread() {
        let mut made = Plan::default();
        plan(&mut made, 5000, 5);
        for launch in made.launches() {
            let Some(Arg::I32(n)) = launch.args.last() else { panic!("{launch:?}") };
            let each = if launch.kernel == "add4" { 4 } else { 1 };
            let reached = each * launch.grid[0] * launch.block[0];
            assert!(reached >= *n as u32 && reached - (*n as u32) < each * BLOCK);
        }
        let mut one = Plan::default();
        plan(&mut one, 1, 5);
        assert!(one.trials.is_empty() && one.points().count() == 6);
    }

    #[test]
    fn vectors_that_end_within_a_thread_s_four_elements_are_tried_at_every_place() {
        let mut made = Plan::default();
        plan(&mut made, 5000, 5);
        let ends = made.trials.iter().flat_map(|trial| trial.work.launches()).filter(|l| l.kernel == "add4");
        let left: Vec<i32> = ends
            .map(|launch| match launch.args.last() {
                Some(Arg::I32(n)) => n % 4,
                _ => panic!("{launch:?}"),
            })
            .collect();
        assert_eq!(left, [3, 2, 1]);
    }

    #[test]
    fn the_same_seed_gives_the_same_vectors() {
        assert_eq!(input(100, 5), input(100, 5));
        assert_ne!(input(100, 5), input(100, 6));
    }
}
