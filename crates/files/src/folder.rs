//! A folder that a program replaces as a whole: built next to its place, then swapped with the old one.
//!
//! Enters: the folder's path. Leaves: the new folder in its place, or an error and the old one. Files that the program
//! did not write are never removed: a folder that holds any is refused, before the work and again before the swap.
//! Ended at any moment, the program leaves a whole folder, the old one or the new one; leftovers next to it are cleared
//! away by the next run. Two programs at once do not interfere: the result of the one that ends last stays.

use crate::destination::{Destination, kind, parent, resolve};
use crate::listing::Listing;
use crate::lock::{lock, try_lock};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Name of the file that marks the temporary folder, which holds the new folder and for a moment the old one.
const MARK: &str = "warpbook-working-folder";
const NEW: &str = "new";
const OLD: &str = "old";
/// Longest wait for another program that holds the parent folder.
const PATIENCE: Duration = Duration::from_secs(30);

/// The reason why a folder is not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The folder holds files that are not the program's.
    #[error("{} holds files that this program did not write: {}; nothing was changed", folder.display(), some(others))]
    Others {
        /// The folder.
        folder: PathBuf,
        /// The first few of those files, relative to the folder.
        others: Vec<PathBuf>,
        /// Whether the program has ever written into the folder.
        ours: bool,
    },
    /// The folder is the working directory or around it; replacing it would leave the caller in a folder that is gone.
    #[error("{} is the folder that this was started in, or contains it; nothing was changed", folder.display())]
    Here {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder cannot be read, made or written.
    #[error("{}: {error}", folder.display())]
    Io {
        /// The folder.
        folder: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
}

fn some(others: &[PathBuf]) -> String {
    let shown: Vec<String> = others.iter().take(3).map(|path| format!("{path:?}")).collect();
    shown.join(", ") + if others.len() > 3 { " and more" } else { "" }
}

/// A folder that is being written.
#[derive(Debug)]
pub struct Rebuild {
    /// The folder's path without links.
    target: PathBuf,
    beside: TempDir,
    /// Lock that shows other runs that this one is still at work.
    _lock: Option<File>,
}

impl Rebuild {
    /// Begins to rewrite the folder at `target`. A link stays, and the folder it points to is written.
    ///
    /// # Errors
    /// A target that is not a folder, holds something that is not the program's, or is where nothing can be written.
    pub fn begin(target: &Path) -> Result<Self, Refused> {
        let refused = |e: io::Error| Refused::Io { folder: target.to_owned(), error: e };
        let at = match resolve(target).map_err(refused)? {
            Destination::At(at, Some(about)) if about.is_dir() => at,
            Destination::At(at, None) => at,
            Destination::At(_, Some(about)) => {
                let what = if about.is_file() { "a file" } else { kind(&about) };
                return Err(refused(io::Error::other(format!("it is {what}, not a folder"))));
            }
            Destination::Output | Destination::Error | Destination::Into(_) => {
                return Err(refused(io::Error::other("it is not a folder")));
            }
        };
        let name = at.file_name().map(OsString::from);
        let around = parent(&at).to_owned();
        if let Some(name) = &name {
            fs::create_dir_all(&around).map_err(refused)?;
            let _lock = lock(&around, PATIENCE).map_err(refused)?;
            clear(&around, name, &at);
        }
        free(&at)?;
        // A root is never empty, and its first entry has been reported.
        let name = name.ok_or_else(|| refused(io::Error::other("it has no parent folder")))?;
        let here = std::env::current_dir().and_then(fs::canonicalize);
        if here.is_ok_and(|here| here.starts_with(&at)) {
            return Err(Refused::Here { folder: target.to_owned() });
        }
        let beside = tempfile::Builder::new().prefix(&prefix(&name)).tempdir_in(&around).map_err(refused)?;
        // Where folders cannot be locked, they are not cleared away either.
        let lock = try_lock(beside.path()).ok();
        fs::write(
            beside.path().join(MARK),
            "A folder is being written here; it moves when it is complete.\n",
        )
        .map_err(refused)?;
        Ok(Rebuild { target: at, beside, _lock: lock })
    }

    /// Path to write to. It does not exist yet; the caller makes the folder.
    pub fn folder(&self) -> PathBuf {
        self.beside.path().join(NEW)
    }

    /// Replaces the old folder with the new one. Returns the path of files that another program put into the old folder
    /// at the last moment, if there are any.
    ///
    /// # Errors
    /// As [`begin`](Self::begin); the old folder is in its place then.
    pub fn finish(self) -> Result<Option<PathBuf>, Refused> {
        self.finish_with(exchange)
    }

    fn finish_with(
        self,
        exchange: impl Fn(&Path, &Path) -> io::Result<()>,
    ) -> Result<Option<PathBuf>, Refused> {
        let refused = |e: io::Error| Refused::Io { folder: self.target.clone(), error: e };
        let (new, old) = (self.folder(), self.beside.path().join(OLD));
        Listing::write(&new).map_err(refused)?;
        let _around = lock(parent(&self.target), PATIENCE).map_err(refused)?;
        free(&self.target)?;
        let Rebuild { target, beside, _lock } = self;
        // From here on it may hold the previous contents of its place, of which only listed files may be removed.
        let beside = beside.keep();
        drop(_lock);
        let moved = match fs::metadata(&target) {
            Ok(about) if Listing::read(&target).is_some() => fs::set_permissions(&new, about.permissions())
                .and_then(|()| swap(&new, &target, &old, exchange)),
            // It is empty; if it no longer is, it is not removed.
            Ok(_) => fs::remove_dir(&target).and_then(|()| fs::rename(&new, &target)),
            Err(_) => fs::rename(&new, &target),
        };
        let _ = clear_one(&beside, &target);
        moved.map_err(|error| Refused::Io { folder: target, error })?;
        Ok(beside.exists().then_some(beside))
    }
}

/// Swaps two folders: at once where the file system can, else by way of `aside`, where the old one stays.
fn swap(
    new: &Path,
    target: &Path,
    aside: &Path,
    exchange: impl Fn(&Path, &Path) -> io::Result<()>,
) -> io::Result<()> {
    if exchange(new, target).is_ok() {
        return Ok(());
    }
    // Between these two there is no folder at its place; the next run that finds it so puts the old one back.
    fs::rename(target, aside)?;
    if let Err(error) = fs::rename(new, target) {
        fs::rename(aside, target)?;
        return Err(error);
    }
    Ok(())
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Checks that a folder holds only files that the program wrote; a folder that does not exist passes.
fn free(folder: &Path) -> Result<(), Refused> {
    let listing = Listing::read(folder);
    let ours = listing.is_some();
    match listing.unwrap_or_default().others(folder, 4) {
        Ok(others) if others.is_empty() => Ok(()),
        Ok(others) => Err(Refused::Others { folder: folder.to_owned(), others, ours }),
        Err(e) if e.kind() == io::ErrorKind::NotFound && !folder.exists() => Ok(()),
        Err(e) => Err(Refused::Io { folder: folder.to_owned(), error: e }),
    }
}

/// Prefix of the names of temporary folders next to one named `name`.
fn prefix(name: &OsString) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".writing-");
    prefix
}

