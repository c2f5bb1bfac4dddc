//! The counters of whole programs against what an H200 counted (`scripts/truth-programs`).
//!
//! For every launch and counter of `tests/programs/counters.json`: the embedded device counts the same, or
//! `tests/programs/counters.toml` lists the difference with its reason.

use device::Embedded;
use job::{Expected, Job, Settings, run};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

type Error = Box<dyn std::error::Error>;

#[derive(Deserialize)]
struct Launch {
    kernel: String,
    hw: BTreeMap<String, u64>,
}

/// Why the two differ, and where: by job and counter, the launches by their number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    why: String,
    /// Whether the chip's count changes from run to run, so that the two may also agree.
    #[serde(default)]
    varies: bool,
    differs: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
}

/// A launch's counter: job, number, counter.
type Place = (String, usize, String);

/// The listed differences; whether each varies.
fn listed(reasons: BTreeMap<String, Reason>) -> Result<BTreeMap<Place, bool>, Error> {
    let mut listed = BTreeMap::new();
    for (name, reason) in reasons {
        assert!(!reason.why.is_empty(), "{name} has a reason");
        for (job, counters) in reason.differs {
            for (counter, launches) in counters {
                for n in launches {
                    if listed.insert((job.clone(), n, counter.clone()), reason.varies).is_some() {
                        return Err(format!("{job}, launch {n}, {counter}: listed twice").into());
                    }
                }
            }
        }
    }
    Ok(listed)
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn whole_programs_count_what_the_hardware_counted_or_a_reason_is_listed() -> Result<(), Error> {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let read = |name: &str| std::fs::read_to_string(programs.join(name));
    let truth: BTreeMap<String, Vec<Launch>> = serde_json::from_str(&read("counters.json")?)?;
    let mut listed = listed(toml::from_str(&read("counters.toml")?)?)?;
    let counters: BTreeSet<&str> =
        truth.values().flatten().flat_map(|l| l.hw.keys().map(String::as_str)).collect();
    let (mut equal, mut wrong) = (0, vec![]);
    for (name, launches) in &truth {
        let job = Job::read(&programs.join(format!("{name}.toml")), Expected::Record)?;
        let mut device = Embedded::new("h200")?;
        device.options().deterministic = true;
        let report = run(&job, &mut device, &Settings::default(), &mut |_| {});
        if report.launches.len() != launches.len() {
            return Err(format!("{name}: {report}").into());
        }
        for (n, (hardware, here)) in launches.iter().zip(&report.launches).enumerate() {
            assert_eq!(hardware.kernel, here.kernel, "{name}");
            let here = here.counters.ok_or("no counters")?;
            for counter in &counters {
                let chip = hardware.hw.get(*counter).copied().unwrap_or(0);
                let ours = here.get(counter).ok_or_else(|| format!("there is no counter {counter}"))?;
                let place =
                    format!("{name}, launch {n} of {}, {counter}: {ours}, the chip {chip}", hardware.kernel);
                match listed.remove(&(name.clone(), n, (*counter).to_owned())) {
                    None if ours == chip => equal += 1,
                    None => wrong.push(place),
                    Some(false) if ours == chip => {
                        wrong.push(format!("{place}: equal now, take it off the list"))
                    }
                    Some(_) => {}
                }
            }
        }
    }
    wrong.extend(
        listed.keys().map(|(job, n, counter)| format!("{job}, launch {n}, {counter}: there is none")),
    );
    println!("{equal} counts are equal");
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}
