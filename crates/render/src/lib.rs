//! Records to figures, tables and formatted numbers.
//!
//! Enters: a checked [`record::Record`] and a selection from it. Leaves: SVG, tables as data and as HTML, numbers as
//! text; or an [`Error`] that says what the record has instead. This crate must never know where a record is, who
//! asks for it, or how the numbers came to be.
//!
//! - [`Figure`], [`Single`]: single memory instructions as an SVG: lanes, sectors, banks, broadcasts, rows of elements.
//! - [`table::Query`], [`table::Counted`], [`table::claims`], [`table::checks`]: a [`Table`].
//! - [`OwnRun`]: the reader's own run, for the places of a reference's values where it can be compared.
//! - [`errors`]: errors of a modelled record against a measured one.
//! - [`Field`]: one named quantity of a point, such as `y`, `time.median` or `hardware:global_load_sectors`.
//! - [`mod@format`]: the form of every number and unit, in the book and on the terminal.
//! - [`mod@nonbreaking`]: what a line's end must not part.
//! - [`mod@drawing`]: paints, texts and the document of what is drawn, for plots too.
//!
//! ```
//! use render::table::Query;
//! use render::{Field, format};
//!
//! let text = std::fs::read_to_string("../../book/records/h200/lab-4-3.json")?;
//! let record = record::Record::from_json(&text)?;
//!
//! let columns = ["x", "time.median", "global_load_sectors/global_load_requests"];
//! let columns = columns.map(Field::parse).into_iter().collect::<Result<Vec<_>, _>>()?;
//! let table = Query { columns: &columns, x: &[1.0, 32.0], ..Query::new(&record, "blocks") }.table()?;
//! assert_eq!(table.columns[2].heading, "sectors per request of global loads");
//! assert_eq!(table.rows.len(), 2);
//!
//! assert_eq!(format::time_ns(71_234.0), "71.2\u{a0}µs");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod drawing;
mod error;
pub mod errors;
mod field;
mod figure;
pub mod format;
pub mod nonbreaking;
mod own_run;
pub mod table;

pub use error::{Error, nearest};
pub use field::{Field, Stat, Value, title, whose, with_unit};
pub use figure::{Figure, Single, access_as_text};
pub use format::Format;
pub use own_run::{OwnRun, OwnValue, Tally};
pub use table::Table;
