//! Kernel sources that run: the embedded ones, or a reader's edited copy of one of them.
//!
//! Enters: the plan's list of files and the `--kernel` arguments. Leaves: PTX with its hashes, in the plan's order. A
//! kernel that the plan launches and an edited file lacks is found here, before anything runs.

use crate::plan::{self, Plan};
use anyhow::{Context, Result, anyhow, bail};
use kernels::{Compiled, Compiler, Flags, Own};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// An edited source as a record holds it.
#[derive(Clone, Debug)]
pub struct RecordedSource {
    /// Path below `kernels/` of the file in whose place it ran.
    pub file: String,
    /// CUDA C.
    pub text: String,
    /// Options with which it is compiled, in words.
    pub options: Vec<String>,
}

/// A kernel source with its PTX.
pub(crate) struct ModuleSource {
    /// Id of the source in the plan.
    pub(crate) id: plan::SourceId,
    /// Name in errors: the path below `kernels/`, or the reader's own path.
    pub(crate) name: String,
    pub(crate) ptx: Cow<'static, str>,
    /// The CUDA C from which the PTX was compiled.
    pub(crate) cu: Cow<'static, str>,
    /// Variables in shared memory of an edited file, as far as its compiler reports them.
    pub(crate) shared: Vec<kernels::Shared>,
    /// Code that lines of an edited file's PTX were made from, as far as its compiler reports it.
    pub(crate) origins: Vec<kernels::Origin>,
    /// Entry of the record: `file` is the path below `kernels/` for an edited file too, which its hash reveals.
    pub(crate) kernel: record::Kernel,
}

impl ModuleSource {
    /// Whether it is a reader's, instead of the lab's own.
    pub(crate) fn is_edited(&self) -> bool {
        self.kernel.compiler.is_some()
    }

    /// Whether it is one that prints.
    pub(crate) fn prints(&self) -> bool {
        self.ptx.contains(device::PRINTS)
    }
}

/// The sources of `plan`, with `edited` files instead of those of the same name, compiled with these options in addition
/// to their own.
///
/// # Errors
/// An edited file that is not one of this lab's, does not compile, or lacks a kernel.
pub(crate) fn gather(
    plan: &Plan,
    edited: &[PathBuf],
    flags: &Flags,
    compiler: Compiler,
    own: Own,
) -> Result<Vec<ModuleSource>> {
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
        sources[place] = compiled(plan.sources[place], path, flags, compiler, own)?;
        if let Some(kernel) = lacks(plan, &sources[place]) {
            bail!(
                "--kernel {}: it has no kernel `{kernel}`, which this lab launches; keep its name and `extern \"C\"`",
                path.display()
            );
        }
    }
    Ok(sources)
}

/// Options of a source that is to count as it does where records are graded, whichever device it runs on.
pub(crate) fn graded(options: Flags) -> Flags {
    Flags::for_device(device::GRADED_CAPABILITY.to_string()).and(Flags { device: None, ..options })
}

/// A source as it came.
pub(crate) fn embedded(source: plan::SourceId) -> ModuleSource {
    ModuleSource {
        id: source,
        name: format!("kernels/{}", source.file),
        ptx: Cow::Borrowed(source.ptx),
        cu: Cow::Borrowed(source.cu),
        shared: vec![],
        origins: vec![],
        kernel: record::Kernel {
            file: source.file.to_owned(),
            cu_sha256: source.cu_sha256(),
            ptx_sha256: source.ptx_sha256(),
            compiler: None,
            options: vec![],
            source: None,
        },
    }
}

fn compiled(
    id: plan::SourceId,
    path: &Path,
    flags: &Flags,
    compiler: Compiler,
    own: Own,
) -> Result<ModuleSource> {
    let at = || format!("--kernel {}", path.display());
    let cu = files::read_text(path, kernels::MOST_BYTES).with_context(at)?;
    let compiled = kernels::compile_with(path, compiler, flags, &[], own).with_context(at)?;
    if !compiled.warnings.is_empty() {
        program::tell(&format!("{}\n", compiled.warnings.trim_end()));
    }
    let mut source = replaced(id, path.display().to_string(), cu, flags.recorded(), compiled);
    // So that a grader can compile it again. The PTX that is loaded names the reader's own path, for messages.
    if source.kernel.source.is_some() {
        let again =
            kernels::compile_text(id.file, &source.cu, &graded(flags.clone()), own).with_context(at)?;
        source.kernel.ptx_sha256 = kernels::sha256(again.ptx);
    }
    Ok(source)
}

fn replaced(
    id: plan::SourceId,
    name: String,
    cu: String,
    options: Vec<String>,
    compiled: Compiled,
) -> ModuleSource {
    let is_kept = compiled.is_self_contained && cu.len() <= record::MOST_SOURCE_BYTES;
    ModuleSource {
        id,
        name,
        kernel: record::Kernel {
            file: id.file.to_owned(),
            cu_sha256: kernels::sha256(&cu),
            ptx_sha256: kernels::sha256(&compiled.ptx),
            compiler: Some(compiled.with),
            options,
            source: is_kept.then(|| cu.clone()),
        },
        ptx: Cow::Owned(compiled.ptx),
        cu: Cow::Owned(cu),
        shared: compiled.shared,
        origins: compiled.origins,
    }
}

/// Edited sources that a record holds, and the workbook's own compiler, which compiles them.
#[derive(Clone, Copy, Debug)]
pub struct Edited<'a> {
    /// The sources.
    pub held: &'a [RecordedSource],
    /// The compiler, as this program reaches it.
    pub own: Own,
}

impl Edited<'_> {
    /// No source: the lab's own kernels.
    pub const NONE: Edited<'static> = Edited { held: &[], own: kernels::by_program };
}

/// The sources of `plan`, with the sources that a record holds instead of the lab's.
///
/// # Errors
/// A source that does not compile, or lacks a kernel.
pub(crate) fn recorded(plan: &Plan, edited: Edited<'_>) -> Result<Vec<ModuleSource>> {
    let mut sources = plan.sources.iter().map(|source| embedded(source)).collect::<Vec<_>>();
    for (source, id) in sources.iter_mut().zip(&plan.sources) {
        let Some(RecordedSource { file, text, options }) =
            edited.held.iter().find(|held| held.file == id.file)
        else {
            continue;
        };
        let flags = Flags::parse(options.iter().map(String::as_str));
        let flags = flags.map_err(|why| anyhow!("{file}: the options that the record has of it: {why}"))?;
        let compiled = kernels::compile_text(file, text, &graded(flags), edited.own)?;
        *source = replaced(id, file.clone(), text.clone(), options.clone(), compiled);
        if let Some(kernel) = lacks(plan, source) {
            bail!("{file}: it has no kernel `{kernel}`, which this lab launches");
        }
    }
    Ok(sources)
}

/// A kernel that the plan launches and its source lacks.
fn lacks<'a>(plan: &'a Plan, source: &ModuleSource) -> Option<&'a str> {
    let mut launches = plan.launches().filter(|launch| launch.module.file == source.id.file);
    launches.find(|launch| !has_entry(&source.ptx, &launch.kernel)).map(|launch| launch.kernel.as_ref())
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
        let Err(error) = gather(
            &plan,
            &[PathBuf::from("mine.cu")],
            &Flags::default(),
            Compiler::default(),
            kernels::by_program,
        ) else {
            panic!("no such file in the lab")
        };
        assert!(error.to_string().contains("ch5-5/stencil.cu"), "{error}");
    }
}
