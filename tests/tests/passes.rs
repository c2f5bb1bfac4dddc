//! Passes of the workbook's own compiler: each module says which counter differed from that of NVRTC's code without it.
//!
//! A pass costs time in every compilation and must be understood by those who change the next one, so it needs a reason that was
//! measured. The counter is one of the catalogue that has a metric of Nsight Compute.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use device::{Counters, Device, Embedded};
use job::{Expected, Job, Launched, Settings, run};
use tests::Result;

/// Modules that run over a function and change nothing that is counted, or are parts of a pass, with what they are for.
const NO_PASSES: &[(&str, &str)] = &[
    ("compact.rs", "numbers what is left without gaps"),
    ("dce.rs", "removes what is dead, which ptxas removes as well"),
    ("manager.rs", "runs passes"),
    ("mem2reg.rs", "a part of scalar replacement and of what loops keep in values"),
    ("sroa/split.rs", "a part of scalar replacement"),
    ("unaligned.rs", "PTX has no access that is wider than its alignment"),
];

/// Passes without which no counter differs, with what shows them.
const WITHOUT: &[(&str, &str)] = &[
    ("invariant.rs", "loads become `ld.global.nc`, which is counted as `ld.global`"),
    ("loops/rematerialise.rs", "fewer registers live at once, which no counter shows"),
    ("reassociate.rs", "the order of a sum's operands changes its last bits, and no counter"),
];

/// Files below a folder that define what runs over functions.
fn passes(folder: &Path, all: &mut Vec<PathBuf>) -> Result {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            passes(&path, all)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path)?;
            let mut lines = text.lines().filter_map(|line| line.strip_prefix("pub("));
            if lines.any(|line| line.contains(") fn run(") || line.contains(") fn run_")) {
                all.push(path);
            }
        }
    }
    Ok(())
}

/// The counter that a module's documentation names.
fn counter(text: &str) -> Option<&str> {
    let line = text.lines().find_map(|line| line.strip_prefix("//! Counter: `"))?;
    line.split('`').next()
}

/// What a module's documentation says of a kernel of `tests/compiler/passes.cu`: the counter, the kernel, NVRTC's count and ours
/// without the pass.
fn counts(text: &str) -> Option<(&str, &str, u64, u64)> {
    let line = text.lines().find_map(|line| line.strip_prefix("//! Counter: `"))?;
    let (counter, rest) = line.split_once("`. Of `")?;
    let (kernel, rest) = rest.split_once("` in passes.cu NVRTC's code has ")?;
    let (theirs, without) = rest.strip_suffix('.')?.split_once(", ours without the pass ")?;
    Some((counter, kernel, theirs.parse().ok()?, without.parse().ok()?))
}

/// Counters of the launches of `tests/compiler/passes.toml` with our compiler's code, by kernel.
fn own_counters() -> Result<BTreeMap<String, Counters>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("compiler");
    let text = fs::read_to_string(folder.join("passes.cu"))?;
    let input = cuda::Input { name: "passes.cu", text: &text, include: &|_| None };
    let compiled = cuda::compile(&input, &cuda::Options::default());
    let compiled = compiled.map_err(|failure| format!("{} messages", failure.diagnostics.len()))?;
    let copy = tempfile::tempdir()?;
    fs::write(copy.path().join("passes.ptx"), compiled.ptx)?;
    let job = fs::read_to_string(folder.join("passes.toml"))?.replace("\"passes.cu\"", "\"passes.ptx\"");
    fs::write(copy.path().join("passes.toml"), job)?;
    let job = Job::read(&copy.path().join("passes.toml"), Expected::Compare)?;
    let mut device = Embedded::new(labs::CHIP)?;
    let report = run(&job, &mut device as &mut dyn Device, &Settings::default(), &mut |_| {});
    assert_eq!(report.exit_code(), 0, "{report}");
    let counted = |launch: Launched| Some((launch.kernel, launch.counters?));
    Ok(report.launches.into_iter().filter_map(counted).collect())
}

#[test]
fn with_a_pass_a_counter_is_nearer_to_that_of_nvrtcs_code() -> Result {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/cuda/src/passes");
    let mut all = vec![];
    passes(&root, &mut all)?;
    let own = own_counters()?;
    let mut kernels = BTreeSet::new();
    for path in all {
        let text = fs::read_to_string(&path)?;
        let Some((counter, kernel, theirs, without)) = counts(&text) else { continue };
        let counters = own.get(kernel).ok_or_else(|| format!("no launch of {kernel}"))?;
        let found = counters.get(counter).unwrap_or_default();
        let (far, near) = (theirs.abs_diff(without), theirs.abs_diff(found));
        assert!(near < far, "{}: `{counter}` of {kernel} is {found}", path.display());
        kernels.insert(kernel.to_owned());
    }
    let launched: BTreeSet<String> = own.into_keys().collect();
    assert_eq!(kernels, launched, "each kernel is that of a pass");
    Ok(())
}

#[test]
fn every_pass_names_the_counter_that_differed_without_it() -> Result {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/cuda/src/passes");
    let mut all = vec![];
    passes(&root, &mut all)?;
    assert!(all.len() > 35, "{} passes", all.len());
    let mut wrong = vec![];
    for path in all {
        let name = path.strip_prefix(&root)?.display().to_string();
        let listed = NO_PASSES.iter().chain(WITHOUT).any(|(file, _)| *file == name);
        let text = fs::read_to_string(&path)?;
        match counter(&text) {
            None if !listed => wrong.push(format!("{name} names no counter (`//! Counter: `)")),
            Some(_) if listed => {
                wrong.push(format!("{name} names a counter and is in the list of those without"))
            }
            Some(one) if counters::get(one).is_none_or(|one| one.metric.is_none()) => {
                wrong.push(format!("{name}: `{one}` is no counter with a metric of Nsight Compute"));
            }
            None | Some(_) => {}
        }
    }
    for (name, _) in NO_PASSES.iter().chain(WITHOUT).filter(|(name, _)| !root.join(name).is_file()) {
        wrong.push(format!("{name} is not there"));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    Ok(())
}
