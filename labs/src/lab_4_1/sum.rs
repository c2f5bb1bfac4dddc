//! The sum of two vectors: the kernel's bandwidth, and its time beside that of the copies it needs.

use super::lengths::steps;
use crate::plan::{
    Allocation, Arg, BufferId, Data, Direction, Expectation, Experiment, Finding, HostMemory, Launch, POISON,
    Plan, Point, Quantity, Series, Target, Transfer, Trial, Work,
};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use record::{Axis, Scale};
use render::format;
use std::sync::Arc;

const BLOCK: u32 = 256;

/// The vectors.
struct Vectors {
    a: BufferId,
    b: BufferId,
    c: BufferId,
}

pub(super) fn plan(plan: &mut Plan, n: usize, seed: u64) {
    let (a, b) = (input(n, seed), input(n, seed.wrapping_add(1)));
    let sums: Arc<[u32]> = a.iter().zip(&*b).map(|(a, b)| (a + b).to_bits()).collect();
    let shape = Allocation::Linear { bytes: 4 * n as u64 };
    let vectors = Vectors {
        a: plan.buffer("a", shape, Some(Data::F32(a))),
        b: plan.buffer("b", shape, Some(Data::F32(b))),
        c: plan.buffer("c", shape, None),
    };
    let sizes = steps(1024, 4, n as u64);

    let kernel = |quantity: &dyn Fn(u64) -> Quantity, checked: bool| -> Vec<Point> {
        let point = |&n: &u64| Point {
            x: n as f64,
            writes: Vec::new(),
            work: Work::Launch(launch(&vectors, n)),
            quantity: quantity(n),
            check: checked.then(|| expectation(&vectors, &sums, n as usize)),
            profiled: checked,
        };
        sizes.iter().map(point).collect()
    };
    // Of one vector; there are two to the device and one to the host.
    let copies = |direction: Direction, vectors: f64| -> Vec<Point> {
        let point = |&n: &u64| Point {
            x: n as f64,
            writes: Vec::new(),
            work: Work::Transfer(Transfer { direction, memory: HostMemory::Pageable, bytes: 4 * n }),
            quantity: Quantity::Time { per: 1.0 / vectors },
            check: None,
            profiled: false,
        };
        sizes.iter().map(point).collect()
    };
    plan.experiments.push(Experiment {
        id: "parts",
        title: "Sum of two vectors: where the time goes",
        x: Axis::new("elements", "", Scale::Log2),
        y: Axis::new("time", "ns", Scale::Log10),
        series: vec![
            Series::new("to-device", "a and b to the device", copies(Direction::ToDevice, 2.0)),
            Series::new("add", "the kernel", kernel(&|_| Quantity::Time { per: 1.0 }, false)),
            Series::new("to-host", "c to the host", copies(Direction::ToHost, 1.0)),
        ],
    });
    plan.experiments.push(Experiment {
        id: "add",
        title: "Sum of two vectors: bandwidth of the kernel",
        x: Axis::new("elements", "", Scale::Log2),
        y: Axis::new("bandwidth", "GB/s", Scale::Linear),
        series: vec![Series::new(
            "add",
            "the kernel",
            kernel(&|n| Quantity::Bandwidth { bytes: 12.0 * n as f64 }, true),
        )],
    });
    // A length that no block divides: the last block is a partial one.
    if let Some(odd) = n.checked_sub(5).filter(|&odd| odd > 0) {
        plan.trials.push(Trial {
            writes: Vec::new(),
            work: Work::Launch(launch(&vectors, odd as u64)),
            check: expectation(&vectors, &sums, odd),
        });
    }
}

fn launch(vectors: &Vectors, n: u64) -> Launch {
    // At most 2^28 elements.
    let n = n as u32;
    Launch::new(
        &kernels::ADD,
        "add",
        [n.div_ceil(BLOCK), 1, 1],
        [BLOCK, 1, 1],
        vec![vectors.a.into(), vectors.b.into(), vectors.c.into(), Arg::I32(n as i32)],
    )
}

/// From 0 to 1.
fn input(n: usize, seed: u64) -> Arc<[f32]> {
    let mut random = Pcg32::seed_from_u64(seed);
    (0..n).map(|_| (random.next_u32() >> 8) as f32 / (1 << 24) as f32).collect()
}

fn expectation(vectors: &Vectors, sums: &Arc<[u32]>, n: usize) -> Expectation {
    let sums = Arc::clone(sums);
    Expectation {
        id: format!("add/{n}"),
        what: "each sum is that of single precision, bit for bit, and nothing is written beyond them"
            .to_owned(),
        of: Target::Buffer(vectors.c),
        judge: Arc::new(move |words| judge(words, &sums, n)),
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
    fn a_wrong_a_missing_and_a_stray_element_are_told() {
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
            let threads = launch.grid[0] * launch.block[0];
            assert!(threads >= *n as u32 && threads - (*n as u32) < BLOCK);
        }
        let mut one = Plan::default();
        plan(&mut one, 1, 5);
        assert!(one.trials.is_empty() && one.points().count() == 4);
    }

    #[test]
    fn the_same_seed_gives_the_same_vectors() {
        assert_eq!(input(100, 5), input(100, 5));
        assert_ne!(input(100, 5), input(100, 6));
    }
}
