//! Untrusted files, read within a bound.
//!
//! Enters: a path and the maximum size in bytes. Leaves: the bytes, or an error. A pipe, a device or an endless file
//! neither stops the program nor fills its memory; the size that a file reports is not trusted.

use crate::destination::kind;
use std::collections::BTreeMap;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// The bytes of a regular file of at most `most` bytes; links are followed.
///
/// # Errors
/// A path that does not lead to a regular file, or a file that is longer.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Examined before it is opened, since opening some devices already has effects; and after, in case it was replaced meanwhile.
    regular(&std::fs::metadata(path)?)?;
    let file = open(path)?;
    regular(&file.metadata()?)?;
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// The text of a regular file of at most `most` bytes.
///
/// # Errors
/// As [`read`], and bytes that are not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("byte {at} is not UTF-8 text: save it with the encoding UTF-8"),
        )
    })
}

/// The text of a source: bytes that are not UTF-8 are letters of Latin-1.
///
/// # Errors
/// As [`read`].
pub fn read_source(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most)?);
    Ok(text.unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect()))
}

/// The texts of a folder's files whose names have one of some endings, by their names.
///
/// # Errors
/// A folder that cannot be listed, or as [`read_text`], with the file's name.
pub fn read_texts(folder: &Path, endings: &[&str], most: u64) -> io::Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        let Some(name) = name.to_str().filter(|name| endings.iter().any(|end| name.ends_with(end))) else {
            continue;
        };
        let text = read_text(&folder.join(name), most)
            .map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
        texts.insert(name.to_owned(), text);
    }
    Ok(texts)
}

fn regular(about: &Metadata) -> io::Result<()> {
    if about.is_file() {
        return Ok(());
    }
    Err(io::Error::other(format!("it is {}, not a regular file", kind(about))))
}

/// Opens a file without waiting for a pipe's writer.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_bound() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a");
        std::fs::write(&path, "1234").unwrap();
        assert_eq!(read_text(&path, 4).unwrap(), "1234");
        assert_eq!(read(&path, 3).unwrap_err().to_string(), "it has more than 3 bytes");
        std::fs::write(&path, b"12\xff").unwrap();
        assert_eq!(
            read_text(&path, 4).unwrap_err().to_string(),
            "byte 2 is not UTF-8 text: save it with the encoding UTF-8"
        );
        assert!(read(&root.path().join("none"), 4).is_err_and(|e| e.kind() == io::ErrorKind::NotFound));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_not_a_regular_file_is_refused_and_not_waited_for() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        // macOS has no such call of rustix.
        assert!(std::process::Command::new("mkfifo").arg(at("fifo")).status().unwrap().success());
        symlink("fifo", at("link")).unwrap();
        symlink("/dev/zero", at("endless")).unwrap();
        symlink(root.path(), at("folder")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        for (name, is) in [
            ("fifo", "a pipe"),
            ("link", "a pipe"),
            ("endless", "a device"),
            ("folder", "a folder"),
            ("socket", "a socket"),
        ] {
            let error = read(&at(name), 10).unwrap_err().to_string();
            assert_eq!(error, format!("it is {is}, not a regular file"), "{name}");
        }
    }
}
