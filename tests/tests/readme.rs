//! The README: its picture is drawn from the committed record, its output is what `workbook` prints, its commands exist, and what
//! it says of versions and addresses is what other files say.

use plots::Plot;
use record::Record;
use std::path::Path;
use tests::committed;

type Error = Box<dyn std::error::Error>;

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// `UPDATE=1 cargo test -p tests --test all readme::` writes the picture again, after a new record.
#[test]
fn the_picture_is_drawn_from_the_record() -> Result<(), Error> {
    let record = Record::from_json(&std::fs::read_to_string(file("book/records/h200/lab-5-5.json"))?)?;
    let series = ["constant-4", "constant-256", "read-only-4", "read-only-256", "shared-4", "shared-256"];
    let mut plot = Plot::new(&record, "divergence-throughput", "readme");
    plot.series = &series;
    plot.y_scale = Some(record::Scale::Log10);
    let svg = plot.svg()?;
    committed(&file("book/picture.svg"), &svg, "-p tests --test all readme::");
    Ok(())
}

const HEAD: &str = "| lab | about |\n| --- | --- |\n";
const OUTPUT: &str = "prints:\n\n```text\n";

/// A text with other lines between this head and what ends them.
fn replaced(text: &str, head: &str, lines: &str, end: &str) -> Result<String, Error> {
    let (before, rest) = text.split_once(head).ok_or_else(|| format!("README.md has no {head:?}"))?;
    let at = rest.find(end).ok_or_else(|| format!("README.md has no {end:?} after {head:?}"))?;
    Ok(format!("{before}{head}{lines}{}", &rest[at..]))
}

/// `UPDATE=1 cargo test -p tests --test all readme::` writes both again, after a lab has come or what `workbook` prints has changed.
#[test]
fn its_table_has_every_lab_and_it_shows_what_its_first_command_prints() -> Result<(), Error> {
    let readme = std::fs::read_to_string(file("README.md"))?;
    let mut table = String::new();
    for lab in labs::ALL {
        table += &format!("| `cargo run --bin {}` | {} |\n", lab.name, lab.subject());
    }
    let printed = std::fs::read_to_string(file("book/evidence/output/workbook.txt"))?;
    let before = readme.split(OUTPUT).next().unwrap_or_default();
    let first = before.find("$ cargo run --bin ").and_then(|at| before[at..].lines().next());
    assert_eq!(first, Some("$ cargo run --bin workbook"), "the command before its output");
    let now = replaced(&replaced(&readme, HEAD, &table, "\n| |")?, OUTPUT, &printed, "```\n")?;
    committed(&file("README.md"), &now, "-p tests --test all readme::");
    Ok(())
}

/// A value of a file in TOML's form, or in that of CITATION.cff: the rest of the first line that begins with its name.
fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(name));
    lines.next().map(|value| value.trim_start_matches([' ', '=', ':']).trim_matches('"'))
}

#[test]
fn versions_and_addresses_are_the_same_wherever_they_are_reported() -> Result<(), Error> {
    let read = |name: &str| std::fs::read_to_string(file(name)).map_err(|error| format!("{name}: {error}"));
    let (cargo, book, citation) = (read("Cargo.toml")?, read("book.toml")?, read("CITATION.cff")?);
    let oldest = value(&cargo, "rust-version").ok_or("Cargo.toml has no rust-version")?;
    for name in ["README.md", "CONTRIBUTING.md", "book/src/preface.md"] {
        let reported = read(name)?;
        assert!(reported.contains(&format!("{oldest} or newer")), "{name}: Rust {oldest}");
    }
    assert_eq!(value(&citation, "version"), value(&cargo, "version"), "CITATION.cff");
    let address = value(&book, "git-repository-url").ok_or("book.toml has no git-repository-url")?;
    assert_eq!(value(&citation, "repository-code"), Some(address), "CITATION.cff");
    if let Some(repository) = value(&cargo, "repository") {
        assert_eq!(repository, address, "Cargo.toml");
    }
    for name in ["README.md", "CHANGELOG.md", "SECURITY.md", "book/src/preface.md"] {
        for rest in read(name)?.split("https://github.com/warpbook").skip(1) {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '/').unwrap_or(rest.len());
            let reported = format!("https://github.com/warpbook{}", &rest[..end]);
            assert!(
                reported == address || reported.starts_with(&format!("{address}/")),
                "{name}: {reported}"
            );
        }
    }
    Ok(())
}

#[test]
fn every_fuzz_target_has_its_line_and_its_seeds() -> Result<(), Error> {
    let contributing = std::fs::read_to_string(file("CONTRIBUTING.md"))?;
    let script = std::fs::read_to_string(file("scripts/fuzz"))?;
    for entry in std::fs::read_dir(file("fuzz/fuzz_targets"))? {
        let path = entry?.path();
        let target = path.file_stem().and_then(|name| name.to_str()).ok_or("a target's name")?;
        for (text, line) in [
            (&contributing, format!("$ scripts/fuzz {target} ")),
            (&script, format!("#   scripts/fuzz {target} ")),
        ] {
            assert!(text.contains(&line), "{line}");
        }
    }
    for word in script.split_whitespace().filter_map(|word| word.strip_prefix("seeds=")) {
        assert!(file(word).read_dir()?.next().is_some(), "{word}");
    }
    Ok(())
}

#[test]
fn the_commands_it_names_are_there() -> Result<(), Error> {
    let readme = std::fs::read_to_string(file("README.md"))?;
    for command in ["cargo run --bin lab-4-1", "cargo test", "cargo run --bin book", "cargo run --bin grade"]
    {
        assert!(readme.contains(command), "{command}");
    }
    assert!(readme.contains("book/picture.svg"));
    Ok(())
}
