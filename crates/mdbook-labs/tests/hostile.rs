//! Untrusted records: nothing in them is active on a page, and no file in their place stops the book.

use crate::common::Tiny;
use record::Record;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use tests::fixture;

/// Texts that replace each text of a record one after the other; each contains `evil`.
const HOSTILE: [&str; 26] = [
    "{{#include ../secret.txt}} evil",
    "\\{{#include ../secret.txt}} evil",
    "{{ #include ../secret.txt }} evil",
    "{ {{#playground ../secret.txt}} evil",
    "{{#title evil}}",
    "evil {{#rustdoc_include ../secret.txt}} {{#value h200/lab-5-5 stencil constant 256 y}}",
    "<img src=x onerror=evil()>",
    "</td></tr></table></div></svg><script>evil()</script>",
    "</style><style>evil{}</style></title></desc>",
    "\" onload=\"evil()\" x=\"",
    "' onload='evil()' x='",
    "--><!-- evil",
    "]]><![CDATA[ evil",
    "[evil](javascript:evil) ![evil](x) <http://evil.example> [^evil] [x]: evil",
    "*evil* __evil__ ~~evil~~ **evil** \"evil\" -- evil...",
    "# evil {#evil .evil}",
    "- evil\n\n    evil\n\n> [!NOTE]\n> evil\n\n1. evil\n\n===\n",
    "| evil | evil |\n| --- | --- |",
    "    evil  ",
    ": evil",
    "$$ evil $$ \\\\( evil \\\\) \\( evil \\)",
    "&lt;img src=x onerror=evil()&gt; &#60;evil&#62; &amp;evil; &evil",
    "evil \u{202e}live\u{2066} \u{200b}\u{feff}",
    "evil \u{1b}]0;evil\u{7}\u{1b}[2J\r\u{0}\u{85}\u{2028}",
    "evil \\",
    "evil }} {{",
];

const CHAPTER: &str = "# One\n\nA sentence with {{#value h200/lab-5-5 stencil constant 256 series}} and {{#device h200/lab-5-5}}.\n\n\
    {{#value h200/lab-5-5 stencil constant 256 series}}\n\n- {{#value h200/lab-5-5 stencil constant 256 kernel}}\n\n\
    | a | b |\n| --- | --- |\n| {{#value h200/lab-5-5 stencil constant 256 series}} | {{#param h200/lab-5-5 word}} |\n\n\
    {{#value h200/lab-5-5 stencil constant 256 y}}, {{#fact h200/lab-5-5 replay-slope}}\n\n\
    {{#plot h200/lab-5-5 stencil}}\n\n{{#plot h200/lab-5-5 working-set series=constant}}\n\n{{#table h200/lab-5-5 stencil}}\n\n\
    {{#table h200/lab-5-5 stencil pivot=y}}\n\n{{#counters h200/lab-5-5 stencil}}\n\n{{#claims h200/lab-5-5}}\n\n\
    {{#checks h200/lab-5-5}}\n\n{{#figure h200/lab-5-5 halo}}\n\n{{#figure h200/lab-5-5 sectors}}\n\n\
    {{#all-claims}}\n\n{{#labs}}\n";

/// Directives that compare a model with a measurement, whose units must be those of times.
const ERRORS: &str = "\n\n{{#errors h200/lab-5-5 embedded-h200/lab-5-5}}\n\n\
    {{#errors h200/lab-5-5 embedded-h200/lab-5-5 by=series}}\n\n{{#all-errors}}\n";

/// A record with every text replaced, each with another of the hostile ones, except those at a path that `keep` says
/// stay; `turn` decides which replaces which.
fn replaced(record: &Record, turn: usize, keep: &dyn Fn(&[String]) -> bool) -> Value {
    fn visit(value: &mut Value, at: &mut Vec<String>, turn: usize, keep: &dyn Fn(&[String]) -> bool) {
        let mut below = |name: String, value: &mut Value| {
            at.push(name);
            visit(value, at, turn, keep);
            at.pop();
        };
        match value {
            Value::Array(all) => all.iter_mut().enumerate().for_each(|(i, v)| below(i.to_string(), v)),
            Value::Object(fields) => fields.iter_mut().for_each(|(name, v)| below(name.clone(), v)),
            Value::String(text) if !keep(at) => {
                let place: usize = at.concat().bytes().map(usize::from).sum();
                *text = HOSTILE[(place + turn) % HOSTILE.len()].to_owned();
            }
            _ => {}
        }
    }
    let mut value = value(record);
    visit(&mut value, &mut Vec::new(), turn, keep);
    value
}

