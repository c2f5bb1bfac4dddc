//! The workbook's own compiler next to NVRTC: what kernels leave and what they count on the embedded device.
//!
//! NVRTC's PTX is the committed one, so no NVRTC is needed here. The findings are a table in the book
//! (`book/evidence/compiler.md`); counters that differ are in `tests/compiler/differs.toml` with their reasons.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use device::{Device, Embedded};
use job::{Expected, Job, Report, Settings, run};
use labs::{Limits, Request};
use record::{Counters, Point, Record};
use render::format::count;
use serde::Deserialize;
use tests::{Result, committed};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Differences of counters by reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    /// The reason, a sentence.
    why: String,
    /// By `file.cu kernel`, the counters.
    differs: BTreeMap<String, BTreeSet<String>>,
}

fn reasons() -> Result<BTreeMap<String, Reason>> {
    Ok(toml::from_str(&std::fs::read_to_string(root().join("tests/compiler/differs.toml"))?)?)
}

/// Names of the counters of memory.
fn memory_counters() -> impl Iterator<Item = &'static str> {
    counters::ALL.iter().filter(|one| one.space.is_some() && one.embedded).map(|one| one.name)
}

/// Kernels of a file, as two compilers made them.
#[derive(Default)]
struct Compared {
    /// Outputs by what was compared, and whether all bits are the same.
    outputs: BTreeMap<String, bool>,
    /// Launches by kernel.
    launches: BTreeMap<String, usize>,
    /// By `file.cu kernel` and counter, where one side is not zero: whether they are equal in every launch.
    pairs: BTreeMap<(String, String), bool>,
}

impl Compared {
    fn launch(&mut self, kernel: &str, theirs: &Counters, ours: &Counters) {
        *self.launches.entry(kernel.to_owned()).or_default() += 1;
        for name in memory_counters() {
            let of = |counters: &Counters| counters.get(name).copied().unwrap_or_default();
            let (theirs, ours) = (of(theirs), of(ours));
            if theirs != 0 || ours != 0 {
                let equal = self.pairs.entry((kernel.to_owned(), name.to_owned())).or_insert(true);
                *equal &= theirs == ours;
            }
        }
    }
}

fn points(record: &Record) -> impl Iterator<Item = &Point> {
    record.experiments.iter().flat_map(|experiment| &experiment.series).flat_map(|series| &series.points)
}

/// A file of NVRTC's build for debugging, which no other compiler can make.
fn is_debug_build(file: &Path) -> Result<bool> {
    Ok(std::fs::read_to_string(file)?.contains("// options: --device-debug"))
}

/// A lab with NVRTC's PTX and with ours.
fn lab(lab: &labs::Lab, compared: &mut Compared) -> Result {
    let parameters = Request::small(lab.sizes, 5).parameters();
    let limits = Limits { instructions: 1 << 34, memory_bytes: 1 << 30 };
    let nvrtc = labs::rerun(lab, &parameters, None, labs::CHIP, limits)?;
    let mut files = vec![];
    for kernel in &nvrtc.kernels {
        let file = root().join("kernels").join(&kernel.file);
        if !is_debug_build(&file)? {
            files.push(file);
        }
    }
    let own = labs::recompiled(lab, &parameters, &files, compile::own, labs::CHIP, limits)?;
    for (theirs, ours) in nvrtc.checks.iter().zip(&own.checks) {
        assert_eq!(theirs.id, ours.id);
        if !theirs.outputs.is_empty() {
            let same = theirs.outputs == ours.outputs && theirs.passed == ours.passed;
            compared.outputs.insert(format!("{} {}", lab.name, theirs.id), same);
        }
    }
    for (theirs, ours) in points(&nvrtc).zip(points(&own)) {
        if let Some(launch) = &theirs.launch {
            compared.launch(&format!("{} {}", lab.name, launch.kernel), &theirs.counters, &ours.counters);
        }
    }
    Ok(())
}

/// A job in a folder of its own, with the module's PTX replaced.
fn with_ptx(path: &Path, ptx: &str, folder: &Path) -> Result<PathBuf> {
    let beside = path.parent().ok_or("a job is in a folder")?;
    for entry in std::fs::read_dir(beside)? {
        let entry = entry?.path();
        let name = entry.file_name().ok_or("no name")?;
        if entry.extension().is_none_or(|extension| extension != "ptx") {
            std::fs::copy(&entry, folder.join(name))?;
        }
    }
    let name = path.file_name().ok_or("no name")?;
    let module = module(path)?;
    std::fs::write(folder.join(module), ptx)?;
    Ok(folder.join(name))
}

