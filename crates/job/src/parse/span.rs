//! Pieces of memory that steps and outputs name: a buffer or a variable, from a byte on.

use super::buffer::find;
use crate::job::{Buffer, Memory, Span};
use crate::types::Type;

/// Memory by its name, with a piece's first byte.
///
/// # Errors
/// In words, no name or two, a buffer that is not there, or an offset past its end.
pub(super) fn span(
    buffer: Option<&str>,
    symbol: Option<&str>,
    offset: u64,
    buffers: &[Buffer],
) -> Result<Span, String> {
    let memory = match (buffer, symbol) {
        (Some(name), None) => {
            let id = find(buffers, name)?;
            let Buffer { bytes, .. } = buffers[id.index()];
            if offset >= bytes {
                return Err(format!("offset: {offset} is past the end of `{name}`, which has {bytes} bytes"));
            }
            Memory::Buffer(id)
        }
        (None, Some("")) => return Err("symbol: it has no name".into()),
        (None, Some(name)) => Memory::Symbol(name.to_owned()),
        (Some(_), Some(_)) | (None, None) => return Err("expected either buffer or symbol".into()),
    };
    Ok(Span { memory, offset })
}

/// The buffer of a span, if it is one.
pub(super) fn buffer_of<'b>(span: &Span, buffers: &'b [Buffer]) -> Option<&'b Buffer> {
    match span.memory {
        Memory::Buffer(id) => buffers.get(id.index()),
        Memory::Symbol(_) | Memory::Array(_) => None,
    }
}

/// Bytes of `len` elements of a type that are in a span, or of all up to its end; nothing up to the end of a variable,
/// whose size the module gives.
///
/// # Errors
/// In words, a length that does not fit, or a rest that is not a whole number of elements.
pub(super) fn extent(
    span: &Span,
    len: Option<u64>,
    ty: Type,
    buffers: &[Buffer],
) -> Result<Option<u64>, String> {
    let size = ty.bytes() as u64;
    let asked = match len {
        Some(0) => return Err("len: expected at least 1 element".into()),
        Some(len) => {
            let bytes = len.checked_mul(size);
            Some(bytes.ok_or_else(|| format!("len: {len} elements are more than any memory holds"))?)
        }
        None => None,
    };
    let Some(Buffer { name, bytes, .. }) = buffer_of(span, buffers) else { return Ok(asked) };
    let rest = bytes - span.offset;
    match asked {
        Some(asked) if asked > rest => Err(format!(
            "len: {asked} bytes from byte {} on are not inside `{name}`, which has {bytes}",
            span.offset
        )),
        Some(asked) => Ok(Some(asked)),
        None if !rest.is_multiple_of(size) => {
            Err(format!("the {rest} bytes of `{name}` are not a whole number of {ty}"))
        }
        None => Ok(Some(rest)),
    }
}
