//! Texts of the library: what `#include <…>` finds, and which file declares a name that CUDA has without any header.
//!
//! Enters: the files of `library/`, embedded. Leaves: text by header's name, and headers by word. This module must never know what
//! the texts say.

use crate::hash::Map;
use crate::side::Side;
use std::sync::OnceLock;

/// Name and text of each file, as `#include <name>` finds it; `build.rs` reads them.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// Text of the library's file of that name, and the name in the library's own keeping.
pub(crate) fn file(name: &str) -> Option<(&'static str, &'static str)> {
    FILES.iter().copied().find(|(file, _)| *file == name)
}

/// Folder of the headers that host code alone has.
const HOST: &str = "host/";

/// Names of all files that a source may include, but for those of host code.
pub(crate) fn headers() -> impl Iterator<Item = &'static str> {
    let of_the_library = |name: &&str| [".inc", ".cuh"].iter().any(|end| name.ends_with(end));
    let names = FILES.iter().map(|(name, _)| *name);
    names.filter(move |name| !of_the_library(name) && !name.starts_with(HOST))
}

/// File that declares a word of CUDA's that needs no `#include`: to be put before a source whose tokens name it, once.
/// The tokens of that file are to be looked at in the same way. The host has types of few of them, and gcc's own functions; all
/// else that it knows without a header is in [`HOST_PRELUDE`].
pub(crate) fn declares(word: &str, side: Side) -> Option<&'static str> {
    let both = |file: &&str| file.starts_with("vector/") || matches!(*file, "dims.cuh" | "fixed.cuh");
    let of_host = || side.is_host().then(|| host_words().get(word).copied()).flatten();
    words().get(word).copied().filter(|file| side.is_device() || both(file)).or_else(of_host)
}

/// File that comes before a source's host side, as nvcc puts `cuda_runtime.h` there.
pub(crate) const HOST_PRELUDE: &str = "host/cuda_runtime.h";

/// Words of CUDA's that need no `#include`, for those who misspell one.
pub(crate) fn declared() -> impl Iterator<Item = &'static str> {
    let of_its_own = |word: &str, file: &str| {
        // The others are members of `std`.
        file.ends_with(".cuh") && !word.starts_with("__builtin") && !word.contains("___")
    };
    words().iter().filter(move |(word, file)| of_its_own(word, file)).map(|(word, _)| *word)
}

fn words() -> &'static Map<&'static str, &'static str> {
    static INDEX: OnceLock<Map<&str, &str>> = OnceLock::new();
    INDEX.get_or_init(|| index(include_str!("../library/index.txt")))
}

/// Words that host code alone has without a header.
fn host_words() -> &'static Map<&'static str, &'static str> {
    static INDEX: OnceLock<Map<&str, &str>> = OnceLock::new();
    INDEX.get_or_init(|| index(include_str!("../library/host/index.txt")))
}

/// File that defines a macro of the C library that sources use without its header: to be included where the preprocessor meets
/// the word, undefined, outside of a directive.
pub(crate) fn defines(word: &str) -> Option<&'static str> {
    static INDEX: OnceLock<Map<&str, &str>> = OnceLock::new();
    INDEX.get_or_init(|| index(include_str!("../library/macros.txt"))).get(word).copied()
}

/// Files by word, of lines such as `file: word word`.
fn index(text: &'static str) -> Map<&'static str, &'static str> {
    let mut index = Map::default();
    index.reserve(text.len() / 12);
    for (file, words) in text.lines().filter_map(|line| line.split_once(": ")) {
        index.extend(words.split(' ').map(|word| (word, file)));
    }
    index
}