/// Clears away leftovers of ended runs next to `target`, and puts back the folder that one of them had taken from its
/// place. Leftovers that cannot be removed stay, without effect.
fn clear(around: &Path, name: &OsString, target: &Path) {
    let prefix = prefix(name);
    for entry in fs::read_dir(around).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(prefix.as_encoded_bytes())
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
        {
            let _ = clear_one(&entry.path(), target);
        }
    }
}

fn clear_one(beside: &Path, target: &Path) -> io::Result<()> {
    let mark = beside.join(MARK);
    // Held by a run that is at work, or on a file system that cannot say.
    let Ok(_lock) = try_lock(beside) else { return Ok(()) };
    if !mark.is_file() {
        return Ok(());
    }
    let (new, old) = (beside.join(NEW), beside.join(OLD));
    if old.exists() && fs::symlink_metadata(target).is_err() {
        fs::rename(&old, target)?;
    }
    let left: Vec<_> = [old, new].into_iter().filter(|left| left.exists()).collect();
    match left.as_slice() {
        // Half written: it never was at its place, where a user could have put files into it.
        [half] if half.ends_with(NEW) && Listing::read(half).is_none() => fs::remove_dir_all(half)?,
        _ => {
            // Files that remain in it are not ours, and no run touches them again.
            fs::remove_file(&mark)?;
            for whole in &left {
                Listing::read(whole).unwrap_or_default().remove(whole)?;
            }
        }
    }
    let _ = fs::remove_file(mark);
    let _ = fs::remove_dir(beside);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::forget;

    struct Scratch {
        root: TempDir,
    }

    impl Scratch {
        fn new() -> Self {
            Scratch { root: tempfile::tempdir().unwrap() }
        }

        fn at(&self, name: &str) -> PathBuf {
            self.root.path().join(name)
        }

        /// Begins a folder that says `text`.
        fn begin(&self, text: &str) -> Rebuild {
            let rebuild = Rebuild::begin(&self.at("book")).unwrap();
            fs::create_dir_all(rebuild.folder().join("sub")).unwrap();
            fs::write(rebuild.folder().join("sub/page"), text).unwrap();
            fs::write(rebuild.folder().join(text), "").unwrap();
            rebuild
        }

        fn page(&self) -> String {
            fs::read_to_string(self.at("book/sub/page")).unwrap()
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.root.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        }
    }

    fn unsupported(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    #[test]
    fn a_folder_is_written_again_and_again() {
        let place = Scratch::new();
        for (text, exchange) in
            [("one", exchange as fn(&Path, &Path) -> _), ("two", exchange), ("three", unsupported)]
        {
            assert_eq!(place.begin(text).finish_with(exchange).unwrap(), None);
            assert_eq!(place.page(), text);
            assert_eq!(place.names(), ["book"]);
        }
        assert!(!place.at("book/one").exists() && place.at("book/three").exists());
    }

    #[test]
    fn a_swap_that_fails_half_way_leaves_the_old_one() {
        let place = Scratch::new();
        place.begin("one").finish().unwrap();
        let lost = |new: &Path, _: &Path| fs::remove_dir_all(new).and_then(|()| unsupported(new, new));
        assert!(matches!(place.begin("two").finish_with(lost), Err(Refused::Io { .. })));
        assert_eq!((place.page().as_str(), place.names().len()), ("one", 1));
    }

    #[test]
    fn what_somebody_else_wrote_is_refused_and_stays() {
        let place = Scratch::new();
        fs::create_dir_all(place.at("book/.git")).unwrap();
        fs::write(place.at("book/thesis"), "mine").unwrap();
        let error = Rebuild::begin(&place.at("book")).unwrap_err().to_string();
        assert!(error.contains(".git") && error.contains("thesis"), "{error}");
        assert_eq!(place.names(), ["book"]);
        fs::remove_dir_all(place.at("book")).unwrap();

        place.begin("one").finish().unwrap();
        for (name, text) in [("notes", "mine"), ("sub/page", "edited")] {
            let was = fs::read(place.at("book").join(name)).ok();
            fs::write(place.at("book").join(name), text).unwrap();
            assert!(matches!(Rebuild::begin(&place.at("book")), Err(Refused::Others { ours: true, .. })));
            assert_eq!(fs::read_to_string(place.at("book").join(name)).unwrap(), text);
            match was {
                Some(was) => fs::write(place.at("book").join(name), was).unwrap(),
                None => fs::remove_file(place.at("book").join(name)).unwrap(),
            }
        }
        place.begin("two").finish().unwrap();
    }

    #[test]
    fn what_was_added_while_the_folder_was_written_stays() {
        let place = Scratch::new();
        place.begin("one").finish().unwrap();
        let rebuild = place.begin("two");
        fs::write(place.at("book/notes"), "mine").unwrap();
        assert!(matches!(rebuild.finish(), Err(Refused::Others { .. })));
        assert_eq!((place.page().as_str(), place.names().len()), ("one", 1));

        // At the very last moment: after the look, before the swap.
        fs::remove_file(place.at("book/notes")).unwrap();
        let late = |a: &Path, b: &Path| {
            fs::write(b.join("notes"), "mine").unwrap();
            exchange(a, b)
        };
        let kept = place.begin("two").finish_with(late).unwrap();
        // Where the file system swaps two folders at once, the old one is where the new one was.
        let found: Vec<_> = [NEW, OLD]
            .iter()
            .filter_map(|old| fs::read_to_string(kept.as_ref()?.join(old).join("notes")).ok())
            .collect();
        assert_eq!(found, ["mine"], "it must be kept");
        assert_eq!(place.page(), "two");
        place.begin("three").finish().unwrap();
        assert_eq!(place.names().len(), 2, "the next run leaves it where it is");
    }

    #[test]
    fn no_folder_is_refused() {
        let place = Scratch::new();
        fs::write(place.at("book"), "a file").unwrap();
        assert!(Rebuild::begin(&place.at("book")).unwrap_err().to_string().contains("it is a file"));
        assert!(Rebuild::begin(&place.at("book/below")).is_err());
        assert_eq!(fs::read_to_string(place.at("book")).unwrap(), "a file");
        assert!(matches!(Rebuild::begin(Path::new("/")), Err(Refused::Others { .. })));
        assert!(matches!(Rebuild::begin(Path::new(".")), Err(Refused::Others { .. })), "this crate's own");
    }

    #[test]
    fn missing_folders_around_are_made_and_an_empty_one_is_taken() {
        let place = Scratch::new();
        let deep = place.at("a/b/book");
        for _ in 0..2 {
            let rebuild = Rebuild::begin(&deep).unwrap();
            fs::create_dir(rebuild.folder()).unwrap();
            rebuild.finish().unwrap();
        }
        fs::create_dir(place.at("book")).unwrap();
        place.begin("one").finish().unwrap();
        assert_eq!(place.page(), "one");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_folder_stays() {
        let place = Scratch::new();
        fs::create_dir(place.at("far")).unwrap();
        std::os::unix::fs::symlink("far/book", place.at("book")).unwrap();
        for text in ["one", "two"] {
            place.begin(text).finish().unwrap();
            assert!(fs::symlink_metadata(place.at("book")).unwrap().is_symlink());
            assert_eq!(place.page(), text);
        }
        assert_eq!(fs::read_dir(place.at("far")).unwrap().count(), 1);
    }

    #[test]
    fn two_at_once_do_not_meet() {
        let place = Scratch::new();
        place.begin("one").finish().unwrap();
        let (two, three) = (place.begin("two"), place.begin("three"));
        three.finish().unwrap();
        assert_eq!(place.page(), "three");
        two.finish().unwrap();
        assert_eq!(place.page(), "two");
        assert_eq!(place.names(), ["book"]);
    }

    /// Leaves everything as a killed process would: nothing is cleaned up, and its lock is gone.
    fn killed(rebuild: Rebuild) {
        let Rebuild { beside, _lock, .. } = rebuild;
        drop(_lock);
        forget(beside);
    }

    #[test]
    fn killed_while_it_is_written_the_old_one_is_there_and_the_next_run_clears_away() {
        let place = Scratch::new();
        place.begin("one").finish().unwrap();
        killed(place.begin("two"));
        assert_eq!((place.page().as_str(), place.names().len()), ("one", 2));
        place.begin("three").finish().unwrap();
        assert_eq!((place.page().as_str(), place.names().len()), ("three", 1));
    }

    #[test]
    fn killed_between_two_renames_the_old_one_comes_back() {
        let place = Scratch::new();
        place.begin("one").finish().unwrap();
        let rebuild = place.begin("two");
        Listing::write(&rebuild.folder()).unwrap();
        fs::rename(place.at("book"), rebuild.beside.path().join(OLD)).unwrap();
        killed(rebuild);
        assert!(!place.at("book").exists());
        let next = Rebuild::begin(&place.at("book")).unwrap();
        assert_eq!(place.page(), "one");
        drop(next);
        assert_eq!(place.names(), ["book"]);
    }

    #[test]
    fn killed_after_the_swap_the_new_one_is_there_and_the_old_one_is_cleared_away() {
        let place = Scratch::new();
        place.begin("one").finish().unwrap();
        let rebuild = place.begin("two");
        Listing::write(&rebuild.folder()).unwrap();
        swap(&rebuild.folder(), &place.at("book"), &rebuild.beside.path().join(OLD), exchange).unwrap();
        killed(rebuild);
        assert_eq!((place.page().as_str(), place.names().len()), ("two", 2));
        drop(Rebuild::begin(&place.at("book")).unwrap());
        assert_eq!((place.page().as_str(), place.names().len()), ("two", 1));
    }
}
