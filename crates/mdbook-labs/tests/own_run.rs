//! The reader's own run on a page, next to the references.

use crate::common::{Tiny, read};
use record::{Device, Parameter, Record};
use tests::fixture;

const TABLE: &str = "{{#table h200/lab-5-5 stencil series=constant x=256 columns=series,y,global_load_sectors caption=\"At 256\"}}\n";

/// A run of the embedded device whose checks passed.
fn modelled() -> Record {
    let mut record = fixture::modelled();
    record.checks.retain(|check| check.passed);
    record
}

fn quick(mut record: Record) -> Record {
    record.parameters.insert("quick".into(), Parameter::Flag(true));
    smaller(record, 256)
}

/// A run of fewer elements, which has fewer of everything.
fn smaller(mut record: Record, by: u64) -> Record {
    record.parameters.insert("elements".into(), Parameter::Integer((1 << 24) / by));
    for point in record.experiments.iter_mut().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points) {
        point.counters.values_mut().for_each(|count| *count /= by);
    }
    record
}

/// A run without `--full`.
fn short(mut record: Record) -> Record {
    record.parameters.insert("full".into(), Parameter::Flag(false));
    smaller(record, 8)
}

fn of_t4(mut record: Record) -> Record {
    if let Device::Simt { chip, models, .. } = &mut record.device {
        (*chip, *models) = ("t4".into(), "NVIDIA T4".into());
    }
    record
}

/// The chapter with the reader's own record, as it is read.
fn with(chapter: &str, yours: &Record) -> String {
    read(&Tiny::new(chapter).record("yours/lab-5-5", yours).expand().expect("the book builds"))
}

#[test]
fn without_a_run_of_ones_own_nothing_is_said_of_it() {
    let chapter = format!("{TABLE}{{{{#plot h200/lab-5-5 stencil}}}}\n\n{{{{#claims h200/lab-5-5}}}}\n");
    assert!(!Tiny::new(&chapter).expand().expect("expanded").contains("yours"));
}

#[test]
fn experiments_that_no_lab_makes_have_no_run_of_ones_own() {
    let of = |mut record: Record| {
        record.lab = "causes".into();
        record
    };
    let chapter = TABLE.replace("lab-5-5", "causes");
    let without = Tiny::new(&chapter).record("h200/causes", &of(fixture::measured()));
    let expected = without.expand().expect("expanded");
    for yours in [fixture::measured(), modelled(), of_t4(modelled())] {
        let with = Tiny::new(&chapter)
            .record("h200/causes", &of(fixture::measured()))
            .record("yours/causes", &of(yours));
        assert_eq!(with.expand().expect("expanded"), expected);
    }
}

#[test]
fn counts_are_compared_with_a_gpus_record_and_modelled_times_below_with_the_modelled() {
    let text = with(TABLE, &modelled());
    let (there, below) = text.split_once("Your run compared with").expect("both");
    assert!(there.contains("|1,741|2,228,224|yours 2,228,224|"), "{there}");
    assert!(
        below.starts_with(" the reference of the same sizes: all 6 points have the reference’s counts|"),
        "{below}"
    );
    assert!(below.contains("|1,555|yours 1,555|2,228,224|yours 2,228,224|"), "{below}");
    assert!(!below.contains("At 256"), "a caption that may name sizes is of the table above");
}

#[test]
fn what_the_gpu_counted_has_the_embedded_devices_counts_below() {
    let table =
        "{{#table h200/lab-5-5 stencil series=constant x=256 columns=series,hardware:global_load_sectors}}\n";
    let text = with(table, &modelled());
    let (there, below) = text.split_once("Your run compared with").expect("both");
    assert!(!there.contains("yours"), "{there}");
    assert!(
        below.contains("|sectors of global loads|") && below.contains("|2,228,224|yours 2,228,224|"),
        "{below}"
    );
}

