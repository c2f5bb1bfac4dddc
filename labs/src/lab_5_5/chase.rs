//! Pointer chases: the cost of one load, by the number of addresses of a warp and by the size of the working set.
//!
//! A table's entries hold the byte offset of the entry to read next (see `kernels/ch5-5/chase.cu`). Every launch is
//! made with R and with 2R rounds; what the second takes longer, divided by its additional loads, is the cost of one
//! load: the launch itself and the first, cold trip are in both.

use crate::lab::Host;
use crate::plan::{
    Allocation, Arg, BufferId, Data, Expectation, Experiment, Finding, Launch, Plan, Point, Quantity, Series,
    Target, Workload, Write,
};
use crate::request::Scope;
use record::{Axis, Parameter, Scale};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Distinct addresses at which Nsight Compute is asked.
const PROFILED: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// Distinct addresses of a short run: close together where they are few, as the cost is a line from there on.
const SHORT: [u32; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32];

/// Lanes of a warp.
const LANES: u32 = 32;
/// Dependent loads a round, as in the kernel.
const LOADS: u32 = 16;
/// Entries of the constant table, all the constant memory that a module can have.
pub(super) const WORDS: u32 = 16384;
/// Entries that the shared-memory kernel copies: enough for 32 addresses 256 bytes apart.
const SHARED_WORDS: u32 = 2048;
/// Bytes between two distinct addresses.
const DISTANCES: [u32; 3] = [4, 64, 256];
/// And between those of constant memory, for the latency: with the last of [`DISTANCES`] it shows the sets of its first cache.
const FURTHER: u32 = 512;
/// Threads a block of the throughput launches, of which two run on each multiprocessor.
const BLOCK: u32 = 1024;
/// Threads a block in a quick run, which is to try and not to compare.
const QUICK_BLOCK: u32 = 256;
/// Bytes between two entries of a ring: what one line of the first constant cache holds.
const STRIDE: u32 = 64;
/// The largest ring read through the read-only path, bytes.
const LARGEST_RING: u32 = 1 << 20;
/// Entries that are read once each, to see what a miss brings into L1.
const FILLED: u32 = 512;
/// Bytes between two of them.
pub(super) const FILL_STRIDES: [u32; 6] = [4, 8, 16, 32, 64, 128];

/// Memory that a chase goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
    Constant,
    ReadOnly,
    Global,
    Shared,
}

impl Path {
    /// Those whose cost depends on the lanes' addresses in its own way.
    const ALONE: [Path; 3] = [Path::Constant, Path::ReadOnly, Path::Shared];

    fn id(self) -> &'static str {
        match self {
            Path::Constant => "constant",
            Path::ReadOnly => "read-only",
            Path::Global => "global",
            Path::Shared => "shared",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Path::Constant => "constant memory",
            Path::ReadOnly => "read-only path (__ldg)",
            Path::Global => "plain global loads",
            Path::Shared => "shared memory",
        }
    }

    fn kernel(self) -> &'static str {
        match self {
            Path::Constant => "chase_constant",
            Path::ReadOnly => "chase_read_only",
            Path::Global => "chase_global",
            Path::Shared => "chase_shared",
        }
    }
}

/// Assignment of the k addresses to lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spread {
    /// Lane l the (l mod k)-th.
    Interleaved,
    /// Lane l the (l·k/32)-th: neighbours share one; k = 2 gives each half-warp its own address.
    Halves,
}

/// Starting values of a chase's lanes, k addresses `distance` bytes apart.
pub(super) fn starts(k: u32, distance: u32, spread: Spread) -> [u32; LANES as usize] {
    std::array::from_fn(|lane| {
        let lane = lane as u32;
        distance * if spread == Spread::Interleaved { lane % k } else { lane * k / LANES }
    })
}

/// A ring of entries `stride` bytes apart: each points to the next one, the last to the first.
fn ring(bytes: u32, stride: u32) -> Arc<[u32]> {
    // Entries alone: a plan has hundreds of rings, and is made each time that a short run is described.
    let mut ring = vec![0; bytes as usize / 4];
    for at in (0..bytes).step_by(stride as usize) {
        ring[at as usize / 4] = (at + stride) % bytes;
    }
    ring.into()
}

/// Sizes of rings, in whole strides.
#[derive(Clone)]
struct Sizes {
    largest: u32,
    /// Sizes to a doubling, from 256 bytes on.
    steps: u32,
    /// Where a cache of today ends somewhere between two sizes: this range, in steps of this many bytes.
    fine: Option<(RangeInclusive<u32>, u32)>,
}

