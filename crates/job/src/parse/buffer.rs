//! `[[buffer]]`: device memory and its initial contents.

use super::raw::{Exactly, RawBuffer, RawInit};
use super::reader::Reader;
use crate::error::Error;
use crate::init::Init;
use crate::job::{Buffer, BufferId};
use crate::source;
use crate::types::Type;
use crate::value::Value;
use scalar::{Number, Scalar};
use std::collections::HashSet;
use toml::Spanned;

/// The place of a buffer, and the list of what it holds.
pub(super) type Late = (usize, Vec<Value>);

impl Reader<'_> {
    /// The buffers, and the contents of those that hold others' addresses, by the buffers' places: these are read when all
    /// buffers are known.
    pub(super) fn buffers(&self, raw: Vec<Spanned<RawBuffer>>) -> Result<(Vec<Buffer>, Vec<Late>), Error> {
        let mut buffers: Vec<Buffer> = Vec::with_capacity(raw.len());
        let mut names = HashSet::new();
        let mut tables: Vec<Late> = vec![];
        for spanned in raw {
            let line = self.line(spanned.span().start);
            let mut raw = spanned.into_inner();
            let name = raw.name.clone();
            // Addresses of buffers, which may be further down.
            if let Some(values) = raw.values.take_if(|values| values.iter().any(is_table)) {
                raw.values = Some(vec![]);
                tables.push((buffers.len(), values));
            }
            let is_late = tables.last().is_some_and(|(n, _)| *n == buffers.len());
            let buffer = self
                .buffer(line, raw, is_late)
                .map_err(|reason| self.error(line, format!("buffer `{name}`: {reason}")))?;
            if !names.insert(name) {
                let message = format!("buffer `{}`: another buffer has the same name", buffer.name);
                return Err(self.error(line, message));
            }
            buffers.push(buffer);
        }
        Ok((buffers, tables))
    }

    /// `is_late`: what it holds is found later.
    fn buffer(&self, line: usize, raw: RawBuffer, is_late: bool) -> Result<Buffer, String> {
        let RawBuffer { name, ty, len, init, values, read } = raw;
        file_name(&name).map_err(|reason| format!("name: {reason}"))?;
        if len == Some(0) {
            return Err("len: expected at least 1 element".into());
        }
        let size = |len: u64| {
            let bytes = len.checked_mul(ty.bytes() as u64);
            bytes.ok_or_else(|| format!("len: {len} elements are more than any memory holds"))
        };
        let (len, init) = match (len, init, values) {
            (_, Some(_), Some(_)) => {
                return Err(
                    "values and init are both given, but only one of them can say what it holds".into()
                );
            }
            (len, None, Some(_)) if is_late => (len.unwrap_or(0), None),
            (len, None, Some(values)) => of_values(ty, len, &values)?,
            (
                None,
                Some(RawInit { file: Some(file), fill: None, iota: None, uniform: None, seed: None }),
                _,
            ) if source::is_npy(&file) => {
                let path = self.input(&file);
                let (offset, bytes) = source::data(&path, ty).map_err(|reason| format!("init: {reason}"))?;
                (bytes / ty.bytes() as u64, Some(Init::File { path, offset }))
            }
            (Some(len), Some(init), None) => {
                let init =
                    self.init(init, ty, len, size(len)?).map_err(|reason| format!("init: {reason}"))?;
                (len, Some(init))
            }
            (Some(len), None, None) => (len, None),
            (None, _, None) => {
                return Err(
                    "missing len: the number of elements, unless values or a .npy file give it".into()
                );
            }
        };
        if len == 0 && !is_late {
            return Err("it would be empty: expected at least 1 element".into());
        }
        Ok(Buffer { line, name, ty, len, bytes: size(len)?, init, members: None, read })
    }

    fn init(&self, raw: RawInit, ty: Type, len: u64, bytes: u64) -> Result<Init, String> {
        const ONE: &str =
            "expected one of file, fill, iota, uniform (leave out init for an uninitialised buffer)";
        let RawInit { file, fill, iota, uniform, seed } = raw;
        if seed.is_some() && uniform.is_none() {
            return Err("seed is only for uniform".into());
        }
        match (file, fill, iota, uniform) {
            (Some(file), None, None, None) => {
                let path = self.input(&file);
                let (offset, found) = source::data(&path, ty)?;
                if found != bytes {
                    let path = path.display();
                    return Err(format!("{path} has {found} bytes, but {len} × {ty} take {bytes}"));
                }
                Ok(Init::File { path, offset })
            }
            (None, Some(value), None, None) => {
                Ok(Init::Fill(ty.splat(&value).map_err(|e| format!("fill: {e}"))?))
            }
            (None, None, Some(first), None) => {
                let scalar = ty.scalar;
                scalar.encode(first).map_err(|e| format!("iota: {e}"))?;
                if scalar.is_float() {
                    let numbers = len.saturating_mul(u64::from(ty.lanes));
                    let last = Number::Float(first.as_f64() + (numbers - 1) as f64);
                    scalar.encode(last).map_err(|e| format!("iota: the last element: {e}"))?;
                }
                Ok(Init::Iota(first))
            }
            (None, None, None, Some(Exactly([low, high]))) => {
                uniform_range(ty.scalar, low, high).map_err(|e| format!("uniform: {e}"))?;
                Ok(Init::Uniform { low, high, seed: seed.unwrap_or(0) })
            }
            _ => Err(ONE.into()),
        }
    }
}

fn is_table(value: &Value) -> bool {
    matches!(value, Value::Table(_))
}

/// The contents that a list gives, and how many elements it has.
fn of_values(ty: Type, len: Option<u64>, values: &[Value]) -> Result<(u64, Option<Init>), String> {
    let found = values.len() as u64;
    if let Some(len) = len.filter(|len| *len != found) {
        return Err(format!("values: found {found}, but len is {len}"));
    }
    Ok((found, Some(Init::Bytes(ty.encode_all(values)?))))
}

/// A buffer's place in the job.
pub(super) fn find(buffers: &[Buffer], name: &str) -> Result<BufferId, String> {
    buffers.iter().position(|b| b.name == name).map(BufferId).ok_or_else(|| {
        let there: Vec<_> = buffers.iter().map(|b| b.name.as_str()).collect();
        let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
        format!("there is no buffer `{name}`; there are: {there}")
    })
}

/// A name becomes that of a file, `<name>.bin`.
pub(super) fn file_name(name: &str) -> Result<(), String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '$' | '%');
    if name.is_empty() || name.len() > 200 || name.starts_with('.') || !name.chars().all(allowed) {
        return Err(format!("{name:?} cannot name a file: letters, digits and _ - . $ % are allowed"));
    }
    Ok(())
}

fn uniform_range(ty: Scalar, low: Number, high: Number) -> Result<(), String> {
    if ty.is_float() {
        ty.encode(low)?;
        ty.encode(high)?;
        let (low, high) = (low.as_f64(), high.as_f64());
        let usable = low < high && (high - low).is_finite();
        return if usable { Ok(()) } else { Err(format!("{low:?} to {high:?} is not a range")) };
    }
    ty.encode(low)?;
    match (low, high) {
        (Number::Int(low), Number::Int(high)) if low < high && high - 1 <= ty.range().1 => Ok(()),
        _ => Err(format!("{low} to {high} is not a range of {ty} (the upper bound is exclusive)")),
    }
}
