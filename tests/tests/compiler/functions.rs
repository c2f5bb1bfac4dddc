//! Results of the library's functions that differ from those recorded with NVIDIA's library, and are right.
//!
//! Enters: a program of `tests/compiler/functions.toml` with our PTX. Leaves: its expected values, of which those of functions
//! are ours where ours are within the manual's bounds of the true values (`tests/compiler/references.txt`); all others stay
//! those recorded.

use std::collections::BTreeMap;
use std::path::Path;

use device::{Device, Embedded};
use job::{Expected, Job, Settings, run};
use serde::Deserialize;
use tests::Result;

use super::bounds::{Bound, bounds};

/// Where a buffer has results of functions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Calls {
    /// Elements of a row.
    threads: usize,
    /// Row by call.
    rows: BTreeMap<String, usize>,
}

/// A call's first argument and true result, thread by thread.
#[derive(Default)]
struct Reference {
    single: bool,
    points: Vec<(f64, f64)>,
}

impl Reference {
    fn bytes(&self) -> usize {
        if self.single { 4 } else { 8 }
    }

    fn number(&self, bytes: &[u8]) -> Result<f64> {
        Ok(if self.single {
            f64::from(f32::from_le_bytes(bytes.try_into()?))
        } else {
            f64::from_le_bytes(bytes.try_into()?)
        })
    }
}

fn references() -> Result<BTreeMap<String, Reference>> {
    let text = std::fs::read_to_string(super::root().join("tests/compiler/references.txt"))?;
    let number = |word: &str| -> Result<f64> {
        Ok(match word {
            "nan" => f64::NAN,
            _ if word.len() == 8 => f64::from(f32::from_bits(u32::from_str_radix(word, 16)?)),
            _ => f64::from_bits(u64::from_str_radix(word, 16)?),
        })
    };
    let mut found: BTreeMap<String, Reference> = BTreeMap::new();
    let mut call = "";
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if !line.starts_with(' ') {
            call = line;
            continue;
        }
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (Some(first), Some(result)) = (words.first(), words.last()) else { continue };
        let reference = found.entry(call.to_owned()).or_default();
        reference.single |= words.iter().any(|word| word.len() == 8);
        reference.points.push((number(first)?, number(result)?));
    }
    Ok(found)
}

/// The file with which a job compares a buffer.
fn expected(job: &Path, buffer: &str) -> Result<String> {
    let table: toml::Table = toml::from_str(&std::fs::read_to_string(job)?)?;
    let outputs = table.get("output").and_then(toml::Value::as_array).ok_or("a job without outputs")?;
    let of = |output: &&toml::Value| output.get("buffer").and_then(toml::Value::as_str) == Some(buffer);
    let file = outputs.iter().find(of).and_then(|output| output.get("file")).and_then(toml::Value::as_str);
    Ok(file.ok_or("an output without a file")?.to_owned())
}

/// By program and buffer.
pub(super) fn calls() -> Result<BTreeMap<String, BTreeMap<String, Calls>>> {
    Ok(toml::from_str(&std::fs::read_to_string(super::root().join("tests/compiler/functions.toml"))?)?)
}

/// Replaces expected results of a job, a copy, by ours where ours are right.
pub(super) fn accept(job: &Path) -> Result {
    let all = calls()?;
    let name = job.file_stem().unwrap_or_default().to_string_lossy();
    let Some(buffers) = all.get(name.as_ref()) else { return Ok(()) };
    let (references, bounds) = (references()?, bounds());
    let out = tempfile::tempdir()?;
    let mut device = Embedded::new(labs::CHIP)?;
    device.options().budget = 1 << 26;
    let settings = Settings { out: Some(out.path().to_owned()), ..Settings::default() };
    let report =
        run(&Job::read(job, Expected::Compare)?, &mut device as &mut dyn Device, &settings, &mut |_| {});
    if report.fault().is_some() {
        return Ok(());
    }
    for (buffer, calls) in buffers {
        let ours = std::fs::read(out.path().join(format!("{buffer}.bin")))?;
        let file = job.with_file_name(expected(job, buffer)?);
        let mut values = std::fs::read(&file)?;
        for (call, row) in &calls.rows {
            let reference = references.get(call).ok_or("a call without references")?;
            let function = call.split('(').next().unwrap_or_default();
            let bound = bounds.get(function).ok_or("a function without a bound")?;
            assert_eq!(reference.points.len(), calls.threads, "{call}");
            accept_row(&mut values, &ours, row * calls.threads * reference.bytes(), reference, *bound)?;
        }
        std::fs::write(file, values)?;
    }
    Ok(())
}

fn accept_row(values: &mut [u8], ours: &[u8], start: usize, reference: &Reference, bound: Bound) -> Result {
    let size = reference.bytes();
    for (at, (first, want)) in reference.points.iter().enumerate() {
        let range = start + at * size..start + (at + 1) * size;
        let got = ours.get(range.clone()).ok_or("a row beyond the buffer")?;
        if bound.holds(*first, reference.number(got)?, *want, reference.single) {
            values.get_mut(range).ok_or("a row beyond the buffer")?.copy_from_slice(got);
        }
    }
    Ok(())
}