#[test]
fn a_count_that_only_a_gpu_has_is_reported_with_what_to_run_once_a_page() {
    let mut reference = fixture::measured();
    for point in reference.experiments.iter_mut().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points) {
        point.hardware.insert("dram_read_sectors".into(), 7);
    }
    let table =
        "{{#table h200/lab-5-5 stencil series=constant x=256 columns=series,hardware:dram_read_sectors}}\n";
    let tiny = Tiny::new(&format!("{table}\n{table}"));
    let text = read(
        &tiny
            .record("h200/lab-5-5", &reference)
            .record("yours/lab-5-5", &modelled())
            .expand()
            .expect("expanded"),
    );
    assert_eq!(text.matches("Only Nsight Compute counts this").count(), 1, "{text}");
}

#[test]
fn a_plot_of_times_has_the_modelled_ones_below() {
    let plot = "{{#plot h200/lab-5-5 working-set series=constant}}\n";
    let tiny = Tiny::new(plot).record("yours/lab-5-5", &modelled());
    let (html, text) = (tiny.expand().expect("expanded"), with(plot, &modelled()));
    assert_eq!(html.matches("<svg").count(), 4, "each of the two for a page and for a narrow screen");
    let (there, below) = text.split_once("Your run compared with").expect("both");
    assert!(
        !there.contains("yours")
            && below.contains("yours: embedded device (as NVIDIA H200), modelled 2025-01-02|")
    );
    assert!(html.contains("plot-one-1-own"), "no two drawings of a page share an id");
    let over = with(&plot.replace("h200", "embedded-h200"), &modelled());
    assert!(!over.contains("Your run compared with") && over.contains("; yours: "), "{over}");
}

#[test]
fn a_number_in_a_sentence_is_the_references() {
    let chapter = "{{#value h200/lab-5-5 working-set constant 1KiB y}}\n";
    assert_eq!(with(chapter, &quick(modelled())), read(&Tiny::new(chapter).expand().expect("expanded")));
}

#[test]
fn a_quick_run_is_compared_with_the_quick_reference() {
    let tiny = Tiny::new(TABLE)
        .record("quick-embedded-h200/lab-5-5", &quick(modelled()))
        .record("yours/lab-5-5", &quick(modelled()));
    let text = read(&tiny.expand().expect("expanded"));
    let (there, below) = text.split_once("Your quick run compared with the quick reference").expect("both");
    assert!(there.contains("|1,741|2,228,224|") && !there.contains("yours"), "other counts: {there}");
    assert!(below.contains("|8,704|yours 8,704|"), "{below}");
}

#[test]
fn a_short_run_is_compared_with_the_short_reference_and_not_with_the_full_one() {
    let tiny = Tiny::new(&TABLE.replace("h200", "embedded-h200"))
        .record("short-embedded-h200/lab-5-5", &short(modelled()))
        .record("yours/lab-5-5", &short(modelled()));
    let text = read(&tiny.expand().expect("expanded"));
    let (there, below) =
        text.split_once("Your run compared with the reference of the same sizes").expect("both");
    assert!(!there.contains("yours"), "{there}");
    assert!(below.contains("|278,528|yours 278,528|"), "{below}");
}

#[test]
fn a_run_without_a_short_reference_is_given_the_flag_of_the_full_one() {
    let mut other = short(modelled());
    other.parameters.insert("seed".into(), Parameter::Integer(7));
    let tiny = Tiny::new(TABLE).record("yours/lab-5-5", &other);
    let with_short = tiny.record("short-embedded-h200/lab-5-5", &short(modelled()));
    let text = read(&with_short.expand().expect("expanded"));
    let said = "its seed is 7 (the reference: unknown). To compare, run \
                |cargo run --bin lab-5-5 -- --device simt --arch h200|.";
    assert!(text.contains(said), "{text}");
    let mut full = modelled();
    full.parameters.insert("seed".into(), Parameter::Integer(7));
    let tiny = Tiny::new(TABLE).record("yours/lab-5-5", &full);
    let text =
        read(&tiny.record("short-embedded-h200/lab-5-5", &short(modelled())).expand().expect("expanded"));
    assert!(text.contains("|cargo run --bin lab-5-5 -- --device simt --arch h200 --full|."), "{text}");
}

