//! The README: its picture is drawn from the committed record, its first output is what a lab prints, and its commands exist.

use record::Record;
use render::Plot;
use std::path::Path;
use tests::committed;

type Error = Box<dyn std::error::Error>;

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// `UPDATE=1 cargo test -p tests --test readme` writes the picture anew, after a new record.
#[test]
fn the_picture_is_drawn_from_the_record() -> Result<(), Error> {
    let record = Record::from_json(&std::fs::read_to_string(file("book/records/h200/lab-5-5.json"))?)?;
    let series = ["constant-4", "constant-256", "read-only-4", "read-only-256", "shared-4", "shared-256"];
    let mut plot = Plot::new(&record, "divergence-throughput", "readme");
    plot.series = &series;
    plot.y_scale = Some(record::Scale::Log10);
    let svg = plot.svg()?;
    committed(&file("book/picture.svg"), &svg, "-p tests --test readme");
    Ok(())
}

const HEAD: &str = "| lab | about |\n| --- | --- |\n";

/// `UPDATE=1 cargo test -p tests --test readme` writes the table anew, after a lab has come.
#[test]
fn its_table_has_every_lab() -> Result<(), Error> {
    let mut table = HEAD.to_owned();
    for lab in labs::ALL {
        table += &format!("| `cargo run --bin {}` | {} |\n", lab.name, lab.subject());
    }
    let readme = std::fs::read_to_string(file("README.md"))?;
    let (before, rest) = readme.split_once(HEAD).ok_or("README.md has no table of labs")?;
    let rows: usize = rest.lines().take_while(|line| line.starts_with('|')).map(|line| line.len() + 1).sum();
    let now = format!("{before}{table}{}", &rest[rows..]);
    committed(&file("README.md"), &now, "-p tests --test readme");
    Ok(())
}

const OUTPUT: &str = "prints:\n\n```text\n";

/// `UPDATE=1 cargo test -p tests --test readme` writes the output anew, after it has changed.
#[test]
fn it_shows_what_the_first_command_prints() -> Result<(), Error> {
    let readme = std::fs::read_to_string(file("README.md"))?;
    let printed = std::fs::read_to_string(file("book/evidence/output/lab-4-4.txt"))?;
    let (before, rest) = readme.split_once(OUTPUT).ok_or("README.md shows no output")?;
    let (_, after) = rest.split_once("```\n").ok_or("README.md: the output has no end")?;
    assert!(before.contains("$ cargo run --bin lab-4-4\n"), "the command before its output");
    let now = format!("{before}{OUTPUT}{printed}```\n{after}");
    committed(&file("README.md"), &now, "-p tests --test readme");
    Ok(())
}

#[test]
fn every_fuzz_target_has_its_line_and_its_seeds() -> Result<(), Error> {
    let readme = std::fs::read_to_string(file("README.md"))?;
    let script = std::fs::read_to_string(file("scripts/fuzz"))?;
    for entry in std::fs::read_dir(file("fuzz/fuzz_targets"))? {
        let path = entry?.path();
        let target = path.file_stem().and_then(|name| name.to_str()).ok_or("a target's name")?;
        for (text, line) in
            [(&readme, format!("$ scripts/fuzz {target} ")), (&script, format!("#   scripts/fuzz {target} "))]
        {
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
    for command in ["cargo run --bin lab-5-5", "cargo test", "cargo run --bin book", "cargo run --bin grade"]
    {
        assert!(readme.contains(command), "{command}");
    }
    assert!(readme.contains("book/picture.svg"));
    Ok(())
}
