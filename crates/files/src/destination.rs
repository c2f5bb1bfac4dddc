//! Destination of a path: a file that can be replaced, or a device, pipe or descriptor to write into.
//!
//! Enters: a path. Leaves: the destination of its symbolic links, and its metadata. Nothing is opened, made or changed
//! here.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// Most links that are followed, as on Linux.
const MOST_LINKS: usize = 40;

/// Destination of a path.
#[derive(Debug)]
pub(crate) enum Destination {
    /// This process' own standard output.
    Output,
    /// This process' own standard error.
    Error,
    /// A device, a pipe or an open descriptor, which is written into.
    Into(PathBuf),
    /// The file or folder that all links point to, with its metadata if it exists.
    At(PathBuf, Option<Metadata>),
}

/// Follows links, also one whose destination does not exist yet.
pub(crate) fn resolve(path: &Path) -> io::Result<Destination> {
    let mut at = path.to_owned();
    for _ in 0..MOST_LINKS {
        // `.`, `..`, `/`: folders that exist or not.
        let Some(name) = at.file_name() else {
            let real = fs::canonicalize(&at)?;
            let about = fs::metadata(&real)?;
            return Ok(Destination::At(real, Some(about)));
        };
        let folder = match fs::canonicalize(parent(&at)) {
            Ok(folder) => folder,
            Err(e) if e.kind() == ErrorKind::NotFound => {
                return Ok(Destination::At(std::path::absolute(&at)?, None));
            }
            Err(e) => return Err(e),
        };
        // Their links do not lead to what is open: a file there may have no name any more, and has a position.
        if let Some(process) = descriptors(&folder) {
            let own = process.is_none_or(|id| id == std::process::id());
            return Ok(match name.to_str() {
                Some("1") if own => Destination::Output,
                Some("2") if own => Destination::Error,
                _ => Destination::Into(folder.join(name)),
            });
        }
        at = folder.join(name);
        let about = match fs::symlink_metadata(&at) {
            Ok(about) => about,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Destination::At(at, None)),
            Err(e) => return Err(e),
        };
        if about.is_symlink() {
            at = folder.join(fs::read_link(&at)?);
        } else if about.is_file() || about.is_dir() {
            return Ok(Destination::At(at, Some(about)));
        } else {
            return Ok(Destination::Into(at));
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Parent folder of a path, which may be a bare name.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Tests whether a folder, named without links, lists open descriptors, and gives the process that owns them if it is
/// named: `/proc/7/fd`, `/proc/7/task/8/fd`, and `/dev/fd` where it is not a link to these.
fn descriptors(folder: &Path) -> Option<Option<u32>> {
    let names: Vec<&str> = folder.iter().map(|name| name.to_str().unwrap_or_default()).collect();
    match names[..] {
        ["/", "dev", "fd"] => Some(None),
        ["/", "proc", process, "fd"] | ["/", "proc", process, "task", _, "fd"] => {
            process.parse().ok().map(Some)
        }
        _ => None,
    }
}

/// The file that writing to `path` replaces or makes, by its name without links; none where nothing is replaced,
/// as with a device. Two paths with the same destination are the same file.
///
/// Names of one file (hard links) have different destinations: each is replaced without the others.
///
/// # Errors
/// Links in a circle, a folder that cannot be looked into.
pub fn destination(path: &Path) -> io::Result<Option<PathBuf>> {
    Ok(match resolve(path)? {
        Destination::At(at, Some(_)) => Some(at),
        Destination::At(at, None) => Some(real(&at)),
        Destination::Output | Destination::Error | Destination::Into(_) => None,
    })
}

/// The path without links in those of its folders that exist. The others will be made as folders, not links.
fn real(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|folder| Some((folder, fs::canonicalize(folder).ok()?)));
    let (folder, mut real) = there.unwrap_or((Path::new(""), PathBuf::new()));
    for part in path.strip_prefix(folder).unwrap_or(path).components() {
        match part {
            Component::ParentDir => drop(real.pop()),
            part => real.push(part),
        }
    }
    real
}

/// Name of a file type other than a regular file.
pub(crate) fn kind(about: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = about.file_type();
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_block_device() || kind.is_char_device() {
            return "a device";
        }
    }
    if about.is_dir() { "a folder" } else { "not a regular file" }
}
