//! `[[output]]`: memory that is read when all steps have run, and the file it is compared with.

use super::buffer::{file_name, find};
use super::raw::RawOutput;
use super::reader::{Expected, Reader};
use super::span::{buffer_of, extent, span};
use crate::compare::Tolerance;
use crate::error::Error;
use crate::job::{Buffer, EqualTo, Expectation, Memory, Output, Span, Symbol, stem};
use crate::source;
use crate::texture::Objects;
use crate::types::Type;
use crate::value::Value;
use scalar::{Number, Scalar};
use std::path::Path;
use toml::Spanned;

/// How a file that is missing is made.
fn to_record(path: &Path) -> &'static str {
    if path.exists() { "" } else { "; `launch` with `--record .` writes it, from what the kernels leave" }
}

impl Reader<'_> {
    pub(super) fn outputs(
        &self,
        raw: Vec<Spanned<RawOutput>>,
        buffers: &[Buffer],
        symbols: &[Symbol],
        objects: &Objects,
    ) -> Result<Vec<Output>, Error> {
        let mut outputs: Vec<Output> = Vec::with_capacity(raw.len());
        for spanned in raw {
            let line = self.line(spanned.span().start);
            let output = self.output(line, spanned.into_inner(), buffers, symbols, objects)?;
            if outputs.iter().any(|o| o.name == output.name) {
                let message = format!(
                    "output `{}`: another output has the same name; give it one with name = \"…\"",
                    output.name
                );
                return Err(self.error(line, message));
            }
            outputs.push(output);
        }
        Ok(outputs)
    }

    #[expect(clippy::too_many_lines, reason = "the checks of one section, field by field")]
    fn output(
        &self,
        line: usize,
        raw: RawOutput,
        buffers: &[Buffer],
        symbols: &[Symbol],
        objects: &Objects,
    ) -> Result<Output, Error> {
        let RawOutput {
            name,
            buffer,
            symbol,
            array,
            offset,
            len,
            ty,
            file,
            values,
            equals,
            written,
            finite,
            atol,
            rtol,
        } = raw;
        let from = match &array {
            Some(_) if buffer.is_some() || symbol.is_some() => {
                Err("expected one of buffer, symbol and array".into())
            }
            Some(_) if offset > 0 || len.is_some() => {
                Err("offset and len: an array can only be an output as a whole".into())
            }
            Some(array) => objects.array(array).map(|n| Span { memory: Memory::Array(n), offset: 0 }),
            None => span(buffer.as_deref(), symbol.as_deref(), offset, buffers),
        };
        let from = from.map_err(|reason: String| self.error(line, format!("output: {reason}")))?;
        let known = match &buffer {
            Some(_) => buffer_of(&from, buffers).map(|buffer| buffer.ty),
            None => symbols.iter().find(|s| Some(&s.name) == symbol.as_ref()).and_then(|s| s.ty),
        };
        let name = match name {
            Some(name) => {
                file_name(&name).map_err(|reason| self.error(line, format!("output: name: {reason}")))?;
                name
            }
            None => buffer.or(symbol).or(array).unwrap_or_default(),
        };
        if file_name(&stem(&name)).is_err() || name.contains(['/', '\\']) {
            let message = format!("output: {name:?} cannot name a file: give it a name with name = \"…\"");
            return Err(self.error(line, message));
        }
        let error = |message: String| self.error(line, format!("output `{name}`: {message}"));
        let bound = |what: &str, number: Option<Number>| {
            let value = number.map_or(0.0, Number::as_f64);
            let fits = value.is_finite() && value >= 0.0;
            if fits { Ok(value) } else { Err(error(format!("{what}: expected a number of at least 0"))) }
        };
        let tolerance = Tolerance { atol: bound("atol", atol)?, rtol: bound("rtol", rtol)? };
        let npy = file.as_deref().is_some_and(source::is_npy);
        let ty = match ty.or(known) {
            Some(ty) => ty,
            None if tolerance != Tolerance::default() => {
                return Err(error(
                    "a symbol or an array with tolerances needs a type, such as type = \"f32\"".into(),
                ));
            }
            None if npy => return Err(error("a .npy file needs a type, such as type = \"f32\"".into())),
            None if len.is_some() => {
                return Err(error("len: elements need a type, such as type = \"f32\"".into()));
            }
            None => Type::from(Scalar::U8), // bit for bit, so the type does not matter
        };
        let bytes = match from.memory {
            Memory::Array(n) => Some(objects.arrays[n].bytes),
            Memory::Buffer(_) | Memory::Symbol(_) => extent(&from, len, ty, buffers).map_err(&error)?,
        };
        if bytes.is_some_and(|bytes| !bytes.is_multiple_of(ty.bytes() as u64)) {
            return Err(error(format!("type: it is not a whole number of {ty}")));
        }
        if usize::from(file.is_some()) + usize::from(values.is_some()) + usize::from(equals.is_some()) > 1 {
            return Err(error("it can be compared with only one of file, values and equals".into()));
        }
        if written && buffer_of(&from, buffers).is_none() {
            return Err(error(
                "written: only of a buffer is it known which elements threads have written".into(),
            ));
        }
        if finite && !ty.scalar.is_float() {
            return Err(error(format!("finite: {ty} has no NaN and no infinity")));
        }
        let equal_to = self.equal_to(values, equals, (ty, bytes), buffers).map_err(&error)?;
        let expected = match file {
            Some(name) => {
                let path =
                    if self.expected == Expected::Record { self.resolve(&name) } else { self.input(&name) };
                let offset = match self.expected {
                    Expected::Compare | Expected::DryRun => {
                        let read = self.offset(&path, ty, bytes);
                        read.map_err(|e| error(format!("file: {e}{}", to_record(&path))))?
                    }
                    Expected::Record => 0,
                };
                Some(Expectation { name, path, offset })
            }
            None => None,
        };
        Ok(Output { line, name, from, bytes, ty, tolerance, expected, equal_to, written, finite })
    }

    /// What an output of a type and of that many bytes must be equal to.
    fn equal_to(
        &self,
        values: Option<Vec<Value>>,
        equals: Option<String>,
        (ty, bytes): (Type, Option<u64>),
        buffers: &[Buffer],
    ) -> Result<Option<EqualTo>, String> {
        let found;
        let equal_to = if let Some(values) = values {
            let values = ty.encode_all(&values)?;
            found = values.len() as u64;
            EqualTo::Values(values)
        } else if let Some(name) = equals {
            let id = find(buffers, &name).map_err(|reason| format!("equals: {reason}"))?;
            found = buffers[id.index()].bytes;
            EqualTo::Buffer(id, name)
        } else {
            return Ok(None);
        };
        match bytes {
            Some(bytes) if bytes != found => {
                let size = ty.bytes() as u64;
                Err(format!("it has {} × {ty}, but what it must equal has {}", bytes / size, found / size))
            }
            Some(_) => Ok(Some(equal_to)),
            None => Err("values and equals: a symbol needs a len, to be compared with them".into()),
        }
    }

    /// Where the data of a file begins that has as many bytes as an output.
    fn offset(&self, path: &Path, ty: Type, bytes: Option<u64>) -> Result<u64, String> {
        let (offset, found) = source::data(path, ty)?;
        match bytes {
            Some(bytes) if found != bytes => {
                let (path, len) = (path.display(), bytes / ty.bytes() as u64);
                Err(format!("{path} has {found} bytes, but {len} × {ty} take {bytes}"))
            }
            Some(_) | None => Ok(offset),
        }
    }
}
