//! The workbook's own compiler, CUDA C to PTX: as a part of a program ([`own`]), and as a program ([`main`]) that a lab
//! starts when it is given an edited kernel.
//!
//! Enters: CUDA C. Leaves: PTX and what goes with it, or the compiler's log. This crate must never know what a kernel is for.

mod command;

pub use command::main;

use kernels::{Compiled, Error, Input, MOST_BYTES, OWN, decoded};
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
        let header = input.reads_headers.then(|| header(&folder.join(name)))?;
        includes.set(includes.get() || header.is_some());
        header
    };
    let name = input.path.display().to_string();
    let source = cuda::Input { name: &name, text: input.text, include: &include };
    let arch = input.arch.parse().map_err(|why: String| refused(&why))?;
    let instances = input.instances.to_vec();
    let mut options = cuda::Options { arch, instances, ..cuda::Options::default() };
    for option in options_of(input.text) {
        match option {
            "--fmad=false" => options.fmad = false,
            "--fmad=true" | "--generate-line-info" | "-lineinfo" => {}
            _ => {
                let words =
                    format!("the source asks for the option `{option}`, which `--compiler nvrtc` knows");
                return Err(refused(&words));
            }
        }
    }
    match cuda::compile(&source, &options) {
        Ok(output) => Ok(Compiled {
            warnings: cuda::diagnostic::render(&output.warnings, &output.sources, false),
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

/// A header, if it is there.
fn header(path: &Path) -> Option<cuda::Header> {
    let text = match files::read(path, MOST_BYTES) {
        Ok(bytes) => Ok(decoded(bytes)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return None,
        Err(_) if path.is_dir() => return None, // another folder may have a file of that name
        Err(error) => Err(error.to_string()),
    };
    Some(cuda::Header { name: None, text })
}

/// What a source asks for beyond the architecture, in a line such as `// options: --fmad=false`; `nvrtc.py` reads the same.
fn options_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().find_map(|line| line.strip_prefix("// options: ")).unwrap_or("").split_whitespace()
}
