//! Activity of a GPU's schedulers during a launch, as Nsight Compute counted it.
//!
//! Enters: a point. Leaves: facts, shares of the schedulers' and of the warps' time. A point without these counters has
//! none of them.

use crate::facts::Facts;
use record::{Device, Point, Record};

/// Reasons why a warp waits: name of the fact, counter, and words. In the rest of its time a warp's instruction is issued, or it
/// waits for rarer reasons.
const WAITS: [(&str, &str, &str); 10] = [
    ("barrier", "stalled_barrier", "at a barrier for other warps of their block"),
    ("loads", "stalled_long_scoreboard", "for loads through L1 (long scoreboard)"),
    ("l1_queue", "stalled_lg_throttle", "for room in the queue to L1 (LG throttle)"),
    (
        "results",
        "stalled_short_scoreboard",
        "for results of shared or constant memory or of the unit for square roots (short scoreboard)",
    ),
    ("queue", "stalled_mio_throttle", "for room in the queue to these (MIO throttle)"),
    ("imc", "stalled_imc_miss", "for the immediate constant cache (imc_miss)"),
    ("units", "stalled_math_pipe_throttle", "for an arithmetic unit (math pipe throttle)"),
    ("dispatch", "stalled_dispatch", "for the dispatcher (dispatch stall)"),
    ("latency", "stalled_wait", "for the fixed latency of their last instruction (wait)"),
    ("fetch", "stalled_no_instruction", "for the next instruction to be fetched (no instruction)"),
];

/// Shares of the time of schedulers and of warps at a point, facts whose names end in `_of`.
pub(crate) fn shares(facts: &mut Facts, record: &Record, point: &Point, of: &str, label: &str) {
    let count = |name: &str| point.hardware.get(name).map(|&count| count as f64);
    let mut share = |name: String, part: Option<f64>, whole: Option<f64>, what: String| {
        if let (Some(part), Some(whole)) = (part, whole) {
            facts.put(format!("{name}_{of}"), 100.0 * part / whole, "%", format!("{label}: {what}"));
        }
    };
    let (issue, active) = (count("issue_cycles"), count("active_cycles"));
    let what = "cycles in which a scheduler issued an instruction, of those in which it had a warp";
    share("issued".into(), issue, active, what.into());
    let what = "cycles in which a scheduler had a warp, of all from the launch's start to its end";
    share("occupied".into(), active, count("elapsed_cycles"), what.into());
    let warps = count("warp_cycles");
    let ready = issue.zip(count("ready_cycles")).map(|(issue, ready)| issue + ready);
    share("ready".into(), ready, warps, "time of warps that issued or could have".into());
    for (name, counter, why) in WAITS {
        share(format!("waits_{name}"), count(counter), warps, format!("time of warps that waited {why}"));
    }
    if let (Some(warps), Some(active)) = (warps, active) {
        let what = format!("{label}: warps that a scheduler had, on average");
        facts.put(format!("warps_{of}"), warps / active, "", what);
    }
    // The catalogue sums over a point's launches: of several it would be the sum of different multiprocessors.
    let (Device::Gpu { multiprocessors, .. } | Device::Simt { multiprocessors, .. }) = &record.device;
    let multiprocessors = f64::from(*multiprocessors);
    if let (Some(most), Some(all)) = (count("busiest_instructions"), count("warp_instructions")) {
        let what =
            format!("{label}: instructions of the busiest multiprocessor over those of the average one");
        facts.put(format!("busiest_{of}"), most * multiprocessors / all, "", what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::fixture;

    fn of(hardware: &[(&str, u64)]) -> Vec<(String, f64)> {
        let mut point = fixture::point((1.0, 1.0));
        point.hardware = fixture::counters(hardware);
        let mut record = fixture::empty("lab-14-4", true);
        if let Device::Gpu { multiprocessors, .. } = &mut record.device {
            *multiprocessors = 4;
        }
        let mut facts = Facts::default();
        shares(&mut facts, &record, &point, "k", "a kernel");
        facts.done().into_iter().map(|(name, fact)| (name, fact.value)).collect()
    }

    #[test]
    fn a_warp_s_time_is_divided_among_what_it_waits_for() {
        let found = of(&[
            ("active_cycles", 1000),
            ("elapsed_cycles", 1250),
            ("issue_cycles", 800),
            ("ready_cycles", 1200),
            ("stalled_imc_miss", 2000),
            ("warp_cycles", 8000),
        ]);
        let expected = [
            ("issued_k", 80.0),
            ("occupied_k", 80.0),
            ("ready_k", 25.0),
            ("waits_imc_k", 25.0),
            ("warps_k", 8.0),
        ];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value)));
    }

    #[test]
    fn the_busiest_multiprocessor_is_compared_with_the_average_one() {
        assert_eq!(
            of(&[("busiest_instructions", 150), ("warp_instructions", 400)]),
            [("busiest_k".into(), 1.5)]
        );
    }

    #[test]
    fn without_counters_there_is_nothing_to_say() {
        assert_eq!(of(&[]), []);
    }
}
