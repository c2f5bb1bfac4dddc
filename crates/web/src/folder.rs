//! The files of a program in a page: those that are compiled, those that they include, and those that the program reads.
//!
//! Enters: names with texts or bytes. Leaves: the sources in their order, a file by the path that an `#include` gives, and all of them
//! as the folder in which the program runs. This module must never know what a program is for.

use crate::output::of_base64;
use cuda::{Header, Language};
use serde::Deserialize;

/// A file that a page supplies.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Given {
    pub(crate) name: String,
    /// Its text; of a file that is none, its bytes in base64 instead.
    text: Option<String>,
    base64: Option<String>,
}

/// Files of a program.
pub(crate) struct Folder(Vec<(String, Vec<u8>)>);

impl Folder {
    /// The program's first source, and the files next to it.
    ///
    /// # Errors
    /// A name that no file can have, or that two have; bytes that are not in base64.
    pub(crate) fn new(first: (&str, &str), others: Vec<Given>) -> Result<Self, String> {
        let mut all = vec![(first.0.to_owned(), first.1.as_bytes().to_vec())];
        for Given { name, text, base64 } in others {
            let bytes = match (text, base64) {
                (Some(text), _) => text.into_bytes(),
                (None, Some(text)) => {
                    of_base64(&text).ok_or_else(|| format!("the bytes of `{name}` are not in base64"))?
                }
                (None, None) => return Err(format!("the file `{name}` has neither a text nor bytes")),
            };
            all.push((name, bytes));
        }
        for (at, (name, _)) in all.iter().enumerate() {
            let part = |part: &str| part.is_empty() || part == "." || part == "..";
            if name.split('/').any(part) || name.contains(['\\', '\0', '\n']) {
                return Err(format!("`{name}` is not a file's name: write one such as `kernels.cuh`"));
            }
            if all[..at].iter().any(|(other, _)| other == name) {
                return Err(format!("two files are called `{name}`: rename one of them"));
            }
        }
        Ok(Self(all))
    }

    pub(crate) fn all(&self) -> &[(String, Vec<u8>)] {
        &self.0
    }

    /// Whether a file is there with these bytes.
    pub(crate) fn has(&self, name: &str, bytes: &[u8]) -> bool {
        self.0.iter().any(|(one, there)| one == name && there == bytes)
    }

    fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(name, bytes)| Some((&**name, std::str::from_utf8(bytes).ok()?)))
    }

    /// Names and texts of what is compiled, in this order: the first file, and every other source that no file includes.
    pub(crate) fn sources(&self) -> Vec<(&str, &str)> {
        let included: Vec<&str> = self
            .texts()
            .flat_map(|(_, text)| text.lines().filter_map(included))
            .filter_map(|path| Some(self.found(path)?.0))
            .collect();
        let mut all = self.texts();
        let first = all.next();
        let others = all.filter(|(name, _)| Language::of(name).is_some() && !included.contains(name));
        first.into_iter().chain(others).collect()
    }

    /// The file that an `#include` means: that whose name has the longest end in common with the path, where one of the two is all of
    /// that end. A page has no folders above its own, and often the files of several in one.
    fn found(&self, path: &str) -> Option<(&str, &str)> {
        let path = path.trim_start_matches(['.', '/']);
        let ends = |long: &str, short: &str| {
            long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let fitting = self.texts().filter(|(name, _)| ends(path, name) || ends(name, path));
        fitting.max_by_key(|(name, _)| (name.len().min(path.len()), std::cmp::Reverse(name.len())))
    }

    /// The same as what the compiler takes.
    pub(crate) fn header(&self, path: &str) -> Option<Header> {
        let (name, text) = self.found(path)?;
        Some(Header { name: Some(name.to_owned()), text: Ok(text.to_owned()) })
    }
}

/// The path in a line `#include "…"`.
fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    rest.trim_start().strip_prefix('"')?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> Given {
        Given { name: name.to_owned(), text: Some(text.to_owned()), base64: None }
    }

    fn folder(text: &str, others: &[(&str, &str)]) -> Folder {
        let others = others.iter().map(|(name, text)| file(name, text)).collect();
        Folder::new(("main.cu", text), others).expect("files")
    }

    #[test]
    fn sources_are_linked_in_their_order_but_for_those_that_are_included() {
        let folder = folder(
            "#include \"common.h\"\n  # include  \"../ch4/tiles.cu\"\n",
            &[("b.cpp", ""), ("ch4/tiles.cu", ""), ("common.h", ""), ("a.cu", ""), ("in.txt", "1 2")],
        );
        let names: Vec<&str> = folder.sources().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["main.cu", "b.cpp", "a.cu"]);
    }

    #[test]
    fn a_header_is_the_file_whose_name_has_the_longest_end_in_common_with_the_path() {
        let folder = folder("", &[("a.h", "short"), ("x/a.h", "long"), ("ba.h", "other")]);
        let text = |path: &str| folder.header(path).and_then(|header| header.text.ok());
        assert_eq!(text("a.h").as_deref(), Some("short"));
        assert_eq!(text("./a.h").as_deref(), Some("short"));
        assert_eq!(text("../../y/x/a.h").as_deref(), Some("long"));
        assert_eq!(text("../common/a.h").as_deref(), Some("short"));
        assert_eq!(text("c.h"), None);
        let folder = self::folder("", &[("sources/common/c.h", "below"), ("sources/c.h", "above")]);
        let text = |path: &str| folder.header(path).and_then(|header| header.text.ok());
        assert_eq!(text("../common/c.h").as_deref(), Some("below"));
        assert_eq!(text("c.h").as_deref(), Some("above"));
        assert_eq!(text("other/c.h"), None);
    }

    #[test]
    fn names_that_no_file_can_have_and_bytes_that_are_none_are_refused() {
        let error = |given: Given| Folder::new(("main.cu", ""), vec![given]).err().unwrap_or_default();
        for name in ["", "..", "../a.h", "/a.h", "a//b.h", "a\\b.h"] {
            assert!(error(file(name, "")).contains("is not a file's name"), "{name}");
        }
        assert_eq!(error(file("main.cu", "")), "two files are called `main.cu`: rename one of them");
        let none = Given { name: "a".to_owned(), text: None, base64: None };
        assert_eq!(error(none.clone()), "the file `a` has neither a text nor bytes");
        assert_eq!(
            error(Given { base64: Some("?".to_owned()), ..none }),
            "the bytes of `a` are not in base64"
        );
    }
}
