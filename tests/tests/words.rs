//! The words of messages and comments: those of the field, in the forms in which compilers write them.
//!
//! `WORDS` lists what is not to be written, each with what to write instead. `SOURCES`, `COMMENTS` and `TEXTS` list where the
//! words are looked for; a folder is added once its texts are clean.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A word or phrase, what to write instead, and phrases in which it is right or is kept, as committed records have them.
type Word = (&'static str, &'static str, &'static [&'static str]);

/// What is not to be written, in lower case.
const WORDS: &[Word] = &[
    ("anew", "again", &[]),
    ("as it seems", "seems to", &[]),
    ("beside", "next to", &["lanes beside each other"]),
    ("besides", "in addition", &[]),
    (
        "behind",
        "after",
        &[
            "one behind the other, in lines",
            "that end behind them",
            "and end behind it",
            "values behind devpointer",
            "the halo behind",
            "surely behind it",
            "hidden behind",
        ],
    ),
    ("by turns", "alternately", &[]),
    ("everybody's", "everyone's", &[]),
    ("go on", "continue", &[]),
    ("goes on", "continues", &[]),
    ("going on", "continuing", &[]),
    ("has no end", "is unterminated", &[]),
    ("in place of", "instead of", &["a load in place of"]),
    ("inside of", "inside", &["not inside of its"]),
    (
        "is no",
        "is not a",
        &["there is no", "is no longer", "is no address of device memory", "is no less than"],
    ),
    ("are no", "are not", &["there are no", "are no longer"]),
    ("is told", "is reported", &[]),
    ("is wanted", "expected", &[]),
    ("leads to", "points to", &[]),
    ("lie", "is", &["nodes that lie in memory", "where they lie and by what"]),
    ("lies", "is", &["what lies beyond takes"]),
    ("makes no sense", "is invalid", &[]),
    ("make no sense", "are invalid", &[]),
    ("nobody", "never, or no one", &[]),
    ("nothing is called", "use of undeclared identifier", &[]),
    ("of one's own", "your own", &[]),
    ("outside of", "outside", &["external entity outside of cuda"]),
    ("so many", "that many", &["rows of a so many elements apart", "so many that"]),
    ("stand", "be", &["stand for", "stand in for", "stand out", "stand-in", "stand-ins"]),
    ("stands", "is", &["stands for", "stands out"]),
    ("stood", "was", &[]),
    ("tell", "report", &["that would tell"]),
    ("tells", "reports", &[]),
    ("the host's", "host", &["the host's pageable memory", "the host's clock"]),
    ("told", "reported", &[]),
    ("turn", "iteration", &["pairs of tiles in turn"]),
    ("turned", "reversed", &["turned off", "turned on"]),
    ("turns", "iterations", &[]),
    ("twice in", "redefinition of", &[]),
    ("wants", "requires", &[]),
    ("went on", "continued", &[]),
    ("whoever", "anyone who", &[]),
];

/// Words of the list that comments may have.
const ONLY_IN_MESSAGES: &[&str] = &["the host's"];

/// Folders of Rust whose string literals are messages.
const SOURCES: &[&str] = &[
    "crates/checker/src",
    "crates/cli/src",
    "crates/compile/src",
    "crates/counters/src",
    "crates/cuda/src",
    "crates/cudarun/src",
    "crates/exercise/src",
    "crates/faults/src",
    "crates/feedback/src",
    "crates/files/src",
    "crates/grade/src",
    "crates/harness/src",
    "crates/hostrun/src",
    "crates/interpreter/src",
    "crates/job/src",
    "crates/mdbook-labs/src",
    "crates/names/src",
    "crates/plots/src",
    "crates/program/src",
    "crates/ptx/src",
    "crates/ptxas/src",
    "crates/question/src",
    "crates/record/src",
    "crates/reference/src",
    "crates/render/src",
    "crates/runtime/src",
    "crates/scalar/src",
    "crates/simt/src",
    "crates/submission/src",
    "crates/warpbook/src",
    "crates/web/src",
    "crates/workbook/src",
    "kernels/src",
    "labs/src",
];

/// Folders of Rust whose comments have these words.
const COMMENTS: &[&str] = &[
    "benches",
    "crates/checker",
    "crates/cli",
    "crates/compile",
    "crates/counters",
    "crates/cudarun",
    "crates/exercise",
    "crates/faults",
    "crates/feedback",
    "crates/files",
    "crates/grade",
    "crates/harness",
    "crates/hostrun",
    "crates/interpreter",
    "crates/job",
    "crates/mdbook-labs",
    "crates/names",
    "crates/plots",
    "crates/program",
    "crates/ptx",
    "crates/ptxas",
    "crates/question",
    "crates/record",
    "crates/reference",
    "crates/render",
    "crates/runtime",
    "crates/scalar",
    "crates/simd",
    "crates/submission",
    "crates/warpbook",
    "crates/web",
    "crates/workbook",
    "kernels/src",
    "kernels/tests",
    "labs",
    "tests/examples",
    "tests/src",
    "tests/tests",
];

