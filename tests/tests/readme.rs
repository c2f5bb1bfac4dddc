//! What the README shows: its picture is drawn from the committed record, and its commands are there.

use record::Record;
use render::Plot;
use std::path::Path;

type Error = Box<dyn std::error::Error>;

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// `UPDATE=1 cargo test -p tests` writes the picture anew, after a new record.
#[test]
fn the_picture_is_drawn_from_the_record() -> Result<(), Error> {
    let record = Record::from_json(&std::fs::read_to_string(file("book/records/h200/lab-5-5.json"))?)?;
    let series = ["constant-4", "constant-256", "read-only-4", "read-only-256", "shared-4", "shared-256"];
    let mut plot = Plot::new(&record, "divergence-throughput", "readme");
    plot.series = &series;
    plot.y_scale = Some(record::Scale::Log10);
    let svg = plot.svg()?;
    let path = file("book/picture.svg");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &svg)?;
    }
    let committed = std::fs::read_to_string(&path)?;
    assert!(
        committed == svg,
        "book/picture.svg is not what the record shows; run `UPDATE=1 cargo test -p tests`"
    );
    Ok(())
}

#[test]
fn the_commands_it_names_are_there() -> Result<(), Error> {
    let readme = std::fs::read_to_string(file("README.md"))?;
    for command in ["cargo run --bin lab-5-5", "cargo test", "cargo run --bin book", "cargo run --bin grade"] {
        assert!(readme.contains(command), "{command}");
    }
    assert!(readme.contains("book/picture.svg"));
    Ok(())
}
