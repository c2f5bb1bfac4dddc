//! Mistakes with the runtime API, each reported with its kind and its line, and the same programs without them, of which nothing is.
//!
//! A program in `mistakes` has a mistake for each number that it compares `WRONG` with. A comment at the end of a line, such as
//! `// 3: copy-kind`, says what is reported there if `WRONG` is 3.

use super::{each, names, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tests::program::command;

/// The line and the kind of each finding.
type Findings = BTreeSet<(u32, String)>;

/// What is found in a program that is compiled with a mistake, or with none, and its exit code.
fn found(folder: &Path, name: &str, mistake: u32) -> (Findings, i32) {
    let record = tempfile::NamedTempFile::new().expect("a file");
    let options = format!("--check --leaks -D WRONG={mistake} --json {} {name}.cu", record.path().display());
    command(env!("CARGO_BIN_EXE_cudarun"), folder, &options).output().expect("cudarun runs");
    let text = fs::read_to_string(record.path()).expect("a record");
    let record: hostrun::ProgramRecord =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name} with {mistake}: {error}: {text}"));
    let of = |one: hostrun::FindingRecord| (one.place.map_or(0, |place| place.line), one.kind);
    // How a mistake has ended the program is not another one.
    let found = record.findings.into_iter().filter(|one| one.kind != "signal").map(of);
    (found.collect(), record.exit_code.into())
}

/// What the program's comments say of a mistake.
fn said(text: &str, mistake: u32) -> Findings {
    let mut all = Findings::new();
    for (line, text) in (1..).zip(text.lines()) {
        let Some((_, comment)) = text.rsplit_once("// ") else { continue };
        let words: Vec<&str> = comment.split_whitespace().collect();
        let of_it = words.windows(2).filter(|pair| pair[0] == format!("{mistake}:"));
        all.extend(of_it.map(|pair| (line, pair[1].to_owned())));
    }
    all
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn mistakes_are_reported_with_their_kinds_and_lines_and_corrected_programs_are_silent() {
    let folder = root().join("mistakes");
    let mut cases = vec![];
    for name in names(&folder) {
        let text = fs::read_to_string(folder.join(format!("{name}.cu"))).expect("a program");
        let mistakes: BTreeSet<u32> = text
            .match_indices("WRONG ")
            .filter_map(|(at, _)| text[at..].split_whitespace().nth(2)?.parse().ok())
            .collect();
        assert!(!mistakes.is_empty(), "{name}");
        cases.push(format!("{name} 0"));
        cases.extend(mistakes.iter().map(|mistake| format!("{name} {mistake}")));
    }
    each(&cases, &|case| {
        let (name, mistake) = case.split_once(' ').expect("a case");
        let mistake = mistake.parse().expect("a number");
        let text = fs::read_to_string(folder.join(format!("{name}.cu"))).expect("a program");
        let (found, code) = found(&folder, name, mistake);
        assert_eq!(found, said(&text, mistake), "{name} with {mistake}");
        assert!(mistake > 0 || code == 0, "{name}: {code}");
        assert!(mistake == 0 || !found.is_empty(), "{name} with {mistake}: no comment says what is reported");
    });
}
