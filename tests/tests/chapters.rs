//! The chapters as a reader meets them: how long the main line is, and where each part is.
//!
//! The main line is what is open on the page: the text outside folded parts, without tables, plots, figures, code,
//! questions and exercises. `cargo test -p tests --test all chapters:: -- --nocapture` prints the figures.

use mdbook_labs::reading::{main_line, without, words};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// A chapter's file without its ending, and the lab that its record is from.
const CHAPTERS: [(&str, &str); 8] = [
    ("linear-memory", "lab-4-1"),
    ("pitched-memory", "lab-4-2"),
    ("matrix-product", "lab-4-3"),
    ("symbols", "lab-4-4"),
    ("tiling", "lab-4-5"),
    ("constant-memory", "lab-5-5"),
    ("ray-tracing", "lab-6-2"),
    ("n-body", "lab-14-4"),
];

/// The page that has no lab of its own.
const ROAD: &str = "road";

/// Questions whose answers a lab's digest has, in its table or in what it takes from the run.
const ANSWERED_BY_THE_RUN: [(&str, &[&str]); 6] = [
    ("linear-memory", &["four-a-lane-requests", "four-a-lane-sectors", "copies-over-kernel"]),
    ("pitched-memory", &["misaligned", "down-a-column", "padding-does-not-help-columns"]),
    (
        "matrix-product",
        &["block-of-one-column", "block-of-32-columns", "block-of-16-columns", "wavefronts-of-two-rows"],
    ),
    ("tiling", &["tile-reuse", "tiles-speedup", "column-of-a-tile", "padded-tile"]),
    (
        "constant-memory",
        &[
            "coefficient-requests",
            "two-halves",
            "all-different",
            "time-of-broadcasts",
            "read-only-neighbours",
        ],
    ),
    ("ray-tracing", &["same-sphere", "sphere-from-global", "unrolled-loads"]),
];

/// What a reader takes in at one sitting.
const MOST_WORDS: usize = 1400;
/// Predictions that keep a reader at it.
const FEWEST_QUESTIONS: usize = 5;
/// What fits a page at once.
const MOST_LINES: usize = 25;
const MOST_COLUMNS: usize = 88;

/// The article of each chapter's page, as HTML.
fn articles() -> &'static [(&'static str, String)] {
    static BUILT: OnceLock<Vec<(&str, String)>> = OnceLock::new();
    BUILT.get_or_init(|| CHAPTERS.iter().map(|&(chapter, _)| (chapter, article(chapter))).collect())
}

fn article(chapter: &str) -> String {
    let book = crate::book::built().expect("the book builds");
    let page = fs::read_to_string(book.join(format!("{chapter}.html"))).expect("a page");
    let rest = page.split("<main>").nth(1).expect("an article");
    rest.split("</main>").next().unwrap_or_default().to_owned()
}

