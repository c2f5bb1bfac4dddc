//! The program's files, and the headers that they include.
//!
//! Enters: paths. Leaves: their texts, compiled together. This module must never know how a program is compiled or run.

use anyhow::{Context, bail};
use cuda::{Failure, Header, Input, Language, Options};
use hostrun::Sides;
use std::path::{Path, PathBuf};

/// Most bytes of a source.
const MOST_BYTES: u64 = 16 << 20;

/// Sources of a program.
pub(crate) struct Sources {
    files: Vec<Source>,
    /// Folders with headers.
    folders: Vec<PathBuf>,
}

struct Source {
    name: String,
    text: String,
    folder: PathBuf,
}

/// Reads a program's files, in whatever languages their names say, unless that is said otherwise.
///
/// # Errors
/// A path that names a folder, or a file that is not part of a program.
pub(crate) fn read(paths: &[PathBuf], folders: &[PathBuf], any_name: bool) -> anyhow::Result<Sources> {
    let mut files = vec![];
    let mut seen: Vec<PathBuf> = vec![];
    for path in paths {
        let name = path.display().to_string();
        if path.is_dir() {
            bail!("`{name}` is a folder: name the files in it, as in `cudarun {}`", inside(path));
        }
        let text = files::read_source(path, MOST_BYTES)
            .with_context(|| format!("cannot read {}", path.display()))?;
        if !any_name && Language::of(&name).is_none() {
            bail!("{}", not_a_source(path));
        }
        let known = path.canonicalize().unwrap_or_else(|_| path.clone());
        if seen.contains(&known) {
            bail!("`{name}` is named twice: all that it defines would be defined twice");
        }
        seen.push(known);
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        files.push(Source { name, text, folder });
    }
    Ok(Sources { files, folders: folders.to_vec() })
}

/// Files of a folder that may be meant.
fn inside(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.path().display().to_string())
        .filter(|name| Language::of(name).is_some())
        .collect();
    names.sort();
    if names.is_empty() { format!("{}/main.cu", folder.display()) } else { names.join(" ") }
}

fn not_a_source(path: &Path) -> String {
    let name = path.display();
    match path.extension().and_then(|one| one.to_str()) {
        Some("h" | "hpp" | "hh" | "hxx" | "cuh" | "inl") => {
            format!("`{name}` is a header: files include it, and it is not named")
        }
        Some("o" | "obj" | "a" | "lib" | "so" | "ptx" | "cubin" | "fatbin") => {
            format!("`{name}` is already compiled: name the source that it was compiled from")
        }
        _ => format!(
            "do not know what to do with `{name}`: the program's files are .cu, .cpp, .cc, .cxx or .c; say what it is with `-x cu`"
        ),
    }
}

impl Sources {
    /// The first file's name.
    pub(crate) fn name(&self) -> &str {
        self.files.first().map_or("", |file| &file.name)
    }

    /// Compiles and links them.
    pub(crate) fn compiled(&self, options: &Options) -> Result<Sides, Failure> {
        let loaders: Vec<_> =
            self.files.iter().map(|file| move |name: &str| self.header(&file.folder, name)).collect();
        let inputs: Vec<Input<'_>> = self
            .files
            .iter()
            .zip(&loaders)
            .map(|(file, include)| Input { name: &file.name, text: &file.text, include })
            .collect();
        hostrun::compile_files(&inputs, options)
    }

    /// A header: next to the file, or in one of the folders.
    fn header(&self, own: &Path, name: &str) -> Option<Header> {
        if let Ok(text) = files::read_source(&own.join(name), MOST_BYTES) {
            return Some(Header::from(text));
        }
        self.folders.iter().find_map(|folder| {
            let path = folder.join(name);
            let text = files::read_source(&path, MOST_BYTES).ok()?;
            Some(Header { name: Some(path.display().to_string()), text: Ok(text) })
        })
    }
}