#[test]
fn a_run_without_a_reference_of_its_parameters_is_given_a_command_once_a_page() {
    let chapter = format!("{TABLE}\n{TABLE}\n{{{{#plot h200/lab-5-5 stencil}}}}\n");
    let text = with(&chapter, &quick(modelled()));
    let said = "Your run of lab-5-5 is not compared: its elements is 65536 (the reference: 16777216), its quick is yes \
                (the reference: no). To compare, run |cargo run --bin lab-5-5 -- --device simt --arch h200|.";
    assert_eq!(text.matches(said).count(), 1, "{text}");
    assert!(!text.contains("yours"), "{text}");
}

#[test]
fn a_run_of_another_chip_is_asked_to_count_for_the_references() {
    let text = with(TABLE, &of_t4(modelled()));
    let said = "it is of an NVIDIA T4, the reference of an NVIDIA H200. To compare, run \
                |cargo run --bin lab-5-5 -- --device simt --arch h200|.";
    assert!(text.contains(said), "{text}");
    // A GPU without a record: what another machine can run.
    let mut gpu = fixture::measured();
    if let Device::Gpu { name, .. } = &mut gpu.device {
        *name = "NVIDIA RTX".into();
    }
    let text = with(TABLE, &gpu);
    assert!(text.contains("--device simt --arch h200|"), "{text}");
    // The model of another chip says nothing about the reader's run.
    let tiny = Tiny::new(&TABLE.replace("h200", "embedded-t4"))
        .record("embedded-t4/lab-5-5", &of_t4(modelled()))
        .record("yours/lab-5-5", &modelled());
    let text = read(&tiny.expand().expect("expanded"));
    assert!(!text.contains("yours") && !text.contains("Your run"), "{text}");
}

#[test]
fn a_run_without_an_experiment_names_the_run_that_has_it_once() {
    let chapter = format!("{TABLE}\n{TABLE}\n");
    let mut less = modelled();
    less.experiments.remove(0);
    let mut few = quick(less.clone());
    few.experiments.truncate(1);
    let tiny = |yours: &Record, twin: &Record, folder: &str| {
        let tiny = Tiny::new(&chapter).record(folder, twin).record("yours/lab-5-5", yours);
        read(&tiny.expand().expect("expanded"))
    };
    let text = tiny(&less, &less, "embedded-h200/lab-5-5");
    let said = "Your run does not include this: it ran on the embedded device; |cargo run --bin lab-5-5| on a GPU includes it.";
    assert_eq!(text.matches(said).count(), 1, "{text}");
    let text = tiny(&few, &few, "quick-embedded-h200/lab-5-5");
    assert!(text.contains("it is a quick one; |cargo run --bin lab-5-5| includes it."), "{text}");
    let text = tiny(&short(less.clone()), &short(less.clone()), "short-embedded-h200/lab-5-5");
    assert!(
        text.contains("it leaves out what takes long; |cargo run --bin lab-5-5 -- --full| includes it."),
        "{text}"
    );
    let text = tiny(&less, &modelled(), "embedded-h200/lab-5-5");
    assert!(text.contains("recorded it; |cargo run --bin lab-5-5| records it again."), "{text}");
}

#[test]
fn a_count_that_differs_is_marked_in_tables_counters_and_plots() {
    let mut yours = modelled();
    yours.kernels[0].ptx_sha256 = "b2".repeat(32);
    yours.kernels[0].compiler = Some("own 0.1.0".into());
    yours.experiments[0].series[0].points[3].counters.insert("global_load_sectors".into(), 7);
    let why = "your run had a different |ch5-5/stencil.cu| (compiled by own 0.1.0) from the reference";
    for chapter in [
        TABLE,
        "{{#counters h200/lab-5-5 stencil series=constant x=256 names=global_load_sectors}}\n",
        "{{#plot embedded-h200/lab-5-5 stencil series=constant}}\n",
    ] {
        let text = with(chapter, &yours);
        assert!(text.contains("≠") && text.contains(why), "{chapter}: {text}");
    }
    let plot = with("{{#plot h200/lab-5-5 stencil series=constant}}\n", &yours);
    assert!(plot.contains("same sizes: ≠ 1 of 6 points have other counts|"), "{plot}");
}