impl Sizes {
    /// The sizes, rising.
    fn list(self) -> Vec<u32> {
        let coarse = (0..)
            .map(|i| 256.0 * (f64::from(i) / f64::from(self.steps)).exp2() / f64::from(STRIDE))
            .map(|strides| strides.round() as u32 * STRIDE)
            .take_while(|&size| size <= self.largest);
        let fine = self.fine.into_iter().flat_map(|(range, step)| range.step_by(step as usize));
        let all: BTreeSet<u32> = coarse.chain(fine).collect();
        all.into_iter().collect()
    }
}

/// Buffers of the chases, by position in the plan.
struct Buffers {
    starts: BufferId,
    output: BufferId,
    identity: BufferId,
    ring: BufferId,
}

/// Launch of a chase, apart from its path and starts.
#[derive(Clone, Copy)]
struct Size {
    grid: u32,
    block: u32,
    rounds: u32,
}

/// Rows of 32 start offsets in one buffer.
#[derive(Default)]
struct Rows(Vec<[u32; LANES as usize]>);

impl Rows {
    /// The byte offset of a row, which is added if it is new.
    fn row(&mut self, row: [u32; LANES as usize]) -> u64 {
        let at = self.0.iter().position(|r| *r == row).unwrap_or_else(|| {
            self.0.push(row);
            self.0.len() - 1
        });
        at as u64 * 4 * u64::from(LANES)
    }
}

pub(super) fn plan(plan: &mut Plan, host: Host, scope: Scope) {
    let quick = scope == Scope::Quick;
    // A GPU's launches must be far longer than its timer's resolution (about a microsecond). The embedded device's
    // times have no scatter, so one round and two show as much there as a thousand.
    let latency_rounds = if host.measured { 64 } else { 1 };
    let throughput_rounds = if host.measured { Rounds::Worth(32) } else { Rounds::Always(1) };
    let throughput_block = if quick { QUICK_BLOCK } else { BLOCK };
    let throughput_grid = 2 * host.multiprocessors;
    let largest_ring = if quick { 1 << 17 } else { LARGEST_RING };

    let identity: Arc<[u32]> = (0..WORDS).map(|word| 4 * word).collect();
    let threads = u64::from(throughput_grid * throughput_block);
    let linear = |bytes| Allocation::Linear { bytes };
    let buffers = Buffers {
        starts: plan.buffer("starts", linear(0), None),
        output: plan.buffer("ends of the chase", linear(4 * threads), None),
        identity: plan.buffer("table", linear(4 * u64::from(WORDS)), Some(Data::U32(identity.clone()))),
        ring: plan.buffer("ring", linear(u64::from(largest_ring)), None),
    };
    let table = Target::Symbol { source: &kernels::CHASE, name: "table" };
    plan.writes.push(Write { target: table, offset: 0, data: Data::U32(identity) });
    let mut rows = Rows::default();

    let ks: Vec<u32> = match scope {
        Scope::Quick => PROFILED.to_vec(),
        Scope::Short => SHORT.to_vec(),
        Scope::Full => (1..=LANES).collect(),
    };
    let latency = Sweep {
        experiment: "divergence-latency",
        shape: Size { grid: 1, block: LANES, rounds: 0 },
        rounds: Rounds::Always(latency_rounds),
        ks: &ks,
    };
    let throughput = Sweep {
        experiment: "divergence-throughput",
        shape: Size { grid: throughput_grid, block: throughput_block, rounds: 0 },
        rounds: throughput_rounds,
        ks: &ks,
    };
    plan.experiments.extend(divergences(&latency, &throughput, &buffers, &mut rows));

    let steps = if quick { 1 } else { 4 };
    // To a line of the first constant cache; and to 4 KiB, of the sizes that L1 has had.
    let constant = Sizes { largest: 4 * WORDS, steps, fine: (!quick).then_some((1 << 10..=4 << 10, STRIDE)) };
    let fine = (!quick).then_some((16 << 10..=256 << 10, 4 << 10));
    let read_only = Sizes { largest: largest_ring, steps: steps.min(2), fine };
    let (constant, read_only) = (constant.list(), read_only.list());
    let start = rows.row([0; LANES as usize]);
    plan.experiments.push(Experiment {
        id: "working-set",
        title: "Latency of a uniform load by working set, one warp",
        x: Axis::new("working set", "B", Scale::Log2),
        y: Axis::new("time per load", "ns", Scale::Linear),
        series: vec![
            rings(Path::Constant, &constant, table, start, host, &buffers),
            rings(Path::ReadOnly, &read_only, Target::Buffer(buffers.ring), start, host, &buffers),
            rings(Path::Global, &read_only, Target::Buffer(buffers.ring), start, host, &buffers),
        ],
    });
    plan.experiments.push(fill(table, start, &buffers));

    let starts: Arc<[u32]> = rows.0.concat().into();
    plan.buffers.reshape(buffers.starts, linear(4 * starts.len() as u64));
    plan.writes.push(Write { target: Target::Buffer(buffers.starts), offset: 0, data: Data::U32(starts) });
    plan.parameters.extend([
        ("latency_rounds".to_owned(), Parameter::Integer(u64::from(latency_rounds))),
        ("throughput_rounds_at_most".to_owned(), Parameter::Integer(u64::from(throughput_rounds.most()))),
        ("throughput_block".to_owned(), Parameter::Integer(u64::from(throughput_block))),
        ("loads_per_round".to_owned(), Parameter::Integer(u64::from(LOADS))),
        ("distances".to_owned(), Parameter::Integers(DISTANCES.map(u64::from).to_vec())),
        ("further_distance_of_constants".to_owned(), Parameter::Integer(u64::from(FURTHER))),
        ("fill_strides".to_owned(), Parameter::Integers(FILL_STRIDES.map(u64::from).to_vec())),
        ("ring_stride".to_owned(), Parameter::Integer(u64::from(STRIDE))),
    ]);
}

