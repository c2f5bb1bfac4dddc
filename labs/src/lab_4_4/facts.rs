//! Single numbers from the experiments.
//!
//! Enters: a record's experiments. Leaves: facts, each with its unit and what it is. A fact that the points do not
//! support is left out.

use crate::facts::{Facts, point};
use record::{Fact, Record};
use std::collections::BTreeMap;

/// The largest argument, bytes.
const ARGUMENT: f64 = 4000.0;

pub(super) fn of(record: &Record) -> BTreeMap<String, Fact> {
    let mut facts = Facts::default();
    let at = |experiment, series, x| Some(point(record, experiment, series, x)?.y);
    let mut put = |name: &str, value: Option<f64>, unit: &str, what: &str| {
        facts.put(name, value.unwrap_or(f64::NAN), unit, what);
    };
    let sum = |a: Option<f64>, b: Option<f64>| Some(a? + b?);
    let quotient = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
    let difference = |a: Option<f64>, b: Option<f64>| Some(a? - b?);

    // A launch takes as long whatever the size of the values; the median of all sizes is steadier than one of them.
    let median = |series: &str| {
        let mut times: Vec<f64> =
            record.experiment("update")?.series(series)?.points.iter().map(|p| p.y).collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    };
    let none = median("none");
    put("launch", none, "ns", "time of a launch that finds its constants as they were, median of all sizes");
    put(
        "copied_over_none",
        quotient(median("device"), none),
        "",
        "time of a copy from device memory with the launch over that of the launch alone, medians of all sizes",
    );
    put(
        "copied_more",
        difference(median("device"), none),
        "ns",
        "what a copy from device memory adds to a launch, medians of all sizes",
    );
    put(
        "pointer",
        median("pointer"),
        "ns",
        "time of a launch that gets its values through a pointer, median of all sizes",
    );
    // An argument is a part of the launch, and a longer one takes longer: it is compared at one size.
    put(
        &format!("argument_over_none_{ARGUMENT}"),
        quotient(at("update", "argument", ARGUMENT), at("update", "none", ARGUMENT)),
        "",
        &format!(
            "time of a launch that gets its values as an argument of {ARGUMENT} bytes, over that of one that finds as many constants as they were"
        ),
    );
    put(
        "from_host_and_launch",
        sum(at("copy", "host", 4096.0), none),
        "ns",
        "time until 4,096 bytes of the host's pageable memory have arrived in the symbol, and time of a launch alone, median of all sizes, added",
    );
    for bytes in [20.0, 65_536.0] {
        put(
            &format!("host_over_device_{bytes}"),
            quotient(at("copy", "host", bytes), at("copy", "device", bytes)),
            "",
            &format!(
                "time until {bytes} bytes of the host's pageable memory have arrived in a symbol, by the host's clock, over that of a copy from device memory, on its stream"
            ),
        );
    }
    facts.done()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ::tests::fixture;

    /// A record with the shape of this lab's, times in ns: `host` is that of a copy of 20 bytes from the host.
    pub(in super::super) fn made(measured: bool, host: f64) -> Record {
        let mut record = fixture::empty("lab-4-4", measured);
        let mut add = |experiment, series, points: &[(f64, f64)]| {
            fixture::add(&mut record, experiment, series, points.iter().copied().map(fixture::point));
        };
        add("copy", "host", &[(20.0, host), (4096.0, 9e3), (65_536.0, 14e3)]);
        add("copy", "device", &[(20.0, 2e3), (4096.0, 2e3), (65_536.0, 2.8e3)]);
        add("update", "none", &[(16.0, 3e3), (4000.0, 3e3)]);
        add("update", "device", &[(16.0, 6e3), (4000.0, 6e3)]);
        add("update", "argument", &[(16.0, 3e3), (4000.0, 3.3e3)]);
        record.checks = super::super::claims::CHECKS.map(fixture::passed).into();
        record
    }

    #[test]
    fn a_launch_is_compared_with_one_that_needs_nothing() {
        let facts = of(&made(true, 7e3));
        let value = |name: &str| facts[name].value;
        assert_eq!((value("copied_over_none"), value("copied_more")), (2.0, 3e3));
        assert_eq!((value("host_over_device_20"), value("host_over_device_65536")), (3.5, 5.0));
        assert!(!facts.contains_key("pointer"), "there is no such series");
        // Of its own size, as its name says, and no median of all.
        assert!((value("argument_over_none_4000") - 1.1).abs() < 1e-9);
    }
}
