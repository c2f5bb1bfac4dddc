//! The words of the messages that a reader sees: those of the field, in the forms in which compilers write them.
//!
//! `WORDS` lists what is not to be written, each with what to write instead. `SOURCES` and `TEXTS` list where the words are
//! looked for; a folder is added once its texts are clean.

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
    ("beside", "next to", &[]),
    ("besides", "in addition", &[]),
    ("behind", "after", &[]),
    ("goes on", "continues", &[]),
    ("has no end", "is unterminated", &[]),
    ("in place of", "instead of", &[]),
    ("inside of", "inside", &["not inside of its"]),
    ("is no", "is not a", &["there is no", "is no longer", "is no address of device memory"]),
    ("are no", "are not", &["there are no", "are no longer"]),
    ("is told", "is reported", &[]),
    ("is wanted", "expected", &[]),
    ("leads to", "points to", &[]),
    ("lie", "is", &[]),
    ("lies", "is", &[]),
    ("makes no sense", "is invalid", &[]),
    ("make no sense", "are invalid", &[]),
    ("nobody", "never, or no one", &[]),
    ("nothing is called", "use of undeclared identifier", &[]),
    ("of one's own", "your own", &[]),
    ("outside of", "outside", &[]),
    ("so many", "that many", &[]),
    ("stand", "be", &[]),
    ("stands", "is", &[]),
    ("stood", "was", &[]),
    ("tell", "report", &[]),
    ("tells", "reports", &[]),
    ("the host's", "host", &[]),
    ("told", "reported", &[]),
    ("turn", "iteration", &[]),
    ("turned", "reversed", &["turned off", "turned on"]),
    ("turns", "iterations", &[]),
    ("twice in", "redefinition of", &[]),
    ("wants", "requires", &[]),
    ("whoever", "anyone who", &[]),
];

/// Those of them that are not to be written in comments either.
const IN_COMMENTS: &[&str] = &["anew", "behind", "beside", "nobody", "so many", "stands", "told", "whoever"];

/// Folders of Rust whose comments are in the words of the field.
const COMMENTS: &[&str] = &[
    "crates/access/src",
    "crates/device/examples",
    "crates/device/src",
    "crates/device/tests",
    "crates/simt/src",
    "crates/simt/tests",
    "crates/traced/src",
];

/// Folders of Rust whose string literals are messages.
const SOURCES: &[&str] = &[
    "crates/checker/src",
    "crates/cli/src",
    "crates/compile/src",
    "crates/cuda/src",
    "crates/exercise/src",
    "crates/faults/src",
    "crates/feedback/src",
    "crates/files/src",
    "crates/job/src",
    "crates/program/src",
    "crates/ptx/src",
    "crates/ptxas/src",
    "crates/simt/src",
    "crates/submission/src",
    "crates/workbook/src",
    "kernels/src",
];

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
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
    let (mut found, mut at, mut line) = (vec![], 0, 1);
    while let Some(length) = text[at..].find(['"', '/', '\'', 'r']) {
        line += text[at..at + length].matches('\n').count();
        at += length;
        let rest = &text[at..];
        let begins_word = !text[..at].ends_with(|one: char| one.is_alphanumeric() || one == '_');
        let hashes = rest[1..].chars().take_while(|one| *one == '#').count();
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
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
    found
}

/// Comments that have a line of Rust to themselves, each with its line.
fn comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(at, line)| Some((at + 1, line.trim_start().strip_prefix("//")?)))
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

#[test]
fn messages_are_in_the_words_of_the_field() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let read = |path: &Path| {
        fs::read_to_string(path).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()))
    };
    let mut all = vec![];
    for folder in SOURCES {
        for path in files(&root.join(folder), "rs")
            .into_iter()
            .filter(|path| !is_test(path.strip_prefix(root).unwrap_or(path)))
        {
            all.extend(literals(&read(&path)).into_iter().map(|(line, text)| (path.clone(), line, text)));
        }
    }
    for folder in TEXTS {
        for path in files(&root.join(folder), "cu") {
            all.extend(messages(&read(&path)).map(|(line, text)| (path.clone(), line, text)));
        }
    }
    assert!(all.len() > 3000, "{} messages", all.len());
    let mut report = String::new();
    for (path, line, text) in all {
        for (phrase, instead) in wrong(&text) {
            report += &format!("{}:{line}: {instead:?} instead of {phrase:?}: {text}\n", path.display());
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn comments_are_in_the_words_of_the_field() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let (mut looked_at, mut report) = (0, String::new());
    for path in COMMENTS.iter().flat_map(|folder| files(&root.join(folder), "rs")) {
        let text =
            fs::read_to_string(&path).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
        for (line, text) in comments(&text) {
            looked_at += 1;
            for (phrase, instead) in wrong(text).into_iter().filter(|(word, _)| IN_COMMENTS.contains(word)) {
                report += &format!("{}:{line}: {instead:?} instead of {phrase:?}: {text}\n", path.display());
            }
        }
    }
    assert!(looked_at > 5000, "{looked_at} lines of comments");
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn a_word_is_found_whole_in_any_case_and_outside_of_code() {
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
