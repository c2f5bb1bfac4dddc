//! The examples of the page of any kernel: whole programs that a reader can open there.
//!
//! Enters: the folder of the programs, each with what it prints, and the pictures of those that write one. Leaves: the programs as a
//! script, and a card for each. This module must never know how a program is run.

use anyhow::{Context, Result};
use render::table::escape;
use serde_json::json;
use std::fs;
use std::path::Path;

/// Folder of the programs, from the book's root.
const PROGRAMS: &str = "book/programs";
/// The order of those that are to come first; others follow by their names.
const FIRST: [&str; 3] = ["vector-sum", "reduction", "scan"];
/// Folder of the pictures, from the folder of the page.
const PICTURES: &str = "examples";
/// What follows the text of a program in the file of what it prints.
const ENDED: &str = "--- ";
/// Lines that a card shows, and of how many printed ones it shows no others.
const LINES: usize = 10;
const LEAST: usize = 4;
/// Where a kernel begins.
const KERNEL: &str = "__global__";

/// A program.
struct Example {
    name: String,
    title: String,
    text: String,
    /// What it prints.
    prints: String,
}

impl Example {
    fn printed(&self) -> impl Iterator<Item = &str> {
        self.prints.lines().take_while(|line| !line.starts_with(ENDED))
    }

    /// What a card shows of a program that writes no picture: what it prints or, where that is little, its first kernel.
    fn shown(&self) -> impl Iterator<Item = &str> {
        let kernel = || self.text.lines().skip_while(|line| !line.contains(KERNEL)).collect();
        let lines: Vec<&str> =
            if self.printed().count() < LEAST { kernel() } else { self.printed().collect() };
        // What is printed in the middle of a line begins at the card's edge.
        let blanks = |line: &str| line.len() - line.trim_start().len();
        let whole = lines.iter().take(LINES).filter(|line| !line.trim().is_empty());
        let indent = whole.map(|line| blanks(line)).min().unwrap_or(0);
        lines.into_iter().take(LINES).map(move |line| line.get(indent..).unwrap_or_default())
    }
}

/// The programs in their order: their titles are their first lines.
fn read(root: &Path) -> Result<Vec<Example>> {
    let mut all = vec![];
    let folder = root.join(PROGRAMS);
    for entry in fs::read_dir(&folder).with_context(|| format!("no folder {PROGRAMS}"))? {
        let path = entry?.path();
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        if path.extension().is_none_or(|end| end != "cu") {
            continue;
        }
        let file =
            |path: &Path| fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
        let (text, prints) = (file(&path)?, file(&path.with_extension("out"))?);
        let title = text.lines().next().and_then(|line| line.strip_prefix("// "));
        let title = title.with_context(|| format!("{} does not begin with its title", path.display()))?;
        all.push(Example { name: name.to_owned(), title: title.to_owned(), text, prints });
    }
    let place = |name: &str| FIRST.iter().position(|first| *first == name).unwrap_or(FIRST.len());
    all.sort_by(|a, b| (place(&a.name), &a.name).cmp(&(place(&b.name), &b.name)));
    Ok(all)
}

/// The programs that a page offers, as a script.
pub(crate) fn script(root: &Path) -> Result<String> {
    let row =
        |one: &Example| format!("{}: {}", json!(one.name), json!({ "title": one.title, "text": one.text }));
    let rows: Vec<String> = read(root)?.iter().map(row).collect();
    Ok(format!("globalThis.warpbookPrograms = {{ {} }};\n", rows.join(", ")))
}

/// A card for each program: the picture that it writes, the first lines that it prints or its kernel; `page` is the folder of the page, and `runs`
/// says that the card opens the program.
pub(crate) fn cards(root: &Path, page: &Path, runs: bool) -> Result<String> {
    let picture = |one: &Example| {
        let file = format!("{PICTURES}/{}.png", one.name);
        page.join(&file).is_file().then_some(file)
    };
    let card = |one: &Example| {
        let (name, title) = one.title.split_once(": ").unwrap_or((&one.title, ""));
        let shown = match picture(one) {
            Some(file) => format!("<img src=\"{file}\" alt=\"\" loading=\"lazy\">"),
            None => {
                let lines = one.shown().map(escape).collect::<Vec<_>>().join("<br>");
                format!("<pre aria-hidden=\"true\">{lines}</pre>")
            }
        };
        let words = format!("{shown}<strong>{}</strong> <span>{}</span>", escape(name), escape(title));
        let words = if runs { format!("<a href=\"#example={}\">{words}</a>", one.name) } else { words };
        format!("<li>{words}</li>")
    };
    let mut all = read(root)?;
    // What there is most to see of comes first.
    all.sort_by_key(|one| (picture(one).is_none(), one.printed().count() < LEAST));
    Ok(format!("<ul class=\"examples\">{}</ul>", all.iter().map(card).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    #[test]
    fn each_program_has_a_card_with_its_picture_or_what_it_prints() {
        let cards = cards(&root(), &root().join("book/src"), true).expect("programs");
        assert_eq!(cards.matches("<li><a href=\"#example=").count(), read(&root()).expect("programs").len());
        assert!(cards.starts_with("<ul class=\"examples\"><li><a href=\"#example=pitched\"><img"), "{cards}");
        assert!(cards.contains("<img src=\"examples/rays.png\" alt=\"\" loading=\"lazy\"><strong>Ray tracer</strong> <span>spheres"), "{cards}");
        assert!(!cards.contains('\n') && !cards.contains("exit code"), "{cards}");
        assert!(cards.contains("<pre aria-hidden=\"true\">__global__ void sum(const int *in"), "{cards}");
        assert!(cards.contains("generation 0<br>.#..."), "{cards}");
        assert!(!cards.contains("<pre aria-hidden=\"true\">      "), "{cards}");
        assert!(script(&root()).is_ok_and(|script| script.contains("\"life\": {\"text\":\"// Life")));
    }

    #[test]
    fn a_book_without_the_engine_has_the_cards_without_links() {
        let cards = cards(&root(), &root().join("book/src"), false).expect("programs");
        assert!(!cards.contains("<a ") && cards.contains("<strong>Life</strong>"), "{cards}");
    }

    #[test]
    fn a_program_without_a_title_or_without_its_output_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let programs = folder.path().join(PROGRAMS);
        let error = || format!("{:#}", script(folder.path()).expect_err("an error"));
        assert_eq!(error().split(':').next(), Some("no folder book/programs"));
        fs::create_dir_all(&programs).expect("made");
        fs::write(programs.join("a.cu"), "int main() {}\n").expect("written");
        assert!(error().starts_with("cannot read "), "{}", error());
        fs::write(programs.join("a.out"), "--- exit code 0\n").expect("written");
        assert!(error().ends_with("a.cu does not begin with its title"), "{}", error());
    }
}
