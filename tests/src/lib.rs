//! End-to-end tests: the real binaries, a real book build. Here is what tests of several crates share.

pub mod fixture;
mod once;
pub mod program;
pub mod tools;

pub use once::once;

use std::path::Path;

/// Result of a test that passes errors on.
pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Whether committed files are to be written again instead of being compared: with `UPDATE=1` in the environment.
pub fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some()
}

/// A committed text file must be what is made of its sources today; with `UPDATE=1` it is made so. `test` is the test
/// that does it, as `cargo test` takes it.
///
/// # Panics
/// The file is another, or can be neither read nor written.
#[track_caller]
pub fn committed(file: &Path, now: &str, test: &str) {
    let name = file.display();
    let there = std::fs::read_to_string(file).ok();
    if is_update() && there.as_deref() != Some(now) {
        std::fs::write(file, now).unwrap_or_else(|error| panic!("{name}: {error}"));
        return;
    }
    let differs = there.iter().flat_map(|there| there.lines().zip(now.lines())).position(|(a, b)| a != b);
    let line = differs.map_or_else(|| "its end".to_owned(), |line| format!("line {}", line + 1));
    assert!(
        there.as_deref() == Some(now),
        "{name}: {line} is not what there is today; run `UPDATE=1 cargo test {test}`"
    );
}

/// A table in Markdown, with columns of numbers aligned at their ends; cells hold no `|`.
pub fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = |column| {
        let all =
            rows.iter().filter_map(|row: &Vec<String>| row.get(column)).all(|cell: &String| is_number(cell));
        if all { "---:" } else { "---" }.to_owned()
    };
    let headings: Vec<String> = headings.iter().map(|heading| (*heading).to_owned()).collect();
    let rules: Vec<String> = (0..headings.len()).map(rule).collect();
    line(&headings) + &line(&rules) + &rows.iter().map(|row| line(row)).collect::<String>()
}

/// Whether a cell is a number, with a unit or a share after it, or the place of one.
fn is_number(cell: &str) -> bool {
    const LONGEST: usize = 32; // a number with its unit, and no sentence that begins with one
    let digits = cell.trim_start_matches(['+', '−']);
    cell.is_empty()
        || cell == "–"
        || cell.len() <= LONGEST && digits.starts_with(|c: char| c.is_ascii_digit())
}
