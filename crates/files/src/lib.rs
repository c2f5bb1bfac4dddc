//! Files and folders named by the user.
//!
//! Enters: a path from a command line or a job file. Leaves: a complete file, a folder replaced atomically,
//! bytes within a bound, or an error and nothing half done. All binaries decide here, and nowhere else, what they may
//! replace. This crate must never know what the files hold.
//!
//! - [`write()`] and [`Writing`]: a whole file, or bytes into a pipe or a device.
//! - [`check()`]: a test, before a long run, that its file can be written.
//! - [`destination()`]: the file that a path points to, to compare paths with.
//! - [`Claims`]: the files of one run, of which none is written twice or replaced while it is read.
//! - [`read()`] and [`read_text`]: a regular file of bounded size.
//! - [`lock()`] and [`clear_unfinished`]: a folder for one process at a time, without what a killed one left there.
//! - [`Rebuild`]: a folder that only this program writes; [`Listing`]: the files that it wrote into it.
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("plots/stencil.svg");
//!
//! // The folder is made, and the file appears under its name once it is complete.
//! files::write(&path, b"<svg/>")?;
//! assert_eq!(files::read_text(&path, 1 << 20)?, "<svg/>");
//!
//! // A file above the bound is refused before it is read.
//! assert!(files::read(&path, 3).is_err());
//!
//! // A run announces its files first: one that it reads is not replaced.
//! let mut claims = files::Claims::default();
//! claims.reads(&path, "the old plot");
//! let error = claims.writes(&path, "the new plot").unwrap_err();
//! assert_eq!(error.to_string(), "the new plot would replace the old plot, which this run reads");
//! # Ok::<(), std::io::Error>(())
//! ```

mod claims;
mod destination;
mod folder;
mod listing;
mod lock;
mod read;
mod write;

pub use claims::Claims;
pub use destination::destination;
pub use folder::{Rebuild, Refused};
pub use listing::Listing;
pub use lock::lock;
pub use read::{read, read_source, read_text, read_texts};
pub use write::{Writing, check, clear_unfinished, write};
