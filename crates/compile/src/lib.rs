//! The workbook's own compiler, CUDA C to PTX: as a part of a program ([`own`]), and as a program ([`main`]) that a lab
//! starts when it is given an edited kernel.
//!
//! Enters: CUDA C. Leaves: PTX and what goes with it, or the compiler's log. This crate must never know what a kernel is for.

mod command;

pub use command::main;

use kernels::{Compiled, Error, Flags, Input, MOST_BYTES, OWN, Origin, decoded};
use std::cell::Cell;
use std::io::ErrorKind;
use std::path::Path;

/// Compiles by the workbook's own compiler, within this process.
///
/// # Errors
/// The compiler's log.
pub fn own(input: &Input<'_>) -> Result<Compiled, Error> {
    let refused = |log: &str| input.refused(OWN.to_owned(), log.as_bytes());
    let folder = input.path.parent().unwrap_or(Path::new(""));
    let includes = Cell::new(false);
    let include = |name: &str| {
        let beside = || header(&folder.join(name), None);
        let mut others = input.flags.includes.iter().map(|folder| folder.join(name));
        let other = || others.find_map(|path| header(&path, Some(path.display().to_string())));
        let header = if input.reads_headers { beside().or_else(other) } else { None };
        includes.set(includes.get() || header.is_some());
        header
    };
    let name = input.path.display().to_string();
    let source = cuda::Input { name: &name, text: input.text, include: &include };
    let flags = &input.flags;
    let options = cuda::Options {
        arch: input.arch().parse().map_err(|why: String| refused(&why))?,
        instances: input.instances.to_vec(),
        defines: defines(flags),
        fmad: flags.fuses(),
        fast_math: flags.fast_math,
        ..cuda::Options::default()
    };
    match cuda::compile(&source, &options) {
        Ok(output) => Ok(Compiled {
            warnings: cuda::diagnostic::render(&output.warnings, &output.sources, false),
            origins: origins(&output),
            ptx: output.ptx,
            shared: output.shared,
            instances: output.instances,
            with: OWN.to_owned(),
            is_self_contained: !includes.get(),
        }),
        Err(failure) => {
            Err(refused(&cuda::diagnostic::render(&failure.diagnostics, &failure.sources, false)))
        }
    }
}

/// Code that a message shows in a line; longer code is given by its line.
const MOST_CODE: usize = 160;

fn origins(output: &cuda::Output) -> Vec<Origin> {
    let origin = |(from, span): (u32, cuda::source::Span)| {
        let at = output.sources.position(span.lo);
        let (file, line) = at.map(|at| (at.file.name.clone(), at.line)).unwrap_or_default();
        let code = output.sources.text(span);
        let code = if code.len() <= MOST_CODE { code.to_owned() } else { String::new() };
        Origin { from, file, line, code }
    };
    output.origins.spans().map(origin).collect()
}

/// A header, if it exists, by another name than its path from the source's folder.
fn header(path: &Path, name: Option<String>) -> Option<cuda::Header> {
    let text = match files::read(path, MOST_BYTES) {
        Ok(bytes) => Ok(decoded(bytes)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return None,
        Err(_) if path.is_dir() => return None, // another folder may have a file of that name
        Err(error) => Err(error.to_string()),
    };
    Some(cuda::Header { name, text })
}

/// Macros that are asked for, and those that nvcc has with its options.
fn defines(flags: &Flags) -> Vec<(String, String)> {
    let debug = flags.debug.then(|| ("__CUDACC_DEBUG__".to_owned(), "1".to_owned()));
    debug.into_iter().chain(flags.defines.iter().cloned()).collect()
}
