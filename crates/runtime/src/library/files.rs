//! Files that a program may use: below one folder, or in memory.
//!
//! Enters: paths as the program writes them. Leaves: bytes, or the number of an error. No path leaves the folder: absolute ones,
//! those that climb above it by `..`, and those through symbolic links are refused.

use super::errno::Errno;
use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read, Seek, SeekFrom, Write},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// How a file is to be opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Its bytes are read.
    pub read: bool,
    /// Bytes are written.
    pub write: bool,
    /// It is made where it is not there.
    pub create: bool,
    /// It must not be there before.
    pub exclusive: bool,
    /// It is emptied.
    pub truncate: bool,
}

/// What is known of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Whether it is a folder.
    pub folder: bool,
    /// Its bytes.
    pub bytes: u64,
}

/// An open file.
pub trait File {
    /// Reads at an offset; how many bytes, 0 at the end.
    ///
    /// # Errors
    /// The number of an error.
    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> Result<usize, Errno>;

    /// Writes all at an offset; what is between the end and it becomes zeros.
    ///
    /// # Errors
    /// The number of an error.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Errno>;

    /// Its size in bytes.
    ///
    /// # Errors
    /// The number of an error.
    fn bytes(&mut self) -> Result<u64, Errno>;
}

/// Files by their paths. A path has names separated by `/`, none of which is empty, `.` or `..`; the empty path is the folder itself.
pub trait FileSystem {
    /// Opens a file.
    ///
    /// # Errors
    /// The number of an error.
    fn open(&mut self, path: &str, access: Access) -> Result<Box<dyn File>, Errno>;

    /// What is known of a file or folder.
    ///
    /// # Errors
    /// The number of an error.
    fn status(&mut self, path: &str) -> Result<Status, Errno>;

    /// Removes a file, or an empty folder.
    ///
    /// # Errors
    /// The number of an error.
    fn remove(&mut self, path: &str) -> Result<(), Errno>;

    /// Renames a file or folder.
    ///
    /// # Errors
    /// The number of an error.
    fn rename(&mut self, from: &str, to: &str) -> Result<(), Errno>;

    /// Makes a folder.
    ///
    /// # Errors
    /// The number of an error.
    fn make_folder(&mut self, path: &str) -> Result<(), Errno>;

    /// Names of the files and folders in a folder, and whether each is a folder.
    ///
    /// # Errors
    /// The number of an error.
    fn list(&mut self, path: &str) -> Result<Vec<(String, bool)>, Errno>;
}

/// A path as [`FileSystem`] has it, of one as a program writes it.
///
/// # Errors
/// `EACCES` where it is outside the folder, `ENOENT` where it is empty, `EINVAL` where it is not text.
pub fn relative(path: &[u8]) -> Result<String, Errno> {
    let path = std::str::from_utf8(path).map_err(|_| Errno::EINVAL)?;
    if path.is_empty() {
        return Err(Errno::ENOENT);
    }
    if path.starts_with('/') || path.contains(['\\', ':', '\0']) {
        return Err(Errno::EACCES);
    }
    let mut names: Vec<&str> = vec![];
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop().ok_or(Errno::EACCES)?;
            }
            name => names.push(name),
        }
    }
    Ok(names.join("/"))
}

/// No files at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl FileSystem for NoFiles {
    fn open(&mut self, _: &str, _: Access) -> Result<Box<dyn File>, Errno> {
        Err(Errno::EACCES)
    }

    fn status(&mut self, _: &str) -> Result<Status, Errno> {
        Err(Errno::EACCES)
    }

    fn remove(&mut self, _: &str) -> Result<(), Errno> {
        Err(Errno::EACCES)
    }

    fn rename(&mut self, _: &str, _: &str) -> Result<(), Errno> {
        Err(Errno::EACCES)
    }

    fn make_folder(&mut self, _: &str) -> Result<(), Errno> {
        Err(Errno::EACCES)
    }

    fn list(&mut self, _: &str) -> Result<Vec<(String, bool)>, Errno> {
        Err(Errno::EACCES)
    }
}

/// Files below a folder of the machine.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
    write: bool,
}

impl Folder {
    /// Files below a folder, to be read, and to be written where that is allowed too.
    pub fn new(root: PathBuf, write: bool) -> Self {
        Self { root, write }
    }

    /// The machine's path. No name on the way may be a symbolic link. (The program cannot make any.)
    fn path(&self, path: &str) -> Result<PathBuf, Errno> {
        let mut whole = self.root.clone();
        for name in path.split('/').filter(|name| !name.is_empty()) {
            whole.push(name);
            if fs::symlink_metadata(&whole).is_ok_and(|found| found.file_type().is_symlink()) {
                return Err(Errno::EACCES);
            }
        }
        Ok(whole)
    }