#[test]
fn a_figure_says_whether_the_readers_accesses_are_the_same() {
    let trace = fixture::measured().traces[0].id.clone();
    let chapter = format!("{{{{#figure h200/lab-5-5 {trace}}}}}\n");
    let mut yours = modelled();
    assert!(with(&chapter, &yours).contains("; your run’s are the same|"));
    let other = yours.traces.iter().find(|one| one.id != trace).cloned().expect("another");
    yours.traces[0] = record::Trace { id: trace, ..other };
    let text = with(&chapter, &yours);
    assert!(
        text.contains("|≠ Your run accesses memory differently: ") && text.contains("counters of your run|"),
        "{text}"
    );
    yours.traces.clear();
    assert!(!with(&chapter, &yours).contains("our run"));
}

#[test]
fn the_readers_verdict_and_its_reason_are_below_the_references() {
    let mut yours = modelled();
    yours.claims[0].verdict = record::Verdict::DoesNotHold;
    yours.claims[0].why = "Two requests.".into();
    let text = with("{{#claims h200/lab-5-5}}\n", &yours);
    let row = "|◐ holds in part|yours: ✗ does not hold|A whole warp: 1 request.|yours: Two requests.|";
    assert!(text.contains(row), "{text}");
}

#[test]
fn a_run_whose_checks_failed_is_reported_once_a_page() {
    let text = with(&format!("{TABLE}\n{TABLE}\n"), &fixture::modelled());
    assert_eq!(text.matches("⚠ 1 of the 2 checks of your run of lab-5-5 failed").count(), 1, "{text}");
}

#[test]
fn a_reference_that_cannot_be_read_compares_with_nothing_and_breaks_only_what_shows_it() {
    let tiny = Tiny::new(TABLE).record("yours/lab-5-5", &modelled());
    let tiny =
        tiny.file("records/embedded-h200/lab-5-5.json", "{").file("records/quick-h200/lab-5-5.json", "[]");
    let text = read(&tiny.expand().expect("expanded"));
    assert!(text.contains("yours 2,228,224") && !text.contains("Your run compared with"), "{text}");
}

#[test]
fn a_damaged_record_of_the_readers_own_is_a_warning_once_a_page() {
    let chapter = "{{#plot h200/lab-5-5 stencil}}\n\n{{#table h200/lab-5-5 stencil}}\n";
    let tiny = Tiny::new(chapter).file("records/yours/lab-5-5.json", "{\"version\": 7}");
    let text = read(&tiny.expand().expect("the book builds"));
    assert_eq!(text.matches("Your own record of lab-5-5 is not shown").count(), 1, "{text}");
    assert!(
        text.contains("records/yours/lab-5-5.json: field `version`: this record has version 7"),
        "{text}"
    );
}

#[test]
fn a_record_of_the_readers_own_that_does_not_fit_is_a_warning() {
    let mut yours = fixture::modelled();
    yours.experiments[0].y.unit = "TB/s".into();
    let tiny = Tiny::new("{{#plot h200/lab-5-5 stencil}}").record("yours/lab-5-5", &yours);
    let text = read(&tiny.expand().expect("the book builds"));
    assert!(text.contains("the two records differ in the unit of y"), "{text}");
}

#[test]
fn a_quick_run_is_shown_where_there_is_no_whole_one() {
    let shown = |tiny: Tiny| read(&tiny.expand().expect("expanded"));
    let only = shown(Tiny::new(TABLE).record("yours/quick/lab-5-5", &modelled()));
    assert!(only.contains("yours 2,228,224"), "{only}");
    let both = Tiny::new(TABLE).record("yours/quick/lab-5-5", &quick(modelled()));
    let both = shown(both.record("yours/lab-5-5", &modelled()));
    assert!(both.contains("yours 2,228,224"), "{both}");
}
