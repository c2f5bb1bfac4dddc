//! Expansion of each directive, and errors for wrong ones.

use crate::common::{Tiny, read};
use std::fs;
use tests::fixture;

fn expand(chapter: &str) -> String {
    read(&Tiny::new(chapter).expand().expect("expanded"))
}

#[test]
fn numbers_fit_in_sentences() {
    insta::assert_snapshot!(expand(
        "y {{#value h200/lab-5-5 stencil constant 256 y}}, \
         in {{#value h200/lab-5-5 stencil constant 256 y unit=TB/s digits=2}}, \
         median {{#value h200/lab-5-5 stencil constant 256 time.median}}, \
         counted {{#value h200/lab-5-5 stencil constant 256 global_load_sectors}}, \
         by the GPU {{#value h200/lab-5-5 stencil constant 256 hardware:const_instructions}}, \
         at {{#value h200/lab-5-5 working-set constant 64KiB y digits=2}}; \
         fact {{#fact h200/lab-5-5 constant-cache-bytes}}, {{#fact h200/lab-5-5 replay-slope digits=2}}; \
         {{#param h200/lab-5-5 elements}} elements = {{#param h200/lab-5-5 elements unit=B}}, \
         {{#param h200/lab-5-5 block_sizes}}, {{#param h200/lab-5-5 quick}}; {{#device h200/lab-5-5}}"
    ), @r"y 1,741 GB/s, in 1.7 TB/s, median 77.1 µs, counted 2,228,224, by the GPU 0, at 210 ns; fact 2 KiB, 5.6 ns; 16,777,216 elements = 16 MiB, 32, 64, 128, 256, 512, 1,024, no; NVIDIA H200, compute capability 9.0, 132 multiprocessors, driver API 13.0, measured 2025-01-02");
}

#[test]
fn a_share_is_a_percentage() {
    let share = expand(
        "{{#value h200/lab-5-5 stencil constant 256 global_load_requests/global_load_sectors unit=%}}, \
         {{#value h200/lab-5-5 stencil constant 256 global_load_requests/global_load_sectors unit=% digits=1}}",
    );
    assert_eq!(share, "26.5 %, 30 %");
    let of_a_time = Tiny::new("{{#value h200/lab-5-5 stencil constant 256 time.median unit=%}}").problems();
    assert!(of_a_time.contains("cannot write `ns` in `%`; possible: ns, µs, ms, s"), "{of_a_time}");
}

#[test]
fn a_modelled_time_says_so_and_a_count_does_not() {
    insta::assert_snapshot!(expand(
        "{{#value embedded-h200/lab-5-5 stencil constant 256 y}}, \
         {{#value embedded-h200/lab-5-5 stencil constant 256 y mark=no}}, \
         {{#value embedded-h200/lab-5-5 stencil constant 256 global_load_sectors}}, \
         {{#fact embedded-h200/lab-5-5 replay-slope}}, {{#fact embedded-h200/lab-5-5 constant-cache-bytes}}; \
         {{#device embedded-h200/lab-5-5}}"
    ), @r"1,555 GB/s (modelled), 1,555 GB/s, 2,228,224, 6.27 ns (modelled), 2 KiB; embedded device (as NVIDIA H200), compute capability 9.0, 132 multiprocessors, counted and modelled 2025-01-02");
}

#[test]
fn a_model_is_held_against_a_measurement() {
    let table = expand("{{#errors h200/lab-5-5 embedded-h200/lab-5-5 experiments=stencil}}");
    assert!(table.contains("|constant memory|256 threads|1,741 GB/s|1,555 GB/s|+12 %|"), "{table}");
    let by_series = expand("{{#errors h200/lab-5-5 embedded-h200/lab-5-5 by=series}}");
    assert!(by_series.contains("|stencil|constant memory|"), "{by_series}");
    let worst = expand("{{#error h200/lab-5-5 embedded-h200/lab-5-5 mean}}");
    assert!(worst.ends_with('%'), "{worst}");
    let all = expand("{{#all-errors}}");
    assert!(all.contains("measured on NVIDIA H200;") && all.contains("|lab-5-5|yes|"), "{all}");
    let held_out = expand("{{#held-out mean}}");
    assert!(held_out.ends_with('%'), "{held_out}");
    let swapped = Tiny::new("{{#error embedded-h200/lab-5-5 h200/lab-5-5 mean}}").expand();
    assert!(swapped.is_err_and(|e| e.contains("no measured record")));
}

