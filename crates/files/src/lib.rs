//! Files and folders that a reader names.
//!
//! Enters: a path from a command line or a job file. Leaves: a file that is whole, a folder that is replaced at once, bytes
//! within a bound, or an error and nothing half done. All binaries decide here, and nowhere else, what they may replace.
//! This crate must never know what the files hold.
//!
//! - [`write()`] and [`Writing`]: a whole file, or into whatever is no regular file.
//! - [`check()`]: whether that would work, before a long run.
//! - [`destination`]: which file is replaced, to compare paths with.
//! - [`Claims`]: the files of one run, of which none is written twice or replaced while it is read.
//! - [`read()`] and [`read_text`]: a regular file of bounded size.
//! - [`Rebuild`]: a folder that only this program writes; [`Listing`]: what it wrote into it.

mod claims;
mod folder;
mod listing;
mod place;
mod read;
mod write;

pub use claims::Claims;
pub use folder::{Rebuild, Refused};
pub use listing::Listing;
pub use place::destination;
pub use read::{read, read_text};
pub use write::{Writing, check, write};
