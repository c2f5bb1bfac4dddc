//! The pages on the sources' claims and mistakes: what they show, and what they refuse.

use crate::common::Tiny;
use record::Verdict;
use std::fs;
use tests::fixture;

/// The claims that the fixture's records have verdicts on, and one of a lab without a recorded run.
fn claims() -> String {
    let mut file = "[sources.a]\ntitle = \"A *book*\"\ncredit = \"Somebody's\"\n".to_owned();
    for (id, lab) in [
        ("broadcast", "lab-5-5"),
        ("linear", "lab-5-5"),
        ("constant-cache-64-kb", "lab-5-5"),
        ("faster", "lab-5-5"),
        ("bits", "lab-4-1"),
    ] {
        file += &format!(
            "[[claim]]\nid = \"{id}\"\nlab = \"{lab}\"\nsource = \"a\"\nplace = \"5.5.1\"\nevidence = \"times\"\nclaim = \"Text of {id} & `more`\"\n"
        );
    }
    file + "chip = \"GTX 970\"\n\
            [[statement]]\nsource = \"a\"\nplace = \"5.6\"\nstatement = \"`x` is _there_.\"\nwhy = \"No one asks.\"\n\
            [[mistake]]\nid = \"abs\"\nsource = \"a\"\ntitle = \"`abs` of _floats_\"\ntext = \"Use `fabsf`.\"\nlab = \"lab-5-5\"\nchapter = \"one.md#run\"\n\
            [[mistake]]\nid = \"other\"\nsource = \"a\"\ntitle = \"Other\"\ntext = \"It is not.\"\nlab = \"lab-4-1\"\n"
}

fn book(chapter: &str) -> Tiny {
    Tiny::new("{{#claims h200/lab-5-5}}")
        .file("src/SUMMARY.md", "- [One](one.md)\n- [Two](sub/two.md)\n")
        .file("src/sub/two.md", chapter)
        .file("claims.toml", &claims())
}

fn page(tiny: &Tiny) -> String {
    let index = mdbook_labs::build(tiny.root(), Some(&tiny.root().join("built"))).expect("built");
    fs::read_to_string(index.with_file_name("sub").join("two.html")).expect("a page")
}

#[test]
fn every_claim_has_a_row_for_each_device_that_judged_it() {
    let mut yours = fixture::modelled();
    yours.claims[0].verdict = Verdict::NotShown;
    let page = page(&book("{{#all-claims}}").record("yours/lab-5-5", &yours));
    for part in [
        "Verdicts on the 5 claims, by the device that gave them; 1 further statement is tested by no lab",
        "<td>NVIDIA H200</td><td class=\"number\">1</td><td class=\"number\">1</td>",
        "<tr id=\"claim-broadcast\"><th scope=\"rowgroup\" rowspan=\"2\">Text of broadcast &amp; <code>more</code><small>A *book*: 5.5.1</small>",
        "<small>A *book*: 5.5.1; a figure of GTX 970</small>",
        // The same verdict for the same reason is shown once.
        "<td>NVIDIA H200; embedded device (as NVIDIA H200)</td><td class=\"holds-in-part\">",
        "yours: embedded device (as NVIDIA H200)</td><td class=\"not-shown\">",
        "Latency rises past 2\u{a0}KiB.",
        // The lab whose claims the first chapter shows is named by that chapter, the other by its command.
        "<a href=\"../one.html\">One</a> (<code>lab-5-5</code>)",
        "no run of this lab is recorded yet",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
}

#[test]
fn claims_and_verdicts_that_do_not_fit_are_refused() {
    let problems = |file: String| book("{{#all-claims}}").file("claims.toml", &file).problems();
    let missing =
        problems(claims().replace("id = \"bits\"\nlab = \"lab-4-1\"", "id = \"bits\"\nlab = \"lab-5-5\""));
    assert!(
        missing.contains(
            "src/sub/two.md:1:1: {{#all-claims}}: embedded-h200/lab-5-5: no verdict on `bits`; judge it again"
        ),
        "{missing}"
    );
    assert!(missing.contains("; h200/lab-5-5: no verdict"), "{missing}");
    let unknown =
        problems(claims().replace("\"broadcast\"\nlab = \"lab-5-5\"", "\"broadcast\"\nlab = \"lab-4-1\""));
    assert!(
        unknown.contains("h200/lab-5-5: verdicts on `broadcast`, which are not claims of lab-5-5"),
        "{unknown}"
    );
    let damaged = problems("[[claim]]\nid = 5".into());
    assert!(damaged.contains("claims.toml: ") && damaged.contains("line 2"), "{damaged}");
    let none = Tiny::new("{{#mistakes}}").problems();
    assert!(none.contains("{{#mistakes}}: claims.toml: "), "{none}");
}

#[test]
fn a_book_without_a_file_of_claims_is_asked_to_name_one() {
    let config = "[book]\nsrc = \"src\"\n[preprocessor.labs]\nbefore = [\"links\"]\nrecords = \"records\"\n";
    for directive in ["{{#all-claims}}", "{{#untested}}", "{{#mistakes}}", "{{#sources}}"] {
        let problems = book(directive).file("book.toml", config).problems();
        assert!(problems.contains("book.toml names no file of claims"), "{problems}");
        assert!(problems.contains("claims = \"labs/claims.toml\""), "{problems}");
    }
    // Directives on records alone do not need it.
    assert!(book("A sentence.").file("book.toml", config).expand().is_ok());
}

#[test]
fn an_untested_statement_has_its_place_and_the_reason() {
    let page = page(&book("{{#untested}}"));
    let row = "<td><code>x</code> is _there_.</td><td>5.6</td><td>No one asks.</td>";
    assert!(page.contains(row), "{row} in {page}");
    let unpaired = claims().replace("`x` is", "`x is");
    let problems = book("{{#untested}}").file("claims.toml", &unpaired).problems();
    assert!(problems.contains("[[statement]] ``x is _there_.`: a backtick is missing"), "{problems}");
}

#[test]
fn mistakes_say_where_it_is_done_right() {
    let page = page(&book("{{#mistakes}}"));
    for part in [
        "A *book*</",
        "<code>abs</code> of _floats_</",
        "Use <code>fabsf</code>.",
        "→ <a href=\"../one.html#run\">One</a> (<code>lab-5-5</code>)",
        "→ <code>lab-4-1</code>",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
}

#[test]
fn a_mistake_that_points_nowhere_is_refused() {
    for (from, to, expected) in [
        (
            "one.md#run",
            "noe.md",
            "[[mistake]] `abs`: the book has no chapter `noe.md` (did you mean `one.md`?)",
        ),
        ("`fabsf`", "`fabsf", "[[mistake]] `abs`: a backtick is missing"),
    ] {
        let problems = book("{{#mistakes}}").file("claims.toml", &claims().replace(from, to)).problems();
        assert!(problems.contains(expected), "{problems}");
    }
}

#[test]
fn labs_are_those_whose_claims_a_chapter_shows() {
    let page = page(&book("{{#labs}}\n\n{{#sources}}"));
    for part in [
        "<td><a href=\"../one.html\">One</a></td><td><code>lab-5-5</code></td><td>NVIDIA H200; embedded device (as NVIDIA H200)</td>",
        "<b>A *book*</b>: Somebody’s.",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("lab-4-1"), "a lab without a chapter");
}
