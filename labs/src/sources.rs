//! Kernel sources that run: the embedded ones, or a reader's edited copy of one of them.
//!
//! Enters: the plan's list of files and the `--kernel` arguments. Leaves: PTX with its hashes, in the plan's order. A
//! kernel that the plan launches and an edited file lacks is found here, before anything runs.

use crate::plan::{self, Plan};
use anyhow::{Context, Result, bail};
use kernels::Compiler;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A kernel source with its PTX.
pub(crate) struct Source {
    /// Id of the source in the plan.
    pub(crate) id: plan::Source,
    /// Name in errors: the path below `kernels/`, or the reader's own path.
    pub(crate) name: String,
    pub(crate) ptx: Cow<'static, str>,
    /// The CUDA C from which the PTX was compiled.
    pub(crate) cu: Cow<'static, str>,
    /// Entry of the record: `file` is the path below `kernels/` for an edited file too, which its hash reveals.
    pub(crate) kernel: record::Kernel,
}

/// The sources of `plan`, with `edited` files in the place of those of the same name.
///
/// # Errors
/// An edited file that is not one of this lab's, does not compile, or lacks a kernel.
pub(crate) fn gather(plan: &Plan, edited: &[PathBuf], compiler: Compiler) -> Result<Vec<Source>> {
    let mut sources = plan.sources.iter().map(|source| embedded(source)).collect::<Vec<_>>();
    for path in edited {
        let place =
            plan.sources.iter().position(|source| Path::new(source.file).file_name() == path.file_name());
        let Some(place) = place else {
            bail!(
                "--kernel {}: this lab has no kernel file of that name; it has {}",
                path.display(),
                plan.sources.iter().map(|source| source.file).collect::<Vec<_>>().join(", ")
            );
        };
        sources[place] = compiled(plan.sources[place], path, compiler)?;
        for launch in plan.launches().filter(|l| l.module.file == plan.sources[place].file) {
            if !has_entry(&sources[place].ptx, &launch.kernel) {
                bail!(
                    "--kernel {}: it has no kernel `{}`, which this lab launches; keep its name and `extern \"C\"`",
                    path.display(),
                    launch.kernel
                );
            }
        }
    }
    Ok(sources)
}

fn embedded(source: plan::Source) -> Source {
    Source {
        id: source,
        name: format!("kernels/{}", source.file),
        ptx: Cow::Borrowed(source.ptx),
        cu: Cow::Borrowed(source.cu),
        kernel: record::Kernel {
            file: source.file.to_owned(),
            cu_sha256: source.cu_sha256(),
            ptx_sha256: source.ptx_sha256(),
            compiler: None,
        },
    }
}

fn compiled(id: plan::Source, path: &Path, compiler: Compiler) -> Result<Source> {
    let at = || format!("--kernel {}", path.display());
    let cu = files::read_text(path, kernels::MOST_BYTES).with_context(at)?;
    let compiled = kernels::compile(path, compiler).with_context(at)?;
    if !compiled.warnings.is_empty() {
        anstream::eprintln!("{}", compiled.warnings.trim_end());
    }
    Ok(Source {
        id,
        name: path.display().to_string(),
        kernel: record::Kernel {
            file: id.file.to_owned(),
            cu_sha256: kernels::sha256(&cu),
            ptx_sha256: kernels::sha256(&compiled.ptx),
            compiler: Some(compiled.with),
        },
        ptx: Cow::Owned(compiled.ptx),
        cu: Cow::Owned(cu),
    })
}

/// Whether PTX text defines the kernel.
fn has_entry(ptx: &str, kernel: &str) -> bool {
    ptx.split(".entry").skip(1).any(|rest| {
        rest.trim_start().strip_prefix(kernel).is_some_and(|after| {
            !after.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_found_by_its_whole_name() {
        let ptx = ".visible .entry copy_all(\n)\n{ }\n.visible .entry  copy(\n) { }";
        assert!(has_entry(ptx, "copy") && has_entry(ptx, "copy_all") && !has_entry(ptx, "cop"));
        assert!(!has_entry(".visible .entry copy_all(", "copy"));
    }

    #[test]
    fn a_file_of_another_name_is_refused_with_those_there_are() {
        let plan = Plan { sources: vec![&kernels::STENCIL], ..Plan::default() };
        let Err(error) = gather(&plan, &[PathBuf::from("mine.cu")], Compiler::default()) else {
            panic!("no such file in the lab")
        };
        assert!(error.to_string().contains("ch5-5/stencil.cu"), "{error}");
    }
}