#[cfg(test)]
mod api;
#[cfg(test)]
mod bounds;
#[cfg(test)]
mod mathematics;
#[cfg(test)]
mod texels;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_left_out_and_lines_stay() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("library");
        assert!(FILES.len() > 100);
        for (name, text) in FILES {
            let whole = std::fs::read_to_string(root.join(name)).unwrap_or_default();
            assert_eq!(text.lines().count(), whole.lines().count(), "{name}");
            for (line, (kept, written)) in text.lines().zip(whole.lines()).enumerate() {
                assert!(written.starts_with(kept), "{name}:{}", line + 1);
                let rest = written[kept.len()..].trim_start();
                assert!(rest.is_empty() || rest.starts_with("//"), "{name}:{}", line + 1);
                assert!(!kept.trim_start().starts_with("//"), "{name}:{}", line + 1);
            }
        }
    }

    #[test]
    fn what_the_indices_name_is_there() {
        for text in [include_str!("../library/index.txt"), include_str!("../library/macros.txt")] {
            for word in index(text).values() {
                assert!(file(word).is_some(), "{word}");
            }
        }
        assert_eq!(declares("make_float4", Side::Host), Some("vector/float.cuh"));
        assert_eq!(defines("FLT_MAX"), Some("float.h"));
        assert_eq!(defines("__FLT_MAX__"), Some("gcc_limits.inc"));
    }

    #[test]
    fn every_type_of_an_indexed_file_is_in_the_index() {
        let mut seen = 0;
        for file in
            include_str!("../library/index.txt").lines().filter_map(|line| Some(line.split_once(": ")?.0))
        {
            let lines = super::file(file).map_or("", |(_, text)| text).lines();
            let types = lines.filter_map(|line| line.strip_prefix("typedef ")?.trim_end().strip_suffix(';'));
            for name in types.filter_map(|ty| ty.rsplit([' ', '*']).next()) {
                assert_eq!(declares(name, Side::Device), Some(file), "make_index.py was not run: {name}");
                seen += 1;
            }
        }
        assert!(seen > 30, "{seen}");
    }

    #[test]
    fn files_include_only_files_of_the_library() {
        for (name, text) in FILES {
            // What is for host code alone is in its folder, which is there with the feature.
            let mut of_host = name.starts_with(HOST);
            for line in text.lines() {
                match line {
                    "#ifndef __CUDA_ARCH__" => of_host = true,
                    "#endif" => of_host = name.starts_with(HOST),
                    _ => {}
                }
                let Some(included) = line.strip_prefix("#include ") else { continue };
                if of_host && !crate::side::HOST {
                    continue;
                }
                let included = included.trim_matches(['<', '>', '"']);
                let host = of_host.then(|| file(&format!("{HOST}{included}"))).flatten();
                assert!(host.or(file(included)).is_some(), "{name}: {line}");
            }
        }
    }

    /// Errors of preprocessing and parsing a source with all its functions' bodies, as shown.
    fn errors(text: &str, arch: u32) -> String {
        use crate::{ast::BodyId, diagnostic::Diagnostics, options::Arch, preprocess, source::Sources};
        let (mut sources, mut sink) = (Sources::default(), Diagnostics::default());
        sources.add("main.cu", text.to_owned(), false);
        let environment = preprocess::Environment {
            arch: Arch { number: arch, suffix: None },
            side: crate::side::Side::Device,
            fast_math: false,
            defines: &[],
            loader: &|_| None,
            language: crate::Language::Cuda,
            before: &[],
            behind: None,
        };
        let tokens = preprocess::preprocess(&mut sources, 0, &environment, &mut sink);
        let tree = crate::parse::parse(tokens, &sources, &mut sink);
        for id in 0..10_000 {
            tree.body(BodyId(id), &mut sink);
        }
        // A header says by `#error` that an architecture is too old for it.
        sink.list.retain(|one| one.code != "error");
        if sink.list.is_empty() {
            String::new()
        } else {
            crate::diagnostic::render(&sink.list, &sources, false)
        }
    }

    #[test]
    fn every_file_parses_for_every_architecture_with_its_functions_bodies() {
        let files = include_str!("../library/index.txt").lines().filter_map(|line| line.split_once(": "));
        let by_name: Vec<&str> = files.filter_map(|(_, words)| words.split(' ').next()).collect();
        for arch in [52, 60, 70, 75, 80, 90] {
            for name in headers() {
                let errors = errors(&format!("#include <{name}>\n"), arch);
                assert!(errors.is_empty() || errors.contains("needs compute_"), "{name}: {errors}");
            }
            assert_eq!(errors(&format!("void f() {{ {}; }}", by_name.join("; ")), arch), "");
        }
    }
}
