//! Verdicts: what may decide a claim on which device, and parts that the rules of all labs share.
//!
//! Enters: a claim with its evidence, its lab's rule, a record. Leaves: a verdict with its reason. [`decide`] is the one
//! place that knows which device a kind of evidence can come from:
//!
//! - The embedded device decides only claims about the program itself: what it computes, and how often it does what, by
//!   PTX's rules. How it serves an access, what its limits are and which calls it refuses are rules that were put into it
//!   after what a GPU did, and its times come from a model. A verdict by these would be the device's own rule again, so it
//!   is *not shown*.
//! - On a GPU, counts that decide are those of Nsight Compute ([`hardware`]). The embedded device's counts are next to them in
//!   the record, and replace them for claims about the program alone.
//! - Times of a quick run decide nothing: what small sizes show need not hold at large ones.
//! - A figure of another chip is *not shown*, with what this chip gave. That a newer chip is faster contradicts no source.

use crate::lab::Rule;
use record::claims::{Evidence, Statement};
use record::{Check, Device, Point, Record, TimeSource, Verdict};

/// Two times or rates closer than this are called equal.
pub(crate) const EQUAL: f64 = 0.05;

/// Figures of one chip closer than this are called equal: the machine around it may differ.
const AS_STATED: f64 = 0.25;

/// The verdict on a claim.
pub(crate) fn decide(claim: &Statement, rule: Rule, record: &Record) -> (Verdict, String) {
    if let Some(chip) = &claim.chip {
        return of_chip(chip, rule, record);
    }
    match (record.device.source(), claim.evidence) {
        (TimeSource::Measured, Evidence::Times) if record.is_quick() => {
            let (_, why) = rule(record);
            (Verdict::NotShown, format!("times of small sizes decide nothing: {why}"))
        }
        (TimeSource::Measured, _) | (TimeSource::Modelled, Evidence::Program) => rule(record),
        (TimeSource::Modelled, Evidence::Counters) => {
            only_a_gpu("the embedded device counts by rules that were found on a GPU")
        }
        (TimeSource::Modelled, Evidence::Calls) => {
            only_a_gpu("limits, addresses and answers of the embedded device are rules of its own")
        }
        (TimeSource::Modelled, Evidence::Times) => {
            only_a_gpu("times on the embedded device are modelled from such statements")
        }
    }
}

/// The verdict on a figure: that of the rule on the chip that it belongs to, else none, with what the rule found.
fn of_chip(chip: &str, rule: Rule, record: &Record) -> (Verdict, String) {
    let (verdict, why) = rule(record);
    let not = match &record.device {
        Device::Gpu { name, compute_capability, .. } if is_of(chip, name, compute_capability) => {
            return (verdict, why);
        }
        Device::Gpu { .. } => format!("a figure of another chip ({chip})"),
        Device::Simt { .. } => format!("a figure of a chip ({chip}), and modelled here"),
    };
    (Verdict::NotShown, format!("{not}: {why}"))
}

/// Whether a GPU is of this model or generation.
fn is_of(chip: &str, name: &str, compute_capability: &str) -> bool {
    match chip {
        "Kepler" => compute_capability.starts_with("3."),
        model => name.contains(model),
    }
}

/// Verdict on a figure, on its own chip, from what was found over what was stated.
pub(crate) fn as_stated(ratios: &[f64]) -> Verdict {
    let near = ratios.iter().filter(|ratio| (1.0 - AS_STATED..=1.0 + AS_STATED).contains(*ratio)).count();
    match near {
        0 => Verdict::DoesNotHold,
        near if near == ratios.len() => Verdict::Holds,
        _ => Verdict::HoldsInPart,
    }
}

/// Whether two values are equal within the scatter of times.
pub(crate) fn equal(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() <= EQUAL
}

/// The value of a fact.
pub(crate) fn fact(record: &Record, name: &str) -> Option<f64> {
    record.facts.get(name).map(|fact| fact.value)
}

/// Count of the hardware; nothing where Nsight Compute did not count, 0 where it counted and names nothing.
pub(crate) fn hardware(point: &Point, name: &str) -> Option<u64> {
    (!point.hardware.is_empty()).then(|| point.hardware.get(name).copied().unwrap_or(0))
}

pub(crate) fn check<'r>(record: &'r Record, id: &str) -> Option<&'r Check> {
    record.checks.iter().find(|check| check.id == id)
}

/// Verdict on a claim that a check tests directly: it holds if the check passed.
pub(crate) fn as_checked(record: &Record, id: &str) -> (Verdict, String) {
    let Some(check) = check(record, id) else { return missing() };
    (if check.passed { Verdict::Holds } else { Verdict::DoesNotHold }, check.found.clone())
}

pub(crate) fn missing() -> (Verdict, String) {
    (Verdict::NotShown, "this run did not take the points that would tell".to_owned())
}

