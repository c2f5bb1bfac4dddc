//! Passes of the workbook's own compiler: each module says which counter differed from that of NVRTC's code without it.
//!
//! A pass costs time in every compilation and must be understood by those who change the next one, so it needs a reason that was
//! measured. The counter is one of the catalogue that has a metric of Nsight Compute.

use std::fs;
use std::path::{Path, PathBuf};

use tests::Result;

/// Modules that run over a function and change nothing that is counted, or are parts of a pass, with what they are for.
const NO_PASSES: &[(&str, &str)] = &[
    ("compact.rs", "numbers what is left without gaps"),
    ("dce.rs", "removes what is dead, which ptxas removes as well"),
    ("manager.rs", "runs passes"),
    ("sroa/split.rs", "a part of scalar replacement"),
    ("unaligned.rs", "PTX has no access that is wider than its alignment"),
];

/// Passes without which no counter of a lab's kernel differs, as measured with all labs at small sizes, with what shows them.
const WITHOUT: &[(&str, &str)] = &[
    ("addresses.rs", "no lab's kernel changes"),
    ("calls.rs", "no lab's kernel changes"),
    ("dse.rs", "no lab's kernel changes"),
    ("exits.rs", "no lab's kernel changes; ptxas of CUDA 13.0 is why it is there"),
    ("forward/carry.rs", "no lab's kernel changes"),
    ("forward/common.rs", "no lab's kernel changes"),
    ("funnel.rs", "no lab's kernel changes"),
    ("hoist.rs", "kernels change, their counters do not"),
    ("invariant.rs", "loads become `ld.global.nc`, which is counted as `ld.global`"),
    ("loops/delete.rs", "no lab's kernel changes"),
    ("loops/promote.rs", "no lab's kernel changes"),
    ("loops/rematerialise.rs", "fewer registers live at once, which no counter shows"),
    ("mem2reg.rs", "kernels change, their counters do not: scalar replacement promotes slots too"),
    ("merge.rs", "no lab's kernel changes"),
    ("reassociate.rs", "the order of a sum's operands changes its last bits, and no counter"),
    ("records.rs", "no lab's kernel changes"),
    ("sroa/forward.rs", "kernels change, their counters do not"),
    ("sroa/speculate.rs", "no lab's kernel changes"),
    ("sroa/words.rs", "no lab's kernel changes"),
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
