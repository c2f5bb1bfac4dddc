//! The run record: a lab leaves it, the book prints it and an instructor grades it.
//!
//! Enters: JSON text, or the values a lab has measured. Leaves: a checked [`Record`], or an [`Error`] that names the
//! field. This crate must never know how a number was obtained or how it will be shown.
//!
//! ```
//! use record::{Record, TimeSource};
//!
//! let text = std::fs::read_to_string("../../book/records/h200/lab-4-3.json")?;
//! let record = Record::from_json(&text)?;
//! assert_eq!((record.lab.as_str(), record.device.source()), ("lab-4-3", TimeSource::Measured));
//!
//! // Rate of the matrix product with blocks 32 threads wide, and the sectors that its loads touched.
//! let blocks = record.experiment("blocks").ok_or("no such experiment")?;
//! let point = blocks.series("naive").and_then(|series| series.at(32.0)).ok_or("no such point")?;
//! assert_eq!(blocks.y.unit, "GFLOP/s");
//! assert!(point.y > 0.0 && point.counters["global_load_sectors"] > 0);
//!
//! // A damaged record is refused with the name of the field.
//! let error = Record::from_json(&text.replacen("\"calls\": ", "\"calls\": -", 1)).unwrap_err();
//! assert!(error.to_string().contains("calls"), "{error}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
pub mod claims;
pub mod compare;
mod error;
mod launch;
pub mod text;
mod trace;
mod types;

pub use error::Error;
pub use launch::{Counters, Launch};
pub use trace::{Access, AccessKind, Draw, Fetch, Fetched, Lanes, Matrix, Panel, Space, Trace};
pub use types::*;

/// Most bytes of a record file; a whole run of lab 5.5 has a tenth of them.
pub const MOST_BYTES: u64 = 16 << 20;

impl Record {
    /// Reads and checks a record.
    ///
    /// # Errors
    /// Text that is not JSON, an unknown or missing field, a version this crate does not know, or values that cannot be
    /// (a median outside its own minimum and maximum, a series without points, …). The error names the field.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        // The version is read first, by itself: a newer record is likely to have fields unknown here, and
        // "version 2, this program reads 1" is the message that helps then.
        #[derive(serde::Deserialize)]
        struct Version {
            version: u32,
        }
        if let Ok(Version { version }) = serde_json::from_str(text)
            && !(VERSION..=VERSION_WITH_SOURCES).contains(&version)
        {
            return Err(Error::Version { found: version });
        }
        let mut json = serde_json::Deserializer::from_str(text);
        let record: Record = serde_path_to_error::deserialize(&mut json)
            .map_err(|e| Error::Json { field: e.path().to_string(), message: e.inner().to_string() })?;
        json.end().map_err(|e| Error::Json { field: ".".into(), message: e.to_string() })?;
        record.check()?;
        Ok(record)
    }

    /// The record as JSON, one field a line, so that two records can be compared with `diff`.
    ///
    /// # Errors
    /// The record is checked first: one that could not be read back is never written.
    pub fn to_json(&self) -> Result<String, Error> {
        self.check()?;
        let mut text = serde_json::to_string_pretty(self)
            .map_err(|e| Error::Json { field: ".".into(), message: e.to_string() })?;
        text.push('\n');
        Ok(text)
    }

    /// The trace called `id`.
    pub fn trace(&self, id: &str) -> Option<&Trace> {
        self.traces.iter().find(|t| t.id == id)
    }

    /// The experiment called `id`.
    pub fn experiment(&self, id: &str) -> Option<&Experiment> {
        self.experiments.iter().find(|e| e.id == id)
    }
}

impl Experiment {
    /// The series called `id`.
    pub fn series(&self, id: &str) -> Option<&Series> {
        self.series.iter().find(|s| s.id == id)
    }
}

impl Series {
    /// The point measured at exactly `x`.
    pub fn at(&self, x: f64) -> Option<&Point> {
        self.points.iter().find(|p| p.x == x)
    }
}

impl Device {
    /// The name to show: the GPU's own, or `embedded device (as NVIDIA H200)`.
    pub fn label(&self) -> String {
        match self {
            Device::Gpu { name, .. } => name.clone(),
            Device::Simt { models, .. } => format!("embedded device (as {models})"),
        }
    }

    /// Origin of this device's times.
    pub fn source(&self) -> TimeSource {
        match self {
            Device::Gpu { .. } => TimeSource::Measured,
            Device::Simt { .. } => TimeSource::Modelled,
        }
    }
}
