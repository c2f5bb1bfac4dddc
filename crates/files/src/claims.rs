//! The files of one run: none is written twice, and none that it reads is replaced.
//!
//! Enters: the files to read and to write, before either begins. Leaves: an error for a file that cannot be written.
//! Paths that lead to one file by links count as one.

use crate::{check, destination};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Files of a run by their destinations, each with a name for messages, such as `the record`.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    read: BTreeMap<PathBuf, String>,
    written: BTreeMap<PathBuf, String>,
}

impl Claims {
    /// Announces a file that the run reads; `what` is its name in messages.
    pub fn reads(&mut self, path: &Path, what: &str) {
        // A file that cannot be found is reported when it is read.
        if let Ok(Some(at)) = destination(path) {
            self.read.insert(at, what.to_owned());
        }
    }

    /// Announces a file that the run will write. Anything but a regular file, such as a pipe, is not replaced, and may
    /// be written more than once.
    ///
    /// # Errors
    /// A place that cannot be written, or one that the run reads or writes already.
    pub fn writes(&mut self, path: &Path, what: &str) -> io::Result<()> {
        check(path)?;
        let Some(at) = destination(path)? else { return Ok(()) };
        if let Some(there) = self.read.get(&at) {
            return Err(io::Error::other(format!("{what} would replace {there}, which this run reads")));
        }
        match self.written.insert(at, what.to_owned()) {
            Some(there) => Err(io::Error::other(format!("{what} would replace {there} of the same run"))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_or_written_is_not_written_again() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        std::fs::write(at("data"), "mine").unwrap();
        let mut claims = Claims::default();
        claims.reads(&at("data"), "the data");
        claims.reads(&at("none"), "nothing");
        claims.writes(&at("a/../a/b"), "the record").unwrap();
        std::fs::create_dir(at("a")).unwrap();
        let error = |result: io::Result<()>| result.unwrap_err().to_string();
        assert_eq!(
            error(claims.writes(&at("a/../data"), "the record")),
            "the record would replace the data, which this run reads"
        );
        assert_eq!(
            error(claims.writes(&at("a/b"), "the plot")),
            "the plot would replace the record of the same run"
        );
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("data", at("link")).unwrap();
            assert!(claims.writes(&at("link"), "the record").is_err());
            for _ in 0..2 {
                claims.writes(Path::new("/dev/null"), "the record").unwrap();
            }
        }
    }
}
