//! Programs of the book's chapters: those that a page shows a part of and runs as a whole, with changes for a reader to try.
//!
//! Enters: `book/programs.toml`, and the texts of files by their paths. Leaves: each program's files as the page has them, and those
//! with a change. This module must never know how anything is run or shown.
//!
//! ```toml
//! [[program]]
//! name = "pitched"
//! title = "Rows with a pitch, copied there and back"
//! file = "pitched.cu"                    # below book/code; what it includes is there in the page, too
//! arguments = ["100"]
//! [[program.change]]
//! title = "Give the width in elements"
//! finding = "width-in-elements"          # what is then reported; of a change that is not a mistake, prints = true instead
//! edits = [{ from = "row, row, height", to = "row, width, height" }]    # file = "ch4-2/rows.cu", unless it is the first
//! ```

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Folder of the programs, from the book's root.
pub const FOLDER: &str = "book/code";
/// Beginnings of paths that files are not called by in a page.
const FOLDERS: [&str; 2] = ["book/code/", "kernels/"];

/// A defect of the list, in words, with the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);

/// All programs of a book's chapters.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Programs {
    /// The programs.
    #[serde(default, rename = "program")]
    pub entries: Vec<Program>,
}

/// A program of a chapter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Name, by which pages refer to it; letters, digits and `_`.
    pub name: String,
    /// Title.
    pub title: String,
    /// Its first source, below [`FOLDER`].
    pub file: String,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// What is reported of it as it is, by kind: of a program that shows mistakes.
    #[serde(default)]
    pub findings: Vec<String>,
    /// What a reader may try.
    #[serde(default, rename = "change")]
    pub changes: Vec<Change>,
}

/// A change of a program for a reader to try.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// What is done, as an order.
    pub title: String,
    /// What is replaced.
    pub edits: Vec<Edit>,
    /// What is then reported, by its kind.
    #[serde(skip_serializing)]
    pub finding: Option<String>,
    /// Whether the program then prints something else.
    #[serde(default, skip_serializing)]
    pub prints: bool,
}

/// A replacement.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The file; empty for the first.
    #[serde(default)]
    pub file: String,
    /// A text that is there once.
    pub from: String,
    /// What takes its place.
    pub to: String,
}

/// A file of a program as a page has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct File {
    /// Its name: a path from [`FOLDER`], or from `kernels`.
    pub name: String,
    /// Its text, without the lines that mark its parts.
    pub text: String,
}

impl Programs {
    /// Reads the programs and checks their names.
    ///
    /// # Errors
    /// A text that is not a list of programs.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let all: Programs = toml::from_str(text).map_err(|error| Error(error.to_string()))?;
        let mut names = BTreeSet::new();
        for program in &all.entries {
            let wrong = |why: String| Err(Error(format!("program `{}`: {why}", program.name)));
            if !crate::expression::is_word(&program.name) {
                return wrong("a name has letters, digits and `_`".to_owned());
            }
            if !names.insert(&program.name) {
                return wrong("two have this name".to_owned());
            }
            for change in &program.changes {
                if change.edits.is_empty() || change.finding.is_some() == change.prints {
                    return wrong(format!(
                        "`{}` must have edits, and either a finding or `prints = true`",
                        change.title
                    ));
                }
            }
        }
        Ok(all)
    }

    /// The program of a name.
    pub fn named(&self, name: &str) -> Option<&Program> {
        self.entries.iter().find(|program| program.name == name)
    }
}

impl Program {
    /// Its files, the first source first, then what they include, as far as it is there. `read` has a file's text by its path from the
    /// book's root.
    ///
    /// # Errors
    /// The first source, if `read` has none.
    pub fn files(&self, read: &dyn Fn(&str) -> Option<String>) -> Result<Vec<File>, Error> {
        let first = format!("{FOLDER}/{}", self.file);
        let mut paths = vec![first.clone()];
        let mut files = vec![];
        while let Some(path) = paths.get(files.len()).cloned() {
            let Some(text) = read(&path) else {
                return Err(Error(format!("program `{}`: there is no file `{path}`", self.name)));
            };
            for included in text.lines().filter_map(included) {
                let included = beside(&path, included);
                if !paths.contains(&included) && read(&included).is_some() {
                    paths.push(included);
                }
            }
            let name =
                FOLDERS.iter().find_map(|folder| path.strip_prefix(folder)).unwrap_or(&path).to_owned();
            files.push(File { name, text: without_marks(&text) });
        }
        Ok(files)
    }