/// Whether a record needs the text at this path to be valid and to be found. No page shows such a text.
fn needed(at: &[String]) -> bool {
    let last = at.last().map_or("", String::as_str);
    matches!(last, "lab" | "id" | "kind" | "scale" | "y_is" | "is" | "verdict" | "as" | "space" | "memory")
        || last.ends_with("_sha256")
        || at.iter().any(|name| name == "lanes" || name == "outputs")
}

/// Whether the text is [`needed`] or a unit, without which runs cannot be drawn together.
fn comparable(at: &[String]) -> bool {
    needed(at) || at.last().is_some_and(|name| name == "unit")
}

fn measured() -> Record {
    let mut record = fixture::measured();
    record.parameters.insert("word".into(), record::Parameter::Text("a word".into()));
    record
}

/// A book with a chapter on these records.
fn tiny(chapter: &str, reference: &Value, modelled: &Value, yours: &Value) -> Tiny {
    let mut claims = "[sources.a]\ntitle = \"A\"\ncredit = \"B\"\n".to_owned();
    for id in ["broadcast", "linear", "constant-cache-64-kb", "faster"] {
        claims += &format!(
            "[[claim]]\nid = \"{id}\"\nlab = \"lab-5-5\"\nsource = \"a\"\nplace = \"1\"\nevidence = \"times\"\nclaim = \"C\"\n"
        );
    }
    let config = "[book]\nsrc = \"src\"\n[preprocessor.labs]\nbefore = [\"links\"]\nrecords = \"records\"\nclaims = \"claims.toml\"\n\
                  [output.html]\nprint.enable = false\nsearch.enable = false\n";
    Tiny::new(chapter)
        .file("book.toml", config)
        .file("secret.txt", "not for readers")
        .file("claims.toml", &claims)
        .file("records/h200/lab-5-5.json", &reference.to_string())
        .file("records/embedded-h200/lab-5-5.json", &modelled.to_string())
        .file("records/yours/lab-5-5.json", &yours.to_string())
}

fn value(record: &Record) -> Value {
    serde_json::to_value(record).expect("a record")
}

/// The chapter's page.
fn page(tiny: &Tiny) -> String {
    let index = mdbook_labs::build(tiny.root(), Some(&tiny.root().join("built"))).expect("built");
    fs::read_to_string(index.with_file_name("one.html")).expect("a page")
}

/// The tags of a page with the names of their attributes. The number of texts in plots follows from their lines, and code is
/// in backticks.
fn tags(page: &str) -> BTreeSet<String> {
    let mut tags = BTreeSet::new();
    for part in page.split('<').skip(1) {
        let tag = part.split('>').next().unwrap_or_default();
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if name == "text" || name == "code" {
            continue;
        }
        let mut attributes: Vec<&str> =
            tag.split("=\"").filter_map(|before| before.rsplit([' ', '"']).next()).collect();
        attributes.pop();
        tags.insert(format!("{name} {}", attributes.join(" ")));
    }
    tags
}

/// A page shows texts of a record, and nothing but texts.
fn holds(page: &str, turn: usize) {
    assert!(page.contains("evil"), "turn {turn}: it is shown");
    assert!(!page.contains("not for readers"), "turn {turn}");
    assert!(page.contains("<title>One"), "turn {turn}");
    let hidden = page.chars().find(|c| *c != '\n' && record::text::is_hidden(*c));
    assert_eq!(hidden, None, "turn {turn}");
}

/// Nothing is active where texts are replaced in these passes; in those of `everywhere`, also outside the reader's record.
fn nothing_acts(turns: impl Iterator<Item = usize>, everywhere: impl Fn(usize) -> bool) {
    let (reference, modelled) = (measured(), fixture::modelled());
    let [plain, plain_model] = [&reference, &modelled].map(value);
    let whole = CHAPTER.to_owned() + ERRORS;
    // With the plain records all expected tags exist; with other units, a note instead of plots.
    let mut other = modelled.clone();
    other.experiments.iter_mut().for_each(|experiment| experiment.x.unit += "s");
    let expected: BTreeSet<_> = [&modelled, &other]
        .iter()
        .flat_map(|yours| tags(&page(&tiny(&whole, &plain, &plain_model, &value(yours)))))
        .collect();
    for turn in turns {
        let [hostile, hostile_model] =
            [&reference, &modelled].map(|record| replaced(record, turn, &comparable));
        // Drawn over the reference; left out, with the reason, because of its units; instead of the references.
        let mut books = vec![tiny(&whole, &plain, &plain_model, &hostile_model)];
        if everywhere(turn) {
            let other = |record| replaced(record, turn, &needed);
            books.push(tiny(&whole, &plain, &plain_model, &other(&modelled)));
            books.push(tiny(&whole, &hostile, &hostile_model, &plain_model));
            books.push(tiny(CHAPTER, &other(&reference), &plain_model, &plain_model));
        }
        for (case, book) in books.iter().enumerate() {
            let page = page(book);
            holds(&page, turn);
            let more: Vec<_> = tags(&page).difference(&expected).cloned().collect();
            assert!(more.is_empty(), "turn {turn}, case {case}: {more:?}");
        }
    }
}