/// The `module` of a job file.
fn module(path: &Path) -> Result<String> {
    let job: toml::Table = toml::from_str(&std::fs::read_to_string(path)?)?;
    Ok(job.get("module").and_then(toml::Value::as_str).ok_or("a job without a module")?.to_owned())
}

/// What a job reports.
fn report(path: &Path) -> Result<Report> {
    let job = Job::read(path, Expected::Compare)?;
    let mut device = Embedded::new(labs::CHIP)?;
    device.options().budget = 1 << 26;
    Ok(run(&job, &mut device as &mut dyn Device, &Settings::default(), &mut |_| {}))
}

/// The line of a text that says what is wrong, without folders.
fn first_error(text: &str) -> String {
    let line =
        text.lines().map(str::trim).find(|line| line.starts_with("error")).or_else(|| text.lines().next());
    line.unwrap_or_default().replace(&format!("{}/", root().display()), "")
}

/// What became of a program of `tests/programs`.
enum Program {
    /// It does not compile, for this reason.
    Refused(String),
    /// It compiled, and its outputs or faults are those that are expected, or not.
    Ran(std::result::Result<(), String>),
}

/// PTX of our compiler for the architecture that other PTX is for, or the first error.
fn ours(source: &Path, theirs: &str) -> Result<std::result::Result<String, String>> {
    let target =
        theirs.lines().find_map(|line| line.strip_prefix(".target sm_")).ok_or("PTX without a target")?;
    let arch = target.split([',', ' ']).next().unwrap_or_default().parse()?;
    let text = std::fs::read_to_string(source)?;
    let folder = source.parent().ok_or("a source is in a folder")?;
    let include = |name: &str| std::fs::read_to_string(folder.join(name)).ok().map(cuda::Header::from);
    let name = source.file_name().ok_or("no name")?.to_string_lossy();
    let input = cuda::Input { name: &name, text: &text, include: &include };
    Ok(match cuda::compile(&input, &cuda::Options { arch, ..cuda::Options::default() }) {
        Ok(output) => Ok(output.ptx),
        Err(failure) => {
            Err(first_error(&cuda::diagnostic::render(&failure.diagnostics, &failure.sources, false)))
        }
    })
}

/// The job of a `.cu` that runs the PTX of the compiler that made most: the one without a compiler's name.
fn program(source: &Path) -> Result<Option<Program>> {
    let path = source.with_extension("toml");
    if !path.is_file() || is_debug_build(source)? {
        return Ok(None);
    }
    let ptx = match ours(source, &std::fs::read_to_string(path.with_extension("ptx"))?)? {
        Ok(ptx) => ptx,
        Err(why) => return Ok(Some(Program::Refused(why))),
    };
    let folder = tempfile::tempdir()?;
    let theirs = report(&path)?;
    let job = with_ptx(&path, &ptx, folder.path())?;
    let ours = report(&job)?;
    let kind = |report: &Report| report.fault().map(|fault| fault.kind);
    let same = kind(&theirs) == kind(&ours) && theirs.exit_code() == ours.exit_code();
    let found = if same { Ok(()) } else { Err(first_error(&ours.to_string())) };
    Ok(Some(Program::Ran(found)))
}

/// Every `.cu` of `tests/programs`, by its name, in order.
fn programs() -> Result<BTreeMap<String, Program>> {
    let mut found = BTreeMap::new();
    for folder in std::fs::read_dir(root().join("tests/programs"))? {
        let folder = folder?.path();
        if !folder.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(&folder)? {
            let file = file?.path();
            if file.extension().is_some_and(|extension| extension == "cu")
                && let Some(program) = program(&file)?
            {
                let name = file.strip_prefix(root().join("tests/programs"))?.with_extension("");
                found.insert(name.display().to_string(), program);
            }
        }
    }
    Ok(found)
}

