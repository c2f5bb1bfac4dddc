//! Destinations of a job's outputs, checked so that nothing is lost.
//!
//! Enters: a job and its settings. Leaves: paths, or the reason why one cannot be written, before a kernel runs.

use crate::error::Error;
use crate::job::{Job, Output, stem};
use crate::settings::Settings;
use files::Claims;
use std::path::{Component, PathBuf};

/// The files that an output is written to.
///
/// # Errors
/// An output that would be recorded outside the folder.
pub(crate) fn of(job: &Job, output: &Output, settings: &Settings) -> Result<Vec<PathBuf>, Error> {
    let mut places = Vec::new();
    if let Some(folder) = &settings.out {
        let extension = if settings.npy { "npy" } else { "bin" };
        places.push(folder.join(format!("{}.{extension}", stem(&output.name))));
    }
    if let (Some(folder), Some(expected)) = (&settings.record, &output.expected) {
        let file = &expected.name;
        let below = file.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !below {
            let message = format!(
                "output `{}`: file: {} is not in the job file's folder or below, so it is not recorded",
                output.name,
                file.display()
            );
            return Err(Error::job(&job.path, Some(output.line), message));
        }
        places.push(folder.join(file));
    }
    Ok(places)
}

/// Claims all that the job reads and writes.
///
/// # Errors
/// The first output that cannot be written, or would replace what is read or another output.
pub(crate) fn claim(job: &Job, settings: &Settings, claims: &mut Claims) -> Result<(), Error> {
    for input in &job.inputs {
        claims.reads(input, &input.display().to_string());
    }
    for output in &job.outputs {
        for place in of(job, output, settings)? {
            let what = format!("output `{}` of {}", output.name, job.path.display());
            claims.writes(&place, &what).map_err(|e| Error::unwritable(&place, &e))?;
        }
    }
    Ok(())
}
