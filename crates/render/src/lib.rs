//! Records to plots, tables and formatted numbers.
//!
//! Enters: a checked [`record::Record`], and what of it to show. Leaves: SVG, tables as data and as HTML, numbers as
//! text; or an [`Error`] that says what the record has instead. This crate must never know where a record lies, who
//! asks for it, or how the numbers came to be.
//!
//! - [`Plot`]: one experiment as an SVG, on demand with a second record drawn over it.
//! - [`Figure`]: single memory instructions as an SVG: lanes, sectors, banks, passes, rows of elements.
//! - [`table::Query`], [`table::counters`], [`table::claims`], [`table::checks`]: a [`Table`].
//! - [`errors`]: how far a modelled record is off a measured one.
//! - [`Field`]: one named quantity of a point, such as `y`, `time.median` or `hardware:global_load_sectors`.
//! - [`mod@format`]: how every number and every unit is written, in the book and on the terminal.

mod drawing;
mod error;
pub mod errors;
mod field;
mod figure;
#[cfg(feature = "fixture")]
pub mod fixture;
pub mod format;
mod plot;
pub mod table;

pub use error::{Error, nearest};
pub use field::{Field, Stat, Value};
pub use figure::Figure;
pub use format::Format;
pub use plot::Plot;
pub use table::Table;