/// Folders of Rust whose comments have none of these words of the list, of which others are terms there: a warp's turn, a list
/// that goes on.
const CORE: &[&str] = &["crates/access", "crates/cuda", "crates/device", "crates/simt", "crates/traced"];
const NOT_IN_THE_CORE: &[&str] =
    &["anew", "behind", "beside", "nobody", "so many", "stands", "told", "whoever"];

/// Pages of the book and of the repository, and files of data with texts that readers see.
const PROSE: &[&str] = &["book/src", "book", "kernels/exercises", "labs", "crates/grade"];

/// Pages for those who build or change the project, each with the words that are terms there.
const PAGES: &[(&str, &[&str])] = &[
    ("ARCHITECTURE.md", &["turns"]),
    ("CHANGELOG.md", &["turns", "the host's"]),
    ("CONTRIBUTING.md", &["turned", "turns"]),
    ("DECISIONS.md", &["the host's"]),
    ("README.md", &[]),
    ("SECURITY.md", &[]),
    ("crates/cuda/DECISIONS.md", &[]),
    ("crates/cuda/library/README.md", &[]),
    ("crates/simt/tests/truth/README.md", &["turn", "turns"]),
    ("crates/warpbook/archive.md", &[]),
];

/// Words of the list that prose may have: points lie on a line, students take turns, a road turns away.
const ONLY_OUTSIDE_PROSE: &[&str] = &["lie", "lies", "the host's", "turn", "turned", "turns"];

/// Keys of data whose texts are a source's, whatever their words, or names that kernels have.
const QUOTED: &[&str] = &["claim", "statement", "variant"];

/// Folders of sources with the messages about them, after a line that is an anchor of mdBook.
const TEXTS: &[&str] = &["crates/cuda/tests/mistakes"];

/// Files in a folder and its folders that have an ending, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|problem| panic!("{}: {problem}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let nested = |path: PathBuf| match path.is_dir() {
        true => files(&path, ending),
        false => vec![path],
    };
    let all = paths.into_iter().flat_map(nested);
    all.filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
}

/// Whether a file of Rust has only tests.
fn is_test(path: &Path) -> bool {
    let name = |part: &std::ffi::OsStr| {
        let part = part.to_string_lossy();
        part == "tests" || part == "tests.rs" || part.ends_with("_tests.rs")
    };
    path.iter().any(name)
}

/// String literals of Rust, each with its line, without those of the tests at a file's end.
fn literals(text: &str) -> Vec<(usize, String)> {
    let ends = ["#[cfg(test)]\nmod ", "#[cfg(test)]\npub(crate) mod "].map(|end| text.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(text.len());
    texts(&text[..end]).0
}

/// Comments of Rust, each with its first line; lines that follow each other are one.
fn comments(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, usize, String)> = vec![];
    for (line, text) in texts(text).1 {
        let text = text.trim_start_matches(['/', '!']);
        match found.last_mut() {
            Some((_, last, before)) if *last + 1 == line => {
                *last = line;
                *before += text;
            }
            _ => found.push((line, line, text.to_owned())),
        }
    }
    found.into_iter().map(|(line, _, text)| (line, text)).collect()
}

type Lines = Vec<(usize, String)>;

/// String literals of Rust, and its lines of comments, each with its line.
fn texts(text: &str) -> (Lines, Lines) {
    let (mut found, mut comments, mut at, mut line) = (vec![], vec![], 0, 1);
    while let Some(length) = text[at..].find(['"', '/', '\'', 'r']) {
        line += text[at..at + length].matches('\n').count();
        at += length;
        let rest = &text[at..];
        let begins_word = !text[..at].ends_with(|one: char| one.is_alphanumeric() || one == '_');
        let hashes = rest[1..].chars().take_while(|one| *one == '#').count();
        let length = if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            comments.push((line, rest[..end].to_owned()));
            end
        } else if rest.starts_with('r') && begins_word && rest[1 + hashes..].starts_with('"') {
            let inner = &rest[hashes + 2..];
            let end = inner.find(&format!("\"{}", "#".repeat(hashes))).unwrap_or(inner.len());
            found.push((line, inner[..end].to_owned()));
            (2 * hashes + 3 + end).min(rest.len())
        } else if let Some(escaped) = rest.strip_prefix("'\\") {
            let end = escaped.char_indices().skip(1).find(|(_, one)| *one == '\'');
            end.map_or(rest.len(), |(end, _)| end + 3)
        } else if let Some(one) = rest.strip_prefix('\'').and_then(|rest| rest.chars().next()) {
            // `'a'`, but not the lifetime `'a`.
            let end = 1 + one.len_utf8();
            if rest[end..].starts_with('\'') { end + 1 } else { 1 }
        } else if let Some(inner) = rest.strip_prefix('"') {
            let mut escaped = false;
            let closes = |one: char| {
                let closes = one == '"' && !escaped;
                escaped = one == '\\' && !escaped;
                closes
            };
            let end = inner.find(closes).unwrap_or(inner.len());
            let literal = inner[..end].split("\\\n").map(str::trim_start).collect();
            found.push((line, literal));
            (end + 2).min(rest.len())
        } else {
            1
        };
        line += rest[..length].matches('\n').count();
        at += length;
    }
    (found, comments)
}