/// Both sweeps over distinct addresses: of one warp, and of the full chip, which sees half-warps too.
fn divergences(
    latency: &Sweep<'_>,
    throughput: &Sweep<'_>,
    buffers: &Buffers,
    rows: &mut Rows,
) -> [Experiment; 2] {
    let (mut latencies, mut throughputs) = (Vec::new(), Vec::new());
    for path in Path::ALONE {
        for distance in DISTANCES {
            latencies.push(divergence(latency, path, distance, Spread::Interleaved, buffers, rows));
            throughputs.push(divergence(throughput, path, distance, Spread::Interleaved, buffers, rows));
        }
        if path == Path::Constant {
            latencies.push(divergence(latency, path, FURTHER, Spread::Interleaved, buffers, rows));
            throughputs.push(divergence(throughput, path, 4, Spread::Halves, buffers, rows));
        }
    }
    let addresses = || Axis::new("distinct addresses in the warp", "", Scale::Linear);
    [
        Experiment {
            id: latency.experiment,
            title: "Latency of a load by distinct addresses, one warp",
            x: addresses(),
            y: Axis::new("time per load", "ns", Scale::Linear),
            series: latencies,
        },
        Experiment {
            id: throughput.experiment,
            title: "Cost of a warp's load by distinct addresses, full chip",
            x: addresses(),
            y: Axis::new("time per warp load and multiprocessor", "ns", Scale::Linear),
            series: throughputs,
        },
    ]
}

/// Number of rounds of a launch.
#[derive(Clone, Copy)]
enum Rounds {
    /// A fixed number, whatever a load costs.
    Always(u32),
    /// A number for loads that are served at once, and fewer where a load takes more, so that launches last about equally long.
    Worth(u32),
}

impl Rounds {
    fn of(self, path: Path, k: u32, distance: u32) -> u32 {
        match self {
            Rounds::Always(rounds) => rounds,
            Rounds::Worth(rounds) => {
                // Constant memory serves one address at a time. The others are taken to serve 128 bytes side by side:
                // roughly how long a round takes, which decides how many there are and nothing else.
                let lines = ((k - 1) * distance + 4).div_ceil(128).min(k);
                let times = if path == Path::Constant { k } else { lines };
                (rounds / times).max(2)
            }
        }
    }

    fn most(self) -> u32 {
        match self {
            Rounds::Always(rounds) | Rounds::Worth(rounds) => rounds,
        }
    }
}

/// A sweep over distinct addresses.
struct Sweep<'a> {
    experiment: &'static str,
    /// Size of the launches, apart from the rounds.
    shape: Size,
    /// Rounds of the shorter launch.
    rounds: Rounds,
    /// Distinct addresses, rising.
    ks: &'a [u32],
}

