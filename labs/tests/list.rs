//! The list of labs, [`labs::ALL`]: that it has every lab's folder, binary and kernels, and nothing else.
//!
//! `UPDATE=1 cargo test -p labs --test all list::` writes the binaries that it asks for. The README's table has its own test.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The names in a folder.
fn names(name: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder(name)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Name of a lab's module.
fn module(lab: &labs::Lab) -> String {
    lab.name.replace('-', "_")
}

#[test]
fn it_has_every_module_of_a_lab() {
    let listed: BTreeSet<String> = labs::ALL.iter().map(|lab| module(lab)).collect();
    let there = names("src").into_iter().filter(|name| name.starts_with("lab_")).collect();
    assert_eq!(listed, there, "ALL and the folders labs/src/lab_*");
}

#[test]
fn every_lab_has_its_binary() {
    let binary = |lab: &&labs::Lab| {
        // "Lab 5.5: constant memory and the read-only cache, on your GPU or …"
        let about = lab.about.split(", on your GPU").next().unwrap();
        let text = format!(
            "//! {about}.\n\nfn main() -> std::process::ExitCode {{\n    labs::main(&labs::{}::LAB)\n}}\n",
            module(lab)
        );
        (format!("{}.rs", lab.name), text)
    };
    let wanted: BTreeMap<String, String> = labs::ALL.iter().map(binary).collect();
    if tests::is_update() {
        for (name, text) in &wanted {
            fs::write(folder("src/bin").join(name), text).unwrap();
        }
    }
    let read = |name: String| (name.clone(), fs::read_to_string(folder("src/bin").join(name)).unwrap());
    let there: BTreeMap<String, String> = names("src/bin").into_iter().map(read).collect();
    assert_eq!(wanted, there, "run `UPDATE=1 cargo test -p labs --test all list::`");
}

#[test]
fn every_lab_has_kernels_and_every_kernel_of_a_chapter_a_lab() {
    let chapter = |lab: &&labs::Lab| lab.name.replace("lab-", "ch");
    let labs: BTreeSet<String> = labs::ALL.iter().map(chapter).collect();
    let folders = kernels::all().iter().filter_map(|source| source.file.split_once('/'));
    // Those of no chapter.
    let other = ["bench", "causes", "road"];
    let of_chapters =
        folders.map(|(folder, _)| folder.to_owned()).filter(|folder| !other.contains(&folder.as_str()));
    assert_eq!(labs, of_chapters.collect(), "ALL and the folders of kernels");
}
