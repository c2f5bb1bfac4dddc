//! The GPU's own counters, through Nsight Compute.
//!
//! The lab runs itself again under `ncu`, in a mode that makes each profiled point's launch exactly once, and reads the
//! CSV that ncu writes. Enters: the plan, the CSV. Leaves: counters by the point's position. Rows are matched by order
//! and by kernel, grid and block; anything that does not match is an error, never a guess.

use crate::args::NcuChoice;
use crate::plan::{Launch, Plan, recorded};
use anyhow::{Context, Result, anyhow, bail};
use counters::Counter;
use record::Counters;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::process::{Command, Stdio};

/// Counters that ncu is asked for.
fn profiled() -> impl Iterator<Item = &'static Counter> {
    counters::ALL.iter().filter(|counter| counter.profiled)
}

/// Name under which ncu knows a counter's value for a launch: the sum, where the catalogue does not say otherwise.
fn asked(counter: &Counter) -> Option<String> {
    counter
        .metric
        .map(|metric| if metric.contains('.') { metric.to_owned() } else { format!("{metric}.sum") })
}

/// Checks that Nsight Compute can count, where it must.
///
/// # Errors
/// Nsight Compute is not installed, or there is no GPU to count on.
pub(crate) fn required(measured: bool) -> Result<()> {
    let found = Command::new("ncu").arg("--version").stdin(Stdio::null()).output();
    match found {
        Ok(output) if output.status.success() => {}
        Ok(output) => bail!("--ncu always: `ncu --version` ended with {}; {INSTALL}", output.status),
        Err(error) if error.kind() == ErrorKind::NotFound => bail!("--ncu always: {MISSING}; {INSTALL}"),
        Err(error) => bail!("--ncu always: ncu could not be started: {error}; {INSTALL}"),
    }
    if !measured {
        bail!(
            "--ncu always: Nsight Compute counts only on a GPU, but this runs on the embedded device; leave it out"
        );
    }
    Ok(())
}

/// Why there is no profile, and what to do.
const MISSING: &str = "Nsight Compute (`ncu`) is not on the PATH";
const INSTALL: &str = "install Nsight Compute (it comes with the CUDA toolkit, and on its own from \
                       https://developer.nvidia.com/nsight-compute) and put its folder on the PATH, or leave --ncu out";

/// Counters of the profiled points, by the point's position in the plan, and a line if there are none.
///
/// # Errors
/// ncu was requested and is missing or fails; or its output does not fit the plan.
pub(crate) fn counters(
    choice: NcuChoice,
    plan: &Plan,
) -> Result<(BTreeMap<usize, Counters>, Option<String>)> {
    let none = |why: String| Ok((BTreeMap::new(), Some(why)));
    if choice == NcuChoice::Never {
        return Ok((BTreeMap::new(), None));
    }
    if !plan.points().any(|point| point.profiled) {
        // ncu calls it an error to have nothing to count.
        let note = "this run has no launch for Nsight Compute, so it was not started".to_owned();
        return Ok((BTreeMap::new(), (choice == NcuChoice::Always).then_some(note)));
    }
    match profile()? {
        Ok(csv) => Ok((matched(plan, &csv)?, None)),
        Err(why) if choice == NcuChoice::Always => bail!("{why}"),
        Err(why) => none(format!("the GPU's own counters were not read: {why}")),
    }
}

/// Runs this program under ncu. The inner error is why there is no profile; the outer one is a problem of this machine.
fn profile() -> Result<Result<String, String>> {
    let again = program::Again::here().context("finding this program to run it under ncu")?;
    let folder = tempfile::tempdir().context("a folder for ncu's output")?;
    let log = folder.path().join("ncu.csv");
    let metrics = profiled().filter_map(asked).collect::<Vec<_>>().join(",");
    let run = Command::new("ncu")
        // Units and clocks as they are: no scaling by prefixes, no locked clocks.
        .args(["--csv", "--page", "details", "--print-units", "base", "--clock-control", "none"])
        .args(["--kernel-name-base", "function", "--metrics", &metrics, "--log-file"])
        .arg(&log)
        .arg(&again.path)
        .args(again.name)
        .args(program::args().into_iter().skip(1))
        .arg("--once")
        .stdin(Stdio::null())
        .output();
    let run = match run {
        Ok(run) => run,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok(Err(MISSING.to_owned()));
        }
        Err(error) => return Ok(Err(format!("ncu could not be started: {error}"))),
    };
    let text = std::fs::read_to_string(&log).unwrap_or_default();
    if run.status.success() && text.contains("\"Metric Name\"") {
        return Ok(Ok(text));
    }
    let said =
        format!("{text}\n{}\n{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let why = said
        .lines()
        .find(|l| l.contains("==ERROR=="))
        .or_else(|| said.lines().find(|l| !l.trim().is_empty()));
    Ok(Err(format!("ncu ended with {}: {}", run.status, why.unwrap_or("it said nothing"))))
}