fn divergence(
    sweep: &Sweep<'_>,
    path: Path,
    distance: u32,
    spread: Spread,
    buffers: &Buffers,
    rows: &mut Rows,
) -> Series {
    let Sweep { experiment, shape, rounds, ks } = *sweep;
    let (id, label) = match spread {
        Spread::Interleaved => {
            (format!("{}-{distance}", path.id()), format!("{}, {distance} B apart", path.label()))
        }
        Spread::Halves => (
            format!("{}-halves", path.id()),
            format!("{}, {distance} B apart, neighbours together", path.label()),
        ),
    };
    let points = ks.iter().map(|&k| {
        let shape = Size { rounds: rounds.of(path, k, distance), ..shape };
        let starts = starts(k, distance, spread);
        let row = rows.row(starts);
        let table = if path == Path::Constant { None } else { Some(buffers.identity) };
        Point {
            x: f64::from(k),
            writes: Vec::new(),
            work: Workload::Launch(launch(
                path,
                Size { rounds: 2 * shape.rounds, ..shape },
                row,
                table,
                buffers,
            )),
            quantity: Quantity::Difference {
                shorter: launch(path, shape, row, table, buffers),
                // Warp-loads of one multiprocessor: one for the single warp, and for the full chip those of its two
                // blocks (all warps of the chip, divided by its multiprocessors).
                units: f64::from(shape.rounds * LOADS * warps_per_multiprocessor(shape)),
            },
            // In the identity table a chase ends where it began.
            check: Some(ends(format!("{experiment}/{id}"), buffers.output, shape.grid * shape.block, starts)),
            profiled: PROFILED.contains(&k),
        }
    });
    let points = points.collect();
    Series { id, label, reference: false, points }
}

fn warps_per_multiprocessor(shape: Size) -> u32 {
    if shape.grid == 1 { shape.block / LANES } else { 2 * shape.block / LANES }
}

fn rings(path: Path, sizes: &[u32], target: Target, start: u64, host: Host, buffers: &Buffers) -> Series {
    let table = if path == Path::Constant { None } else { Some(buffers.ring) };
    let points = sizes.iter().map(|&bytes| {
        let entries = bytes / STRIDE;
        // The shorter launch makes whole trips (its first is the cold one), the longer one as many in addition.
        let trips = if host.measured { 4 } else { 1 };
        let rounds = (trips * entries).div_ceil(LOADS).max(if host.measured { 64 } else { 1 });
        let shape = Size { grid: 1, block: LANES, rounds };
        let end = (2 * rounds * LOADS % entries) * STRIDE;
        Point {
            x: f64::from(bytes),
            writes: vec![Write { target, offset: 0, data: Data::U32(ring(bytes, STRIDE)) }],
            work: Workload::Launch(launch(path, Size { rounds: 2 * rounds, ..shape }, start, table, buffers)),
            quantity: Quantity::Difference {
                shorter: launch(path, shape, start, table, buffers),
                units: f64::from(rounds * LOADS),
            },
            check: Some(ends(
                format!("working-set/{}", path.id()),
                buffers.output,
                LANES,
                [end; LANES as usize],
            )),
            profiled: [1 << 10, 1 << 12, 1 << 14, 1 << 16].contains(&bytes),
        }
    });
    let points = points.collect();
    Series::new(path.id(), path.label(), points)
}

/// Trips through rings that the first cache does not hold, by the distance of their entries: what else a miss brings in,
/// later loads find. Nothing is in L1 when a launch begins, so it is the first trip there, of which the shorter launch makes
/// half; the rings of constants are larger than their first cache, and it is the second trip.
fn fill(table: Target, start: u64, buffers: &Buffers) -> Experiment {
    let series = |path: Path, target: Target, rounds: u32, strides: &[u32]| {
        let of = |rounds| {
            let ring = (path != Path::Constant).then_some(buffers.ring);
            launch(path, Size { grid: 1, block: LANES, rounds }, start, ring, buffers)
        };
        let point = |&stride: &u32| Point {
            x: f64::from(stride),
            writes: vec![Write { target, offset: 0, data: Data::U32(ring(FILLED * stride, stride)) }],
            work: Workload::Launch(of(rounds)),
            quantity: Quantity::Difference { shorter: of(rounds / 2), units: f64::from(rounds / 2 * LOADS) },
            check: Some(ends(format!("fill/{}", path.id()), buffers.output, LANES, [0; LANES as usize])),
            profiled: true,
        };
        Series::new(path.id(), path.label(), strides.iter().map(point).collect())
    };
    let trip = FILLED / LOADS;
    Experiment {
        id: "fill",
        title: "Loads along a ring too large for the first cache, by distance of entries",
        x: Axis::new("distance", "B", Scale::Log2),
        y: Axis::new("time per load", "ns", Scale::Linear),
        series: vec![
            series(Path::ReadOnly, Target::Buffer(buffers.ring), trip, &FILL_STRIDES),
            // The first ring would fit into the cache.
            series(Path::Constant, table, 2 * trip, &FILL_STRIDES[1..]),
        ],
    }
}

