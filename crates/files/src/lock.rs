//! A folder for one process at a time.
//!
//! Enters: the folder's path, and how long to wait. Leaves: a lock, which is gone once it is dropped or its process has ended, in
//! whatever way. Only programs that ask for it are kept out: the folder's files can still be read and written.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Locks a folder against other processes that lock it, until the file that is returned is dropped. Waits as long as
/// `patience` says. Where folders cannot be locked, nothing is held.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`]: another process still holds it.
pub fn lock(folder: &Path, patience: Duration) -> io::Result<Option<File>> {
    let begun = Instant::now();
    loop {
        match try_lock(folder) {
            Ok(file) => return Ok(Some(file)),
            Err(TryLockError::Error(_)) => return Ok(None),
            Err(TryLockError::WouldBlock) if begun.elapsed() > patience => {
                return Err(io::Error::new(
                    io::ErrorKind::WouldBlock,
                    "another program has locked the folder",
                ));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// The lock of a folder, if no other process has it now.
#[cfg(not(windows))]
pub(crate) fn try_lock(folder: &Path) -> Result<File, TryLockError> {
    let file = File::open(folder).map_err(TryLockError::Error)?;
    file.try_lock()?;
    Ok(file)
}

/// Windows locks no folder. What is locked instead is a file that means it, in the user's folder for temporary files: no other process
/// can open that file, and Windows removes it when this one closes it or ends. In the folder itself, it would be a file too many.
/// Users who have such a folder each do not exclude each other.
#[cfg(windows)]
pub(crate) fn try_lock(folder: &Path) -> Result<File, TryLockError> {
    use hmac_sha256::Hash;
    use std::fmt::Write as _;
    use std::os::windows::fs::OpenOptionsExt as _;
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const ERROR_SHARING_VIOLATION: i32 = 32;

    let folder = folder.canonicalize().map_err(TryLockError::Error)?;
    let mut name = "warpbook-lock-".to_owned();
    for byte in &Hash::hash(folder.as_os_str().as_encoded_bytes())[..16] {
        // Text takes everything.
        let _ = write!(name, "{byte:02x}");
    }
    let mut options = File::options();
    options.write(true).create(true).share_mode(0).custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
    options.open(std::env::temp_dir().join(name)).map_err(|error| match error.raw_os_error() {
        Some(ERROR_SHARING_VIOLATION) => TryLockError::WouldBlock,
        _ => TryLockError::Error(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_once_until_the_lock_is_dropped_and_stays_as_it_is() {
        let root = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            let held = lock(root.path(), Duration::ZERO).unwrap();
            assert!(held.is_some());
            let again = lock(root.path(), Duration::from_millis(20)).unwrap_err();
            assert_eq!(again.kind(), io::ErrorKind::WouldBlock);
            assert!(lock(other.path(), Duration::ZERO).unwrap().is_some());
            assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
        }
        assert!(lock(&root.path().join("none"), Duration::ZERO).unwrap().is_none());
    }

    #[test]
    fn a_lock_that_is_waited_for_comes_when_it_is_dropped() {
        let root = tempfile::tempdir().unwrap();
        let held = lock(root.path(), Duration::ZERO).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                drop(held);
            });
            assert!(lock(root.path(), Duration::from_secs(30)).unwrap().is_some());
        });
    }
}