/// Counters that differ and are in no list, and those of the list that do not.
fn unexplained(compared: &Compared, reasons: &BTreeMap<String, Reason>) -> Vec<String> {
    let listed: BTreeSet<(String, String)> = reasons
        .values()
        .flat_map(|reason| &reason.differs)
        .flat_map(|(kernel, counters)| counters.iter().map(move |counter| (kernel.clone(), counter.clone())))
        .collect();
    let differing: BTreeSet<(String, String)> =
        compared.pairs.iter().filter(|(_, equal)| !**equal).map(|(pair, _)| pair.clone()).collect();
    let words = |(kernel, counter): &(String, String), what: &str| format!("{kernel}: {counter} {what}");
    let missing = differing.difference(&listed).map(|pair| words(pair, "differs, and no reason is given"));
    let stale = listed.difference(&differing).map(|pair| words(pair, "is equal now"));
    missing.chain(stale).collect()
}

fn table(
    compared: &Compared,
    reasons: &BTreeMap<String, Reason>,
    programs: &BTreeMap<String, Program>,
) -> Result<String> {
    let mut text = String::new();
    let equal = compared.pairs.values().filter(|equal| **equal).count();
    let same = compared.outputs.values().filter(|same| **same).count();
    writeln!(text, "<!-- Written by tests/tests/compiler.rs. -->\n")?;
    writeln!(text, "| kernels of the labs | found |\n| --- | ---: |")?;
    writeln!(text, "| kernels launched | {} |", compared.launches.len())?;
    writeln!(text, "| launches compared | {} |", compared.launches.values().sum::<usize>())?;
    writeln!(text, "| outputs with the same bits | {same} of {} |", compared.outputs.len())?;
    let percent = 100.0 * equal as f64 / compared.pairs.len().max(1) as f64;
    writeln!(
        text,
        "| pairs of kernel and memory counter that are equal in every launch | {equal} of {} ({percent:.1} %) |\n",
        compared.pairs.len()
    )?;
    for reason in reasons.values() {
        writeln!(text, "{}\n", reason.why)?;
        for (kernel, counters) in &reason.differs {
            let counters: Vec<String> = counters.iter().map(|counter| format!("`{counter}`")).collect();
            writeln!(text, "- `{kernel}`: {}", counters.join(", "))?;
        }
        writeln!(text)?;
    }
    let compiled = programs.values().filter(|one| matches!(one, Program::Ran(_))).count();
    let right = programs.values().filter(|one| matches!(one, Program::Ran(Ok(())))).count();
    writeln!(text, "| programs in CUDA C of `tests/programs` | found |\n| --- | ---: |")?;
    writeln!(
        text,
        "| programs | {} |\n| compiled | {compiled} |\n| of those, right | {right} |\n",
        programs.len()
    )?;
    for (name, program) in programs {
        match program {
            Program::Refused(why) => writeln!(text, "- `{name}`: {why}")?,
            Program::Ran(_) => {}
        }
    }
    Ok(text)
}

/// Times of the labs' launches on a GPU, as `scripts/compiler-times` measured them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Times {
    when: String,
    device: MeasuredDevice,
    launches: Vec<Timed>,
}

#[derive(Deserialize)]
struct MeasuredDevice {
    name: String,
    driver: String,
}

/// A launch by both compilers' PTX.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Timed {
    lab: String,
    kernel: String,
    #[serde(rename = "experiment")]
    _experiment: String,
    #[serde(rename = "series")]
    _series: String,
    #[serde(rename = "x")]
    _x: f64,
    nvrtc_ns: f64,
    own_ns: f64,
}

/// A ratio in percent.
fn share(ratio: f64) -> String {
    format!("{:.1}\u{a0}%", 100.0 * ratio)
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp()
}

