//! What a program did wrong, as its calls of the C library show it.
//!
//! Enters: the call, and what is known of what it concerns. Leaves: data, for those who show it in the words and with the lines of
//! the source. C leaves all of these undefined, so that the call itself says nothing.

use crate::guest::Site;

/// Kind of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mistake {
    /// `free` of a block that was freed before.
    DoubleFree,
    /// `free` of an address that is not a block's start.
    BadFree,
    /// `free` of what `new` made, `delete` of what `malloc` made, and their like.
    WrongFree,
    /// A write past a block's end.
    Overrun,
    /// Memory that was never freed, at the program's end.
    Leak,
    /// More memory than the program may have.
    OutOfMemory,
    /// `memcpy`, `strcpy` and their like from and to ranges that overlap.
    Overlap,
    /// A pointer that a function of the library was to read or write at, and that points to no memory.
    BadPointer,
    /// A pointer to freed memory, given to a function of the library.
    UseAfterFree,
    /// A stream that was closed, or is not one.
    BadStream,
    /// `fclose` of a stream that was closed before.
    DoubleClose,
    /// A file outside the folder that the program may use, or a use of it that is not allowed.
    RefusedFile,
    /// What the sandbox does not have: `system`, `mkstemp`.
    Refused,
    /// A conversion of `printf` or `scanf` that does not exist.
    BadFormat,
    /// A member of a container that is not there, such as one past a vector's last.
    Precondition,
}

impl Mistake {
    /// Name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::DoubleFree => "double-free",
            Self::BadFree => "bad-free",
            Self::WrongFree => "wrong-free",
            Self::Overrun => "heap-overrun",
            Self::Leak => "leak",
            Self::OutOfMemory => "out-of-memory",
            Self::Overlap => "overlap",
            Self::BadPointer => "bad-pointer",
            Self::UseAfterFree => "use-after-free",
            Self::BadStream => "bad-stream",
            Self::DoubleClose => "double-close",
            Self::RefusedFile => "refused-file",
            Self::Refused => "refused",
            Self::BadFormat => "bad-format",
            Self::Precondition => "precondition",
        }
    }
}

/// What happened at another place that a mistake has to do with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The block was allocated.
    Allocated,
    /// The block was freed.
    Freed,
    /// The stream was opened.
    Opened,
    /// The stream was closed.
    Closed,
}

/// A mistake of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its kind.
    pub mistake: Mistake,
    /// The call that shows it: of a leak, the one that allocated.
    pub site: Option<Site>,
    /// Function of the library that was called, by its name.
    pub function: &'static str,
    /// Other places, and what happened there.
    pub others: Vec<(Event, Site)>,
    /// What is wrong, without places: lower case, names in backticks.
    pub message: String,
    /// How often it happened at this place.
    pub times: u64,
}

/// Different mistakes that are kept.
const MOST: usize = 200;

/// Mistakes so far, in their order; those of one kind at one place are one.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    all: Vec<Finding>,
}

impl Findings {
    /// Enters a mistake.
    pub fn add(&mut self, finding: Finding) {
        let same = |one: &&mut Finding| {
            one.site.is_some()
                && one.site == finding.site
                && one.mistake == finding.mistake
                && one.function == finding.function
        };
        if let Some(one) = self.all.iter_mut().find(same) {
            one.times += 1;
        } else if self.all.len() < MOST {
            self.all.push(finding);
        }
    }

    /// All mistakes.
    pub fn all(&self) -> &[Finding] {
        &self.all
    }
}
