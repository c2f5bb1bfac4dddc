//! The reader's own run in the tables of a reference.

use record::{Parameter, Record};
use render::table::{Cell, Counted, Query};
use render::{Error, Field, OwnRun, Table};
use tests::fixture;

fn fields(names: &[&str]) -> Vec<Field> {
    names.iter().map(|name| Field::parse(name).expect("a field")).collect()
}

/// The own results in a table, a row a line.
fn own(table: &Table) -> String {
    let cell = |c: &Cell| c.yours.as_ref().map_or("-".to_owned(), |own| own.text.clone());
    let rows = table.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" | "));
    rows.collect::<Vec<_>>().join("\n").replace('\u{a0}', " ")
}

/// Table of the stencil of 256 threads: variant, time, result and counts.
fn stencil(reference: &Record, yours: &Record, twin: Option<&Record>) -> Table {
    let columns = fields(&[
        "series",
        "time.median",
        "y",
        "global_load_sectors",
        "global_load_sectors/global_load_requests",
    ]);
    let query = Query {
        series: &["constant"],
        x: &[256.0],
        columns: &columns,
        yours: Some(OwnRun { record: yours, twin }),
        ..Query::new(reference, "stencil")
    };
    query.table().expect("made")
}

fn quick(mut record: Record) -> Record {
    record.parameters.insert("quick".into(), Parameter::Flag(true));
    record.parameters.insert("elements".into(), Parameter::Integer(65_536));
    record
}

#[test]
fn counts_are_next_to_those_of_any_device_and_times_do_not() {
    let table = stencil(&fixture::measured(), &fixture::modelled(), None);
    assert_eq!(own(&table), "- | - | - | 2,228,224 | 3.78");
    assert_eq!((table.tally.shown, table.tally.times, table.tally.alone), (2, 0, 1));
    assert!(
        table.caption.contains("; yours: counted by the embedded device 2025-01-02)"),
        "{}",
        table.caption
    );
}

#[test]
fn a_run_like_the_references_is_there_with_its_result_and_its_counts() {
    let table = stencil(&fixture::modelled(), &fixture::modelled(), None);
    assert_eq!(own(&table), "- | - | 1,555 | 2,228,224 | 3.78");
    assert_eq!((table.tally.alone, table.note), (0, None));
}

#[test]
fn a_count_that_differs_is_marked_and_the_kernel_that_did_it_named() {
    let mut yours = fixture::modelled();
    yours.experiments[0].series[0].points[3].counters.insert("global_load_sectors".into(), 7);
    yours.kernels[0].ptx_sha256 = "b2".repeat(32);
    yours.kernels[0].compiler = Some("own 0.1.0".into());
    let table = stencil(&fixture::measured(), &yours, None);
    assert!(own(&table).contains("7 ≠"), "{}", own(&table));
    assert_eq!(table.tally.differing, 2);
    let note = "≠ marks a count of yours that is not the reference's: your run had a different `ch5-5/stencil.cu` \
                (compiled by own 0.1.0) from the reference.";
    assert_eq!(table.note.as_deref(), Some(note));
    assert!(table.html().contains("<span class=\"yours differs\">yours 7 ≠</span>"));
}

#[test]
fn a_run_of_other_parameters_is_there_only_where_they_do_not_matter() {
    let (reference, yours, mut twin) =
        (fixture::measured(), quick(fixture::modelled()), quick(fixture::modelled()));
    // No one knows what a run of these parameters counts.
    assert_eq!(own(&stencil(&reference, &yours, None)), "- | - | - | - | -");
    // Fewer sectors and requests: the ratio is the same.
    let mut yours = yours;
    for record in [&mut yours, &mut twin] {
        for name in ["global_load_sectors", "global_load_requests"] {
            let count = record.experiments[0].series[0].points[3].counters.get_mut(name).expect("counted");
            *count /= 2;
        }
    }
    let table = stencil(&reference, &yours, Some(&twin));
    assert_eq!(own(&table), "- | - | - | - | 3.78");
    assert!(table.caption.contains("(a quick run, elements 65,536))"), "{}", table.caption);
}

#[test]
fn a_run_of_another_chip_or_lab_is_shown_nowhere() {
    let mut other = fixture::modelled();
    if let record::Device::Simt { models, .. } = &mut other.device {
        *models = "NVIDIA T4".into();
    }
    assert_eq!(stencil(&fixture::measured(), &other, None).tally.shown, 0);
    let lab = Record { lab: "lab-4-1".into(), ..fixture::modelled() };
    let table = stencil(&fixture::measured(), &lab, None);
    assert_eq!(table.tally.shown, 0);
    assert!(!table.caption.contains("yours"), "{}", table.caption);
}

#[test]
fn a_pivots_cells_have_the_readers_results_below() {
    let record = fixture::modelled();
    let yours = Some(OwnRun { record: &record, twin: None });
    let query = Query { pivot: Some(Field::Y), x: &[1024.0], yours, ..Query::new(&record, "working-set") };
    assert_eq!(own(&query.table().expect("made")), "- | 44.8 ns | 65.0 ns");
}

#[test]
fn counters_have_the_readers_counts_below() {
    let (record, yours) = (fixture::measured(), fixture::modelled());
    let yours = Some(OwnRun { record: &yours, twin: None });
    let names = ["const_replays", "global_load_sectors"];
    let counted = Counted {
        series: &["constant"],
        x: &[256.0],
        names: &names,
        yours,
        ..Counted::new(&record, "stencil")
    };
    let table = counted.table().expect("made");
    assert_eq!(own(&table), "- | - | 0 | -\n- | - | 2,228,224 | -");
    assert_eq!((table.tally.shown, table.tally.alone), (2, 0));
    // A GPU's own counts are next to a GPU's.
    let yours = Some(OwnRun { record: &record, twin: None });
    let table = Counted { yours, ..counted }.table().expect("made");
    assert_eq!(own(&table), "- | 0 | 0 | -\n- | 2,228,224 | 2,228,224 | -");
}

#[test]
fn a_result_in_another_unit_is_refused() {
    let mut yours = fixture::modelled();
    yours.experiments[0].y.unit = "TB/s".into();
    let reference = fixture::modelled();
    let yours = Some(OwnRun { record: &yours, twin: None });
    let table = Query { yours, ..Query::new(&reference, "stencil") }.table();
    assert!(matches!(table, Err(Error::Axes { what: "the unit of y", .. })));
}

#[test]
fn the_counts_of_a_run_are_summed_up_in_words() {
    let (twin, mut yours) = (fixture::modelled(), fixture::modelled());
    let said = |yours: &Record| OwnRun { record: yours, twin: Some(&twin) }.counts("stencil", &["constant"]);
    assert_eq!(said(&yours).as_deref(), Some("all 6 points have the reference's counts"));
    yours.experiments[0].series[0].points[0].counters.insert("const_replays".into(), 3);
    assert_eq!(said(&yours).as_deref(), Some("≠ 1 of 6 points have other counts"));
    yours.experiments[0].series[0].points.truncate(1);
    assert_eq!(said(&yours).as_deref(), Some("≠ 1 of 1 points have other counts"));
    yours.experiments.clear();
    assert_eq!(said(&yours), None);
}
