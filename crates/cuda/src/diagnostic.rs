//! Errors and warnings, with the places in the source that they are about.
//!
//! Enters: what a stage of the compiler found. Leaves: texts for a terminal, in the manner of rustc. This module must
//! never know what the stages do.

mod render;

use crate::source::Span;

pub use render::{Located, Place, locate, render};

/// Weight of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// There is no PTX.
    Error,
    /// There is PTX, which likely does not do what was meant.
    Warning,
}

/// Error or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether PTX was made in spite of it.
    pub severity: Severity,
    /// Short name by which a warning is known, such as `divergent-barrier`; for errors, that of their kind.
    pub code: &'static str,
    /// What is wrong, in a sentence without a full stop, with types and names as written.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What is there, in a few words next to the caret; empty for none.
    pub label: String,
    /// Other places that matter, each with a few words.
    pub related: Vec<(Span, String)>,
    /// What to write instead.
    pub help: Option<String>,
    /// What it is about, where one message with this code about one thing is enough: the first that is found.
    pub subject: Option<String>,
    /// The name that is unknown, where one message with this code about it is enough: the first in the source.
    pub unknown: Option<String>,
}

impl Diagnostic {
    /// An error without a label, related places or help.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            span,
            label: String::new(),
            related: vec![],
            help: None,
            subject: None,
            unknown: None,
        }
    }

    /// A warning without a label, related places or help.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// The same with a few words next to the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same with a further place.
    #[must_use]
    pub fn related(mut self, span: Span, words: impl Into<String>) -> Self {
        self.related.push((span, words.into()));
        self
    }

    /// The same as the one message with its code about a thing.
    #[must_use]
    pub fn about(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// The same as a message about a name that is unknown.
    #[must_use]
    pub fn unknown(mut self, name: impl Into<String>) -> Self {
        self.unknown = Some(name.into());
        self
    }

    /// The same with what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Diagnostics in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    /// All so far.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Whether there is an error among them.
    pub fn failed(&self) -> bool {
        self.list.iter().any(|one| one.severity == Severity::Error)
    }

    /// How many of them are errors.
    pub fn errors(&self) -> usize {
        self.list.iter().filter(|one| one.severity == Severity::Error).count()
    }
}

/// The name most like a given one, where one is like enough that it may be meant: the same but for upper and lower case, or
/// with one or two letters changed, left out, added or exchanged. Of names that are equally like it, the one that begins with most of
/// its letters, then the first in the alphabet, so that the answer does not depend on their order.
pub(crate) fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    distances(name, names).min().map(|(_, other)| other)
}

/// How far a name is from a given one: letters that differ, and how few of the first are the same.
pub(crate) type Distance = (usize, std::cmp::Reverse<usize>);

/// Names that are like a given one, with how far they are from it.
pub(crate) fn distances<'a>(
    name: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> impl Iterator<Item = (Distance, &'a str)> {
    let most = match name.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    let others = names
        .into_iter()
        .filter(move |other| *other != name && !other.is_empty() && other.len().abs_diff(name.len()) <= most);
    others.filter_map(move |other| {
        let same = name.bytes().zip(other.bytes()).take_while(|(own, other)| own == other).count();
        let same = std::cmp::Reverse(same);
        if other.eq_ignore_ascii_case(name) {
            return Some(((0, same), other));
        }
        // In a short name, the case of letters is much of what there is: `acc` is hardly `GCC`.
        let far = if most < 2 {
            strsim::osa_distance(name, other)
        } else {
            strsim::osa_distance(&name.to_ascii_lowercase(), &other.to_ascii_lowercase())
        };
        (far <= most).then_some(((far, same), other))
    })
}
