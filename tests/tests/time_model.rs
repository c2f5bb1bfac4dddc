//! The embedded device's time model against times that an H200 took, by committed records alone: no machine's speed
//! matters here.

use device::{Device, Embedded};
use job::{Expected, Job, Launched, Settings, Time, run};
use record::{Device as Recorded, Record, TimeSource, Timing};
use render::errors::{Deviation, HELD_OUT, Order, Summary, deviations, overview, together};
use std::path::{Path, PathBuf};

type Error = Box<dyn std::error::Error>;

/// Largest mean error of the model on labs that it was not fitted to, the factor by which one of their times may be off, and
/// the share of pairs of variants that must be in the order of the measured times, so that it does not get worse unnoticed.
const HELD_OUT_MEAN: f64 = 0.1;
const HELD_OUT_FACTOR: f64 = 1.3;
const HELD_OUT_ORDER: f64 = 0.95;
/// Largest mean error on what it was fitted to, and largest error of a single launch there.
const MEAN: f64 = 0.15;
const WORST: f64 = 1.1;
/// A modelled time depends on nothing but the kernel; sums of floats are not in question.
const SAME: f64 = 1e-9;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

fn read(name: &str) -> Result<Record, Error> {
    Ok(Record::from_json(&std::fs::read_to_string(file(&format!("book/records/{name}.json")))?)?)
}

fn check(lab: &str) -> Result<Vec<Deviation>, Error> {
    let (measured, modelled) = (read(&format!("h200/{lab}"))?, read(&format!("embedded-h200/{lab}"))?);
    let all = deviations(&measured, &modelled, &[])?;
    for d in &all {
        println!(
            "{:24} {:20} {:>10} {:>12.2} {:>12.2} {:>+5.0} %",
            d.experiment,
            d.label,
            d.x,
            d.measured,
            d.modelled,
            100.0 * d.error
        );
    }
    print(lab, Summary::of(&all), Order::of(&all));
    Ok(all)
}

fn print(what: &str, summary: Summary, order: Order) {
    let Summary { points, mean, worst, factor } = summary;
    let (mean, worst) = (100.0 * mean, 100.0 * worst);
    let Order { right, pairs } = order;
    println!(
        "{what}: {points} points, mean {mean:.1} %, largest {worst:+.0} %, factor {factor:.2}, order {right} of {pairs}"
    );
}

fn check_fitted(lab: &str) -> Result<(), Error> {
    let Summary { mean, worst, .. } = Summary::of(&check(lab)?);
    assert!(mean < MEAN, "{lab}: the mean error is {mean}");
    assert!(worst.abs() < WORST, "{lab}: the largest error is {worst}");
    Ok(())
}

/// So that the table is narrow enough for a phone.
#[test]
fn the_overview_of_errors_names_once_what_all_times_were_measured_on() -> Result<(), Error> {
    let of = |lab| Ok::<_, Error>((read(&format!("h200/{lab}"))?, read(&format!("embedded-h200/{lab}"))?));
    let mut records = [of("lab-4-3")?, of("lab-4-5")?];
    let table =
        |records: &[(Record, Record)]| overview(&records.iter().map(|(a, b)| (a, b)).collect::<Vec<_>>());
    let of_one = table(&records)?;
    assert_eq!(of_one.columns.len(), 7);
    assert!(of_one.caption.contains("both records have, measured on NVIDIA H200;"), "{}", of_one.caption);
    let Recorded::Gpu { name, .. } = &mut records[1].0.device else { panic!("measured on a GPU") };
    "another".clone_into(name);
    let of_two = table(&records)?;
    assert!(!of_two.caption.contains("measured on"), "{}", of_two.caption);
    let labs: Vec<_> = of_two.rows.iter().map(|row| row[0].text.as_str()).collect();
    assert_eq!(labs, ["all of these", "`lab-4-3`, NVIDIA H200", "`lab-4-5`, another"]);
    Ok(())
}

#[test]
fn labs_held_out_are_modelled_to_within_the_bounds() -> Result<(), Error> {
    let labs = HELD_OUT.iter().map(|lab| check(lab)).collect::<Result<Vec<_>, Error>>()?;
    let (summary, order) = together(&labs);
    print("held out", summary, order);
    assert!(summary.mean < HELD_OUT_MEAN, "the mean error is {}", summary.mean);
    assert!(summary.factor < HELD_OUT_FACTOR, "a time is off by a factor of {}", summary.factor);
    assert!(order.share() >= HELD_OUT_ORDER, "{order:?}");
    Ok(())
}

