//! What the embedded device says that the chip executes, against what an H200 counted.
//!
//! Programs such as courses have are in `tests/executed`, with the chip's counts (`scripts/truth-programs --in
//! tests/executed`). For each launch and counter that is reported, the two are equal or `tests/executed/differs.toml` lists the
//! difference with its reason. A third of the programs, chosen by a hash of their names, was first looked at when the rules
//! were done.

use device::Embedded;
use job::{Expected, Job, Launched, Settings, run};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type Error = Box<dyn std::error::Error>;
/// The counters of a job's launches, by name.
type Truth = BTreeMap<String, Vec<Launch>>;

#[derive(Deserialize)]
struct Launch {
    kernel: String,
    hw: BTreeMap<String, u64>,
}

/// Why the two differ, and where: by job and counter, the launches by their number.
#[derive(Deserialize)]
struct Reason {
    why: String,
    #[serde(default)]
    varies: bool,
    differs: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
}

/// Places of listed differences; whether each varies.
fn listed(text: &str) -> Result<BTreeMap<(String, usize, String), bool>, Error> {
    let reasons: BTreeMap<String, Reason> = toml::from_str(text)?;
    let mut listed = BTreeMap::new();
    for (name, reason) in reasons {
        assert!(!reason.why.is_empty(), "{name} has a reason");
        for (job, counters) in reason.differs {
            for (counter, launches) in counters {
                listed
                    .extend(launches.into_iter().map(|n| ((job.clone(), n, counter.clone()), reason.varies)));
            }
        }
    }
    Ok(listed)
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn launches(path: &Path) -> Result<Vec<Launched>, Error> {
    let job = Job::read(path, Expected::Record)?;
    let mut device = Embedded::new("h200")?;
    device.options().deterministic = true;
    device.options().executed = true;
    let report = run(&job, &mut device, &Settings::default(), &mut |_| {});
    match &report.error {
        Some(error) => Err(format!("{}: {error}", path.display()).into()),
        None => Ok(report.launches),
    }
}

/// Of a launch's counter: the PTX's, what is executed if that is known, and the chip's.
fn counts(here: &Launched, chip: &Launch, name: &str) -> Result<(u64, Option<u64>, u64), Error> {
    let ptx = here.counters.and_then(|c| c.get(name)).ok_or_else(|| format!("there is no counter {name}"))?;
    let executed = here.executed.get(name);
    Ok((ptx, executed, chip.hw.get(name).copied().unwrap_or(0)))
}

/// All counters that the chip counted in any launch.
fn names(truth: &Truth) -> BTreeSet<&str> {
    truth.values().flatten().flat_map(|l| l.hw.keys().map(String::as_str)).collect()
}

#[test]
fn programs_execute_what_the_hardware_counted_or_a_reason_is_listed() -> Result<(), Error> {
    let programs = folder("executed");
    let truth: Truth = serde_json::from_str(&std::fs::read_to_string(programs.join("counters.json"))?)?;
    let mut listed = listed(&std::fs::read_to_string(programs.join("differs.toml"))?)?;
    let names = names(&truth);
    let (mut all, mut ptx_equal, mut equal, mut wrong) = (0, 0, 0, vec![]);
    for (job, chip) in &truth {
        let here = launches(&programs.join(format!("{job}.toml")))?;
        assert_eq!(here.len(), chip.len(), "{job}");
        for (n, (here, chip)) in here.iter().zip(chip).enumerate() {
            assert_eq!(here.kernel, chip.kernel, "{job}");
            for name in &names {
                let (ptx, executed, chip) = counts(here, chip, name)?;
                if ptx == 0 && chip == 0 && executed.unwrap_or(0) == 0 {
                    continue;
                }
                all += 1;
                ptx_equal += usize::from(ptx == chip);
                equal += usize::from(executed == Some(chip));
                let varies = listed.remove(&(job.clone(), n, (*name).to_owned()));
                let place = format!("{job}, launch {n}, {name}: {executed:?}, the chip {chip}");
                match varies {
                    None if executed.is_none_or(|executed| executed == chip) => {}
                    None => wrong.push(place),
                    Some(false) if executed == Some(chip) => {
                        wrong.push(format!("{place}: take it off the list"))
                    }
                    Some(_) => {}
                }
            }
        }
    }
    wrong.extend(listed.keys().map(|place| format!("{place:?}: there is none")));
    println!(
        "{all} pairs of a launch and a counter: the PTX's are equal in {ptx_equal}, what is executed in {equal}"
    );
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(100 * equal >= 95 * all, "{equal} of {all} are equal");
    Ok(())
}

/// Optimised builds of `tests/programs`; of others little is determined.
#[test]
fn what_is_executed_is_reported_wrong_only_where_the_ptx_differs_from_the_hardware_too() -> Result<(), Error>
{
    let programs = folder("programs");
    let truth: Truth = serde_json::from_str(&std::fs::read_to_string(programs.join("counters.json"))?)?;
    let listed = listed(&std::fs::read_to_string(programs.join("counters.toml"))?)?;
    let names = names(&truth);
    let (mut mended, mut wrong) = (0, vec![]);
    for (job, chip) in truth.iter().filter(|(job, _)| !job.contains('.')) {
        for (n, (here, chip)) in launches(&programs.join(format!("{job}.toml")))?.iter().zip(chip).enumerate()
        {
            for name in &names {
                let (ptx, executed, chip) = counts(here, chip, name)?;
                let Some(executed) = executed else { continue };
                mended += usize::from(ptx != chip && executed == chip);
                if executed != chip && !listed.contains_key(&(job.clone(), n, (*name).to_owned())) {
                    wrong.push(format!("{job}, launch {n}, {name}: {executed}, the chip {chip}"));
                }
            }
        }
    }
    println!("{mended} counts in which the PTX differs are those of the chip");
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(mended >= 90, "{mended} counts are mended");
    Ok(())
}