/// One profiled launch as ncu saw it.
#[derive(Debug, PartialEq)]
struct ProfiledLaunch {
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    counters: Counters,
}

fn matched(plan: &Plan, csv: &str) -> Result<BTreeMap<usize, Counters>> {
    let seen = read(csv)?;
    let profiled: Vec<(usize, &Launch)> = plan
        .points()
        .enumerate()
        .filter(|(_, point)| point.profiled)
        .flat_map(|(at, point)| point.work.launches().map(move |launch| (at, launch)))
        .collect();
    if seen.len() != profiled.len() {
        bail!("ncu saw {} launches, the plan has {}", seen.len(), profiled.len());
    }
    let mut counters: BTreeMap<usize, Counters> = BTreeMap::new();
    for (nth, ((at, launch), seen)) in profiled.into_iter().zip(seen).enumerate() {
        let planned = recorded(launch);
        if (&planned.kernel, planned.grid, planned.block) != (&seen.kernel, seen.grid, seen.block) {
            bail!(
                "ncu's launch {nth} is `{}` {:?} × {:?}, the plan's is `{}` {:?} × {:?}",
                seen.kernel,
                seen.grid,
                seen.block,
                planned.kernel,
                planned.grid,
                planned.block
            );
        }
        // A point of several launches has their sum.
        let sum = counters.entry(at).or_default();
        for (name, count) in seen.counters {
            *sum.entry(name).or_default() += count;
        }
    }
    Ok(counters)
}

/// The launches of ncu's long format, one row a metric. ncu's own lines (`==PROF== …`) come before the header.
fn read(text: &str) -> Result<Vec<ProfiledLaunch>> {
    let start = text.find("\"ID\"").context("ncu wrote no table")?;
    let table: String =
        text[start..].lines().filter(|l| !l.starts_with("==")).flat_map(|l| [l, "\n"]).collect();
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().context("ncu's header")?.clone();
    let column = |name: &str| {
        header.iter().position(|h| h == name).with_context(|| format!("ncu's table has no column `{name}`"))
    };
    let (id, kernel, metric, value) =
        (column("ID")?, column("Kernel Name")?, column("Metric Name")?, column("Metric Value")?);
    let (grid, block) = (column("Grid Size")?, column("Block Size")?);
    let mut launches: Vec<ProfiledLaunch> = Vec::new();
    let mut last = None;
    for (nth, row) in reader.records().enumerate() {
        let row = row.with_context(|| format!("ncu's row {nth}"))?;
        let cell = |at: usize| row.get(at).unwrap_or_default();
        if last.as_deref() != Some(cell(id)) {
            last = Some(cell(id).to_owned());
            launches.push(ProfiledLaunch {
                // A C++ name has its parameters with it.
                kernel: cell(kernel).split('(').next().unwrap_or_default().trim().to_owned(),
                grid: size(cell(grid))?,
                block: size(cell(block))?,
                counters: Counters::new(),
            });
        }
        let Some(counter) = profiled().find(|c| asked(c).as_deref() == Some(cell(metric))) else {
            continue;
        };
        // A chip that does not have the counter gives `n/a` or nothing.
        let count = cell(value).replace([',', '\u{a0}', ' '], "");
        if let (Ok(count), Some(launch)) = (count.parse::<f64>(), launches.last_mut()) {
            if count < 0.0 || count.fract() != 0.0 {
                bail!("ncu's {} is {count}, which is not a count", cell(metric));
            }
            launch.counters.insert(counter.name.to_owned(), count as u64);
        }
    }
    Ok(launches)
}