#[test]
fn lab_5_5_is_modelled_to_within_the_bound() -> Result<(), Error> {
    check_fitted("lab-5-5")
}

#[test]
fn other_kernels_are_modelled_to_within_the_bound() -> Result<(), Error> {
    check_fitted("timing")
}

/// The launches of a job of `crates/simt/tests/timing`, modelled.
fn model(job: &str) -> Result<Vec<Launched>, Error> {
    let job = Job::read(&file(&format!("crates/simt/tests/timing/{job}.toml")), Expected::Record)?;
    let mut device = Embedded::new("h200")?;
    device.options().checks = device::Checks::NONE;
    // What atomic operations give depends on the order of blocks, and may decide what is accessed next.
    device.options().deterministic = true;
    let report = run(&job, &mut device as &mut dyn Device, &Settings::default(), &mut |_| {});
    match report.error {
        Some(error) => Err(error.into()),
        None => Ok(report.launches),
    }
}

/// Experiments of `h200/timing` whose launches take the device no more than a second.
const SHORT: [&str; 9] = [
    "atomics",
    "dependent",
    "histograms",
    "mandelbrot",
    "raytracer",
    "reductions",
    "spmv",
    "streams",
    "transpose",
];

/// What the model says today of those experiments of the measured record that are `wanted`.
fn remodelled(wanted: impl Fn(&str) -> bool) -> Result<Record, Error> {
    let measured = read("h200/timing")?;
    let mut now = Record { device: read("embedded-h200/lab-5-5")?.device, ..measured };
    now.written_by = "tests/time_model.rs".into();
    now.experiments.retain(|experiment| wanted(&experiment.id));
    for experiment in &mut now.experiments {
        let launches = model(&experiment.id)?;
        for series in &mut experiment.series {
            for point in &mut series.points {
                let found = launches.iter().find(|l| {
                    point
                        .launch
                        .as_ref()
                        .is_some_and(|p| (&l.kernel, l.grid, l.block) == (&p.kernel, p.grid, p.block))
                });
                let at = format!("{} {} {}", experiment.id, series.id, point.x);
                let Some(Launched { time: Time::Modelled(ns), counters: Some(counters), .. }) = found else {
                    return Err(format!("{at}: no such launch").into());
                };
                point.counters = counters.iter().map(|(name, n)| (name.to_owned(), n)).collect();
                point.time = Some(Timing {
                    is: TimeSource::Modelled,
                    calls: 1,
                    median_ns: *ns,
                    mean_ns: *ns,
                    min_ns: *ns,
                    max_ns: *ns,
                    iqr_ns: 0.0,
                });
                (point.y, point.y_min, point.y_max) = (*ns, *ns, *ns);
            }
        }
    }
    Ok(now)
}

/// The committed record has all of these experiments, with these times.
fn is_committed(now: &Record) -> Result<(), Error> {
    let committed = read("embedded-h200/timing")?;
    for a in &now.experiments {
        let b = committed.experiment(&a.id).ok_or_else(|| format!("{}: no such experiment", a.id))?;
        for (series, old) in a.series.iter().zip(&b.series) {
            for (point, old) in series.points.iter().zip(&old.points) {
                assert!(
                    (point.y - old.y).abs() <= SAME * old.y,
                    "{} {} {}: {} ns, and the record says {}; run `UPDATE=1 cargo test -p tests --test all time_model:: -- --include-ignored`",
                    a.id,
                    series.id,
                    point.x,
                    point.y,
                    old.y
                );
            }
        }
    }
    Ok(())
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn the_modelled_record_is_what_the_model_says_of_short_launches_today() -> Result<(), Error> {
    let now = remodelled(|id| SHORT.contains(&id))?;
    assert_eq!(now.experiments.len(), SHORT.len());
    // It is about to be written.
    if tests::is_update() { Ok(()) } else { is_committed(&now) }
}

mod nightly {
    use super::*;

    /// `UPDATE=1 cargo test -p tests --test all time_model:: -- --include-ignored` writes the modelled record again, after the model has
    /// changed.
    #[test]
    #[ignore = "nightly: all launches that were timed, minutes of the device's work"]
    fn the_modelled_record_is_what_the_model_says_today() -> Result<(), Error> {
        let now = remodelled(|_| true)?;
        if tests::is_update() {
            std::fs::write(file("book/records/embedded-h200/timing.json"), now.to_json()?)?;
        }
        is_committed(&now)?;
        assert_eq!(now.experiments.len(), read("embedded-h200/timing")?.experiments.len());
        Ok(())
    }
}