/// Each text once, each in one of its places.
#[test]
#[ignore = "slow: .ci/run runs it"]
fn nothing_in_a_record_acts_on_a_page() {
    nothing_acts([0, HOSTILE.len() / 2].into_iter(), |turn| turn == 0);
}

mod nightly {
    use super::*;

    #[test]
    #[ignore = "nightly: forty books"]
    fn nothing_in_a_record_acts_on_a_page_wherever_it_is() {
        nothing_acts(0..HOSTILE.len(), |turn| turn % 6 == 0);
    }
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn names_of_a_record_do_not_act_either() {
    for turn in (0..HOSTILE.len()).step_by(4) {
        // Ids, facts' and parameters' names: nothing fits together any more, and the page says so or leaves it out.
        let mut yours = replaced(&fixture::modelled(), turn, &|at| {
            needed(at) && at.last().is_none_or(|name| name != "id" && name != "memory")
        });
        let hostile = HOSTILE[turn];
        let fact = serde_json::json!({ "value": 1.0, "unit": hostile, "what": hostile });
        yours["facts"] = serde_json::json!({ hostile: fact });
        yours["parameters"][hostile] = true.into();
        let page = page(&tiny(CHAPTER, &value(&measured()), &value(&fixture::modelled()), &yours));
        holds(&page, turn);
    }
}

/// The page with `yours` put instead of the reader's own record by `make`.
#[cfg(unix)]
fn with(make: impl Fn(&std::path::Path)) -> String {
    let tiny = Tiny::new("{{#plot h200/lab-5-5 stencil}}\n");
    fs::create_dir_all(tiny.root().join("records/yours")).expect("made");
    make(&tiny.root().join("records/yours/lab-5-5.json"));
    tiny.page()
}

#[cfg(unix)]
#[test]
fn what_is_not_a_regular_file_of_its_size_is_left_out_with_a_warning() {
    use std::os::unix::fs::symlink;
    let fifo = |at: &std::path::Path| {
        let made = std::process::Command::new("mkfifo").arg(at).status().expect("ran");
        assert!(made.success());
    };
    type Make<'a> = &'a dyn Fn(&std::path::Path);
    let cases: [(Make<'_>, &str); 8] = [
        (&fifo, "it is a pipe"),
        (
            &|at| {
                fifo(&at.with_extension("fifo"));
                symlink(at.with_extension("fifo"), at).expect("a link");
            },
            "it is a pipe",
        ),
        (&|at| drop(std::os::unix::net::UnixListener::bind(at).expect("bound")), "it is a socket"),
        (&|at| fs::create_dir(at).expect("made"), "it is a folder"),
        (&|at| symlink("/dev/zero", at).expect("a link"), "it is a device"),
        (&|at| symlink(at.parent().expect("a folder"), at).expect("a link"), "it is a folder"),
        (
            // Holes: as large as it says, and nothing on the disk.
            &|at| fs::File::create(at).and_then(|file| file.set_len(1 << 40)).expect("made"),
            "it has more than 16777216 bytes",
        ),
        (&|at| fs::write(at, [0xff]).expect("written"), "byte 0 is not UTF-8 text"),
    ];
    for (make, why) in cases {
        let page = with(make);
        assert!(page.contains("Your own record of lab-5-5 is not shown"), "{why}");
        assert!(page.contains(why), "{why}: {page}");
    }
}

#[cfg(unix)]
#[test]
fn a_reference_that_is_not_a_file_is_refused_and_not_waited_for() {
    let tiny = Tiny::new("{{#device h200/lab-5-5}}\n");
    let path = tiny.root().join("records/h200/lab-5-5.json");
    fs::remove_file(&path).expect("removed");
    std::os::unix::fs::symlink("/dev/zero", path).expect("a link");
    let problems = tiny.problems();
    assert!(problems.contains("lab-5-5.json: it is a device, not a regular file"), "{problems}");
}

#[test]
fn numbers_at_their_ends_are_drawn_or_left_out() {
    for number in [f64::MAX, -f64::MAX, f64::MIN_POSITIVE, 5e-324, -5e-324, 0.0] {
        let mut yours = fixture::modelled();
        for point in yours.experiments.iter_mut().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points) {
            (point.y_min, point.y, point.y_max) = (number, number, number);
        }
        page(&tiny(CHAPTER, &value(&measured()), &value(&fixture::modelled()), &value(&yours)));
    }
}
