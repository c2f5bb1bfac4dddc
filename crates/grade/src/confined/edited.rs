//! Edited kernels of labs, which `--kernel` puts instead of the workbook's.
//!
//! Enters: a kernel's entry in a record. Leaves: the source to compile again, or why there is none. The re-run shows
//! its PTX.

use crate::text;
use record::Kernel;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Hashes of the workbook's kernels, by file: of CUDA C and of PTX. To find them takes longer than all judges together.
pub(crate) static OURS: LazyLock<BTreeMap<&str, [String; 2]>> = LazyLock::new(|| {
    kernels::all().iter().map(|source| (source.file, [source.cu_sha256(), source.ptx_sha256()])).collect()
});

/// Whether a kernel is the workbook's own, with its PTX.
pub(crate) fn is_ours(kernel: &Kernel) -> bool {
    OURS.get(kernel.file.as_str()).is_some_and(|[cu, ptx]| {
        cu.eq_ignore_ascii_case(&kernel.cu_sha256) && ptx.eq_ignore_ascii_case(&kernel.ptx_sha256)
    })
}

/// The source of an edited kernel, which can be compiled again; none of one that is the workbook's own.
///
/// # Errors
/// The reason why it cannot be compiled again. Escaped text.
pub(crate) fn source(kernel: &Kernel) -> Result<Option<&str>, String> {
    if is_ours(kernel) {
        return Ok(None);
    }
    let by = kernel.compiler.as_deref().unwrap_or_default();
    match &kernel.source {
        Some(source) if !kernels::sha256(source).eq_ignore_ascii_case(&kernel.cu_sha256) => {
            Err("the source in the record is not the one whose hash it states".to_owned())
        }
        Some(source) if by == kernels::OWN => Ok(Some(source)),
        Some(_) => Err(format!("{} compiled it, but this is `{}`", text::code(by), kernels::OWN)),
        None if by.starts_with("own ") => {
            Err("the record does not hold its source: it includes other files, is long, or an older program wrote the record".to_owned())
        }
        None if by.is_empty() => Err("the record does not say which compiler made its PTX".to_owned()),
        None => Err(format!("{} compiled it, which only its owner has", text::code(by))),
    }
}