/// Lines of the messages after a source, without the source's own lines among them.
fn messages(text: &str) -> impl Iterator<Item = (usize, String)> {
    let is_quoted = |line: &str| {
        let rest = line.trim_start_matches(|one: char| one == ' ' || one.is_ascii_digit());
        line.starts_with(|one: char| one == ' ' || one.is_ascii_digit()) && rest.starts_with('|') && {
            line.trim_start().starts_with(|one: char| one.is_ascii_digit())
        }
    };
    let lines = text.lines().enumerate().skip_while(|(_, line)| !line.starts_with("// ANCHOR: ")).skip(1);
    lines.filter(move |(_, line)| !is_quoted(line)).map(|(at, line)| (at + 1, line.to_owned()))
}

/// The comment at the head of an exercise: its task.
fn task(text: &str) -> Lines {
    let lines: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//")).collect();
    paragraphs(&lines.join("\n"))
}

/// Paragraphs of Markdown, each with its first line, without code.
fn paragraphs(text: &str) -> Lines {
    let (mut found, mut in_code, mut open) = (Lines::new(), false, false);
    for (at, line) in text.lines().enumerate() {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        if fence || in_code || line.trim().is_empty() {
            open = false;
        } else if let Some((_, before)) = found.last_mut().filter(|_| open) {
            *before += " ";
            *before += line.trim();
        } else {
            found.push((at + 1, line.trim().to_owned()));
            open = true;
        }
    }
    found
}

/// Texts of a file of data: strings of more than a word, each with the line on which it begins.
fn data_texts(text: &str) -> Lines {
    fn visit(value: &toml::Value, found: &mut Vec<String>) {
        match value {
            toml::Value::String(text) if text.contains(' ') => found.push(text.clone()),
            toml::Value::Array(all) => all.iter().for_each(|value| visit(value, found)),
            toml::Value::Table(all) => {
                let said = all.iter().filter(|(key, _)| !QUOTED.contains(&key.as_str()));
                said.for_each(|(_, value)| visit(value, found));
            }
            _ => {}
        }
    }
    let mut found = vec![];
    visit(&toml::Value::Table(text.parse().expect("TOML")), &mut found);
    let line = |said: &String| {
        let first = said.lines().next().unwrap_or_default();
        text.lines().position(|line| line.contains(first)).map_or(0, |at| at + 1)
    };
    found.into_iter().map(|said| (line(&said), said)).collect()
}

/// A message without what it quotes between backquotes, or puts in between braces.
fn without_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let text: String = parts.map(|(at, part)| if at % 2 == 0 { part } else { "_" }).collect();
    text.split('{').enumerate().fold(String::new(), |all, (at, part)| match (at, part.split_once('}')) {
        (0, _) | (_, None) => all + part,
        (_, Some((_, rest))) => all + "_" + rest,
    })
}

/// Words in a message that are not to be written, each with what to write instead.
fn wrong(message: &str) -> Vec<(&'static str, &'static str)> {
    let text = without_code(&message.to_lowercase());
    let is_whole = |at: usize, length: usize| {
        let is_letter = |one: char| one.is_alphanumeric() || one == '_';
        !text[..at].ends_with(is_letter) && !text[at + length..].starts_with(is_letter)
    };
    let is_right = |at: usize, phrase: &&str, right: &str| {
        let offset = right.find(*phrase).unwrap_or_default();
        at.checked_sub(offset).and_then(|at| text.get(at..)).is_some_and(|rest| rest.starts_with(right))
    };
    let found = |word: &&Word| {
        let (phrase, _, right) = word;
        text.match_indices(phrase).any(|(at, _)| {
            is_whole(at, phrase.len()) && !right.iter().any(|right| is_right(at, phrase, right))
        })
    };
    WORDS.iter().filter(found).map(|(phrase, instead, _)| (*phrase, *instead)).collect()
}

