//! Folders: the one that paths begin in, and what a folder holds.
//!
//! Enters: paths. Leaves: names in the program's memory, in the order of their bytes, whatever the machine's own order is.

use super::{
    Does, Library, Row,
    errno::Errno,
    files::relative,
    finding::Mistake,
    memory::{arguments, put_text},
    row,
};
use crate::{
    guest::{Guest, Signal},
    heap::Kind,
};

/// The program's folder, as its absolute paths begin.
const HOME: &str = "/program";
/// Bytes of a `struct dirent`, of those before its name, and of the name with its zero.
const ENTRY: u64 = 280;
const BEFORE_NAME: usize = 19;
const NAME: usize = 256;
/// Kinds of entries, as Linux numbers them.
const DT_DIR: u8 = 4;
const DT_REG: u8 = 8;

/// A folder that is read.
#[derive(Debug)]
pub(super) struct Reading {
    /// Names, and whether each is a folder.
    entries: Vec<(String, bool)>,
    next: usize,
}

pub(super) const ROWS: &[Row] = &[
    row("chdir", "ip", chdir),
    row("getcwd", "ppl", getcwd),
    row("opendir", "pp", opendir),
    row("readdir", "pp", readdir),
    row("rewinddir", "vp", |library, guest, given| {
        let [folder] = arguments(given);
        library.reading(guest, "rewinddir", folder)?.next = 0;
        Ok(0)
    }),
    row("closedir", "ip", |library, guest, given| {
        let [folder] = arguments(given);
        if folder == 0 {
            return library.fail(guest, Errno::EINVAL, -1);
        }
        library.reading(guest, "closedir", folder)?;
        library.reading.remove(&folder);
        let site = guest.site();
        library.heap.free(guest, folder, Kind::Library, site)?.ok();
        Ok(0)
    }),
];

fn chdir(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [path] = arguments(given);
    let path = library.text(guest, "chdir", path)?;
    let entered = library
        .path(guest, "chdir", &path)
        .and_then(|path| if library.io.files.status(&path)?.folder { Ok(path) } else { Err(Errno::ENOTDIR) });
    let entered = entered.map(|path| library.folder = path);
    library.outcome(guest, entered)
}

fn getcwd(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [to, size] = arguments(given);
    let name = match library.folder.as_str() {
        "" => HOME.to_owned(),
        folder => format!("{HOME}/{folder}"),
    };
    let needed = name.len() as u64 + 1;
    if size == 0 && to != 0 {
        return library.null(guest, Errno::EINVAL);
    }
    if size != 0 && size < needed {
        return library.null(guest, Errno::ERANGE);
    }
    let to = match to {
        0 => library.allocate(guest, "getcwd", size.max(needed), 0, Kind::Malloc)?,
        to => to,
    };
    if to != 0 {
        library.check_range(guest, "getcwd", to, needed, Does::Writes);
        put_text(guest, to, name.as_bytes())?;
    }
    Ok(to)
}

fn opendir(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [path] = arguments(given);
    let path = library.text(guest, "opendir", path)?;
    let found = library.path(guest, "opendir", &path).and_then(|path| {
        if !library.io.files.status(&path)?.folder {
            return Err(Errno::ENOTDIR);
        }
        library.io.files.list(&path)
    });
    let mut entries = match found {
        Ok(entries) => entries,
        Err(error) => return library.null(guest, error),
    };
    entries.extend([".", ".."].map(|name| (name.to_owned(), true)));
    entries.sort();
    let site = guest.site();
    match library.heap.allocate_zeroed(guest, ENTRY, 0, Kind::Library, site)? {
        Some(address) => {
            library.reading.insert(address, Reading { entries, next: 0 });
            Ok(address)
        }
        None => library.null(guest, Errno::ENOMEM),
    }
}

/// The next entry, at the address that is the folder's for the program.
fn readdir(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [folder] = arguments(given);
    let reading = library.reading(guest, "readdir", folder)?;
    let Some((name, is_folder)) = reading.entries.get(reading.next) else { return Ok(0) };
    reading.next += 1;
    let mut entry = [0; ENTRY as usize];
    let number = reading.next as u64;
    entry[..8].copy_from_slice(&number.to_le_bytes());
    entry[8..16].copy_from_slice(&number.to_le_bytes());
    entry[16..18].copy_from_slice(&(ENTRY as u16).to_le_bytes());
    entry[18] = if *is_folder { DT_DIR } else { DT_REG };
    let bytes = name.len().min(NAME - 1);
    entry[BEFORE_NAME..BEFORE_NAME + bytes].copy_from_slice(&name.as_bytes()[..bytes]);
    guest.write(folder, &entry)?;
    Ok(folder)
}

impl Library {
    /// A path below the program's folder; one outside is reported.
    pub(super) fn path(
        &mut self,
        guest: &dyn Guest,
        function: &'static str,
        path: &[u8],
    ) -> Result<String, Errno> {
        let home = path.strip_prefix(HOME.as_bytes()).filter(|rest| rest.is_empty() || rest[0] == b'/');
        let whole = match home {
            Some(rest) => [b".", rest].concat(),
            None if path.is_empty() || path[0] == b'/' => path.to_vec(),
            None => [self.folder.as_bytes(), if self.folder.is_empty() { b"" } else { b"/" }, path].concat(),
        };
        relative(&whole).inspect_err(|error| {
            if *error == Errno::EACCES {
                let shown = String::from_utf8_lossy(path).into_owned();
                let message =
                    format!("`{function}`: `{shown}` is outside the folder that the program may use");
                self.report(guest, Mistake::RefusedFile, function, vec![], message);
            }
        })
    }

    /// A folder that `opendir` has opened; a pointer to anything else is reported.
    fn reading(
        &mut self,
        guest: &dyn Guest,
        function: &'static str,
        folder: u64,
    ) -> Result<&mut Reading, Signal> {
        if !self.reading.contains_key(&folder) {
            let message = match folder {
                0 => format!("`{function}`: the folder is a null pointer; did `opendir` fail?"),
                _ => format!("`{function}`: {folder:#x} is not a folder that `opendir` has opened"),
            };
            self.report(guest, Mistake::BadStream, function, vec![], message);
        }
        self.reading.get_mut(&folder).ok_or(Signal::Segmentation { address: folder, bytes: ENTRY })
    }
}
