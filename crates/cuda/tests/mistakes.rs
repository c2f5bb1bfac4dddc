//! What beginners get wrong most, and what each of them is told: `mistakes/NAME.cu` and `mistakes/NAME.txt`.
//!
//! `UPDATE=1 cargo test -p cuda --test mistakes` writes the texts anew; they are then to be read as a student would.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use cuda::{Input, Options, compile, diagnostic::render};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes")
}

/// Names of the files with an ending.
fn names(ending: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).expect("the folder of mistakes");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect()
}

/// What is told of a source.
fn told(name: &str) -> String {
    let file = format!("{name}.cu");
    let text = fs::read_to_string(folder().join(&file)).expect("the source");
    let input = Input { name: &file, text: &text, include: &|_| None };
    let (verdict, diagnostics, sources) = match compile(&input, &Options::default()) {
        Ok(output) => ("compiled", output.warnings, output.sources),
        Err(failure) => ("not compiled", failure.diagnostics, failure.sources),
    };
    format!("{verdict}\n\n{}", render(&diagnostics, &sources, false)).trim_end().to_owned() + "\n"
}

#[test]
fn every_mistake_is_told_as_its_text_says() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut wrong = vec![];
    for name in names("cu") {
        let told = told(&name);
        let path = folder().join(format!("{name}.txt"));
        if update {
            fs::write(path, told).expect("the text");
        } else if fs::read_to_string(path).ok().as_deref() != Some(&told) {
            wrong.push(format!("{name}:\n{told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_text_has_its_mistake_and_says_something() {
    let sources = names("cu");
    assert!(sources.len() >= 30, "{}", sources.len());
    assert_eq!(names("txt"), sources);
    for name in sources {
        let text = fs::read_to_string(folder().join(format!("{name}.txt"))).expect("the text");
        assert!(text.contains("error: ") || text.contains("warning["), "{name} is told nothing");
        assert!(!text.contains("defect"), "{name}");
    }
}
