//! The folder of submissions: students, and the files of each.
//!
//! Enters: a folder. Leaves: for every student the files in a fixed order, each either to be read or refused with a
//! reason. No link is followed, only regular files are ever opened, and a folder that exceeds the limits is not entered
//! at all. This module must never know what is in a file.

pub(crate) mod intake;
pub(crate) mod prescan;
pub(crate) mod reading;
pub(crate) mod seeds;
pub(crate) mod workbook_files;

use crate::rules::Limits;
use crate::status::Status;
use crate::text;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Name of the student who gets files outside the students' folders: they belong to no student.
pub(crate) const NOBODY: &str = "";

/// A student's folder.
#[derive(Debug)]
pub(crate) struct Student {
    /// The folder's name, escaped; unique.
    pub(crate) name: String,
    pub(crate) files: Vec<File>,
}

/// An entry of a student's folder.
#[derive(Debug)]
pub(crate) struct File {
    /// Path within the student's folder, separated by `/`, escaped.
    pub(crate) name: String,
    pub(crate) found: Found,
}

/// Kind of an entry: to be read as a record or a submission, or refused.
#[derive(Debug)]
pub(crate) enum Found {
    /// A regular file named `*.json` within the limits.
    Record(PathBuf),
    /// A regular file named `*.toml`.
    Submission(PathBuf),
    /// A submission that counts, and was read.
    Taken,
    /// Status and reason of an entry that is not read.
    Refused(Status, String),
}

/// All students and files below `folder`.
///
/// # Errors
/// The folder itself cannot be read.
pub(crate) fn walk(folder: &Path, limits: &Limits) -> io::Result<Vec<Student>> {
    let mut students = Vec::new();
    let mut nobody = Vec::new();
    for (name, entry) in sorted(folder)? {
        let shown = text::name(&name);
        let refused = match entry.file_type() {
            Ok(kind) if kind.is_dir() => {
                students.push(Student { name: shown, files: files(&entry.path(), limits) });
                continue;
            }
            Ok(kind) if kind.is_symlink() => link(),
            Ok(_) => Found::Refused(
                Status::Misplaced,
                "it is not in a student's folder, so it belongs to no student; move it into one".to_owned(),
            ),
            Err(error) => unreadable(&error),
        };
        nobody.push(File { name: shown, found: refused });
    }
    if !nobody.is_empty() {
        students.push(Student { name: NOBODY.to_owned(), files: nobody });
    }
    Ok(students)
}

fn link() -> Found {
    Found::Refused(Status::Link, "a symbolic link is not followed; hand in the file itself".to_owned())
}

fn unreadable(error: &io::Error) -> Found {
    Found::Refused(Status::Unreadable, format!("it cannot be read: {}", text::code(&error.to_string())))
}

/// A folder's entries, sorted by the bytes of their names: the same order on every file system.
fn sorted(folder: &Path) -> io::Result<Vec<(OsString, fs::DirEntry)>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        entries.push((entry.file_name(), entry));
    }
    entries.sort_by(|(a, _), (b, _)| a.as_encoded_bytes().cmp(b.as_encoded_bytes()));
    Ok(entries)
}

fn files(folder: &Path, limits: &Limits) -> Vec<File> {
    let mut files = Vec::new();
    match below(folder, "", 0, limits, &mut files) {
        Ok(()) => files,
        Err(TooMany) => vec![File {
            name: String::new(),
            found: Found::Refused(
                Status::TooMany,
                format!("there are more than {} files, so none was read", limits.files),
            ),
        }],
    }
}

struct TooMany;

fn below(
    folder: &Path,
    prefix: &str,
    depth: usize,
    limits: &Limits,
    files: &mut Vec<File>,
) -> Result<(), TooMany> {
    let room = limits.files.saturating_sub(files.len());
    // One more than the limit suffices to refuse the folder; their order does not matter then.
    let listed =
        fs::read_dir(folder).and_then(|entries| entries.take(room + 1).collect::<io::Result<Vec<_>>>());
    let entries = match listed {
        Ok(entries) if entries.len() > room => return Err(TooMany),
        Ok(_) => sorted(folder),
        Err(error) => Err(error),
    };
    let entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            files.push(File { name: prefix.to_owned(), found: unreadable(&error) });
            return Ok(());
        }
    };
    for (name, entry) in entries {
        let name = format!("{prefix}{}", text::name(&name));
        let found = match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth == limits.depth => Found::Refused(
                Status::TooDeep,
                format!("folders in more than {} others are not looked into", limits.depth),
            ),
            Ok(kind) if kind.is_dir() => {
                below(&entry.path(), &format!("{name}/"), depth + 1, limits, files)?;
                continue;
            }
            Ok(kind) if kind.is_symlink() => link(),
            Ok(kind) if !kind.is_file() => {
                Found::Refused(Status::Unreadable, "it is not a regular file, so it is not opened".to_owned())
            }
            Ok(_) => plain(&entry, limits),
            Err(error) => unreadable(&error),
        };
        files.push(File { name, found });
        if files.len() > limits.files {
            return Err(TooMany);
        }
    }
    Ok(())
}