    /// Its changes, with the file that each edit is in.
    ///
    /// # Errors
    /// An edit of a text that is not there once.
    pub fn changes(&self, files: &[File]) -> Result<Vec<Change>, Error> {
        let first = files.first().map_or("", |file| &file.name);
        let mut changes = self.changes.clone();
        for change in &mut changes {
            for edit in &mut change.edits {
                if edit.file.is_empty() {
                    first.clone_into(&mut edit.file);
                }
            }
            change.applied(files).map_err(|why| Error(format!("program `{}`: {why}", self.name)))?;
        }
        Ok(changes)
    }
}

impl Change {
    /// The files with the change, whose edits name theirs.
    ///
    /// # Errors
    /// An edit of a text that is not there once.
    pub fn applied(&self, files: &[File]) -> Result<Vec<File>, String> {
        let mut files = files.to_vec();
        for Edit { file, from, to } in &self.edits {
            let found = files.iter_mut().find(|one| one.name == *file);
            let found =
                found.ok_or_else(|| format!("`{}` changes `{file}`, which is not there", self.title))?;
            let times = found.text.matches(from.as_str()).count();
            if times != 1 {
                return Err(format!("`{}` replaces what `{file}` has {times} times: {from}", self.title));
            }
            found.text = found.text.replacen(from.as_str(), to, 1);
        }
        Ok(files)
    }
}

/// The path in a line `#include "…"`.
fn included(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("#include \"")?.split('"').next()
}

/// A path from a file's folder, from the root instead.
fn beside(file: &str, path: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

fn without_marks(text: &str) -> String {
    let marks = |line: &&str| line.trim_start().starts_with("// ANCHOR");
    text.split_inclusive('\n').filter(|line| !marks(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "#include \"../../kernels/ch1/a.cu\"\n#include \"check.h\"\n#include \"none.h\"\n// ANCHOR: b\nint main() {}\n// ANCHOR_END: b\n";

    fn read(path: &str) -> Option<String> {
        let text = match path {
            "book/code/a.cu" => FIRST,
            "kernels/ch1/a.cu" => "#include \"b.cuh\"\nint a;\n",
            "kernels/ch1/b.cuh" => "int b;\n",
            "book/code/check.h" => "// checks\n",
            _ => return None,
        };
        Some(text.to_owned())
    }

    fn programs(changes: &str) -> Result<Programs, Error> {
        Programs::parse(&format!("[[program]]\nname = \"a\"\ntitle = \"A\"\nfile = \"a.cu\"\n{changes}"))
    }

    #[test]
    fn a_program_has_the_files_that_it_includes_under_names_that_differ() {
        let files = programs("").expect("a program").entries[0].files(&read).expect("files");
        let names: Vec<&str> = files.iter().map(|file| &*file.name).collect();
        assert_eq!(names, ["a.cu", "ch1/a.cu", "check.h", "ch1/b.cuh"]);
        assert!(!files[0].text.contains("ANCHOR") && files[0].text.ends_with("int main() {}\n"));
    }

    #[test]
    fn a_change_replaces_what_is_there_once() {
        let of = |edits: &str| {
            let all =
                programs(&format!("[[program.change]]\ntitle = \"T\"\nprints = true\nedits = [{edits}]\n"))?;
            let files = all.entries[0].files(&read)?;
            all.entries[0].changes(&files)?[0].applied(&files).map_err(Error)
        };
        let files = of(
            "{ from = \"int main\", to = \"char main\" }, { file = \"ch1/a.cu\", from = \"a;\", to = \"c;\" }",
        );
        let files = files.expect("applied");
        assert!(files[0].text.contains("char main() {}") && files[1].text.ends_with("int c;\n"));
        let error = |edits| of(edits).expect_err("not once").to_string();
        assert_eq!(
            error("{ from = \"#include\", to = \"\" }"),
            "program `a`: `T` replaces what `a.cu` has 3 times: #include"
        );
        assert!(
            error("{ file = \"d.cu\", from = \"x\", to = \"\" }")
                .ends_with("changes `d.cu`, which is not there")
        );
    }

    #[test]
    fn a_program_that_is_not_whole_is_refused() {
        for (changes, why) in [
            ("[[program.change]]\ntitle = \"T\"\nprints = true\nedits = []\n", "`T` must have edits"),
            (
                "[[program.change]]\ntitle = \"T\"\nedits = [{ from = \"a\", to = \"b\" }]\n",
                "either a finding",
            ),
            ("[[program]]\nname = \"a\"\ntitle = \"B\"\nfile = \"b.cu\"\n", "two have this name"),
            ("colour = 5\n", "unknown field `colour`"),
        ] {
            let error = programs(changes).expect_err(why).to_string();
            assert!(error.contains(why), "{error}");
        }
        let none = Programs::parse("[[program]]\nname = \"a\"\ntitle = \"A\"\nfile = \"z.cu\"\n")
            .expect("well-formed");
        let error = none.entries[0].files(&read).expect_err("no file").to_string();
        assert_eq!(error, "program `a`: there is no file `book/code/z.cu`");
    }
}
