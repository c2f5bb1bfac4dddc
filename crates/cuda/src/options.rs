//! What a compilation is given, and what it gives.
//!
//! Enters: nothing. Leaves: the types. This module must never know how anything is compiled.

use crate::diagnostic::Diagnostic;
use crate::source::{Origins, Sources};
use names::Shared;

/// Source of a compilation: a file, and how others next to it are found.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// Name as messages and the line table show it.
    pub name: &'a str,
    /// CUDA C.
    pub text: &'a str,
    /// File that `#include "…"` names, given by its path relative to the source's folder; `None` where there is none.
    pub include: &'a dyn Fn(&str) -> Option<Header>,
}

/// File that a source includes.
#[derive(Clone, Debug)]
pub struct Header {
    /// Name as messages and the line table show it; `None` for its path from the source's folder.
    pub name: Option<String>,
    /// Its text, or why it is there and cannot be read.
    pub text: Result<String, String>,
}

impl From<String> for Header {
    fn from(text: String) -> Self {
        Self { name: None, text: Ok(text) }
    }
}

/// Language of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// CUDA C++.
    #[default]
    Cuda,
    /// C++: it has no kernels, and is the host's alone.
    Cpp,
    /// C, the same.
    C,
}

impl Language {
    /// That of a file, by its name, as nvcc has it.
    pub fn of(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1 {
            "cu" => Some(Language::Cuda),
            "cpp" | "cc" | "cxx" | "c++" | "C" => Some(Language::Cpp),
            "c" => Some(Language::C),
            _ => None,
        }
    }
}

/// Architecture that the PTX is for, as in `compute_90a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arch {
    /// Number, such as 52 or 90.
    pub number: u32,
    /// `a` for what one architecture alone has, `f` for a family's; nothing otherwise.
    pub suffix: Option<char>,
}

impl Default for Arch {
    /// `compute_52`: the oldest that CUDA 12 knows.
    fn default() -> Self {
        Self { number: 52, suffix: None }
    }
}

impl std::str::FromStr for Arch {
    type Err = String;

    /// `52`, `compute_52` or `sm_90a`.
    fn from_str(text: &str) -> Result<Self, String> {
        let bare = text.trim_start_matches("compute_").trim_start_matches("sm_");
        let digits = bare.trim_end_matches(['a', 'f']);
        let number = digits.parse().ok().filter(|number| (50..1000).contains(number));
        match (number, bare.len() - digits.len()) {
            (Some(number), 0 | 1) => Ok(Self { number, suffix: bare[digits.len()..].chars().next() }),
            _ => Err(format!(
                "unknown architecture `{text}`: expected one such as `compute_52` or `compute_90a`"
            )),
        }
    }
}

impl std::fmt::Display for Arch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "compute_{}", self.number)?;
        self.suffix.map_or(Ok(()), |suffix| write!(f, "{suffix}"))
    }
}

/// Options of a compilation.
#[derive(Clone, Debug)]
pub struct Options {
    /// Architecture.
    pub arch: Arch,
    /// Macros, as `-D name=value` defines them.
    pub defines: Vec<(String, String)>,
    /// Headers that are included before each source.
    pub before: Vec<String>,
    /// Language of all sources; `None` for those of their names, and CUDA C++ where these do not say.
    pub language: Option<Language>,
    /// Whether the device code of a program's files is linked (`-rdc=true`).
    pub relocatable: bool,
    /// Whether a product and a sum may be rounded once (`--fmad`, which NVRTC has on by default).
    pub fmad: bool,
    /// Whether single precision is computed by the quick instructions, as with `-use_fast_math`.
    pub fast_math: bool,
    /// Kernels that will be launched, by their names without namespaces and arguments of templates, or by their symbols: of all
    /// others no instructions are written, errors in them are reported, and warnings are not. Most of the time the many kernels take is
    /// theirs. `None`: any may be.
    pub launched: Option<Vec<String>>,
    /// Instances of kernels' templates that are made although the source does not name them, such as `scale<float, 4>`, as
    /// `nvrtcAddNameExpression` takes them. What is no such name makes none.
    pub instances: Vec<String>,
}