fn launch(path: Path, shape: Size, start: u64, table: Option<BufferId>, buffers: &Buffers) -> Launch {
    let mut args = vec![
        Arg::Buffer { buffer: buffers.starts, offset: start },
        Arg::Buffer { buffer: buffers.output, offset: 0 },
        // At most a few thousand.
        Arg::I32(shape.rounds as i32),
    ];
    args.extend(table.map(|buffer| Arg::Buffer { buffer, offset: 0 }));
    let mut shared_bytes = 0;
    if path == Path::Shared {
        args.push(Arg::I32(SHARED_WORDS as i32));
        shared_bytes = 4 * SHARED_WORDS;
    }
    let (grid, block) = ([shape.grid, 1, 1], [shape.block, 1, 1]);
    Launch::new(&kernels::CHASE, path.kernel(), grid, block, args).with_shared(shared_bytes)
}

/// One warp that goes one round, with starts, ends and table in these buffers.
pub(super) fn one_round(path: Path, [starts, output, table]: [BufferId; 3]) -> Launch {
    let buffers = Buffers { starts, output, identity: table, ring: table };
    let shape = Size { grid: 1, block: LANES, rounds: 1 };
    launch(path, shape, 0, (path != Path::Constant).then_some(table), &buffers)
}

/// Every thread's chase ended where its lane's must.
fn ends(id: String, output: BufferId, threads: u32, lanes: [u32; LANES as usize]) -> Expectation {
    Expectation {
        id,
        what: "each chase ends where the table leads it".to_owned(),
        of: Target::Buffer(output),
        judge: Arc::new(move |words| {
            let (inside, after) = words.split_at(threads as usize);
            // Warp by warp first: comparing slices is fast in every profile.
            let warps = inside.chunks(lanes.len());
            let wrong = warps.enumerate().find_map(|(warp, ends)| {
                let differs = || ends.iter().zip(&lanes).position(|(end, expected)| end != expected);
                if ends == &lanes[..ends.len()] { None } else { Some(warp * lanes.len() + differs()?) }
            });
            if let Some(at) = wrong {
                let (end, expected) = (inside[at], lanes[at % lanes.len()]);
                return Finding::bad(format!("thread {at} ended at byte {end:#x}, not at {expected:#x}"));
            }
            if reference::outputs::first_other(after, crate::plan::POISON).is_some() {
                return Finding::bad("something was written beyond the outputs");
            }
            Finding::good(format!("{0} of {0} threads right", render::format::count(u64::from(threads))))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(measured: bool, scope: Scope) -> Plan {
        let mut made = Plan::default();
        plan(&mut made, Host { multiprocessors: 132, measured }, scope);
        made
    }

    #[test]
    fn a_short_run_has_every_point_that_is_profiled_and_both_ends() {
        assert!(PROFILED.iter().all(|k| SHORT.contains(k)));
        assert!(SHORT.is_sorted() && (SHORT[0], SHORT[SHORT.len() - 1]) == (1, LANES));
    }

    #[test]
    fn a_warp_asks_for_as_many_addresses_as_the_point_says() {
        for spread in [Spread::Interleaved, Spread::Halves] {
            for k in 1..=LANES {
                let mut distinct = starts(k, 64, spread).to_vec();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len() as u32, k, "{spread:?}");
            }
        }
        assert_eq!(starts(2, 4, Spread::Halves)[15..17], [0, 4]);
    }

    #[test]
    fn a_ring_visits_each_entry_once_before_it_closes() {
        let sizes = Sizes { largest: 4 * WORDS, steps: 4, fine: None }.list();
        let all = sizes.into_iter().map(|bytes| (bytes, STRIDE));
        for (bytes, stride) in all.chain(FILL_STRIDES.map(|stride| (FILLED * stride, stride))) {
            let ring = ring(bytes, stride);
            let mut at = 0;
            for step in 1..=bytes / stride {
                at = ring[at as usize / 4];
                assert_eq!(at == 0, step == bytes / stride, "{bytes} {stride}");
            }
        }
    }

    #[test]
    fn ring_sizes_rise_in_whole_strides_to_the_largest() {
        let sizes = Sizes { largest: 1 << 16, steps: 4, fine: Some((1024..=2048, STRIDE)) }.list();
        assert_eq!((sizes[0], sizes.last()), (256, Some(&65536)));
        assert!(sizes.windows(2).all(|w| w[0] < w[1]) && sizes.iter().all(|s| s.is_multiple_of(STRIDE)));
        let fine: Vec<_> = sizes.into_iter().filter(|size| (1024..=2048).contains(size)).collect();
        assert!(fine.windows(2).all(|w| w[1] - w[0] == STRIDE) && fine.len() == 17);
    }

    #[test]
    fn what_a_miss_brings_in_is_asked_on_a_first_trip_through_l1_and_a_second_through_constants() {
        let plan = planned(true, Scope::Full);
        let fill = plan.experiments.iter().find(|e| e.id == "fill").unwrap();
        for (series, [longer, shorter]) in
            fill.series.iter().zip([[FILLED, FILLED / 2], [2 * FILLED, FILLED]])
        {
            for point in &series.points {
                let Quantity::Difference { shorter: less, units } = &point.quantity else {
                    panic!("a difference")
                };
                let loads = |launch: &Launch| match launch.args[2] {
                    Arg::I32(rounds) => rounds as u32 * LOADS,
                    _ => 0,
                };
                let all = point.work.launches().map(loads).sum::<u32>();
                assert_eq!((all, loads(less), *units), (longer, shorter, f64::from(longer - shorter)));
            }
        }
    }

    #[test]
    fn every_start_row_and_output_is_in_its_buffer() {
        for (measured, scope) in
            [(false, Scope::Full), (true, Scope::Full), (false, Scope::Short), (false, Scope::Quick)]
        {
            let plan = planned(measured, scope);
            for launch in plan.launches() {
                let [Arg::Buffer { buffer: starts, offset }, Arg::Buffer { buffer: output, .. }, ..] =
                    launch.args[..]
                else {
                    panic!("a chase begins with its starts and its output")
                };
                let bytes = |id| plan.buffers.get(id).map_or(0, |buffer| buffer.shape.packed());
                assert!(offset + 128 <= bytes(starts));
                assert!(u64::from(4 * launch.grid[0] * launch.block[0]) <= bytes(output));
            }
        }
    }

    #[test]
    fn the_longer_launch_repeats_the_shorter_one_s_trips() {
        for point in planned(true, Scope::Full).points() {
            let Quantity::Difference { shorter, units } = &point.quantity else {
                panic!("a chase is a difference")
            };
            let longer = point.work.launches().next().map(|launch| &launch.args[2]);
            let (Some(Arg::I32(long)), Arg::I32(short)) = (longer, &shorter.args[2]) else {
                panic!("rounds")
            };
            assert_eq!(*long, 2 * short);
            assert!(*units > 0.0);
        }
    }

    #[test]
    fn the_dearer_a_load_the_fewer_rounds() {
        let of = |path, k, distance| Rounds::Worth(32).of(path, k, distance);
        assert_eq!(
            (of(Path::Constant, 1, 4), of(Path::Constant, 8, 4), of(Path::Constant, 32, 4)),
            (32, 4, 2)
        );
        assert_eq!(
            (of(Path::Shared, 32, 4), of(Path::Shared, 8, 64), of(Path::ReadOnly, 8, 256)),
            (32, 8, 4)
        );
    }

    #[test]
    fn a_chase_that_ends_elsewhere_is_caught() {
        let output = Plan::default().buffer("ends", Allocation::Linear { bytes: 0 }, None);
        let expected = ends("x".into(), output, 64, starts(2, 4, Spread::Interleaved));
        let mut words: Vec<u32> = (0..64).map(|t| t % 2 * 4).collect();
        words.extend([crate::plan::POISON; 4]);
        assert!((expected.judge)(&words).passed);
        words[33] = 0;
        assert!(!(expected.judge)(&words).passed);
        words[33] = 4;
        words[65] = 0;
        assert!(!(expected.judge)(&words).passed);
    }
}