/// Panics with the texts that have words of the list, of those that are looked for.
fn assert_clean(all: Vec<(PathBuf, usize, String)>, least: usize, is_looked_for: impl Fn(&str) -> bool) {
    assert!(all.len() > least, "{} texts", all.len());
    let mut report = String::new();
    for (path, line, text) in all {
        for (phrase, instead) in wrong(&text).into_iter().filter(|(phrase, _)| is_looked_for(phrase)) {
            report += &format!("{}:{line}: {instead:?} instead of {phrase:?}: {text}\n", path.display());
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// Texts of the files with an ending in folders of the workspace, each with its file and line.
fn of_files(
    folders: &[&str],
    ending: &str,
    is_read: impl Fn(&Path) -> bool,
    texts: impl Fn(&str) -> Lines,
) -> Vec<(PathBuf, usize, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut all = vec![];
    for path in folders.iter().flat_map(|folder| files(&root.join(folder), ending)) {
        let path = path.strip_prefix(root).unwrap_or(&path).to_owned();
        if is_read(&path) {
            let text = fs::read_to_string(root.join(&path));
            let text = text.unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
            all.extend(texts(&text).into_iter().map(|(line, text)| (path.clone(), line, text)));
        }
    }
    all
}

#[test]
fn messages_are_in_the_words_of_the_field() {
    let mut all = of_files(SOURCES, "rs", |path| !is_test(path), literals);
    // A single word is a name.
    all.retain(|(_, _, text)| text.contains(' '));
    all.extend(of_files(TEXTS, "cu", |_| true, |text| messages(text).collect()));
    assert_clean(all, 3000, |_| true);
}

#[test]
fn comments_are_in_the_words_of_the_field() {
    // This file lists the words.
    let all = of_files(COMMENTS, "rs", |path| !path.ends_with("words.rs") || !is_test(path), comments);
    assert_clean(all, 5000, |phrase| !ONLY_IN_MESSAGES.contains(&phrase));
    assert_clean(of_files(CORE, "rs", |_| true, comments), 5000, |phrase| NOT_IN_THE_CORE.contains(&phrase));
}

#[test]
fn prose_is_in_the_words_of_the_field() {
    // What folders below have is of other kinds.
    let at_top = |path: &Path| PROSE.iter().any(|folder| path.parent() == Some(Path::new(folder)));
    let mut all = of_files(PROSE, "md", at_top, paragraphs);
    all.extend(of_files(PROSE, "toml", |path| at_top(path) && !path.ends_with("Cargo.toml"), data_texts));
    all.extend(of_files(&["kernels/exercises"], "cu", |_| true, task));
    assert_clean(all, 2000, |phrase| !ONLY_OUTSIDE_PROSE.contains(&phrase));
}

#[test]
fn pages_of_the_project_are_in_the_words_of_the_field() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    for (name, terms) in PAGES {
        let text = fs::read_to_string(root.join(name)).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let all =
            paragraphs(&text).into_iter().map(|(line, text)| (PathBuf::from(name), line, text)).collect();
        assert_clean(all, 2, |phrase| !terms.contains(&phrase));
    }
}

#[test]
fn paragraphs_are_found_without_code_and_data_without_names() {
    let text = "One\ntwo.\n\n```c\nbehind\n```\n- Three";
    assert_eq!(paragraphs(text), [(1, "One two.".to_owned()), (7, "- Three".to_owned())]);
    let text = "id = \"behind\"\nclaim = \"a b\"\n[[a]]\nis = [\"c d\", \"\"\"e f\ng\"\"\"]\n";
    assert_eq!(data_texts(text), [(4, "c d".to_owned()), (4, "e f\ng".to_owned())]);
}

#[test]
fn a_word_is_found_whole_in_any_case_and_outside_code() {
    assert_eq!(wrong("write it Behind the name"), [("behind", "after")]);
    assert_eq!(wrong("`x` is no type"), [("is no", "is not a")]);
    assert_eq!(wrong("there is no barrier, and it is not understood"), []);
    assert_eq!(wrong("write `behind` instead, and return"), []);
}

#[test]
fn strings_are_found_in_rust_with_their_lines() {
    let text = "let a = \"one \\\"two\\\"\"; // \"no\"\nlet b = ('\"', r#\"three \"four\"\"#, \"five \\\n    six\");\n";
    let expected = [(1, "one \\\"two\\\""), (2, "three \"four\""), (2, "five six")];
    assert_eq!(literals(text), expected.map(|(line, text)| (line, text.to_owned())));
}

#[test]
fn comments_that_follow_each_other_are_one() {
    let text = "/// What is\n/// no type.\nlet a = \"// no\";\n// Another.\n";
    let expected = [(1, " What is no type."), (4, " Another.")];
    assert_eq!(comments(text), expected.map(|(line, text)| (line, text.to_owned())));
}