/// `(264, 1, 1)`.
fn size(text: &str) -> Result<[u32; 3]> {
    let numbers: Vec<u32> = text
        .trim_matches(['(', ')'])
        .split(',')
        .map(|n| n.trim().parse())
        .collect::<Result<_, _>>()
        .with_context(|| format!("ncu's size `{text}`"))?;
    numbers.try_into().map_err(|_| anyhow!("ncu's size `{text}` is not three numbers"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lab 4.4 has none, on a GPU with ncu too: it ended there with ncu's message that no kernel was profiled.
    #[test]
    fn without_a_launch_to_profile_ncu_is_not_started() {
        for (choice, is_told) in [(NcuChoice::Always, true), (NcuChoice::Auto, false)] {
            let (counters, note) =
                counters(choice, &Plan::default()).unwrap_or_else(|error| panic!("{error:#}"));
            assert!(counters.is_empty() && note.is_some() == is_told, "{note:?}");
        }
    }
    use crate::plan::{Experiment, Point, Quantity, Series, Workload};

    const CSV: &str = r#"==PROF== Connected to process 1
==PROF== Profiling "copy" - 0: 0%....50%....100% - 1 pass
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","1","lab","127.0.0.1","copy","1","7","(256, 1, 1)","(65536, 1, 1)","0","9.0","Command line profiler metrics","l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum","request","524,288"
"0","1","lab","127.0.0.1","copy","1","7","(256, 1, 1)","(65536, 1, 1)","0","9.0","Command line profiler metrics","idc__requests.sum","","n/a"
"0","1","lab","127.0.0.1","copy","1","7","(256, 1, 1)","(65536, 1, 1)","0","9.0","Command line profiler metrics","sm__inst_executed.max","inst","3,972"
"0","1","lab","127.0.0.1","copy","1","7","(256, 1, 1)","(65536, 1, 1)","0","9.0","Command line profiler metrics","smsp__warps_issue_stalled_imc_miss.sum","warp","17"
"1","1","lab","127.0.0.1","chase(int*)","1","7","(32, 1, 1)","(1, 1, 1)","0","9.0","Command line profiler metrics","sm__idc_divergent_instruction_replays.sum","","31"
"#;

    fn plan(kernels: &[(&'static str, u32, u32, bool)]) -> Plan {
        let axis = || record::Axis::new("x", "", record::Scale::Linear);
        let points = kernels.iter().enumerate().map(|(at, &(kernel, grid, block, profiled))| Point {
            x: at as f64,
            writes: vec![],
            work: Workload::Launch(Launch::new(&kernels::EMPTY, kernel, [grid, 1, 1], [block, 1, 1], vec![])),
            quantity: Quantity::Bandwidth { bytes: 1.0 },
            check: None,
            profiled,
        });
        let points = points.collect();
        let series = vec![Series::new("s", "s", points)];
        Plan {
            experiments: vec![Experiment { id: "e", title: "e", x: axis(), y: axis(), series }],
            ..Plan::default()
        }
    }

    #[test]
    fn rows_go_to_the_profiled_points_in_order() -> Result<()> {
        let plan = plan(&[("copy", 65536, 256, true), ("other", 1, 1, false), ("chase", 1, 32, true)]);
        let counters = matched(&plan, CSV)?;
        // Sums, but of one counter the value of the multiprocessor that has most.
        let first =
            [("busiest_instructions", 3972), ("global_load_requests", 524_288), ("stalled_imc_miss", 17)];
        assert_eq!(counters[&0], Counters::from(first.map(|(name, count)| (name.to_owned(), count))));
        assert_eq!(counters[&2], Counters::from([("const_replays".to_owned(), 31)]));
        Ok(())
    }

    #[test]
    fn a_launch_of_another_shape_is_an_error() {
        let plan = plan(&[("copy", 65536, 128, true), ("chase", 1, 32, true)]);
        let Err(error) = matched(&plan, CSV) else { panic!("the block is another") };
        assert!(error.to_string().contains("launch 0"), "{error}");
    }

    #[test]
    fn a_launch_too_few_is_an_error() {
        assert!(matched(&plan(&[("copy", 65536, 256, true)]), CSV).is_err());
    }

    #[test]
    fn text_without_a_table_is_an_error() {
        assert!(read("==ERROR== no permission").is_err());
    }
}
