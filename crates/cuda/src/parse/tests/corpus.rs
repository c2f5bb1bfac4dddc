//! Sources of the workbook.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Parsed, parsed_with};
use crate::ast::{Declaration, DeclarationKind};

pub(super) fn sources(folder: &Path, to: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, to);
        } else if path.extension().is_some_and(|extension| extension == "cu" || extension == "cuh") {
            to.push(path);
        }
    }
    to.sort();
}

pub(super) fn parsed_file(path: &Path) -> Parsed {
    let text = fs::read_to_string(path).unwrap_or_default();
    let folder = path.parent().unwrap().to_owned();
    parsed_with(&text, &|name| fs::read_to_string(folder.join(name)).ok().map(crate::Header::from))
}

fn opaque(parsed: &Parsed, declarations: &[Declaration], to: &mut Vec<String>) {
    for one in declarations {
        match &one.kind {
            DeclarationKind::OpaqueHost(name, errors) => {
                for error in errors.iter() {
                    let name = name.as_ref().map(|name| name.symbol.to_string());
                    to.push(format!("opaque {name:?}: {}", parsed.line(error)));
                }
            }
            DeclarationKind::Namespace { declarations, .. } | DeclarationKind::Linkage(declarations) => {
                opaque(parsed, declarations, to);
            }
            DeclarationKind::Class(class) => opaque(parsed, class.members.as_deref().unwrap_or_default(), to),
            DeclarationKind::Template(template) => {
                opaque(parsed, std::slice::from_ref(&template.declaration), to)
            }
            _ => {}
        }
    }
}

/// Run by hand.
mod by_hand {
    use super::*;

    #[test]
    #[ignore = "prints what is found in the sources of a folder"]
    fn report() {
        let folder = std::env::var("CUDA_SOURCES").unwrap();
        let mut files = vec![];
        sources(Path::new(&folder), &mut files);
        let late = std::env::var("CUDA_LATE").is_ok();
        let mut clean = 0;
        for file in &files {
            if file.extension().is_some_and(|extension| extension == "cuh") {
                continue;
            }
            let start = std::time::Instant::now();
            let mut parsed = parsed_file(file);
            if late {
                parsed.all_bodies();
            }
            let time = start.elapsed();
            let mut found = parsed.errors();
            opaque(&parsed, &parsed.tree.unit.declarations, &mut found);
            if found.is_empty() {
                clean += 1;
            } else {
                println!("{} ({} ms):", file.display(), time.as_millis());
                for line in found.iter().take(6) {
                    println!("    {line}");
                }
            }
        }
        println!("{clean} of {} clean", files.len());
    }

    #[test]
    #[ignore = "prints how long the parser takes"]
    fn times() {
        use crate::diagnostic::Diagnostics;
        use crate::preprocess::{Environment, preprocess};
        use crate::source::Sources;

        let file = std::env::var("CUDA_SOURCE").unwrap();
        let folder = Path::new(&file).parent().unwrap().to_owned();
        let text = fs::read_to_string(&file).unwrap();
        for _ in 0..5 {
            let start = std::time::Instant::now();
            let mut sources = Sources::default();
            let mut sink = Diagnostics::default();
            sources.add(&file, text.clone(), false);
            let loader = |name: &str| fs::read_to_string(folder.join(name)).ok().map(crate::Header::from);
            let arch = crate::Arch { number: 90, suffix: None };
            let tokens = preprocess(
                &mut sources,
                0,
                &Environment {
                    arch,
                    side: crate::side::Side::Device,
                    fast_math: false,
                    defines: &[],
                    loader: &loader,
                    language: crate::Language::Cuda,
                    before: &[],
                    behind: None,
                },
                &mut sink,
            );
            let (count, bytes) = (
                tokens.iter().map(Vec::len).sum::<usize>(),
                sources.files().iter().map(|file| file.text.len()).sum::<usize>(),
            );
            let first = start.elapsed();
            let tree = crate::parse::parse(tokens, &sources, &mut sink);
            let second = start.elapsed() - first;
            println!("{bytes} bytes, {count} tokens: preprocess {first:?}, parse {second:?}");
            drop(tree);
        }
    }
}
