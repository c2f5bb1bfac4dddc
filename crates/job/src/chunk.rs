//! Large data in pieces, between files and a device.

use crate::error::Error;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes that are copied at once: a multiple of every number's size.
pub(crate) const PIECE: usize = 4 << 20;

/// Opens a file that a job reads, at its data.
pub(crate) fn open(path: &Path, offset: u64, job: &Path) -> Result<File, Error> {
    let opened = File::open(path).and_then(|mut file| {
        file.seek(SeekFrom::Start(offset))?;
        Ok(file)
    });
    opened.map_err(|e| unreadable(path, job, &e))
}

/// The error of a file that a job reads.
pub(crate) fn unreadable(path: &Path, job: &Path, error: &std::io::Error) -> Error {
    Error::job(job, None, format!("{}: {error}", path.display()))
}

/// A file that is written piece by piece.
pub(crate) struct Sink {
    file: files::Writing,
    path: PathBuf,
}

impl Sink {
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        let file = files::Writing::create(path).map_err(|e| Error::unwritable(path, &e))?;
        Ok(Sink { file, path: path.to_owned() })
    }

    pub(crate) fn write(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.file.write_all(piece).map_err(|e| Error::unwritable(&self.path, &e))
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        self.file.finish().map_err(|e| Error::unwritable(&self.path, &e))
    }
}
