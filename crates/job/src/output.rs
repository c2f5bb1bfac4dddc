//! An output: read from the device, compared with a file, written to others.

use crate::compare::Comparison;
use crate::error::Error;
use crate::job::{Job, Memory, Output as Wanted};
use crate::loaded::Loaded;
use crate::npy;
use crate::piece::{PIECE, Sink, open, unreadable};
use crate::places;
use crate::report::Output;
use crate::settings::Settings;
use crate::source;
use device::{Array, Buffer, Device};
use std::io::Read as _;

/// Where an output's bytes are.
enum Place {
    Buffer(Buffer),
    Symbol(String),
    /// An array's texels.
    Texels(Vec<u8>),
}

/// Reads an output; `buffers` and `arrays` are the job's.
///
/// # Errors
/// A variable that is not there or of another size than the file, or a file that cannot be read or written.
pub(crate) fn read(
    job: &Job,
    device: &mut dyn Device,
    loaded: &Loaded,
    buffers: &[Buffer],
    arrays: &[Array],
    wanted: &Wanted,
    settings: &Settings,
) -> Result<Output, Error> {
    let place = match &wanted.from.memory {
        Memory::Buffer(id) => Place::Buffer(buffers[id.index()]),
        Memory::Symbol(name) => Place::Symbol(loaded.symbol(job, wanted.line, name)?),
        Memory::Array(n) => {
            let mut texels = vec![0; arrays[*n].bytes() as usize];
            device.read_array(arrays[*n], &mut texels)?;
            Place::Texels(texels)
        }
    };
    let bytes = match (&place, wanted.bytes) {
        (Place::Buffer(buffer), None) => buffer.bytes().saturating_sub(wanted.from.offset),
        (Place::Buffer(_), Some(bytes)) => bytes,
        (Place::Texels(texels), _) => texels.len() as u64,
        (Place::Symbol(name), asked) => {
            let all = device.symbol_bytes(loaded.module, name)?;
            symbol_bytes(job, wanted, settings, all, asked)?
        }
    };
    let elements = bytes / wanted.ty.bytes() as u64;
    let mut sinks = vec![];
    for path in places::of(job, wanted, settings)? {
        let mut sink = Sink::create(&path)?;
        if source::is_npy(&path) {
            sink.write(&npy::header(wanted.ty, elements))?;
        }
        sinks.push(sink);
    }
    let mut compared = match &wanted.expected {
        Some(expected) if settings.record.is_none() => {
            let file = open(&expected.path, expected.offset, &job.path)?;
            Some((expected, file, Comparison::new(wanted.ty, wanted.tolerance)))
        }
        _ => None,
    };

    // Whole elements, of three numbers too.
    let most = PIECE / wanted.ty.bytes() * wanted.ty.bytes();
    let mut got = vec![0; most.min(bytes as usize)];
    let mut file_bytes = got.clone();
    let mut done = 0;
    while done < bytes {
        let got = &mut got[..most.min((bytes - done) as usize)];
        let offset = wanted.from.offset + done;
        match &place {
            Place::Buffer(buffer) => device.read(*buffer, offset, got)?,
            Place::Symbol(name) => device.read_symbol(loaded.module, name, offset, got)?,
            Place::Texels(texels) => got.copy_from_slice(&texels[done as usize..][..got.len()]),
        }
        for sink in &mut sinks {
            sink.write(got)?;
        }
        if let Some((expected, file, comparison)) = &mut compared {
            let file_bytes = &mut file_bytes[..got.len()];
            file.read_exact(file_bytes).map_err(|e| unreadable(&expected.path, &job.path, &e))?;
            comparison.add(got, file_bytes);
        }
        done += got.len() as u64;
    }
    for sink in sinks {
        sink.finish()?;
    }
    let compared =
        compared.map(|(expected, _, comparison)| (expected.name.display().to_string(), comparison));
    Ok(Output { name: wanted.name.clone(), bytes, compared })
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
        return error(format!("len: {bytes} bytes from byte {offset} on are not inside of its {all} bytes"));
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
