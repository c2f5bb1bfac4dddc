//! A student's exercises and answers with their points, as reports and tables hold them. All text is escaped.

use crate::points::Points;
use std::fmt;

/// Work that a student has handed in in addition to records, graded.
#[derive(Clone, Debug, Default)]
pub(crate) struct GradedWork {
    /// Name of the file that counts; empty where there is none.
    pub(crate) file: String,
    /// Author of the file, by its own words, and when it was written.
    pub(crate) by: String,
    pub(crate) when: String,
    /// Everything that is assigned, in the book's order.
    pub(crate) parts: Vec<Part>,
    /// Notes to the student on the file.
    pub(crate) notes: Vec<String>,
    /// Hints for a person to follow up.
    pub(crate) flags: Vec<String>,
}

/// An exercise, a question, or a question that is answered in words.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) kind: Kind,
    /// Name or id, unique in its kind.
    pub(crate) id: String,
    pub(crate) chapter: String,
    pub(crate) state: State,
    pub(crate) points: Points,
    /// Of how many; none while it is open.
    pub(crate) of: Points,
    /// The reason, in one line.
    pub(crate) why: String,
    /// The checker's messages, as they came. Not escaped.
    pub(crate) detail: String,
}

/// Kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Exercise,
    Question,
    Words,
}

impl Kind {
    /// All kinds, in the order of tables.
    pub(crate) const ALL: [Kind; 3] = [Kind::Exercise, Kind::Question, Kind::Words];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Exercise => "exercises",
            Kind::Question => "questions",
            Kind::Words => "answers in words",
        })
    }
}

/// State of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It was graded.
    Graded,
    /// It was not handed in.
    Missing,
    /// It could not be graded, through no fault of the student's.
    Open,
    /// It waits for a person's marks.
    Unmarked,
    /// It is about another version of the book, and does not count.
    Beside,
}

impl Part {
    /// A part without points as yet.
    pub(crate) fn new(kind: Kind, id: &str, chapter: &str, of: u32) -> Part {
        Part {
            kind,
            id: id.to_owned(),
            chapter: chapter.to_owned(),
            state: State::Graded,
            points: Points::default(),
            of: Points::whole(of),
            why: String::new(),
            detail: String::new(),
        }
    }

    /// The same with points, and the reason why it has them.
    pub(crate) fn with(self, points: Points, why: impl Into<String>) -> Part {
        Part { points, why: why.into(), ..self }
    }

    /// The same without points, which it could have had.
    pub(crate) fn without(self, state: State, why: impl Into<String>) -> Part {
        Part { state, ..self.with(Points::default(), why) }
    }

    /// The same as none of what counts.
    pub(crate) fn uncounted(self, state: State, why: impl Into<String>) -> Part {
        Part { of: Points::default(), ..self.without(state, why) }
    }
}

impl GradedWork {
    pub(crate) fn points(&self) -> Points {
        self.parts.iter().map(|part| part.points).sum()
    }

    pub(crate) fn of(&self) -> Points {
        self.parts.iter().map(|part| part.of).sum()
    }

    /// Parts of a kind.
    pub(crate) fn kind(&self, kind: Kind) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| part.kind == kind)
    }

    /// Whether a part could not be graded.
    pub(crate) fn is_open(&self) -> bool {
        self.parts.iter().any(|part| part.state == State::Open)
    }
}
