//! Whole files: written next to their place and renamed, so that the old one or the new one exists and never half of one.
//!
//! Enters: a path and bytes. Leaves: the file, or an error and the old file. Anything but a regular file (a device, a
//! pipe, `/dev/stdout`, `/proc/self/fd/3`) is written into instead. A symbolic link stays, and the file it points to is
//! replaced. A file that is replaced keeps its mode and, where this process may give files away, its owner. One that
//! this process may not write is not replaced. Where a file has several names (hard links), it is replaced under this
//! one, and the others keep what they had: nothing else would leave it whole at every moment.

use crate::destination::{Destination, kind, parent, resolve};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Prefix of the names of files that are being written.
const UNFINISHED: &str = ".writing-";

/// Writes a whole file, making its folder if need be.
///
/// # Errors
/// A folder that cannot be made, or a destination that cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Writing::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// A file that is written piece by piece. Dropped before [`finish`](Self::finish), it leaves the old file in place.
#[derive(Debug)]
pub struct Writing(To);

#[derive(Debug)]
enum To {
    Beside { file: NamedTempFile, at: PathBuf, replaced: Option<Box<Metadata>> },
    Into(File),
    Output(io::Stdout),
    Error(io::Stderr),
}

impl Writing {
    /// Begins a file at `path`, making its folder if need be.
    ///
    /// # Errors
    /// A folder that cannot be made, or a destination that cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Writing(match resolve(path)? {
            Destination::Output => To::Output(io::stdout()),
            Destination::Error => To::Error(io::stderr()),
            // At its end, in case it is a file that another process has open, whose position is not known here.
            Destination::Into(at) => To::Into(OpenOptions::new().append(true).open(at)?),
            Destination::At(at, replaced) => {
                if let Some(about) = &replaced {
                    replaceable(&at, about)?;
                }
                std::fs::create_dir_all(parent(&at))?;
                To::Beside { file: beside(parent(&at))?, at, replaced: replaced.map(Box::new) }
            }
        }))
    }

    /// Ends the file and puts it in its place.
    ///
    /// # Errors
    /// A destination that can no longer be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        match self.0 {
            To::Beside { file, at, replaced } => {
                if let Some(about) = replaced {
                    keep(file.as_file(), &about)?;
                }
                file.persist(at).map(drop).map_err(|e| e.error)
            }
            To::Into(_) | To::Output(_) | To::Error(_) => Ok(()),
        }
    }
}

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            To::Beside { file, .. } => file.as_file_mut().write(bytes),
            To::Into(file) => file.write(bytes),
            To::Output(stream) => stream.write(bytes),
            To::Error(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            To::Beside { file, .. } => file.as_file_mut().flush(),
            To::Into(file) => file.flush(),
            To::Output(stream) => stream.flush(),
            To::Error(stream) => stream.flush(),
        }
    }
}

/// Tests that a file could be written at `path` now, for a program that has something to write only later. Leaves
/// no trace.
///
/// # Errors
/// Those of [`write()`].
pub fn check(path: &Path) -> io::Result<()> {
    let (at, replaced) = match resolve(path)? {
        Destination::At(at, replaced) => (at, replaced),
        // To open a pipe is to wait for its reader.
        Destination::Into(at) => return std::fs::metadata(at).map(drop),
        Destination::Output | Destination::Error => return Ok(()),
    };
    if let Some(about) = &replaced {
        replaceable(&at, about)?;
    }
    // The nearest folder that exists decides whether the others can be made in it.
    let folder = at.ancestors().skip(1).find(|folder| std::fs::symlink_metadata(folder).is_ok());
    beside(folder.unwrap_or(Path::new("."))).map(drop)
}

/// A rename asks the folder alone, so the file's own permission is asked for here.
fn replaceable(at: &Path, about: &Metadata) -> io::Result<()> {
    if !about.is_file() {
        return Err(io::Error::other(format!("it is {}", kind(about))));
    }
    OpenOptions::new().write(true).open(at).map(drop)
}

