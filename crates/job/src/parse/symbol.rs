//! `[[symbol]]`: what a `__constant__` or `__device__` variable holds before the first step.

use super::raw::RawSymbol;
use super::reader::Reader;
use crate::error::Error;
use crate::job::Symbol;
use crate::source;
use crate::types::Type;
use std::path::Path;
use toml::Spanned;

/// The largest file for a symbol, bytes: what a chip's memory would hold is the device's to say.
const LARGEST: u64 = 1 << 30;

impl Reader<'_> {
    pub(super) fn symbols(&self, raw: Vec<Spanned<RawSymbol>>) -> Result<Vec<Symbol>, Error> {
        let symbol = |spanned: Spanned<RawSymbol>| {
            let line = self.line(spanned.span().start);
            let RawSymbol { name, file, values, ty } = spanned.into_inner();
            let error = |reason: String| self.error(line, format!("symbol `{name}`: {reason}"));
            let bytes = match (file, values, ty) {
                (Some(file), None, ty) => self.of_file(&file, ty).map_err(|e| error(format!("file: {e}")))?,
                (None, Some(values), Some(ty)) => ty.encode_all(&values).map_err(error)?,
                (None, Some(_), None) => {
                    return Err(error("values need a type, such as type = \"f32\"".into()));
                }
                (Some(_), Some(_), _) | (None, None, _) => {
                    return Err(error("expected either file or values with a type".into()));
                }
            };
            if bytes.is_empty() {
                return Err(error("there is nothing to write to it".into()));
            }
            Ok(Symbol { line, name, ty, bytes })
        };
        raw.into_iter().map(symbol).collect()
    }

    fn of_file(&self, file: &Path, ty: Option<Type>) -> Result<Vec<u8>, String> {
        let path = self.input(file);
        let mut bytes = source::read(&path, LARGEST)?;
        let Some(ty) = ty else {
            if source::is_npy(&path) {
                return Err(format!("{} needs a type, such as type = \"f32\"", path.display()));
            }
            return Ok(bytes);
        };
        let (offset, len) = source::data(&path, ty)?;
        bytes.drain(..(offset as usize).min(bytes.len()));
        if len % ty.bytes() as u64 != 0 {
            let path = path.display();
            return Err(format!("{path} has {len} bytes, which is not a whole number of {ty}"));
        }
        Ok(bytes)
    }
}
