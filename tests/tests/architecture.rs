//! The pages for contributors, `ARCHITECTURE.md` and `CONTRIBUTING.md`: what they name is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

type Error = Box<dyn std::error::Error>;

const PAGES: [&str; 2] = ["ARCHITECTURE.md", "CONTRIBUTING.md"];
/// Parts of paths in recipes that stand for a name to be chosen.
const PLACEHOLDERS: [&str; 5] = ["NAME", "CHAPTER", "X-Y", "x-y", "x_y"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page(name: &str) -> io::Result<String> {
    fs::read_to_string(root().join(name))
}

/// The texts in back quotes outside code blocks.
fn quoted(page: &str) -> Vec<String> {
    let prose: String = page.split("```").step_by(2).collect();
    let words = prose.split('`').skip(1).step_by(2);
    words.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Whether a text is the path of something in this repository.
fn is_path(text: &str) -> bool {
    let is_file = [".rs", ".md", ".toml"].iter().any(|ending| text.ends_with(ending));
    !text.contains([' ', '*']) && (text.contains('/') || is_file)
}

/// Every file of Rust below a folder.
fn sources(folder: &Path, all: &mut String) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, all)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push_str(&fs::read_to_string(path)?);
        }
    }
    Ok(())
}

#[test]
fn the_paths_that_the_pages_name_are_there() -> Result<(), Error> {
    let mut missing = vec![];
    for name in PAGES {
        let text = page(name)?;
        let mut paths = 0;
        for quoted in quoted(&text) {
            let command = quoted.split(' ').next().filter(|word| word.starts_with("scripts/"));
            let path = if is_path(&quoted) { Some(quoted.as_str()) } else { command };
            let Some(path) = path else { continue };
            // What is built is not there before.
            let built = path.starts_with("target/");
            if built || PLACEHOLDERS.iter().any(|placeholder| path.contains(placeholder)) {
                continue;
            }
            paths += 1;
            if !root().join(path).exists() {
                missing.push(format!("{name}: {path}"));
            }
        }
        assert!(paths > 20, "{name} names {paths} paths");
    }
    assert!(missing.is_empty(), "not there:\n{}", missing.join("\n"));
    Ok(())
}

#[test]
fn the_items_that_the_pages_name_are_in_the_sources() -> Result<(), Error> {
    let mut all = String::new();
    for folder in ["crates", "kernels", "labs", "benches"] {
        sources(&root().join(folder), &mut all)?;
    }
    let words: BTreeSet<&str> = all.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let is_item = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "_:!".contains(c));
    let mut missing = vec![];
    for name in PAGES {
        for quoted in quoted(&page(name)?).iter().filter(|text| is_item(text)) {
            for part in quoted.trim_end_matches('!').split("::") {
                if !words.contains(part) && !PLACEHOLDERS.contains(&part) {
                    missing.push(format!("{name}: {quoted}: {part}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "in no source:\n{}", missing.join("\n"));
    Ok(())
}

/// By package what it uses of this workspace, in the order of the page's list.
fn listed() -> Result<Vec<(String, BTreeSet<String>)>, Error> {
    let text = page("ARCHITECTURE.md")?;
    let list =
        text.split("```text\n").find(|block| block.starts_with("counters:")).ok_or("no list of packages")?;
    let lines = list.lines().take_while(|line| *line != "```");
    let row = |line: &str| {
        let (name, uses) = line.split_once(':').ok_or_else(|| format!("`{line}` has no colon"))?;
        Ok((name.to_owned(), uses.split_whitespace().map(str::to_owned).collect()))
    };
    lines.map(row).collect()
}

#[test]
fn packages_use_those_that_the_list_says_and_none_below() -> Result<(), Error> {
    let mut manifests = BTreeMap::new();
    for entry in fs::read_dir(root().join("crates"))? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).ok_or("a crate's name")?.to_owned();
        manifests.insert(name, path);
    }
    for name in ["kernels", "labs", "benches", "tests"] {
        manifests.insert(name.to_owned(), root().join(name));
    }
    let listed = listed()?;
    let names: BTreeSet<&String> = listed.iter().map(|(name, _)| name).collect();
    assert_eq!(names, manifests.keys().collect(), "the list of packages and those that there are");
    let text = page("ARCHITECTURE.md")?;
    let mut above = BTreeSet::new();
    for (name, uses) in &listed {
        let manifest: toml::Table = fs::read_to_string(manifests[name].join("Cargo.toml"))?.parse()?;
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        let ours: BTreeSet<String> = dependencies
            .into_iter()
            .flat_map(toml::Table::keys)
            .filter(|key| names.contains(key))
            .cloned()
            .collect();
        assert_eq!(*uses, ours, "what {name} uses");
        assert!(uses.is_subset(&above), "{name} is above what it uses");
        above.insert(name.clone());
        let place = manifests[name].strip_prefix(root())?.display().to_string();
        assert!(text.contains(&format!("| `{place}` |")), "{place} has no row");
    }
    Ok(())
}
