//! Every PTX of the repository parses: the compilers' whole programs, the instructions' corpus, the labs' kernels.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

fn find(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, into);
        } else if path.extension().is_some_and(|e| e == "ptx") {
            into.push(path);
        }
    }
}

#[test]
fn all_of_the_corpus_parses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = vec![];
    for folder in ["tests/programs", "tests/ptx", "kernels"] {
        find(&root.join(folder), &mut paths);
    }
    assert!(paths.len() > 200, "{} PTX files", paths.len());
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        if let Err(error) = ptx::parse(&text) {
            panic!("{}:{error}", path.display());
        }
    }
}
