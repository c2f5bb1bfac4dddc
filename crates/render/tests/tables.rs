//! Tables as text and as HTML.

use render::table::{Cell, Counted, Query, checks, claims};
use render::{Error, Field, Format, Table};
use tests::fixture;

/// A table as lines of cells.
fn text(table: &Table) -> String {
    let cell = |c: &Cell| match &c.yours {
        Some(yours) => format!("{} [{}]", c.text, yours.text),
        None => c.text.clone(),
    };
    let heads: Vec<_> = table.columns.iter().map(|c| c.heading.clone()).collect();
    let mut lines = vec![table.caption.clone(), heads.join(" | ")];
    lines.extend(table.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" | ")));
    lines.join("\n").replace('\u{a0}', " ")
}

fn fields(names: &[&str]) -> Vec<Field> {
    names.iter().map(|name| Field::parse(name).expect("a field")).collect()
}

#[test]
fn the_usual_table_has_variant_time_and_result() {
    let record = fixture::measured();
    let query = Query { series: &["constant", "copy"], x: &[32.0, 256.0], ..Query::new(&record, "stencil") };
    insta::assert_snapshot!(text(&query.table().expect("made")), @r"
    Stencil bandwidth by variant and block size (NVIDIA H200, measured 2025-01-02)
    variant | block size (threads) | calls | median time | shortest | longest | bandwidth (GB/s)
    constant memory | 32 | 100 | 243 µs | 238 µs | 258 µs | 552
    constant memory | 256 | 100 | 77.1 µs | 75.5 µs | 81.7 µs | 1,741
    copy | 32 | 100 | 130 µs | 127 µs | 137 µs | 1,036
    copy | 256 | 100 | 48.8 µs | 47.8 µs | 51.7 µs | 2,750
    ");
}

#[test]
fn a_ratio_of_counters_is_next_to_its_ideal() {
    let record = fixture::modelled();
    let columns =
        fields(&["x", "global_load_sectors", "global_load_sectors/global_load_requests", "ideal:4", "y"]);
    let query = Query { series: &["constant"], columns: &columns, ..Query::new(&record, "stencil") };
    insta::assert_snapshot!(text(&query.table().expect("made")), @r"
    Stencil bandwidth by variant and block size (embedded device (as NVIDIA H200), modelled 2025-01-02)
    block size (threads) | sectors of global loads | sectors per request of global loads | ideal | bandwidth (GB/s), modelled
    32 | 3,145,728 | 3 | 4 | 493
    64 | 2,621,440 | 3.33 | 4 | 812
    128 | 2,359,296 | 3.60 | 4 | 1,196
    256 | 2,228,224 | 3.78 | 4 | 1,555
    512 | 2,162,688 | 3.88 | 4 | 1,795
    1,024 | 2,129,920 | 3.94 | 4 | 1,872
    ");
}

#[test]
fn a_pivot_has_a_column_for_each_series() {
    let record = fixture::measured();
    let query = Query { pivot: Some(Field::Y), x: &[1024.0, 4096.0], ..Query::new(&record, "working-set") };
    insta::assert_snapshot!(text(&query.table().expect("made")), @r"
    Latency against working set (NVIDIA H200, measured 2025-01-02)
    working set | constant memory | read-only cache
    1 KiB | 40 ns | 58.0 ns
    4 KiB | 112 ns | 58.1 ns
    ");
}

#[test]
fn the_gpus_counts_are_next_to_the_embedded_devices() {
    let record = fixture::measured();
    let stencil = Counted { series: &["constant"], x: &[256.0], ..Counted::new(&record, "stencil") };
    insta::assert_snapshot!(text(&stencil.table().expect("made")), @r"
    Stencil bandwidth by variant and block size; constant memory; block size: 256 threads; counts of one launch
    counter | counted by the NVIDIA H200 | counted by the embedded device | equal?
    constant loads | 0 | 2,097,152 | ≠ no
    replays of constant loads | 0 | 0 | = yes
    requests of global loads | 589,824 | 589,824 | = yes
    sectors of global loads | 2,228,224 | 2,228,224 | = yes
    ");
    let two = Counted { series: &["constant", "ldg"], x: &[], names: &["const_replays"], ..stencil };
    insta::assert_snapshot!(text(&two.table().expect("made")), @r"
    Stencil bandwidth by variant and block size; block size: 256 threads; counts of one launch
    variant | counter | counted by the NVIDIA H200 | counted by the embedded device | equal?
    constant memory | replays of constant loads | 0 | 0 | = yes
    __ldg | replays of constant loads | 0 | 0 | = yes
    ");
}

#[test]
fn counts_of_a_record_of_the_embedded_device_are_alone() {
    let record = fixture::modelled();
    let stencil = Counted { series: &["constant"], x: &[256.0], ..Counted::new(&record, "stencil") };
    insta::assert_snapshot!(text(&stencil.table().expect("made")), @r"
    Stencil bandwidth by variant and block size; constant memory; block size: 256 threads; counts of one launch
    counter | counted by the embedded device
    constant loads | 2,097,152
    replays of constant loads | 0
    requests of global loads | 589,824
    sectors of global loads | 2,228,224
    ");
    let error = Counted { names: &["const_replay"], ..stencil }.table().expect_err("misspelt");
    assert!(error.to_string().contains("did you mean `const_replays`?"), "{error}");
}

#[test]
fn claims_and_checks_have_verdicts_in_words() {
    let record = fixture::measured();
    insta::assert_snapshot!(text(&claims(&record, None)), @r"
    What the sources say, and what the record says to it (NVIDIA H200, measured 2025-01-02)
    claim | source | verdict | why
    One read serves a half-warp & saves 15. | Professional CUDA C Programming, 5.5 | ◐ holds in part | A whole warp: 1 request.
    Cost is linear in the distinct addresses. | Professional CUDA C Programming, 5.5 | ✓ holds | 5.6 ns an address.
    The cache is 64 KB an SM. | Professional CUDA C Programming, 5.5 | ✗ does not hold | Latency rises past 2 KiB.
    Constant memory is faster. | Professional CUDA C Programming, 5.5 | ? not shown | The difference is within the spread.
    ");
    insta::assert_snapshot!(text(&checks(&fixture::modelled())), @r"
    Checks (embedded device (as NVIDIA H200), modelled 2025-01-02)
    check | what | verdict | found
    chase/constant | every lane ends where its chain ends | ✗ failed | 32 of 32 lanes
    stencil/constant/256 | every output against the CPU's, relative error at most 1e-5 | ✓ passed | largest relative error 1.2e-7
    ");
}

#[test]
fn html_is_one_line_and_escapes_what_a_record_says() {
    let mut record = fixture::measured();
    record.claims.truncate(1);
    record.claims[0].why = "<b> {{#value}}\n\nand".into();
    insta::assert_snapshot!(claims(&record, None).html(), @r#"<div class="lab-table words"><table><caption>What the sources say, and what the record says to it (NVIDIA H200, measured <span class="whole">2025-01-02</span>)</caption><thead><tr><th scope="col">claim</th><th scope="col">source</th><th scope="col">verdict</th><th scope="col">why</th></tr></thead><tbody><tr><td data-heading="claim">One read serves a half-warp &amp; saves 15.</td><td data-heading="source">Professional CUDA C Programming, 5.5</td><td class="holds-in-part" data-heading="verdict"><span class="verdict">◐ holds in part</span></td><td data-heading="why">&lt;b&gt; &#123;&#123;#value}}  and</td></tr></tbody></table></div>"#);
}

#[test]
fn a_counter_that_no_point_has_is_refused_with_those_there_are() {
    let record = fixture::measured();
    let columns = fields(&["x", "global_load_sector"]);
    let query = Query { columns: &columns, ..Query::new(&record, "stencil") };
    let error = query.table().expect_err("no such counter").to_string();
    assert!(error.contains("did you mean `global_load_sectors`?"), "{error}");
    assert!(error.contains("const_replays"), "{error}");
}

#[test]
fn an_x_that_was_not_run_is_refused_with_those_that_were() {
    let record = fixture::measured();
    let query = Query { x: &[100.0], ..Query::new(&record, "stencil") };
    let error = query.table().expect_err("no such x").to_string();
    assert!(error.contains("there are: 32, 64, 128, 256, 512, 1024"), "{error}");
}

#[test]
fn counts_by_the_gpu_are_refused_where_it_counted_nothing() {
    let record = fixture::measured();
    let stencil = Counted { series: &["constant"], x: &[32.0], ..Counted::new(&record, "stencil") };
    let error = stencil.table().expect_err("not counted at 32");
    assert!(matches!(error, Error::Missing { what: "counts by the GPU", .. }));
    assert!(error.to_string().contains("constant at x = 256"), "{error}");
}

#[test]
fn the_unit_asked_for_goes_to_the_columns_it_suits() {
    let record = fixture::measured();
    let columns = fields(&["x", "time.median", "y"]);
    let format = Format { unit: Some("ms"), digits: Some(2) };
    let query =
        Query { series: &["copy"], x: &[256.0], columns: &columns, format, ..Query::new(&record, "stencil") };
    insta::assert_snapshot!(text(&query.table().expect("made")), @r"
    Stencil bandwidth by variant and block size (NVIDIA H200, measured 2025-01-02)
    block size (threads) | median time | bandwidth (GB/s)
    256 | 0.049 ms | 2,700
    ");
}

#[test]
fn ratios_become_percentages_and_counts_next_to_them_stay_counts() {
    let record = fixture::modelled();
    let columns = fields(&["x", "global_load_sectors", "global_load_requests/global_load_sectors"]);
    let format = Format { unit: Some("%"), ..Format::default() };
    let query = Query {
        series: &["constant"],
        x: &[256.0],
        columns: &columns,
        format,
        ..Query::new(&record, "stencil")
    };
    let table = query.table().expect("made");
    let row: Vec<&str> = table.rows[0].iter().map(|cell| cell.text.as_str()).collect();
    assert_eq!(row, ["256", "2,228,224", "26.5\u{a0}%"]);
}

#[test]
fn a_pivot_of_another_quantity_than_y_names_it() {
    let record = fixture::measured();
    let pivot = Some(Field::parse("const_replays").expect("a counter"));
    let query = Query { series: &["constant-4"], pivot, ..Query::new(&record, "divergence-latency") };
    let caption = query.table().expect("made").caption;
    assert_eq!(
        caption,
        "Latency against distinct addresses in the warp: replays of constant loads (NVIDIA H200, measured 2025-01-02)"
    );
}

#[test]
fn a_pivot_names_its_quantity_and_where_its_cells_have_none_the_unit() {
    let record = fixture::measured();
    let caption = |experiment, caption| {
        let query = Query { pivot: Some(Field::Y), caption, ..Query::new(&record, experiment) };
        let whole = query.table().expect("made").caption;
        whole.split(" (NVIDIA").next().unwrap_or_default().to_owned()
    };
    assert_eq!(caption("stencil", None), "Stencil bandwidth by variant and block size, in GB/s");
    assert_eq!(caption("stencil", Some("By block size")), "By block size: bandwidth in GB/s");
    assert_eq!(caption("working-set", None), "Latency against working set");
}

#[test]
fn the_readers_own_verdict_is_below_the_references_with_its_reason() {
    let (record, mut yours) = (fixture::measured(), fixture::modelled());
    yours.claims.truncate(1);
    yours.claims[0].why = "Half of a warp: `2` requests.".into();
    let table = claims(&record, Some(&yours));
    let own = |row: &[Cell], i: usize| row[i].yours.as_ref().map(|own| own.text.clone());
    assert_eq!(own(&table.rows[0], 2).as_deref(), Some("◐ holds in part"));
    assert_eq!(own(&table.rows[0], 3).as_deref(), Some("Half of a warp: `2` requests."));
    assert!(table.rows[1..].iter().all(|row| row.iter().all(|cell| cell.yours.is_none())));
    assert!(
        table.html().contains("<span class=\"yours\">yours: Half of a warp: <code>2</code> requests.</span>")
    );
}

#[test]
fn checks_that_passed_share_a_row_and_failed_ones_do_not() {
    let mut record = fixture::measured();
    let first = record.checks[0].clone();
    record.checks =
        (0..1200).map(|i| record::Check { id: format!("stencil/{i}"), ..first.clone() }).collect();
    record.checks[7].passed = false;
    record.checks[9].found = "largest relative error 0".into();
    insta::assert_snapshot!(text(&checks(&record)), @r"
    Checks (NVIDIA H200, measured 2025-01-02)
    check | what | verdict | found
    stencil/7 | every output against the CPU's, relative error at most 1e-5 | ✗ failed | largest relative error 1.2e-7
    stencil | every output against the CPU's, relative error at most 1e-5 | ✓ all 1,199 passed | such as: largest relative error 1.2e-7
    ");
}

#[test]
fn a_run_of_another_size_is_reported_as_such() {
    let (record, mut yours) = (fixture::measured(), fixture::modelled());
    yours.parameters.insert("quick".into(), record::Parameter::Flag(true));
    yours.parameters.insert("elements".into(), record::Parameter::Integer(65_536));
    // What no flag sets follows from the device.
    yours.parameters.insert("rounds_at_most".into(), record::Parameter::Integer(1));
    let reported = render::table::provenance(&record, Some(&yours), record::Origin::Time);
    assert!(reported.ends_with("modelled 2025-01-02 (a quick run, elements 65,536)"), "{reported}");
}

#[test]
fn code_is_between_backticks_and_a_lone_one_stays() {
    use render::table::prose;
    assert_eq!(prose("`a<b>` and `c`"), "<code>a&lt;b&gt;</code> and <code>c</code>");
    assert_eq!(prose("5` and <b>"), "5` and &lt;b&gt;");
    assert_eq!(prose("`a` b`"), "<code>a</code> b`");
    // As mdBook has them in the text around.
    assert_eq!(
        prose("the GPU's 'own' (\"so\") `a'b`'s rows'"),
        "the GPU’s ‘own’ (“so”) <code>a'b</code>’s rows’"
    );
}

#[test]
fn a_power_of_ten_is_written_so_that_no_line_breaks_in_it() {
    let reported = render::table::prose("error 2.4e-7, `1e-7`, one-e-2, 3e-x");
    assert_eq!(reported, "error 2.4\u{a0}×\u{a0}10⁻⁷, <code>1e-7</code>, one-e-2, 3e-x");
}
