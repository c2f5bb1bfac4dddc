//! An output: read from the device, compared with a file, written to others.

use crate::chunk::{PIECE, Sink, open, unreadable};
use crate::compare::Comparison;
use crate::destinations;
use crate::error::Error;
use crate::job::{self, EqualTo, Expectation, Job, Output as Wanted};
use crate::loaded::Loaded;
use crate::npy;
use crate::report::{Output, Part};
use crate::settings::Settings;
use crate::source;
use device::{Buffer, Device, Kind};
use harness::{Buffers, Memory, Objects};
use std::io::Read as _;

/// Elements of an output that reports show.
const FIRST: usize = 8;

/// Where an output's bytes are.
enum OutputBytes {
    Memory(Memory),
    /// An array's texels.
    Texels(Vec<u8>),
}

/// Reads an output; `buffers` and `made` are the job's.
///
/// # Errors
/// A variable that is not there or of another size than the file, or a file that cannot be read or written.
#[expect(clippy::too_many_lines, reason = "one pass over the bytes: written, shown and compared")]
pub(crate) fn read(
    job: &Job,
    device: &mut dyn Device,
    loaded: &Loaded,
    buffers: &Buffers,
    made: &Objects,
    wanted: &Wanted,
    settings: &Settings,
) -> Result<Output, Error> {
    let place = match &wanted.from.memory {
        job::Memory::Buffer(id) => OutputBytes::Memory(Memory::Buffer(buffers.at(id.index())?)),
        job::Memory::Symbol(name) => {
            OutputBytes::Memory(Memory::Symbol(loaded.module.handle, loaded.symbol(job, wanted.line, name)?))
        }
        job::Memory::Array(n) => {
            let array = made.at(*n)?;
            let mut texels = vec![0; array.bytes() as usize];
            device.read_array(array, &mut texels)?;
            OutputBytes::Texels(texels)
        }
    };
    let bytes = match (&place, wanted.bytes) {
        (OutputBytes::Memory(Memory::Buffer(buffer)), None) => {
            buffer.bytes().saturating_sub(wanted.from.offset)
        }
        (OutputBytes::Memory(Memory::Buffer(_)), Some(bytes)) => bytes,
        (OutputBytes::Texels(texels), _) => texels.len() as u64,
        (OutputBytes::Memory(symbol @ Memory::Symbol(..)), asked) => {
            symbol_bytes(job, wanted, settings, symbol.bytes(device)?, asked)?
        }
    };
    let elements = bytes / wanted.ty.bytes() as u64;
    let mut sinks = vec![];
    for path in destinations::of(job, wanted, settings)? {
        let mut sink = Sink::create(&path)?;
        if source::is_npy(&path) {
            sink.write(&npy::header(wanted.ty, elements))?;
        }
        sinks.push(sink);
    }
    let with = match (&wanted.expected, &wanted.equal_to) {
        (Some(expected), _) if settings.record.is_none() => {
            Some(With::File(expected, open(&expected.path, expected.offset, &job.path)?))
        }
        (None, Some(EqualTo::Values(values))) => Some(With::Values(values)),
        (None, Some(EqualTo::Buffer(id, name))) => Some(With::Buffer(buffers.at(id.index())?, name)),
        _ => None,
    };
    let mut compared = with.map(|with| (with, Comparison::new(wanted.ty, wanted.tolerance)));

    // Whole elements, of three numbers too.
    let most = PIECE / wanted.ty.bytes() * wanted.ty.bytes();
    let mut got = vec![0; most.min(bytes as usize)];
    let mut file_bytes = got.clone();
    let mut done = 0;
    let mut first = vec![];
    let finite = wanted.ty.scalar.is_float() && (wanted.finite || settings.finite);
    let mut not_finite = finite.then_some(Part::none(elements));
    while done < bytes {
        let got = &mut got[..most.min((bytes - done) as usize)];
        let offset = wanted.from.offset + done;
        match &place {
            OutputBytes::Memory(memory) => memory.read(device, offset, got)?,
            OutputBytes::Texels(texels) => got.copy_from_slice(&texels[done as usize..][..got.len()]),
        }
        for sink in &mut sinks {
            sink.write(got)?;
        }
        if done == 0 {
            first = got.chunks_exact(wanted.ty.bytes()).take(FIRST).map(|one| wanted.ty.show(one)).collect();
        }
        if let Some(found) = &mut not_finite {
            found.add_not_finite(wanted.ty, done / wanted.ty.bytes() as u64, got);
        }
        if let Some((with, comparison)) = &mut compared {
            let other = &mut file_bytes[..got.len()];
            match with {
                With::File(expected, file) => {
                    file.read_exact(other).map_err(|e| unreadable(&expected.path, &job.path, &e))?;
                }
                With::Values(values) => other.copy_from_slice(&values[done as usize..][..other.len()]),
                With::Buffer(buffer, _) => device.read(*buffer, done, other)?,
            }
            comparison.add(got, other);
        }
        done += got.len() as u64;
    }
    for sink in sinks {
        sink.finish()?;
    }
    let compared = compared.map(|(with, comparison)| {
        let with = match with {
            With::File(expected, _) => expected.name.display().to_string(),
            With::Values(_) => "its values".to_owned(),
            With::Buffer(_, name) => name.to_owned(),
        };
        (with, comparison)
    });
    let known = settings.keeps_account && matches!(device.description().kind, Kind::Embedded { .. });
    let asked = known && (wanted.written || settings.unwritten);
    let unwritten = match &place {
        OutputBytes::Memory(Memory::Buffer(buffer)) if asked => {
            let (part, size) = ((wanted.from.offset, bytes), wanted.ty.bytes() as u64);
            Some(Part::in_gaps(&device.unwritten(*buffer)?, part, size))
        }
        OutputBytes::Memory(_) | OutputBytes::Texels(_) => None,
    };
    Ok(Output {
        name: wanted.name.clone(),
        bytes,
        ty: wanted.ty,
        first,
        compared,
        unwritten,
        must_be_written: wanted.written,
        not_finite,
    })
}

/// What an output is compared with.
enum With<'a> {
    File(&'a Expectation, std::fs::File),
    Values(&'a [u8]),
    Buffer(Buffer, &'a str),
}

/// The size of a piece of a variable, which must be that of the file it is compared with.
fn symbol_bytes(
    job: &Job,
    wanted: &Wanted,
    settings: &Settings,
    all: u64,
    asked: Option<u64>,
) -> Result<u64, Error> {
    let error = |message: String| {
        let message = format!("output `{}`: {message}", wanted.name);
        Err(Error::job(&job.path, Some(wanted.line), message))
    };
    let offset = wanted.from.offset;
    let Some(rest) = all.checked_sub(offset).filter(|rest| *rest > 0) else {
        return error(format!("offset: {offset} is past the end of the symbol, which has {all} bytes"));
    };
    let bytes = asked.unwrap_or(rest);
    if bytes > rest {
        return error(format!("len: {bytes} bytes from byte {offset} on are not inside its {all} bytes"));
    }
    if !bytes.is_multiple_of(wanted.ty.bytes() as u64) {
        return error(format!("it has {bytes} bytes, which is not a whole number of {}", wanted.ty));
    }
    if let (Some(expected), None) = (&wanted.expected, &settings.record) {
        let found = std::fs::metadata(&expected.path).map_or(0, |m| m.len()).saturating_sub(expected.offset);
        if found != bytes {
            let path = expected.path.display();
            return error(format!("file: {path} has {found} bytes, but the symbol {bytes}"));
        }
    }
    Ok(bytes)
}
