//! Which records can be compared, and the message where they cannot.

use crate::fixture::{measured, modelled};
use record::compare::{Comparable, comparable, twin, why_counts_differ, why_incomparable};
use record::{Device, Parameter, Record};

fn with(mut record: Record, name: &str, value: Parameter) -> Record {
    record.parameters.insert(name.into(), value);
    record
}

fn as_t4(mut record: Record) -> Record {
    if let Device::Simt { chip, models, .. } = &mut record.device {
        (*chip, *models) = ("t4".into(), "NVIDIA T4".into());
    }
    record
}

#[test]
fn counts_compare_on_any_device_of_a_chip_and_times_where_their_origin_is_the_same() {
    assert_eq!(comparable(&measured(), &measured()), Comparable::Times);
    assert_eq!(comparable(&modelled(), &modelled()), Comparable::Times);
    assert_eq!(comparable(&measured(), &modelled()), Comparable::Counts);
    assert_eq!(comparable(&modelled(), &measured()), Comparable::Counts);
}

#[test]
fn another_lab_chip_or_parameter_is_another_work() {
    let others = [
        Record { lab: "lab-4-1".into(), ..modelled() },
        as_t4(modelled()),
        with(modelled(), "elements", Parameter::Integer(7)),
        with(modelled(), "seed", Parameter::Integer(7)),
        with(modelled(), "quick", Parameter::Flag(true)),
        with(modelled(), "full", Parameter::Flag(false)),
    ];
    for other in others {
        assert_eq!(comparable(&modelled(), &other), Comparable::Nothing, "{:?}", other.parameters);
        assert_eq!(comparable(&other, &modelled()), Comparable::Nothing);
    }
}

#[test]
fn an_edited_kernel_and_another_day_are_the_same_work() {
    let mut edited = Record { when: "2026-01-02T03:04:05Z".into(), ..modelled() };
    edited.kernels[0].cu_sha256 = "00".repeat(32);
    assert_eq!(comparable(&modelled(), &edited), Comparable::Times);
}

#[test]
fn the_twin_is_the_reference_of_which_most_can_be_compared() {
    let quick = |record| with(record, "quick", Parameter::Flag(true));
    let short = |record| with(record, "full", Parameter::Flag(false));
    let all = [measured(), modelled(), quick(modelled()), short(modelled())];
    let found =
        |yours: &Record| twin(&all, yours).map(|(twin, how)| (twin.device.source(), twin.is_quick(), how));
    use record::TimeSource::{Measured, Modelled};
    assert_eq!(found(&measured()), Some((Measured, false, Comparable::Times)));
    assert_eq!(found(&modelled()), Some((Modelled, false, Comparable::Times)));
    assert_eq!(found(&quick(modelled())), Some((Modelled, true, Comparable::Times)));
    assert_eq!(twin(&all, &short(modelled())).map(|(twin, _)| twin.is_short()), Some(true));
    // A quick run of a GPU, of which there is no reference: its counts.
    assert_eq!(found(&quick(measured())), Some((Modelled, true, Comparable::Counts)));
    assert_eq!(found(&as_t4(modelled())), None);
}

#[test]
fn what_sets_runs_apart_is_said() {
    let seed = with(with(modelled(), "seed", Parameter::Integer(7)), "quick", Parameter::Flag(true));
    assert_eq!(
        why_incomparable(&modelled(), &seed),
        "its quick is yes (the reference: no), its seed is 7 (the reference: unknown)"
    );
    let short = with(modelled(), "full", Parameter::Flag(false));
    assert_eq!(why_incomparable(&modelled(), &short), "its full is no (the reference: yes)");
    assert_eq!(why_incomparable(&short, &modelled()), "its full is yes (the reference: no)");
    let quick = with(modelled(), "quick", Parameter::Flag(true));
    assert_eq!(why_incomparable(&short, &quick), "its quick is yes (the reference: no)");
    assert_eq!(
        why_incomparable(&modelled(), &as_t4(modelled())),
        "it is of an NVIDIA T4, the reference of an NVIDIA H200"
    );
    let lab = Record { lab: "lab-4-1".into(), ..modelled() };
    assert_eq!(why_incomparable(&modelled(), &lab), "it is a record of lab-4-1, the reference of lab-5-5");
}

#[test]
fn counts_differ_for_a_kernel_a_version_or_a_reason_that_no_record_states() {
    let mut other = modelled();
    assert!(
        why_counts_differ(&modelled(), &other).starts_with("neither record states why: run the lab again")
    );
    other.written_by = "warpbook 9.9.9".into();
    let why = why_counts_differ(&modelled(), &other);
    assert!(why.starts_with("your run was recorded by warpbook 9.9.9, the reference by "), "{why}");
    other.kernels[0].ptx_sha256 = "00".repeat(32);
    assert_eq!(
        why_counts_differ(&modelled(), &other),
        "your run had a different `ch5-5/stencil.cu` from the reference"
    );
}