fn plain(entry: &fs::DirEntry, limits: &Limits) -> Found {
    let path = entry.path();
    let extension = path.extension().map(|e| e.to_ascii_lowercase());
    match extension.as_deref().and_then(|e| e.to_str()) {
        Some("json") => {}
        // A submission has its own limit; it is read within that.
        Some("toml") => return Found::Submission(path),
        Some("cu") => {
            return Found::Refused(
                Status::Ignored,
                "a kernel by itself is not compiled; exercises are in the file of `workbook submit`"
                    .to_owned(),
            );
        }
        _ => {
            let why = "only records (*.json) and the file of `workbook submit` (*.toml) are read";
            return Found::Refused(Status::Ignored, why.to_owned());
        }
    }
    match entry.metadata() {
        Ok(metadata) if metadata.len() == 0 => Found::Refused(Status::Empty, "it is empty".to_owned()),
        Ok(metadata) if metadata.len() > limits.file_bytes => Found::Refused(
            Status::TooLarge,
            format!("it has {} bytes, but at most {} are allowed", metadata.len(), limits.file_bytes),
        ),
        Ok(_) => Found::Record(path),
        Err(error) => unreadable(&error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::laid;

    type Result = std::result::Result<(), Box<dyn std::error::Error>>;

    fn limits() -> Limits {
        Limits { files: 4, depth: 1, file_bytes: 10, ..laid("").unwrap().limits }
    }

    /// `name status` of each file.
    fn seen(folder: &Path) -> io::Result<Vec<String>> {
        let students = walk(folder, &limits())?;
        let line = |student: &Student, file: &File| match &file.found {
            Found::Record(_) => format!("{}: {} record", student.name, file.name),
            Found::Submission(_) | Found::Taken => format!("{}: {} submission", student.name, file.name),
            Found::Refused(status, _) => format!("{}: {} {status}", student.name, file.name),
        };
        Ok(students.iter().flat_map(|s| s.files.iter().map(move |f| line(s, f))).collect())
    }

    #[test]
    fn every_file_is_read_or_refused_in_order_of_its_name() -> Result {
        let root = tempfile::tempdir()?;
        let alice = root.path().join("alice");
        fs::create_dir_all(alice.join("deep/deeper"))?;
        fs::create_dir(root.path().join("bob"))?;
        fs::write(alice.join("b.JSON"), "{}")?;
        fs::write(alice.join("a.json"), "")?;
        fs::write(alice.join("deep/c.json"), "x".repeat(11))?;
        fs::write(root.path().join("stray.json"), "{}")?;
        assert_eq!(
            seen(root.path())?,
            [
                "alice: a.json empty",
                "alice: b.JSON record",
                "alice: deep/c.json too-large",
                "alice: deep/deeper too-deep",
                ": stray.json misplaced"
            ]
        );
        Ok(())
    }

    #[test]
    fn a_folder_of_too_many_files_is_not_looked_at() -> Result {
        let root = tempfile::tempdir()?;
        fs::create_dir_all(root.path().join("eve/more"))?;
        for i in 0..3 {
            fs::write(root.path().join(format!("eve/{i}.json")), "{}")?;
            fs::write(root.path().join(format!("eve/more/{i}.json")), "{}")?;
        }
        assert_eq!(seen(root.path())?, ["eve:  too-many-files"]);
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_are_not_opened() -> Result {
        let root = tempfile::tempdir()?;
        let (secret, inside) = (tempfile::tempdir()?, root.path().join("eve"));
        fs::write(secret.path().join("lab.json"), "{}")?;
        fs::create_dir(&inside)?;
        std::os::unix::fs::symlink(secret.path().join("lab.json"), inside.join("l.json"))?;
        std::os::unix::fs::symlink(secret.path(), inside.join("folder"))?;
        std::os::unix::fs::symlink(secret.path(), root.path().join("mallory"))?;
        let _socket = std::os::unix::net::UnixListener::bind(inside.join("s.json"))?;
        assert_eq!(
            seen(root.path())?,
            ["eve: folder link", "eve: l.json link", "eve: s.json unreadable", ": mallory link"]
        );
        Ok(())
    }
}
