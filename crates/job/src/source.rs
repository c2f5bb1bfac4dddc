//! Files that a job names: their sizes, and their bytes within bounds.

use crate::npy::Header;
use crate::types::Type;
use std::io::Read as _;
use std::path::Path;

/// Size of a file, bytes; anything but a plain file is refused, for it may have no end.
pub(crate) fn size(path: &Path) -> Result<u64, String> {
    let metadata = std::fs::metadata(path).map_err(|e| format!("{}: {e}", path.display()))?;
    if metadata.is_file() {
        Ok(metadata.len())
    } else {
        Err(format!("{} is not a regular file", path.display()))
    }
}

/// A whole file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let found = size(path)?;
    if found > limit {
        return Err(format!("{} has {found} bytes, but at most {limit} are allowed", path.display()));
    }
    let failed = |e: std::io::Error| format!("{}: {e}", path.display());
    let mut bytes = Vec::with_capacity(found as usize);
    std::fs::File::open(path).map_err(failed)?.take(limit).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// Whether a file is one of NumPy's, by its name.
pub(crate) fn is_npy(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"))
}

/// Where the data of a file of numbers begins, and how many bytes it has: all of a raw file, what follows the header
/// of a NumPy file.
///
/// # Errors
/// In words, a file that is not there, is not of that kind, or has elements of another type.
pub(crate) fn data(path: &Path, ty: Type) -> Result<(u64, u64), String> {
    let found = size(path)?;
    if !is_npy(path) {
        return Ok((0, found));
    }
    let of = |reason: String| format!("{}: {reason}", path.display());
    let mut file = std::fs::File::open(path).map_err(|e| of(e.to_string()))?;
    let header = Header::read(&mut file).map_err(of)?;
    let elements = header.elements(ty).map_err(of)?;
    match elements.checked_mul(ty.bytes() as u64) {
        Some(bytes) if header.offset.checked_add(bytes) == Some(found) => Ok((header.offset, bytes)),
        _ => {
            let behind = found.saturating_sub(header.offset);
            Err(of(format!("{behind} bytes follow its header, which announces {elements} × {ty}")))
        }
    }
}
