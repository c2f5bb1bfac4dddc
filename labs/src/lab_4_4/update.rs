//! New values for a kernel before each launch: the cost of a copy to a symbol, from the host and from device memory,
//! and that of copy and launch together, compared with an argument and a pointer.

use crate::plan::{
    Allocation, Arg, BufferId, Data, Direction, Expectation, Experiment, Finding, HostMemory, Launch, Plan,
    Point, Quantity, Series, Step, Target, Transfer, Trial, Until, Workload, Write,
};
use record::{Axis, Parameter, Scale};
use std::sync::Arc;

/// Size of the constant memory of a module, bytes.
const MOST: u64 = 65_536;

/// The sizes of copies, bytes; 20 is the source's.
const COPIES: [u64; 9] = [4, 20, 64, 256, 1024, 4096, 16_384, 32_768, MOST];
const QUICK_COPIES: [u64; 3] = [20, 4096, MOST];

/// Values for a kernel, bytes, and the kernel that takes that many as an argument.
const UPDATES: [(u64, Option<&str>); 7] = [
    (16, Some("look_argument_4")),
    (64, Some("look_argument_16")),
    (256, Some("look_argument_64")),
    (1024, Some("look_argument_256")),
    (4000, Some("look_argument_1000")),
    (16_384, None),
    (MOST, None),
];

/// Outputs of one launch: one warp, one word a thread.
const OUT: usize = 32;

#[derive(Clone, Copy)]
struct Places {
    /// Two sets of values, one after the other.
    values: BufferId,
    /// Outputs of two launches.
    out: BufferId,
}

/// Adds what is measured, and what is tried.
pub(super) fn plan(plan: &mut Plan, seed: u64, quick: bool, measured: bool) {
    let words: Arc<[u32]> =
        reference::input::uniform(2 * (MOST / 4) as usize, seed).iter().map(|v| v.to_bits()).collect();
    let places = Places {
        values: plan.buffer("values", Allocation::Linear { bytes: 2 * MOST }, Some(Data::U32(words.clone()))),
        out: plan.buffer("looked at", Allocation::Linear { bytes: 8 * OUT as u64 }, None),
    };
    copies(plan, places, quick, measured);
    updates(plan, places, &words, quick);
    changes(plan, places, &words);
    plan.parameters.insert("constant_bytes".to_owned(), Parameter::Integer(MOST));
}

/// The copy alone: from the host until the call returns and until the bytes are there, and on the device.
fn copies(plan: &mut Plan, places: Places, quick: bool, measured: bool) {
    let sizes: &[u64] = if quick { &QUICK_COPIES } else { &COPIES };
    let from_host = |memory, until| {
        move |bytes| Workload::SymbolTransfer {
            transfer: Transfer { direction: Direction::ToDevice, memory, bytes },
            source: &kernels::UPDATE,
            name: "table",
            until,
        }
    };
    let on_device = |bytes| Workload::Steps(vec![to_symbol(places, 0, bytes)]);
    let series = |id: &str, label: &str, work: &dyn Fn(u64) -> Workload| Series {
        id: id.to_owned(),
        label: label.to_owned(),
        reference: false,
        points: sizes
            .iter()
            .map(|&bytes| Point {
                x: bytes as f64,
                writes: vec![],
                work: work(bytes),
                quantity: Quantity::Time { per: 1.0 },
                check: None,
                profiled: false,
            })
            .collect(),
    };
    let mut all = Vec::new();
    for (id, label, memory) in [
        ("host", "from the host, pageable memory", HostMemory::Pageable),
        ("host-pinned", "from the host, pinned memory", HostMemory::Pinned),
    ] {
        all.push(series(id, label, &from_host(memory, Until::Arrived)));
        if measured {
            let (id, label) = (format!("{id}-returns"), format!("{label}: until the call returns"));
            all.push(series(&id, &label, &from_host(memory, Until::Returned)));
        }
    }
    all.push(series("device", "from device memory", &on_device));
    if !measured {
        plan.notes.push(
            "the model knows when a copy's bytes are there, and not when its call returns: those times are left out"
                .to_owned(),
        );
    }
    plan.experiments.push(Experiment {
        id: "copy",
        title: "Time of a copy to a symbol by its size",
        x: Axis::new("size", "B", Scale::Log2),
        y: Axis::new("time", "ns", Scale::Linear),
        series: all,
    });
}

