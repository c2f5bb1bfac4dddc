//! Listing of the files that a program wrote into a folder, so that it replaces and removes those and nothing else.
//!
//! Enters: a folder. Leaves: a file in it, in the form that `sha256sum --check` reads, and the files that are not
//! listed.

use hmac_sha256::Hash;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Name of the listing in its folder.
const NAME: &str = ".warpbook-files";
/// Most bytes of a listing.
const MOST: u64 = 1 << 26;
/// Mark instead of a hash, for a folder.
const FOLDER: &str = "-";

/// Files and folders that a program wrote into a folder, with the hashes of the files.
///
/// A file that was changed since counts as written by another program, and so does a link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// SHA-256 in hexadecimal by the path below the folder; bytes other than plain ASCII are escaped.
    entries: BTreeMap<String, String>,
}

impl Listing {
    /// Reads the listing of a folder; none where there is none or it cannot be understood.
    pub fn read(folder: &Path) -> Option<Self> {
        let text = crate::read_text(&folder.join(NAME), MOST).ok()?;
        let mut entries = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (hash, path) = line.split_once("  ")?;
            entries.insert(path.to_owned(), hash.to_owned());
        }
        Some(Listing { entries })
    }

    /// Lists everything that is in a folder now, and leaves the listing in it.
    ///
    /// # Errors
    /// A folder that cannot be read or written.
    pub fn write(folder: &Path) -> io::Result<Self> {
        let mut entries = BTreeMap::new();
        walk(folder, &mut |path, about| {
            let hash = if about.is_dir() { Some(FOLDER.to_owned()) } else { Some(sha256(path)?) };
            entries.extend(hash.map(|hash| (key(folder, path), hash)));
            Ok(true)
        })?;
        entries.remove(NAME);
        let mut text = String::from(
            "# What Warpbook wrote into this folder, and may replace or remove: nothing else in it.\n",
        );
        for (path, hash) in &entries {
            text += &format!("{hash}  {path}\n");
        }
        crate::write(&folder.join(NAME), text.as_bytes())?;
        Ok(Listing { entries })
    }

    /// Paths below the folder of files that the program did not write, or that were changed since. At most
    /// `most`; unlisted folders are not searched.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn others(&self, folder: &Path, most: usize) -> io::Result<Vec<PathBuf>> {
        let mut others = Vec::new();
        walk(folder, &mut |path, about| {
            if others.len() == most {
                return Ok(false);
            }
            let ours = self.has(folder, path, about)?;
            if !ours {
                others.push(path.strip_prefix(folder).unwrap_or(path).to_owned());
            }
            Ok(ours)
        })?;
        Ok(others)
    }

    /// Removes the files that the program wrote and nothing else; the folder itself too, if that leaves it empty.
    ///
    /// # Errors
    /// A file that cannot be read or removed.
    pub(crate) fn remove(&self, folder: &Path) -> io::Result<()> {
        let mut folders = Vec::new();
        let listing = folder.join(NAME);
        walk(folder, &mut |path, about| {
            let ours = path != listing && self.has(folder, path, about)?;
            match ours {
                true if about.is_dir() => folders.push(path.to_owned()),
                true => fs::remove_file(path)?,
                false => {}
            }
            Ok(ours)
        })?;
        // The inner ones first; folders that hold files of others stay.
        for folder in folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
        if *self != Listing::default() {
            fs::remove_file(listing)?;
        }
        let _ = fs::remove_dir(folder);
        Ok(())
    }

    fn has(&self, folder: &Path, path: &Path, about: &fs::Metadata) -> io::Result<bool> {
        let key = key(folder, path);
        Ok(match self.entries.get(&key) {
            _ if key == NAME => about.is_file(),
            Some(hash) if hash == FOLDER => about.is_dir(),
            Some(hash) => about.is_file() && sha256(path)? == *hash,
            None => false,
        })
    }
}

/// Every file and folder below a folder, each folder before what is in it; links are not followed, and folders only
/// where the visitor says so.
fn walk(folder: &Path, visit: &mut impl FnMut(&Path, &fs::Metadata) -> io::Result<bool>) -> io::Result<()> {
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        let mut entries = fs::read_dir(next)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, about) = (entry.path(), entry.metadata()?);
            if visit(&path, &about)? && about.is_dir() {
                waiting.push(path);
            }
        }
    }
    Ok(())
}

/// A unique text for a path below the folder: no two paths have the same.
fn key(folder: &Path, path: &Path) -> String {
    let names = path.strip_prefix(folder).unwrap_or(path).iter();
    names.map(|name| name.as_encoded_bytes().escape_ascii().to_string()).collect::<Vec<_>>().join("/")
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut hash = Hash::new();
    let mut file = File::open(path)?;
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
            n => hash.update(&piece[..n]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_what_was_added_or_changed() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir_all(at("a/empty")).unwrap();
        fs::write(at("a/one"), "1").unwrap();
        fs::write(at("a/two"), "2").unwrap();
        let written = Listing::write(root.path()).unwrap();
        let listing = Listing::read(root.path()).unwrap();
        assert_eq!(listing, written);
        assert!(listing.others(root.path(), 9).unwrap().is_empty());
        fs::write(at("a/two"), "changed").unwrap();
        fs::create_dir(at("new")).unwrap();
        fs::write(at("new/three"), "3").unwrap();
        let others = ["new", "a/two"].map(PathBuf::from);
        assert_eq!(listing.others(root.path(), 9).unwrap(), others);
        assert_eq!(listing.others(root.path(), 1).unwrap(), others[..1]);
        listing.remove(root.path()).unwrap();
        assert!(at("new/three").exists() && at("a/two").exists() && !at("a/one").exists());
        assert!(!at("a/empty").exists());
    }

    #[test]
    fn a_folder_of_ours_alone_goes_whole() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a");
        fs::create_dir_all(folder.join("b/c")).unwrap();
        fs::write(folder.join("b/c/one"), "1").unwrap();
        Listing::write(&folder).unwrap().remove(&folder).unwrap();
        assert!(!folder.exists());
    }

    #[test]
    fn what_is_not_a_listing_is_none() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(Listing::read(root.path()), None);
        fs::write(root.path().join(NAME), "something else\n").unwrap();
        assert_eq!(Listing::read(root.path()), None);
    }
}