    fn writable(&self) -> Result<(), Errno> {
        if self.write { Ok(()) } else { Err(Errno::EROFS) }
    }
}

/// The number of an error of the machine.
fn number(error: &io::Error) -> Errno {
    match error.kind() {
        io::ErrorKind::NotFound => Errno::ENOENT,
        io::ErrorKind::PermissionDenied => Errno::EACCES,
        io::ErrorKind::AlreadyExists => Errno::EEXIST,
        io::ErrorKind::NotADirectory => Errno::ENOTDIR,
        io::ErrorKind::IsADirectory => Errno::EISDIR,
        io::ErrorKind::DirectoryNotEmpty => Errno::ENOTEMPTY,
        io::ErrorKind::StorageFull => Errno::ENOSPC,
        io::ErrorKind::InvalidInput => Errno::EINVAL,
        io::ErrorKind::InvalidFilename => Errno::ENAMETOOLONG,
        io::ErrorKind::Unsupported => Errno::ENOSYS,
        _ => Errno::EIO,
    }
}

impl FileSystem for Folder {
    fn open(&mut self, path: &str, access: Access) -> Result<Box<dyn File>, Errno> {
        if access.write || access.create || access.truncate {
            self.writable()?;
        }
        let path = self.path(path)?;
        // What is there and not a file (a folder, a pipe, a device) is not opened: opening alone may wait, or do something.
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => return Err(Errno::EISDIR),
            Ok(found) if !found.is_file() => return Err(Errno::EACCES),
            _ => {}
        }
        let mut options = fs::OpenOptions::new();
        options.read(access.read).write(access.write).truncate(access.truncate);
        options.create(access.create).create_new(access.create && access.exclusive);
        let file = options.open(path).map_err(|error| number(&error))?;
        Ok(Box::new(Opened(file)))
    }

    fn status(&mut self, path: &str) -> Result<Status, Errno> {
        let found = fs::symlink_metadata(self.path(path)?).map_err(|error| number(&error))?;
        Ok(Status { folder: found.is_dir(), bytes: found.len() })
    }

    fn remove(&mut self, path: &str) -> Result<(), Errno> {
        self.writable()?;
        let status = self.status(path)?;
        if path.is_empty() {
            return Err(Errno::EBUSY);
        }
        let path = self.path(path)?;
        if status.folder { fs::remove_dir(path) } else { fs::remove_file(path) }
            .map_err(|error| number(&error))
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), Errno> {
        self.writable()?;
        if from.is_empty() || to.is_empty() {
            return Err(Errno::EBUSY);
        }
        fs::rename(self.path(from)?, self.path(to)?).map_err(|error| number(&error))
    }

    fn make_folder(&mut self, path: &str) -> Result<(), Errno> {
        self.writable()?;
        fs::create_dir(self.path(path)?).map_err(|error| number(&error))
    }

    fn list(&mut self, path: &str) -> Result<Vec<(String, bool)>, Errno> {
        let found = fs::read_dir(self.path(path)?).map_err(|error| number(&error))?;
        // A name that is not text is none that a path of the program can have.
        let entries = found.flatten().filter_map(|entry| {
            let folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            Some((entry.file_name().into_string().ok()?, folder))
        });
        Ok(entries.collect())
    }
}

/// A file of the machine.
struct Opened(fs::File);

impl File for Opened {
    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> Result<usize, Errno> {
        let seek = self.0.seek(SeekFrom::Start(offset));
        seek.and_then(|_| self.0.read(bytes)).map_err(|error| number(&error))
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Errno> {
        let seek = self.0.seek(SeekFrom::Start(offset));
        seek.and_then(|_| self.0.write_all(bytes)).map_err(|error| number(&error))
    }

    fn bytes(&mut self) -> Result<u64, Errno> {
        self.0.metadata().map(|found| found.len()).map_err(|error| number(&error))
    }
}

/// Contents of a file in memory, shared by those who have it open.
type Contents = Arc<Mutex<Vec<u8>>>;

fn locked(contents: &Contents) -> MutexGuard<'_, Vec<u8>> {
    contents.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Files in memory, as a page supplies them and shows them afterwards; those who have a clone of it see the same ones.
#[derive(Clone, Debug, Default)]
pub struct InMemory {
    files: Arc<Mutex<BTreeMap<String, Option<Contents>>>>,
}

impl InMemory {
    /// Adds a file, or replaces it.
    pub fn insert(&self, path: &str, bytes: Vec<u8>) {
        self.entries().insert(path.to_owned(), Some(Arc::new(Mutex::new(bytes))));
    }