#[test]
fn the_chip_files_are_a_table_with_their_sources() {
    const FILE: &str = include_str!("../../simt/arch/h200.toml");
    let book = |names: &str, file: &str| {
        Tiny::new(&format!("{{{{#chips arch {names}}}}}")).file("arch/h200.toml", file)
    };
    let chips = read(&book("names=h200", FILE).expand().expect("expanded"));
    assert!(chips.contains("|compute capability|9.0|") && chips.contains("data sheet"), "{chips}");
    for (names, file, why) in [
        ("", FILE.to_owned(), "arch/h200.toml is not among names="),
        ("names=h200,h100", FILE.to_owned(), "arch/h100.toml"),
        ("names=h200", FILE.replace("clock_mhz", "clock"), "h200.toml has no `clock_mhz`"),
        (
            "names=h200",
            FILE.replace("multiprocessors = 132", "multiprocessors = -1"),
            "is not a whole number",
        ),
        ("names=h200", format!("{FILE}\n="), "h200.toml: TOML parse error"),
    ] {
        let problems = book(names, &file).problems();
        assert!(problems.contains(why), "{why}: {problems}");
    }
}

#[test]
fn the_catalogue_of_counters_is_a_table() {
    let all = expand("{{#all-counters}}");
    let rows = [
        "|replays of constant loads: |const_replays|sm__idc_divergent_instruction_replays\
         |Distinct addresses of constant loads beyond the first, each of which is one more pass.|",
        "|divergent branches: |divergent_branches|–|Conditional branches at which lanes of a warp went both ways.|",
        "|idc_misses|idc__requests_lookup_miss|Requests that the first constant cache could not serve;",
    ];
    for row in rows {
        assert!(all.contains(row), "{row}: {all}");
    }
}