fn to_symbol(places: Places, from: u64, bytes: u64) -> Step {
    Step::ToSymbol {
        module: &kernels::UPDATE,
        name: "table".to_owned(),
        offset: 0,
        from: places.values,
        from_offset: from,
        bytes,
    }
}

/// Method by which values reach the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// The values are in the constant variable already.
    Unchanged,
    /// The values are copied to the variable from device memory.
    Copied,
    /// The values are an argument.
    Argument,
    /// The values are in device memory, and the kernel has a pointer.
    Pointer,
}

const METHODS: [(Method, &str, &str); 4] = [
    (Method::Unchanged, "none", "launch alone, constants as they were"),
    (Method::Copied, "device", "copy from device memory to the symbol, then launch"),
    (Method::Argument, "argument", "launch with the values as an argument"),
    (Method::Pointer, "pointer", "launch with a pointer to device memory"),
];

impl Method {
    /// The steps that give a kernel `bytes` of values, those from byte `from` of the buffer on, and write its `nth`
    /// output.
    fn steps(
        self,
        places: Places,
        words: &[u32],
        (bytes, argument): (u64, Option<&'static str>),
        from: u64,
        nth: u64,
    ) -> Option<Vec<Step>> {
        let out = Arg::Buffer { buffer: places.out, offset: 4 * OUT as u64 * nth };
        let count = Arg::I32((bytes / 4) as i32);
        let launch = |kernel, args| {
            Step::Launch(Launch::new(&kernels::UPDATE, kernel, [1, 1, 1], [OUT as u32, 1, 1], args))
        };
        let constant = |out, count| launch("look_constant", vec![out, count]);
        Some(match self {
            Method::Unchanged => vec![constant(out, count)],
            Method::Copied => vec![to_symbol(places, from, bytes), constant(out, count)],
            Method::Argument => {
                let values = &words[(from / 4) as usize..][..(bytes / 4) as usize];
                vec![launch(argument?, vec![out, Arg::Struct(values.iter().map(|&v| Arg::U32(v)).collect())])]
            }
            Method::Pointer => {
                vec![launch(
                    "look_pointer",
                    vec![out, count, Arg::Buffer { buffer: places.values, offset: from }],
                )]
            }
        })
    }
}

/// Values that a kernel must have found: the same sum of four words in each of its outputs.
fn sum(words: &[u32], bytes: u64, from: u64) -> u32 {
    let words = &words[(from / 4) as usize..][..(bytes / 4) as usize];
    let n = words.len();
    [0, n / 3, n / 2, n - 1].iter().fold(0u32, |sum, &at| sum.wrapping_add(words[at]))
}

fn looked(words: &[u32], expected: &[u32]) -> Finding {
    for (nth, (found, expected)) in words.chunks(OUT).zip(expected).enumerate() {
        if let Some(thread) = found.iter().position(|word| word != expected) {
            return Finding::bad(format!(
                "launch {nth}, thread {thread}: {:#010x} and not {expected:#010x}",
                found[thread]
            ));
        }
    }
    Finding::good(format!("{} sums of the new values", OUT * expected.len()))
}

/// Copy and launch.
fn updates(plan: &mut Plan, places: Places, words: &Arc<[u32]>, quick: bool) {
    let sizes = || UPDATES.into_iter().filter(|&(bytes, _)| !quick || [16, 4000].contains(&bytes));
    let series = METHODS.map(|(method, id, label)| {
        let points = sizes().filter_map(|size| {
            let (bytes, _) = size;
            let mut steps = method.steps(places, words, size, 0, 0)?;
            let work = match steps.pop() {
                Some(Step::Launch(launch)) if steps.is_empty() => Workload::Launch(launch),
                last => {
                    steps.extend(last);
                    Workload::Steps(steps)
                }
            };
            let expected = sum(words, bytes, 0);
            let table = Data::U32(words[..(bytes / 4) as usize].into());
            Some(Point {
                x: bytes as f64,
                writes: match method {
                    Method::Unchanged => {
                        vec![Write {
                            target: Target::Symbol { source: &kernels::UPDATE, name: "table" },
                            offset: 0,
                            data: table,
                        }]
                    }
                    _ => vec![],
                },
                work,
                quantity: Quantity::Time { per: 1.0 },
                check: Some(Expectation {
                    id: format!("update/{id}/{bytes}"),
                    what: "every thread finds the sum of four of the new values".to_owned(),
                    of: Target::Buffer(places.out),
                    judge: Arc::new(move |words| looked(&words[..OUT], &[expected])),
                }),
                profiled: false,
            })
        });
        Series {
            id: id.to_owned(),
            label: label.to_owned(),
            reference: method == Method::Unchanged,
            points: points.collect(),
        }
    });
    plan.experiments.push(Experiment {
        id: "update",
        title: "Time of a launch with new values by their size",
        x: Axis::new("size", "B", Scale::Log2),
        y: Axis::new("time", "ns", Scale::Linear),
        series: series.into(),
    });
}

/// Two launches, each after a change of the values, with no word from the host in between: each must see its own.
fn changes(plan: &mut Plan, places: Places, words: &Arc<[u32]>) {
    for (method, id, _) in METHODS.into_iter().filter(|(method, ..)| *method != Method::Unchanged) {
        for size in UPDATES {
            let (bytes, _) = size;
            let both = method
                .steps(places, words, size, 0, 0)
                .and_then(|first| Some([first, method.steps(places, words, size, MOST, 1)?].concat()));
            let Some(steps) = both else { continue };
            let expected = [sum(words, bytes, 0), sum(words, bytes, MOST)];
            plan.trials.push(Trial {
                writes: vec![],
                work: Workload::Steps(steps),
                check: Expectation {
                    id: format!("change/{id}"),
                    what: "of two launches, each sees the values that were given just before it".to_owned(),
                    of: Target::Buffer(places.out),
                    judge: Arc::new(move |words| looked(words, &expected)),
                },
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Places {
        let mut plan = Plan::default();
        let [values, out] = ["values", "out"].map(|name| plan.buffers.linear(name, MOST));
        Places { values, out }
    }

    #[test]
    fn every_copy_of_the_plan_is_one_to_the_symbol() {
        let copies_of = |measured| {
            let mut made = Plan::default();
            plan(&mut made, 5, false, measured);
            let copies = made.experiments.into_iter().find(|experiment| experiment.id == "copy").unwrap();
            for point in copies.series.iter().flat_map(|series| &series.points) {
                let to_table = match &point.work {
                    Workload::SymbolTransfer { transfer, name, .. } => {
                        *name == "table" && transfer.bytes as f64 == point.x
                    }
                    Workload::Steps(steps) => {
                        matches!(&steps[..], [Step::ToSymbol { name, .. }] if name == "table")
                    }
                    Workload::Launch(_)
                    | Workload::Transfer(_)
                    | Workload::Allocate { .. }
                    | Workload::Free { .. }
                    | Workload::Pitch { .. }
                    | Workload::Resident(_) => false,
                };
                assert!(to_table, "{point:?}");
            }
            copies.series.into_iter().map(|series| series.id).collect::<Vec<_>>()
        };
        assert_eq!(copies_of(false), ["host", "host-pinned", "device"]);
        let with_returns = ["host", "host-returns", "host-pinned", "host-pinned-returns", "device"];
        assert_eq!(copies_of(true), with_returns);
    }

    #[test]
    fn the_copy_comes_before_the_launch() {
        let steps = Method::Copied.steps(places(), &[], (64, None), 8, 0).unwrap();
        assert!(
            matches!(steps[..], [Step::ToSymbol { bytes: 64, from_offset: 8, .. }, Step::Launch(_)]),
            "{steps:?}"
        );
    }

    #[test]
    fn an_argument_holds_as_many_words_as_its_kernel_takes() {
        let words = vec![7; 20_000];
        for size in UPDATES {
            let steps = Method::Argument.steps(places(), &words, size, 0, 0);
            let Some([Step::Launch(launch)]) = steps.as_deref() else {
                assert!(size.0 > 4000 && steps.is_none());
                continue;
            };
            let Some(Arg::Struct(fields)) = launch.args.last() else { panic!("{launch:?}") };
            assert_eq!(launch.kernel, format!("look_argument_{}", fields.len()));
            assert_eq!(4 * fields.len() as u64, size.0);
        }
    }

    #[test]
    fn a_stale_value_is_found() {
        let words: Vec<u32> = (0..100).collect();
        let (old, new) = (sum(&words, 40, 0), sum(&words, 40, 200));
        assert_eq!((old, new), (3 + 5 + 9, 50 + 53 + 55 + 59));
        let out = |first: u32, second: u32| [[first; OUT], [second; OUT]].concat();
        assert!(looked(&out(old, new), &[old, new]).passed);
        assert_eq!(
            looked(&out(old, old), &[old, new]),
            Finding::bad("launch 1, thread 0: 0x00000011 and not 0x000000d9")
        );
    }
}