/// Removes the temporary files in `folder` of processes that were killed while they wrote there. For a folder that no
/// other process writes into now.
///
/// # Errors
/// A folder that cannot be read, or a file that cannot be removed.
pub fn clear_unfinished(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let is_ours = entry.file_name().as_encoded_bytes().starts_with(UNFINISHED.as_bytes());
        if is_ours && entry.file_type()?.is_file() {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// A temporary file in `folder`, to write and then rename.
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    // As any other file, by the process' umask: temporary files alone are their owner's secret.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // Its name is a new one each time and means nothing: the caller names the final file.
    builder.tempfile_in(folder).map_err(|error| {
        let inner = error.get_ref().and_then(std::error::Error::source);
        let code = inner.and_then(|inner| inner.downcast_ref()).and_then(io::Error::raw_os_error);
        code.map_or(error, io::Error::from_raw_os_error)
    })
}

/// Copies mode and owner of the replaced file.
fn keep(file: &File, about: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (about.uid(), about.gid()) {
            // Only root may change it; other users write their own file.
            let _ = fchown(file, Some(about.uid()), Some(about.gid()));
        }
    }
    file.set_permissions(about.permissions())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a/b.json");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(names(&root.path().join("a")), ["b.json"]);
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_the_old_one() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a");
        write(&path, b"old").unwrap();
        let mut half = Writing::create(&path).unwrap();
        half.write_all(b"ne").unwrap();
        drop(half);
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(root.path()).len()), ("old", 1));
    }

    #[test]
    fn what_killed_processes_left_is_cleared_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("mine"), "x").unwrap();
        fs::create_dir(root.path().join(".writing-folder")).unwrap();
        // Closed and not removed, as by a system that killed the process.
        let Writing(To::Beside { file, .. }) = Writing::create(&root.path().join("a")).unwrap() else {
            panic!("it is written next to its place")
        };
        std::mem::forget(file.into_temp_path());
        assert_eq!(names(root.path()).len(), 3);
        clear_unfinished(root.path()).unwrap();
        assert_eq!(names(root.path()), [".writing-folder", "mine"]);
    }

    #[test]
    fn a_folder_is_not_a_file() {
        let root = tempfile::tempdir().unwrap();
        for path in
            [root.path().to_owned(), root.path().join("."), PathBuf::from("/"), root.path().join("..")]
        {
            assert!(write(&path, b"x").is_err() && check(&path).is_err(), "{}", path.display());
        }
        fs::write(root.path().join("file"), "old").unwrap();
        let below = root.path().join("file/record.json");
        assert!(write(&below, b"x").is_err() && check(&below).is_err());
        assert_eq!(fs::read_to_string(root.path().join("file")).unwrap(), "old");
    }

    #[test]
    fn a_check_leaves_no_trace() {
        let root = tempfile::tempdir().unwrap();
        check(&root.path().join("a/b/c.json")).unwrap();
        fs::write(root.path().join("d"), "old").unwrap();
        check(&root.path().join("d")).unwrap();
        assert_eq!(names(root.path()), ["d"]);
        assert_eq!(fs::read_to_string(root.path().join("d")).unwrap(), "old");
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};

        #[test]
        fn a_link_stays_and_its_target_is_written() {
            let root = tempfile::tempdir().unwrap();
            let at = |name: &str| root.path().join(name);
            fs::create_dir(at("far")).unwrap();
            fs::write(at("far/target"), "old").unwrap();
            symlink("far/target", at("link")).unwrap();
            symlink("link", at("again")).unwrap();
            symlink("far/none", at("dangling")).unwrap();
            symlink("far/new/deep", at("deeper")).unwrap();
            for (link, target) in
                [("again", "far/target"), ("dangling", "far/none"), ("deeper", "far/new/deep")]
            {
                write(&at(link), link.as_bytes()).unwrap();
                assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink(), "{link}");
                assert_eq!(fs::read_to_string(at(target)).unwrap(), link);
                assert_eq!(crate::destination(&at(link)).unwrap(), Some(at(target).canonicalize().unwrap()));
            }
            symlink("circle", at("circle")).unwrap();
            assert!(write(&at("circle"), b"x").is_err());
        }

        #[test]
        fn a_device_stays_one_and_a_full_one_is_reported() {
            write(Path::new("/dev/null"), b"x").unwrap();
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
            assert_eq!(crate::destination(Path::new("/dev/null")).unwrap(), None);
            #[cfg(target_os = "linux")] // others have no such device
            assert_eq!(
                write(Path::new("/dev/full"), b"x").map_err(|e| e.kind()),
                Err(io::ErrorKind::StorageFull)
            );
        }

        #[test]
        fn a_reader_at_the_end_of_a_pipe_gets_it() {
            let root = tempfile::tempdir().unwrap();
            let fifo = root.path().join("fifo");
            assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
            let there = fifo.clone();
            let reader = std::thread::spawn(move || fs::read_to_string(there).unwrap());
            write(&fifo, b"through").unwrap();
            assert_eq!(reader.join().unwrap(), "through");
            assert!(fs::metadata(&fifo).unwrap().file_type().is_fifo());
        }

        #[cfg(target_os = "linux")]
        #[test]
        fn a_descriptor_is_written_into_and_not_replaced() {
            use std::io::Read as _;
            use std::os::fd::AsRawFd as _;
            use std::os::unix::fs::MetadataExt as _;
            let (mut read, open) = io::pipe().unwrap();
            write(Path::new(&format!("/proc/self/fd/{}", open.as_raw_fd())), b"through").unwrap();
            write(Path::new(&format!("/dev/fd/{}", open.as_raw_fd())), b", twice").unwrap();
            drop(open);
            let mut text = String::new();
            read.read_to_string(&mut text).unwrap();
            assert_eq!(text, "through, twice");

            // A file that is open keeps its name and what was written into it before.
            let root = tempfile::tempdir().unwrap();
            let path = root.path().join("log");
            let mut log = File::create(&path).unwrap();
            log.write_all(b"first\n").unwrap();
            let inode = fs::metadata(&path).unwrap().ino();
            write(Path::new(&format!("/proc/self/fd/{}", log.as_raw_fd())), b"second\n").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "first\nsecond\n");
            assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
            let closed = Path::new("/proc/self/fd/9999");
            assert!(write(closed, b"x").is_err() && check(closed).is_err());
        }

        #[test]
        fn a_replaced_file_keeps_its_mode_and_its_other_names_what_they_had() {
            let root = tempfile::tempdir().unwrap();
            let (path, other) = (root.path().join("a"), root.path().join("b"));
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            fs::hard_link(&path, &other).unwrap();
            write(&path, b"new").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o640);
            assert_eq!(fs::read_to_string(&other).unwrap(), "old");
        }

        #[test]
        fn a_new_file_has_the_mode_that_any_new_file_has() {
            let root = tempfile::tempdir().unwrap();
            let (ours, any) = (root.path().join("a"), root.path().join("b"));
            write(&ours, b"x").unwrap();
            fs::write(&any, "x").unwrap();
            let mode = |path| fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode(ours), mode(any));
        }

        #[test]
        fn a_file_that_may_not_be_written_is_not_replaced() {
            let root = tempfile::tempdir().unwrap();
            let path = root.path().join("a");
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
            // To root all files can be written.
            if OpenOptions::new().write(true).open(&path).is_err() {
                assert!(write(&path, b"new").is_err() && check(&path).is_err());
                assert_eq!(fs::read_to_string(&path).unwrap(), "old");
            }
        }
    }
}