    /// All files with their contents.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let entries = self.entries();
        let files =
            entries.iter().filter_map(|(name, file)| Some((name.clone(), locked(file.as_ref()?).clone())));
        files.collect()
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, Option<Contents>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a path's folder is there.
    fn parent(entries: &BTreeMap<String, Option<Contents>>, path: &str) -> Result<(), Errno> {
        let Some((parent, _)) = path.rsplit_once('/') else { return Ok(()) };
        match entries.get(parent) {
            Some(None) => Ok(()),
            Some(Some(_)) => Err(Errno::ENOTDIR),
            None if entries.keys().any(|name| below(name, parent)) => Ok(()),
            None => Err(Errno::ENOENT),
        }
    }
}

/// Whether a path is below a folder.
fn below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

impl FileSystem for InMemory {
    fn open(&mut self, path: &str, access: Access) -> Result<Box<dyn File>, Errno> {
        let mut entries = self.entries();
        let contents = match entries.get(path) {
            _ if path.is_empty() => return Err(Errno::EISDIR),
            Some(Some(_)) if access.create && access.exclusive => return Err(Errno::EEXIST),
            Some(Some(contents)) => Arc::clone(contents),
            Some(None) => return Err(Errno::EISDIR),
            None if access.create => {
                Self::parent(&entries, path)?;
                let contents = Contents::default();
                entries.insert(path.to_owned(), Some(Arc::clone(&contents)));
                contents
            }
            None => return Err(Errno::ENOENT),
        };
        if access.truncate {
            locked(&contents).clear();
        }
        Ok(Box::new(Shared(contents)))
    }

    fn status(&mut self, path: &str) -> Result<Status, Errno> {
        let entries = self.entries();
        match entries.get(path) {
            Some(Some(contents)) => Ok(Status { folder: false, bytes: locked(contents).len() as u64 }),
            Some(None) => Ok(Status { folder: true, bytes: 0 }),
            None if path.is_empty() || entries.keys().any(|name| below(name, path)) => {
                Ok(Status { folder: true, bytes: 0 })
            }
            None => Err(Errno::ENOENT),
        }
    }

    fn remove(&mut self, path: &str) -> Result<(), Errno> {
        let mut entries = self.entries();
        if entries.keys().any(|name| below(name, path)) {
            return Err(Errno::ENOTEMPTY);
        }
        entries.remove(path).map(|_| ()).ok_or(Errno::ENOENT)
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), Errno> {
        let mut entries = self.entries();
        Self::parent(&entries, to)?;
        if below(to, from) {
            return Err(Errno::EINVAL);
        }
        let file = entries.remove(from);
        let moved: Vec<String> = entries.keys().filter(|name| below(name, from)).cloned().collect();
        if file.is_none() && moved.is_empty() {
            return Err(Errno::ENOENT);
        }
        if let Some(file) = file {
            entries.insert(to.to_owned(), file);
        }
        for name in moved {
            if let Some(file) = entries.remove(&name) {
                entries.insert(format!("{to}{}", &name[from.len()..]), file);
            }
        }
        Ok(())
    }

    fn make_folder(&mut self, path: &str) -> Result<(), Errno> {
        let exists = self.status(path).is_ok();
        let mut entries = self.entries();
        Self::parent(&entries, path)?;
        if exists {
            return Err(Errno::EEXIST);
        }
        entries.insert(path.to_owned(), None);
        Ok(())
    }

    fn list(&mut self, path: &str) -> Result<Vec<(String, bool)>, Errno> {
        let entries = self.entries();
        let mut found = BTreeMap::new();
        for (name, file) in entries.iter() {
            let rest = match path {
                "" => name.as_str(),
                _ if below(name, path) => &name[path.len() + 1..],
                _ => continue,
            };
            match rest.split_once('/') {
                Some((folder, _)) => found.insert(folder.to_owned(), true),
                None => found.insert(rest.to_owned(), file.is_none()),
            };
        }
        Ok(found.into_iter().collect())
    }
}

/// A file in memory.
struct Shared(Contents);

impl File for Shared {
    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> Result<usize, Errno> {
        let contents = locked(&self.0);
        let rest = usize::try_from(offset).ok().and_then(|offset| contents.get(offset..)).unwrap_or_default();
        let count = rest.len().min(bytes.len());
        bytes[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Errno> {
        let mut contents = locked(&self.0);
        let start = usize::try_from(offset).map_err(|_| Errno::EFBIG)?;
        let end = start.checked_add(bytes.len()).ok_or(Errno::EFBIG)?;
        if contents.len() < end {
            contents.resize(end, 0);
        }
        contents[start..end].copy_from_slice(bytes);
        Ok(())
    }

    fn bytes(&mut self) -> Result<u64, Errno> {
        Ok(locked(&self.0).len() as u64)
    }
}