/// Times by kernel: the geometric mean over its launches, our compiler's by NVRTC's.
fn times_table() -> Result<String> {
    let times: Times =
        serde_json::from_str(&std::fs::read_to_string(root().join("tests/compiler/times.json"))?)?;
    let mut kernels: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for one in &times.launches {
        kernels.entry((one.lab.clone(), one.kernel.clone())).or_default().push(one.own_ns / one.nvrtc_ns);
    }
    let means: BTreeMap<&(String, String), f64> =
        kernels.iter().map(|(kernel, ratios)| (kernel, geometric_mean(ratios))).collect();
    let mut labs: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for ((lab, _), mean) in &means {
        labs.entry(lab).or_default().push(*mean);
    }
    let all: Vec<f64> = means.values().copied().collect();
    let near = |ratios: &[f64]| ratios.iter().filter(|ratio| (**ratio - 1.0).abs() <= 0.1).count();
    let mut text = String::new();
    writeln!(
        text,
        "Measured on an {} with driver {}, {} ({} launches, both compilers' in turn). A kernel's time is the geometric mean over its launches, in percent of that of NVRTC's:\n",
        times.device.name,
        times.device.driver,
        times.when.split('T').next().unwrap_or_default(),
        count(times.launches.len() as u64)
    )?;
    writeln!(text, "| lab | kernels | time, geometric mean | least | largest | within 10\u{a0}% |")?;
    writeln!(text, "| --- | ---: | ---: | ---: | ---: | ---: |")?;
    let labs = labs.iter().map(|(lab, ratios)| (format!("`{lab}`"), ratios));
    for (name, ratios) in labs.chain([("all".to_owned(), &all)]) {
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = ratios.iter().copied().fold(0.0, f64::max);
        writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} |",
            ratios.len(),
            share(geometric_mean(ratios)),
            share(least),
            share(largest),
            near(ratios)
        )?;
    }
    let far: Vec<_> = means.iter().filter(|(_, mean)| (**mean - 1.0).abs() > 0.1).collect();
    if far.is_empty() {
        writeln!(text, "\nNo kernel's time differs by more.")?;
    } else {
        writeln!(text, "\nThe kernels whose times differ by more:\n")?;
    }
    for ((lab, kernel), mean) in far {
        writeln!(text, "- `{lab} {kernel}`: {}", share(*mean))?;
    }
    Ok(text)
}

fn has_nvrtcs_bits(compared: &Compared) {
    let other: Vec<&String> = compared.outputs.iter().filter(|(_, same)| !**same).map(|(id, _)| id).collect();
    assert!(other.is_empty(), "other bits than NVRTC's: {other:?}");
}

/// Of two labs, whose kernels take the device a second.
#[test]
fn kernels_of_short_labs_leave_nvrtcs_bits_and_counts_as_the_table_says() -> Result {
    const SHORT: [&str; 2] = ["lab-4-1", "lab-4-4"];
    let mut compared = Compared::default();
    for one in labs::ALL.iter().filter(|one| SHORT.contains(&one.name)) {
        lab(one, &mut compared)?;
    }
    assert!(!compared.outputs.is_empty() && !compared.pairs.is_empty(), "nothing is compared");
    has_nvrtcs_bits(&compared);
    let mut reasons = reasons()?;
    let of_these = |kernel: &String| SHORT.iter().any(|name| kernel.starts_with(&format!("{name} ")));
    reasons.values_mut().for_each(|reason| reason.differs.retain(|kernel, _| of_these(kernel)));
    let unexplained = unexplained(&compared, &reasons);
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
    Ok(())
}

/// Those of `double` are among all programs each night.
#[test]
fn functions_of_float_are_right_within_the_manuals_bounds() -> Result {
    match program(&root().join("tests/programs/float_functions/float_functions.cu"))? {
        Some(Program::Ran(Ok(()))) => Ok(()),
        Some(Program::Ran(Err(why)) | Program::Refused(why)) => Err(why.into()),
        None => Err("it has no job".into()),
    }
}

mod nightly {
    use super::*;

    #[test]
    #[ignore = "nightly: all labs, and all programs twice"]
    fn kernels_leave_nvrtcs_bits_and_counts_as_the_table_says() -> Result {
        let mut compared = Compared::default();
        for one in labs::ALL {
            lab(one, &mut compared)?;
        }
        let (programs, reasons) = (programs()?, reasons()?);
        let table = table(&compared, &reasons, &programs)? + "\n" + &times_table()?;
        println!("{table}");
        has_nvrtcs_bits(&compared);
        let unexplained = unexplained(&compared, &reasons);
        assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
        let wrong: Vec<String> = programs
            .iter()
            .filter_map(|(name, program)| match program {
                Program::Ran(Err(why)) => Some(format!("{name}: {why}")),
                _ => None,
            })
            .collect();
        assert!(wrong.is_empty(), "other results than expected:\n{}", wrong.join("\n"));
        committed(
            &root().join("book/evidence/compiler.md"),
            &table,
            "-p tests --test all compiler:: -- --include-ignored",
        );
        Ok(())
    }
}