/// Names of the headings of the second level, by their ids.
fn sections(article: &str) -> Vec<&str> {
    article.split("<h2 id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn a_chapter_is_read_at_one_sitting() {
    let (mut long, mut few) = (Vec::new(), Vec::new());
    println!("{:18}{:>10}{:>8}{:>11}{:>11}  time", "chapter", "main line", "words", "questions", "exercises");
    let road = article(ROAD);
    for (chapter, article) in articles().iter().map(|(chapter, html)| (*chapter, html)).chain([(ROAD, &road)])
    {
        let (main, all) = (words(&main_line(article)), words(&without(article, "svg")));
        let questions = article.matches("<fieldset class=\"question\"").count();
        let exercises = article.matches("-- run ").count();
        let (_, time) = article.split_once("<strong>Time</strong>: ").expect(chapter);
        let time = plain(time.split("</p>").next().unwrap_or_default());
        println!("{chapter:18}{main:>10}{all:>8}{questions:>11}{exercises:>11}  {time}");
        if main > MOST_WORDS {
            long.push(format!("{chapter}: {main} words"));
        }
        if questions < FEWEST_QUESTIONS {
            few.push(format!("{chapter}: {questions} questions"));
        }
        let needs = article.find("<strong>You need</strong>").expect(chapter);
        let goals = article.find("you can</strong></p>").expect(chapter);
        let first = article.find("<h2").expect(chapter);
        let head = [goals, needs, article.find("<strong>Time</strong>").expect(chapter), first];
        assert!(head.is_sorted(), "{chapter}: goals, what it needs and its time are at its head");
    }
    assert!(long.is_empty(), "more than {MOST_WORDS} words on the main line: {long:?}");
    assert!(few.is_empty(), "fewer than {FEWEST_QUESTIONS} questions: {few:?}");
}

#[test]
fn a_chapter_goes_from_running_over_trying_to_choosing() {
    for (chapter, article) in articles() {
        let there = sections(article);
        let place = |id: &str| there.iter().position(|section| section.starts_with(id));
        let parts = ["run-it", "try", "what-the-source", "when-to-use-what"].map(place);
        assert!(parts.iter().all(Option::is_some), "{chapter}: {there:?}");
        assert!(parts.is_sorted(), "{chapter}: {there:?}");
    }
}

#[test]
fn a_chapter_asks_before_it_answers() {
    for (chapter, article) in articles() {
        let before_trying = article.split("<h2 id=\"try\"").next().unwrap_or_default();
        let questions = before_trying.matches("<fieldset class=\"question\"").count();
        assert!(questions >= 3, "{chapter}: {questions} questions before its exercises");
        let last = before_trying.rsplit("<fieldset class=\"question\"").next().unwrap_or_default();
        assert!(last.contains("<h2") || last.contains("<h3"), "{chapter}: no result after its last question");
    }
}

#[test]
fn the_output_of_a_lab_is_after_the_questions_that_it_answers() {
    for (chapter, article) in articles() {
        let before = article.split("<h2 id=\"run-it\"").next().unwrap_or_default();
        for id in ANSWERED_BY_THE_RUN.iter().filter(|(of, _)| of == chapter).flat_map(|(_, ids)| *ids) {
            assert!(
                before.contains(&format!("id=\"question-{id}\"")),
                "{chapter}: {id} is answered by the lab's output"
            );
        }
    }
}

#[test]
fn the_output_that_the_preface_shows_answers_no_question() {
    let preface = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../book/src/preface.md"));
    let preface = preface.expect("the preface");
    for (chapter, lab) in CHAPTERS {
        let shown = preface.contains(&format!("evidence/output/{lab}.txt"));
        let answered = ANSWERED_BY_THE_RUN.iter().any(|(of, _)| *of == chapter);
        assert!(!(shown && answered), "{chapter}: the preface has answers before the questions are asked");
    }
    assert!(preface.contains("evidence/output/workbook.txt"), "the preface shows what the workbook prints");
}

#[test]
fn the_answers_are_folded_after_all_questions() {
    for (chapter, article) in articles() {
        let (questions, answers) = article.split_once("<details class=\"answers\"").expect(chapter);
        assert!(!answers.contains("<fieldset class=\"question\""), "{chapter}: a question after the answers");
        let answers = answers.split("</details>").next().unwrap_or_default().matches("<li>").count();
        assert_eq!(questions.matches("<fieldset class=\"question\"").count(), answers, "{chapter}");
    }
}

#[test]
fn no_rows_of_elements_have_their_counts_before_the_first_question() {
    for (chapter, article) in articles() {
        let before = article.split("<fieldset class=\"question\"").next().unwrap_or_default();
        assert!(!before.contains("Counts of kernel"), "{chapter}: counts=no leaves them out");
    }
}

#[test]
fn a_chapter_shows_what_its_lab_prints() {
    for ((chapter, article), (_, lab)) in articles().iter().zip(CHAPTERS) {
        let run = article.split("<h2 id=\"run-it\"").nth(1).unwrap_or_default();
        let run = run.split("<h2").next().unwrap_or_default();
        assert!(run.contains(&format!("cargo run --bin {lab}")), "{chapter}: the command");
        let (_, fold) = run.split_once("<details>").unwrap_or_else(|| panic!("{chapter}: a fold"));
        assert!(fold.contains(&format!("{lab}: ")), "{chapter}: the output's first line");
    }
}

#[test]
fn code_fits_the_page() {
    for (chapter, article) in articles() {
        let code = |html: &str| -> Vec<String> {
            let blocks = html.split("<pre>").skip(1).chain(html.split("<pre class=\"playground\">").skip(1));
            blocks.filter_map(|rest| rest.split("</pre>").next()).map(plain).collect()
        };
        for block in code(article) {
            let wide = block.lines().find(|line| line.chars().count() > MOST_COLUMNS);
            assert_eq!(wide, None, "{chapter}: more than {MOST_COLUMNS} columns");
        }
        let main = without(article, "details");
        for listing in main.split("<figure class=\"listing\">").skip(1) {
            for block in code(listing.split("</figure>").next().unwrap_or_default()) {
                let lines = block.lines().count();
                assert!(lines <= MOST_LINES, "{chapter}: {lines} lines of code at once:\n{block}");
            }
        }
    }
}

#[test]
fn a_term_is_used_by_the_page_that_introduces_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book");
    let read = |file: &str| fs::read_to_string(root.join(file)).expect("a file").to_lowercase();
    let file: toml::Table = toml::from_str(&read("glossary.toml")).expect("terms");
    for term in file["term"].as_array().expect("terms") {
        let name = term["name"].as_str().expect("a name");
        let also = term.get("also").and_then(|also| also.as_array()).into_iter().flatten();
        let mut forms = also.filter_map(|form| form.as_str()).chain([name]);
        let page = read(&format!("src/{}", term["page"].as_str().expect("a page"))).replace("**", "");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(forms.any(|form| page.contains(form)), "`{name}` is not on its page");
    }
}

/// The text of HTML without its tags and with its characters.
fn plain(html: &str) -> String {
    let mut text = String::new();
    for (n, part) in html.split('<').enumerate() {
        text.push_str(if n == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) });
    }
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

#[test]
fn text_has_its_characters() {
    assert_eq!(plain("<b>a</b> &lt; b"), "a < b");
}