impl Options {
    /// Language of a source.
    #[cfg(feature = "host")]
    pub(crate) fn language_of(&self, name: &str) -> Language {
        self.language.or_else(|| Language::of(name)).unwrap_or_default()
    }

    /// Whether a kernel of this symbol may be launched.
    pub(crate) fn launches(&self, symbol: &str) -> bool {
        self.launched.as_ref().is_none_or(|launched| launched.iter().any(|name| is_of(symbol, name)))
    }
}

/// Whether a symbol may be that of a function with this name: it is the name, or has it with its length before it.
fn is_of(symbol: &str, name: &str) -> bool {
    let word = format!("{}{name}", name.len());
    let digit = |at: usize| symbol[..at].ends_with(|before: char| before.is_ascii_digit());
    symbol == name || symbol.match_indices(&word).any(|(at, _)| !digit(at))
}

/// Instances that are names of some, as far as their letters tell.
pub(crate) fn asked(instances: &[String]) -> impl Iterator<Item = &String> {
    instances.iter().filter(|name| names_instance(name))
}

/// Whether a text may be a name with template arguments, and ends nothing that was begun before it.
fn names_instance(name: &str) -> bool {
    let Some((template, arguments)) = name.split_once('<') else { return false };
    let mut open = 0_usize;
    let closed = arguments.chars().all(|letter| match letter {
        '(' => {
            open += 1;
            true
        }
        ')' => {
            let inner = open.checked_sub(1);
            open = inner.unwrap_or(open);
            inner.is_some()
        }
        _ => true,
    });
    // `'a'`
    let mut parts = arguments.split('\'').skip(1);
    let mut characters = true;
    while let Some(character) = parts.next() {
        characters &= character.chars().count() == 1 && parts.next().is_some();
    }
    name.ends_with('>')
        && !template.contains(['(', ')', '\''])
        && !name.contains(['{', '}', ';', '#', '"', '\\', '\n', '\r'])
        && closed
        && open == 0
        && characters
}

/// Name of the file that [`launches_of`] makes.
pub(crate) const INSTANCES: &str = "instances that are launched";

/// Host code that launches each of the instances that are [`asked`] for, whatever their parameters are: one a line, from the
/// second line on. Empty where there are none.
pub(crate) fn launches_of(instances: &[String]) -> String {
    let launches: String = asked(instances).map(|name| format!("{name}<<<1, 1>>>();\n")).collect();
    if launches.is_empty() { launches } else { format!("void __launches_of_instances() {{\n{launches}}}\n") }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            arch: Arch::default(),
            defines: vec![],
            before: vec![],
            language: None,
            relocatable: false,
            fmad: true,
            fast_math: false,
            launched: None,
            instances: vec![],
        }
    }
}

/// What a source was compiled to.
#[derive(Clone, Debug)]
pub struct Output {
    /// PTX, with line information.
    pub ptx: String,
    /// What its lines were made from.
    pub origins: Origins,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// Files that these places lie in.
    pub sources: Sources,
    /// Variables in shared memory whose sizes the source says.
    pub shared: Vec<Shared>,
    /// Instances that were asked for by [`Options::instances`], each with its name in the PTX.
    pub instances: Vec<(String, String)>,
    /// Kernels whose names in the PTX do not tell the types of their parameters, since they are `extern "C"`: each with the name that
    /// it would have otherwise.
    pub typed: Vec<(String, String)>,
    /// Functions of the source that are the host's alone, of which nothing is made, in their order; without methods.
    pub host: Vec<String>,
}

/// Why a source was not compiled.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Errors and warnings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// Files that their places lie in.
    pub sources: Sources,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_architecture_is_a_number_with_a_letter_or_none() {
        for (text, shown) in
            [("52", "compute_52"), ("compute_90a", "compute_90a"), ("sm_100f", "compute_100f")]
        {
            assert_eq!(text.parse::<Arch>().map(|arch| arch.to_string()), Ok(shown.to_owned()));
        }
        for text in ["", "a", "90aa", "9", "compute_", "12.9"] {
            assert!(text.parse::<Arch>().is_err(), "{text}");
        }
    }
}