#[test]
fn tables_are_read_row_by_row() {
    insta::assert_snapshot!(expand(
        "{{#table h200/lab-5-5 stencil series=constant,copy x=32,256 columns=series,x,time.median,y caption=\"Two variants\"}}\n\n\
         {{#table h200/lab-5-5 working-set pivot=y x=1KiB,64KiB}}\n\n\
         {{#counters h200/lab-5-5 stencil series=constant names=const_replays,const_instructions}}"
    ), @r"
    |Two variants (NVIDIA H200, measured 2025-01-02)|variant|block size (threads)|median time|bandwidth (GB/s)|constant memory|32|243 µs|552|constant memory|256|77.1 µs|1,741|copy|32|130 µs|1,036|copy|256|48.8 µs|2,750|

    |Latency against working set (NVIDIA H200, measured 2025-01-02)|working set|constant memory|read-only cache|1 KiB|40 ns|58.0 ns|64 KiB|214 ns|59 ns|

    |Stencil bandwidth by variant and block size; constant memory; block size: 256 threads; counts of one launch|counter|counted by the NVIDIA H200|counted by the embedded device|equal?|replays of constant loads|0|0|= yes|constant loads|0|2,097,152|≠ no|
    ");
}

#[test]
fn figures_are_drawn_from_traces_whatever_the_record_s_device() {
    let figure = expand(
        "{{#figure h200/lab-5-5 halo}}\n\n{{#figure h200/lab-5-5 sectors title=\"Sectors, once more\"}}",
    );
    assert!(figure.contains("|Who loads the halo|") && figure.contains("the left halo, line 24"), "{figure}");
    assert!(
        figure.contains("|Sectors, once more|") && figure.contains("1 request, 5 sectors in 2 lines"),
        "{figure}"
    );
    assert!(figure.contains("of the embedded device when it ran"), "{figure}");
    assert!(!figure.contains("NVIDIA H200"), "a trace is not a measurement: {figure}");
    let two = Tiny::new("{{#figure h200/lab-5-5 halo}}\n\n{{#plot h200/lab-5-5 stencil}}")
        .expand()
        .expect("expanded");
    let ids: Vec<_> = two.match_indices("-title\">").collect();
    // Both exist twice: for a page and for a narrow screen.
    assert_eq!(ids.len(), 4);
    assert!(two.contains("plot-one-1-title") && two.contains("plot-one-2-title"), "ids are unique on a page");
}

#[test]
fn answers_follow_questions() {
    let problems = Tiny::new("{{#answers}}\n").problems();
    assert!(problems.contains("{{#answers}}: must follow the questions"), "{problems}");
}

#[test]
fn a_figure_of_no_trace_is_refused_with_those_there_are() {
    let tiny = Tiny::new("{{#figure h200/lab-5-5 hallo}}\n\n{{#figure h200/lab-5-5}}\n");
    let problems = tiny.problems();
    assert!(problems.contains("{{#figure}}: no trace `hallo` (did you mean `halo`?)"), "{problems}");
    assert!(
        problems.contains("takes 2 words, not 1: write {{#figure RECORD TRACE [title=…] [counts=…]}}"),
        "{problems}"
    );
}

#[test]
fn only_rows_of_elements_can_do_without_their_counts() {
    let reported = expand("{{#figure h200/lab-5-5 halo counts=no}}");
    assert!(reported.contains("the left halo, line 24.") && !reported.contains("sectors"), "{reported}");
    let problems = Tiny::new("{{#figure h200/lab-5-5 sectors counts=no}}").problems();
    assert!(problems.contains("only a figure of rows of elements can do without its counts"), "{problems}");
}

#[test]
fn code_comments_and_escapes_stay_as_they_are() {
    let chapter = "`{{#value a}}` \\{{#value b}} <!-- {{#value c}} -->\n\n```text\n{{#plot d}} $$ \\\\(\n```\n\n    {{#fact e}}\n";
    assert_eq!(Tiny::new(chapter).expand().as_deref(), Ok(chapter));
}

#[test]
fn every_problem_of_a_book_is_reported_with_its_place() {
    let tiny = Tiny::new(
        "# One\n\nä {{#value h200/lab-5-5 stencil constnt 256 y}}\n\
         {{#valeu a}} and {{#plot h100/lab-5-5 stencil}}\n\n\
         {{#value h200/lab-5-5 stencil constant 255 y}}\n\
         {{#value h200/lab-5-5 stencil constant 256 time.medain}}\n\
         {{#value h200/lab-5-5 stencil constant 256 const_replay}}\n\
         {{#value h200/lab-5-5 stencil constant 256}}\n\
         {{#value h200/lab-5-5 stencil constant 256 y unit=ms}}\n\
         {{#fact h200/lab-5-5 slope}} {{#param h200/lab-5-5 element}}\n\
         {{#plot h200/lab-5-5 stencil titel=x}} {{#table h200/lab-5-5 stencil x=many}}\n\
         {{#device yours/lab-5-5}} {{#device ../lab-5-5}} {{#plot h200/lab-5-5 stencil y=log}}\n\n\
         $$ \\nonsense $$ and \\\\( a\n",
    )
    .file("src/SUMMARY.md", "- [One](one.md)\n- [Two](two.md)\n")
    .file("src/two.md", "{{#checks nowhere/lab-5-5}}");
    insta::assert_snapshot!(tiny.problems(), @r#"
    src/one.md:3:3: {{#value}}: no series `constnt` (did you mean `constant`?) in experiment `stencil`; there are: constant, restrict, ldg, global, guarded-constant, guarded-restrict, wide, copy
    src/one.md:4:1: {{#valeu}}: no such directive (did you mean `value`?); there are: chips, all-counters, exercises, live, program, live-page, examples, glossary, listing, change, tabs, tab, end-tabs, question, answers, labs, sources, all-claims, untested, mistakes, all-errors, held-out, time, efforts, time-rule, api, value, fact, param, device, table, counters, plot, figure, strips, claims, checks, errors, error, include, rustdoc_include, playground, title
    src/one.md:4:18: {{#plot}}: no record `h100/lab-5-5` (did you mean `h200/lab-5-5`?) in records; there are: embedded-h200/lab-5-5, h200/lab-5-5
    src/one.md:6:1: {{#value}}: no x `255` (did you mean `256`?) in experiment `stencil`, series `constant`; there are: 32, 64, 128, 256, 512, 1024
    src/one.md:7:1: {{#value}}: `time.medain` is not a field (did you mean `time.median`?); there are: series, x, kernel, grid, block, shared, operation, calls, y, y.min, y.max, time.median, time.mean, time.min, time.max, time.iqr, hardware:COUNTER, COUNTER/COUNTER, ideal:NUMBER, and the counters of the record
    src/one.md:8:1: {{#value}}: no counter `const_replay` (did you mean `const_replays`?) in `stencil`, series `constant`, x = 256; there are: const_instructions, const_replays, global_load_requests, global_load_sectors
    src/one.md:9:1: {{#value}}: takes 5 words, not 4: write {{#value RECORD EXPERIMENT SERIES X FIELD [digits=…] [unit=…] [mark=…]}}
    src/one.md:10:1: {{#value}}: cannot write `GB/s` in `ms`; possible: GB/s, TB/s
    src/one.md:11:1: {{#fact}}: no fact `slope`; there are: constant-cache-bytes, replay-slope
    src/one.md:11:30: {{#param}}: no parameter `element` (did you mean `elements`?); there are: block_sizes, elements, quick, tolerance
    src/one.md:12:1: {{#plot}}: no option `titel` (did you mean `title`?); there are: series, title, y
    src/one.md:12:40: {{#table}}: `many` is not a value of x: write a number, such as 256 or 64KiB
    src/one.md:13:1: {{#device}}: a page shows a reference record and adds the reader's own by itself: name the reference's folder instead of `yours/lab-5-5`
    src/one.md:13:27: {{#device}}: `../lab-5-5` names no record; write its folder and lab, such as `h200/lab-5-5`
    src/one.md:13:50: {{#plot}}: y=log: write linear, log2 or log10
    src/one.md:15:4: in this formula: Unknown command "\nonsense".
    src/one.md:15:21: `\\(` begins a formula that no `\\)` ends in this paragraph (write \\\\( for a backslash and a parenthesis)
    src/two.md:1:1: {{#checks}}: no record `nowhere/lab-5-5` in records; there are: embedded-h200/lab-5-5, h200/lab-5-5
    "#);
}

#[test]
fn checks_of_one_group_are_shown_alone() {
    let tiny = |chapter| Tiny::new(chapter).record("h200/lab-5-5", &fixture::measured());
    let text = read(&tiny("{{#checks h200/lab-5-5 of=chase}}").expand().unwrap());
    assert!(text.contains("chase/constant") && !text.contains("stencil/constant"), "{text}");
    insta::assert_snapshot!(tiny("{{#checks h200/lab-5-5 of=chaes}}").problems(), @"src/one.md:1:1: {{#checks}}: no checks of `chaes` (did you mean `chase`?); there are: chase, stencil");
}

#[test]
fn a_damaged_reference_is_refused_with_its_file_and_field() {
    let tiny = Tiny::new("{{#checks h200/lab-5-5}}")
        .file("records/h200/lab-5-5.json", &format!("{{\"version\": {}, \"lab\": 5}}", record::VERSION));
    insta::assert_snapshot!(tiny.problems(), @r"src/one.md:1:1: {{#checks}}: records/h200/lab-5-5.json: field `lab`: invalid type: integer `5`, expected a string at line 1 column 23");
    let tiny = Tiny::new("{{#checks h200/lab-9-9}}").record("h200/lab-9-9", &fixture::measured());
    insta::assert_snapshot!(tiny.problems(), @r"src/one.md:1:1: {{#checks}}: records/h200/lab-9-9.json: field `lab`: this is a record of lab-5-5");
}

#[test]
fn includes_of_missing_files_and_anchors_are_refused() {
    let tiny = Tiny::new("```c\n{{#include ../k.cu:one}}\n{{#include ../k.cu:tow}}\n{{#include ../none.cu}}\n{{#include ../k.cu:1:2}}\n```\n")
        .file("k.cu", "// ANCHOR: one\nint a;\n// ANCHOR_END: one\n// ANCHOR: two\n// ANCHOR_END: two\n");
    let problems = tiny.problems();
    assert!(
        problems
            .starts_with("src/one.md:3:1: {{#include}}: no anchor `tow` in `../k.cu` (did you mean `two`?)"),
        "{problems}"
    );
    assert!(problems.contains("src/one.md:4:1: {{#include}}: cannot include `../none.cu`"), "{problems}");
    assert_eq!(problems.lines().count(), 2, "{problems}");
}

#[test]
fn a_directive_is_text_that_markdown_leaves_alone() {
    let mut record = fixture::measured();
    record.experiments[0].series[0].label = "a *b* __c__ `d` [e](f) \"g\" -- {{#value h}} $$ \\\\(".into();
    let page = Tiny::new("before {{#value h200/lab-5-5 stencil constant 256 series}} after\n\n- {{#plot h200/lab-5-5 stencil series=constant}}\n")
        .record("h200/lab-5-5", &record)
        .page();
    assert!(
        page.contains("before a *b* __c__ `d` [e](f) \"g\" -- {{#value h}} $$ \\\\( after"),
        "{}",
        &page[page.find("before").expect("there")..][..300]
    );
    assert!(!page.contains("<em>b") && !page.contains("<strong>c"));
}

/// A page with a part of `src/f.cu`, which has two.
fn with_code(chapter: &str) -> Tiny {
    Tiny::new(chapter).file(
        "src/f.cu",
        "// ANCHOR: one\n  a;\n  b;\n// ANCHOR_END: one\n// ANCHOR: two\na;\nc < 1;\n// ANCHOR_END: two\n",
    )
}

#[test]
fn a_listing_is_a_captioned_block_of_code() {
    let page = with_code("Text.\n\n{{#listing f.cu:one title=\"Two lines\"}}\n\nMore.").page();
    assert!(page.contains("<figcaption>Two lines (<code>f.cu</code>)</figcaption>"), "{page}");
    assert!(page.contains("<code class=\"language-cpp\">a;\nb;\n</code>"), "{page}");
    assert!(page.contains("</figure>\n<p>More.</p>"), "{page}");
}

#[test]
fn a_change_shows_what_goes_and_what_comes() {
    let page = with_code("{{#change f.cu:one f.cu:two}}").page();
    assert!(page.contains("<code class=\"language-diff\">  a;\n- b;\n+ c &lt; 1;\n</code>"), "{page}");
}

#[test]
fn tabs_are_radio_buttons_with_what_they_show() {
    let page = Tiny::new(
        "{{#tabs}}\n\n{{#tab \"CUDA C\"}}\n\n*One*\n\n{{#tab Rust}}\n\nTwo\n\n{{#end-tabs}}\n\nMore.",
    )
    .page();
    let tabs: String = page
        .split("<div class=\"tabs\">")
        .nth(1)
        .expect("tabs")
        .split("<p>More")
        .next()
        .expect("more")
        .into();
    insta::assert_snapshot!(tabs.replace('\n', ""), @r#"<input type="radio" name="tabs-one-1" id="tabs-one-1-0" checked=""><label for="tabs-one-1-0">CUDA C</label><div class="tab"><p><em>One</em></p></div><input type="radio" name="tabs-one-1" id="tabs-one-1-1"><label for="tabs-one-1-1">Rust</label><div class="tab"><p>Two</p></div></div>"#);
}

#[test]
fn a_directive_that_needs_its_own_line_says_so() {
    let problems = |chapter: &str| with_code(chapter).problems();
    assert!(problems("See {{#listing f.cu:one}}").contains("must be alone on its line"));
    assert!(problems("{{#listing f.cu:onw}}").contains("did you mean `one`?"));
    assert!(problems("{{#tab Rust}}").contains("must be between {{#tabs}} and {{#end-tabs}}"));
    assert!(problems("{{#tabs}}\n\n{{#tab Rust}}\n").contains("no {{#end-tabs}} follows"));
    assert!(problems("{{#tabs}}\n\n{{#end-tabs}}\n").contains("no {{#tab NAME}}"));
}

#[test]
fn a_term_is_linked_to_the_glossary() {
    let terms = "[[term]]\nname = \"warp\"\nalso = [\"warps\"]\nis = \"32 threads.\"\npage = \"one.md\"\n";
    let config =
        "[book]\nsrc = \"src\"\n[preprocessor.labs]\nbefore = [\"links\"]\nglossary = \"terms.toml\"\n";
    let tiny = Tiny::new("# A warp\n\nWarps, and $$warps$$ warps.")
        .file("book.toml", config)
        .file("terms.toml", terms)
        .file("src/SUMMARY.md", "- [One](one.md)\n- [Terms](glossary.md)\n")
        .file("src/glossary.md", "# Terms of a warp\n\nA warp. {{#glossary}}");
    let page = tiny.page();
    assert!(
        page.contains(
            "<p><a class=\"term\" href=\"glossary.html#warp\" title=\"32 threads.\">Warps</a>, and"
        ),
        "{page}"
    );
    assert_eq!(page.matches("class=\"term\"").count(), 1);
    let broken = tiny.file("terms.toml", "[[term]]\nname = 1\n");
    assert!(broken.problems().contains("terms.toml: "), "{}", broken.problems());
}

#[test]
fn checks_are_a_line_that_unfolds() {
    let mut record = fixture::measured();
    record.checks.iter_mut().for_each(|check| check.passed = true);
    let folded = |record: &record::Record| {
        Tiny::new("{{#checks h200/lab-5-5}}").record("h200/lab-5-5", record).expand().expect("expanded")
    };
    let all = record.checks.len();
    let page = folded(&record);
    assert!(page.contains(&format!("<details class=\"checks\"><summary>✓ {all} checks</summary>")), "{page}");
    record.checks[0].passed = false;
    let page = folded(&record);
    assert!(
        page.contains(&format!("<details class=\"checks\" open><summary>✗ 1 of {all} checks failed<")),
        "{page}"
    );
}

#[test]
fn a_book_without_what_runs_kernels_says_so_once_a_chapter() {
    const SAID: &str = "built without the device";
    let kernel = |name: &str| {
        format!(
            "[[live]]\nname = \"{name}\"\ntitle = \"{name}\"\nfile = \"x.cu\"\nbuffers = []\n\
             steps = [{{ launch = {{ kernel = \"k\", grid = [1], block = [1], args = [] }} }}]\nshow = []\n"
        )
    };
    let tiny = Tiny::new("{{#live a}}\n\nText.\n\n{{#live b}}\n")
        .file("live.toml", &(kernel("a") + &kernel("b")))
        .file("src/SUMMARY.md", "- [One](one.md)\n- [Two](two.md)\n- [None](none.md)\n")
        .file("src/two.md", "{{#live b}}\n\n{{#live a}}\n")
        .file("src/none.md", "No kernel.\n");
    let toml = fs::read_to_string(tiny.root().join("book.toml")).expect("book.toml");
    let tiny = tiny.file("book.toml", &(toml + "live = \"live.toml\"\n"));
    let without = tiny.expand().expect("expanded");
    assert_eq!((without.matches(SAID).count(), without.matches("data-live").count()), (2, 0), "{without}");
    let toml = fs::read_to_string(tiny.root().join("book.toml")).expect("book.toml");
    let with = tiny.file("book.toml", &(toml + "runs = true\n")).expand();
    let with = with.expect("expanded");
    assert_eq!((with.matches(SAID).count(), with.matches("data-live").count()), (0, 4), "{with}");
}
