//! The module of a job: its PTX, and the sources that its instructions come from.

use crate::error::Error;
use crate::job::Job;
use crate::profile::Sources;
use crate::settings::Settings;
use crate::source;
use device::{Device, InstructionProfile, SimtError};
use kernels::{Flags, Origin, Shared};
use std::collections::HashSet;
use std::path::Path;

/// The largest module, bytes.
pub(crate) const LARGEST: u64 = 64 << 20;

/// A module's text.
pub(crate) struct Text {
    pub(crate) ptx: String,
    /// Name of the compiler that made it.
    pub(crate) compiler: Option<String>,
    /// Variables in shared memory, as far as the compiler reports them.
    pub(crate) shared: Vec<Shared>,
    /// Kernels by the names of instances that launches ask for, as far as the compiler reports them.
    pub(crate) instances: Vec<(String, String)>,
    /// Code that its lines were made from, as far as the compiler reports them.
    pub(crate) origins: Vec<Origin>,
}

impl Job {
    /// The module: of a `.ptx` the file's text, of a `.cu` what a compiler makes of it.
    ///
    /// # Errors
    /// [`Error::Job`] or [`Error::Compile`].
    pub(crate) fn ptx(&self, device: &dyn Device, settings: &Settings) -> Result<Text, Error> {
        if self.module.extension().is_some_and(|e| e == "cu") {
            let mut instances: Vec<String> =
                self.entries().into_iter().map(|entry| entry.launch.kernel.clone()).collect();
            instances.retain(|name| name.contains('<'));
            instances.dedup();
            let flags = Flags::for_device(device.description().architecture())
                .and(self.flags.clone())
                .and(settings.flags.clone());
            let compiled =
                kernels::compile_with(&self.module, settings.compiler, &flags, &instances, compile::own)?;
            if !compiled.warnings.is_empty() {
                program::tell(&format!("{}\n", compiled.warnings.trim_end()));
            }
            let kernels::Compiled { ptx, with, shared, instances, origins, .. } = compiled;
            return Ok(Text { ptx, compiler: Some(with), shared, instances, origins });
        }
        let bad = |message: String| Error::job(&self.path, None, format!("module: {message}"));
        let bytes = source::read(&self.module, LARGEST).map_err(bad)?;
        let text = String::from_utf8(bytes).map_err(|e| {
            bad(format!("{}: byte {} is not UTF-8", self.module.display(), e.utf8_error().valid_up_to()))
        })?;
        Ok(Text { ptx: text, compiler: None, shared: vec![], instances: vec![], origins: vec![] })
    }

    /// Name of the PTX in errors and listings.
    pub(crate) fn ptx_name(&self) -> String {
        let path = self.module.display();
        if self.module.extension().is_some_and(|e| e == "cu") {
            format!("PTX of {path}")
        } else {
            path.to_string()
        }
    }

    /// The files that instructions come from, as far as they are next to the module: a line table's folders are those
    /// of anyone who compiled it.
    pub(crate) fn sources<'a>(&self, profile: impl Iterator<Item = &'a InstructionProfile>) -> Sources {
        let folder = self.module.parent().unwrap_or(Path::new(""));
        let mut sources = Sources::new();
        let mut seen = HashSet::new();
        for name in profile.filter_map(|i| Some(&i.place.counted_line()?.0)) {
            let Some(file) = name.rsplit(['/', '\\']).next().filter(|file| !file.is_empty()) else {
                continue;
            };
            if !seen.insert(name) {
                continue;
            }
            if let Ok(bytes) = source::read(&folder.join(file), LARGEST) {
                sources.insert(name.clone(), String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        sources
    }

    /// The error of a call that a line of the job file asks for, with that line where it has no place of its own.
    pub(crate) fn refused(&self, line: usize, error: device::Error) -> Error {
        match error {
            device::Error::Simt(ref inner) if inner.kind().is_none() => {
                Error::job(&self.path, Some(line), error.to_string())
            }
            device::Error::Simt(
                SimtError::BadArguments { .. }
                | SimtError::TooManyThreads { .. }
                | SimtError::TooMuchShared { .. }
                | SimtError::MissingKernel { .. },
            ) => Error::Launch { file: self.path.clone(), line, error: Box::new(error) },
            error => error.into(),
        }
    }
}