/// Reason for a claim that counts of the hardware decide, where there are none.
pub(crate) fn uncounted() -> (Verdict, String) {
    (
        Verdict::NotShown,
        "Nsight Compute did not count here, and the embedded device's rule decides nothing".to_owned(),
    )
}

/// Reason for a claim that the embedded device cannot test and a GPU can.
fn only_a_gpu(why: &str) -> (Verdict, String) {
    (Verdict::NotShown, format!("{why}, so it cannot test this; a GPU can"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::fixture;

    fn claim(evidence: Evidence, chip: Option<&str>) -> Statement {
        let text = || "text".to_owned();
        let (id, lab, source, place) = (text(), text(), text(), text());
        Statement { id, lab, source, place, evidence, chip: chip.map(str::to_owned), claim: text() }
    }

    fn of_gpu(name: &str, capability: &str) -> Record {
        let mut record = fixture::empty("lab-4-1", true);
        record.device = Device::Gpu {
            name: name.to_owned(),
            compute_capability: capability.to_owned(),
            driver: "13.0".to_owned(),
            multiprocessors: 8,
        };
        record
    }

    const REFUTED: Rule = |_| (Verdict::DoesNotHold, "3 ms".to_owned());
    const HELD: Rule = |_| (Verdict::Holds, "100 ms".to_owned());

    #[test]
    fn the_embedded_device_decides_what_the_program_does_and_nothing_else() {
        let (gpu, embedded) = (fixture::empty("lab-4-1", true), fixture::empty("lab-4-1", false));
        for evidence in [Evidence::Program, Evidence::Counters, Evidence::Calls, Evidence::Times] {
            for (rule, verdict) in [(REFUTED, Verdict::DoesNotHold), (HELD, Verdict::Holds)] {
                let claim = claim(evidence, None);
                assert_eq!(decide(&claim, rule, &gpu).0, verdict);
                let by_program = evidence == Evidence::Program;
                let expected = if by_program { verdict } else { Verdict::NotShown };
                assert_eq!(decide(&claim, rule, &embedded).0, expected, "{evidence:?}");
            }
        }
    }

    #[test]
    fn times_of_a_quick_run_decide_nothing() {
        let mut quick = fixture::empty("lab-4-1", true);
        quick.parameters.insert("quick".to_owned(), record::Parameter::Flag(true));
        for evidence in [Evidence::Program, Evidence::Counters, Evidence::Calls, Evidence::Times] {
            let (verdict, why) = decide(&claim(evidence, None), REFUTED, &quick);
            let of_times = evidence == Evidence::Times;
            let expected = if of_times { Verdict::NotShown } else { Verdict::DoesNotHold };
            assert!(verdict == expected && why.ends_with("3 ms"), "{evidence:?}: {why}");
        }
    }

    #[test]
    fn a_figure_of_another_chip_is_neither_right_nor_wrong() {
        let of_p2000 = claim(Evidence::Times, Some("Quadro P2000"));
        for rule in [REFUTED, HELD] {
            let (verdict, why) = decide(&of_p2000, rule, &of_gpu("NVIDIA H200", "9.0"));
            assert!(verdict == Verdict::NotShown && why.contains("(Quadro P2000): "), "{why}");
            assert!(why.ends_with(" ms"), "what this chip gave: {why}");
        }
        assert_eq!(decide(&of_p2000, REFUTED, &of_gpu("Quadro P2000", "6.1")).0, Verdict::DoesNotHold);
        // A model of the chip is not a chip.
        let mut modelled = fixture::empty("lab-4-1", false);
        if let Device::Simt { models, .. } = &mut modelled.device {
            *models = "Quadro P2000".to_owned();
        }
        assert_eq!(decide(&of_p2000, HELD, &modelled).0, Verdict::NotShown);
    }

    #[test]
    fn a_generation_is_known_by_its_compute_capability() {
        let of_kepler = claim(Evidence::Times, Some("Kepler"));
        assert_eq!(decide(&of_kepler, HELD, &of_gpu("Tesla K40m", "3.5")).0, Verdict::Holds);
        assert_eq!(decide(&of_kepler, HELD, &of_gpu("NVIDIA H200", "9.0")).0, Verdict::NotShown);
    }

    #[test]
    fn figures_are_as_stated_within_a_quarter() {
        assert_eq!(as_stated(&[1.2, 0.8]), Verdict::Holds);
        assert_eq!(as_stated(&[1.2, 1.9]), Verdict::HoldsInPart);
        assert_eq!(as_stated(&[0.01]), Verdict::DoesNotHold);
    }

    #[test]
    fn a_count_that_was_not_taken_is_not_zero() {
        let mut point = fixture::point((1.0, 1.0));
        point.counters = fixture::counters(&[("const_replays", 7)]);
        assert_eq!(hardware(&point, "const_replays"), None);
        point.hardware = fixture::counters(&[("const_instructions", 9)]);
        assert_eq!(hardware(&point, "const_replays"), Some(0));
    }
}
