//! Sources compiled: CUDA C by our own compiler, PTX as it is.
//!
//! Enters: a text. Leaves: PTX that the device takes, with what leads from its lines to the text's, or messages. This
//! module must never know what is launched.

use crate::{field, message};
use cuda::diagnostic::Diagnostic;
use cuda::source::{Origins, Sources};
use device::{GRADED_CAPABILITY, Place};
use serde_json::{Value, json};

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Cuda,
    Ptx,
}

/// A text as a reader sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceText {
    /// Name in messages.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) language: Language,
    /// Macros, as `-D` defines them.
    pub(crate) defines: Vec<(String, String)>,
    /// Kernels that are launched, as [`cuda::Options::launched`] has them; none if that is not known.
    pub(crate) launched: Option<Vec<String>>,
    /// Instances of templates that are launched, as [`cuda::Options::instances`] has them.
    pub(crate) instances: Vec<String>,
}

/// A text that was compiled.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) source: SourceText,
    pub(crate) ptx: String,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) sources: Sources,
    pub(crate) origins: Origins,
    pub(crate) shared: Vec<cuda::Shared>,
    /// Names of kernels that encode the types of their parameters, and functions of the host: as [`cuda::Output`] has them.
    pub(crate) typed: Vec<(String, String)>,
    pub(crate) host: Vec<String>,
}

impl SourceText {
    /// The source of a request: its `text`, `language` and, if there is one, `name`.
    pub(crate) fn of(request: &Value) -> Result<Self, String> {
        let language = match field::optional_text(request, "language")? {
            None | Some("cuda") => Language::Cuda,
            Some("ptx") => Language::Ptx,
            Some(other) => return Err(format!("`{other}` is not a language; there are: cuda, ptx")),
        };
        let name = field::optional_text(request, "name")?.filter(|name| !name.is_empty());
        let name = name.map_or_else(
            || match language {
                Language::Cuda => "kernel.cu".to_owned(),
                Language::Ptx => "kernel.ptx".to_owned(),
            },
            str::to_owned,
        );
        Ok(SourceText {
            name,
            text: field::text(request, "text")?.to_owned(),
            language,
            defines: vec![],
            launched: None,
            instances: vec![],
        })
    }

    /// Compiles it.
    ///
    /// # Errors
    /// The messages.
    pub(crate) fn compile(&self) -> Result<Compiled, Vec<Value>> {
        let source = self.clone();
        if self.language == Language::Ptx {
            let (warnings, sources, origins, shared) = Default::default();
            let (typed, host) = Default::default();
            let ptx = self.text.clone();
            return Ok(Compiled { source, ptx, warnings, sources, origins, shared, typed, host });
        }
        let input = cuda::Input { name: &self.name, text: &self.text, include: &|_| None };
        let arch = cuda::Arch { number: GRADED_CAPABILITY, suffix: None };
        let SourceText { defines, launched, instances, .. } = source.clone();
        let options = cuda::Options { arch, defines, launched, instances, ..cuda::Options::default() };
        match cuda::compile(&input, &options) {
            Ok(cuda::Output { ptx, origins, warnings, sources, shared, typed, host, .. }) => {
                Ok(Compiled { source, ptx, warnings, sources, origins, shared, typed, host })
            }
            Err(failure) => Err(message::messages(&failure.diagnostics, &failure.sources, &[&self.name])),
        }
    }
}

impl Compiled {
    /// The compiler's warnings.
    pub(crate) fn messages(&self) -> Vec<Value> {
        message::messages(&self.warnings, &self.sources, &[&self.source.name])
    }

    /// The line of the text for which an instruction counts.
    pub(crate) fn line(&self, place: &Place) -> Option<u32> {
        match self.source.language {
            Language::Ptx => Some(place.at.0),
            Language::Cuda => {
                place.counted_line().filter(|(file, _)| *file == self.source.name).map(|(_, line)| *line)
            }
        }
    }

    /// Its kernels, with their parameters as they are written.
    fn kernels(&self) -> Vec<Value> {
        let entries = self.ptx.lines().filter_map(|line| line.split_once(".entry ").map(|(_, rest)| rest));
        let names = entries.filter_map(|rest| rest.split(['(', ' ', '{']).find(|name| !name.is_empty()));
        let kernel = |name: &str| {
            let written = names::readable(name).into_owned();
            let base = written.split(['(', '<']).next().unwrap_or_default();
            let base = base.rsplit([' ', ':']).next().unwrap_or_default();
            json!({ "name": written, "parameters": self.parameters(base) })
        };
        names.map(kernel).collect()
    }

    /// The parameters of a function of this name, as they are written.
    pub(crate) fn parameters(&self, name: &str) -> Vec<String> {
        faults::parameters(&self.source.text, name).unwrap_or_default()
    }
}

/// The response to a request to compile.
pub(crate) fn compile(request: &Value) -> Result<Value, String> {
    let source = SourceText::of(request)?;
    Ok(match source.compile() {
        Ok(compiled) => json!({
            "compiled": true,
            "kernels": compiled.kernels(),
            "messages": compiled.messages(),
            "ptx": compiled.ptx,
        }),
        Err(messages) => json!({ "compiled": false, "kernels": [], "messages": messages, "ptx": "" }),
    })
}
