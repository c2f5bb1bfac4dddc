//! Work that several tests share, done once in a run.
//!
//! cargo-nextest starts a process for each test, and `cargo test` one for all tests of a crate: the first that asks does
//! the work, and the others wait for it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What cargo-nextest names a run by.
const RUN: &str = "NEXTEST_RUN_ID";

/// The folder `name` below `folder`, filled by `fill`, if no test of this run has filled it.
///
/// # Errors
/// Those of `fill`, which the next test tries again; a folder that cannot be written.
///
/// # Panics
/// An earlier test panicked while it filled a folder.
pub fn once<E: From<std::io::Error>>(
    folder: &Path,
    name: &str,
    fill: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<PathBuf, E> {
    static FILLED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut filled = FILLED.lock().unwrap_or_else(|_| panic!("an earlier test could not fill a folder"));
    let (place, note) = (folder.join(name), folder.join(format!("{name}.run")));
    fs::create_dir_all(&place)?;
    // Of other processes; it is given back where it is dropped.
    let lock = File::create(folder.join(format!("{name}.lock")))?;
    lock.lock()?;
    let run = std::env::var(RUN).ok();
    let of_another = run.is_some() && fs::read_to_string(&note).ok() == run;
    if !of_another && !filled.contains(&place) {
        fill(&place)?;
        fs::write(&note, run.unwrap_or_default())?;
        filled.insert(place.clone());
    }
    Ok(place)
}
