//! Source files and places in them.
//!
//! Enters: texts with names. Leaves: spans, and from a span the file, line and column. All files of a compilation lie in
//! one space of offsets, so that a place is one number. This module must never know what the texts mean.

use std::sync::Arc;

/// Place of a token: a range of offsets in [`Sources`], and the macro expansion it came out of.
///
/// For a token that a macro's body wrote, `lo..hi` is the name of the macro where the reader wrote it, outside of all
/// macros, and the expansion says where the token itself is spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub lo: u32,
    /// Offset after the last byte.
    pub hi: u32,
    /// Expansion that wrote the token: an index of [`Sources::expansion`] plus 1, or 0 for none.
    pub expansion: u32,
}

impl Span {
    /// The span of what is reported without a place.
    pub const NOWHERE: Span = Span { lo: u32::MAX, hi: u32::MAX, expansion: 0 };

    /// Span from the beginning of this to the end of another; the expansion is this one's.
    #[must_use]
    pub fn to(self, end: Span) -> Span {
        Span { lo: self.lo.min(end.lo), hi: self.hi.max(end.hi), expansion: self.expansion }
    }

    /// Place just after this span, of no width: where something is missing.
    #[must_use]
    pub fn after(self) -> Span {
        Span { lo: self.hi, ..self }
    }
}

/// Expansion of a macro, for one token that its body wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Name of the macro, where it is defined.
    pub name: Span,
    /// Where it is called: in a file or, by its own expansion, in the body of another macro.
    pub call: Span,
    /// Where the token is spelled.
    pub spelled: Span,
}

/// File of a compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Name as in messages and in PTX's `.file`.
    pub name: String,
    /// Contents; shared, so that it can be read while expansions are added.
    pub text: Arc<str>,
    /// Offset of its first byte.
    pub start: u32,
    /// Whether it is one of the compiler's own headers: warnings in it are not reported, and debuggers step over it.
    pub ours: bool,
    line_starts: Vec<u32>,
}

/// Line and column of an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position<'a> {
    /// File.
    pub file: &'a File,
    /// Index of the file among [`Sources::files`].
    pub index: usize,
    /// Line, from 1.
    pub line: u32,
    /// The line's text up to the offset.
    before: &'a str,
}

impl Position<'_> {
    /// Column in characters, from 1. It is counted only where it is asked for: a table may be one line of megabytes, and each
    /// of its numbers is asked for its file.
    pub fn column(&self) -> u32 {
        self.before.chars().count() as u32 + 1
    }
}

/// All files and expansions of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<File>,
    expansions: Vec<Expansion>,
    /// Headers of the source being read that are known by name only.
    by_name_only: Vec<String>,
}

impl Sources {
    /// Adds a file; `None` where all offsets are used up (4 GiB).
    pub fn add(&mut self, name: &str, text: String, ours: bool) -> Option<&File> {
        // One offset between files, so that the end of one is not the beginning of the next.
        let start = self.files.last().map_or(0, |last| last.start + last.text.len() as u32 + 1);
        start.checked_add(u32::try_from(text.len()).ok()?)?.checked_add(1)?;
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1))
            .collect();
        self.files.push(File { name: name.to_owned(), text: text.into(), start, ours, line_starts });
        self.files.last()
    }

    /// Begins with another source, of which no header is known yet.
    pub(crate) fn begin(&mut self) {
        self.by_name_only.clear();
    }

    /// Notes a header of the source that is known by name, without what it declares.
    pub(crate) fn note_by_name_only(&mut self, header: &str) {
        if !self.by_name_only.iter().any(|known| known == header) {
            self.by_name_only.push(header.to_owned());
        }
    }

    /// Headers that the source being read includes, and of which nothing is there but the name, in their order.
    pub(crate) fn by_name_only(&self) -> &[String] {
        &self.by_name_only
    }

    /// Adds an expansion; its number is what spans hold.
    pub fn expand(&mut self, expansion: Expansion) -> u32 {
        self.expansions.push(expansion);
        u32::try_from(self.expansions.len()).unwrap_or(0)
    }

    /// Expansion that a span came out of.
    pub fn expansion(&self, span: Span) -> Option<&Expansion> {
        self.expansions.get((span.expansion as usize).checked_sub(1)?)
    }

    /// All files, in the order in which they were opened.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// File, line and column of an offset; `None` where there is no file.
    pub fn position(&self, offset: u32) -> Option<Position<'_>> {
        if offset == Span::NOWHERE.lo {
            return None;
        }
        let index = self.files.partition_point(|file| file.start <= offset).checked_sub(1)?;
        let file = &self.files[index];
        let at = (offset - file.start).min(file.text.len() as u32);
        let line = file.line_starts.partition_point(|start| *start <= at);
        let start = file.line_starts[line - 1] as usize;
        let before = file.text.get(start..at as usize).unwrap_or_default();
        Some(Position { file, index, line: line as u32, before })
    }

    /// Text of a span; empty where it has none.
    pub fn text(&self, span: Span) -> &str {
        let Some(place) = self.position(span.lo) else { return "" };
        let start = place.file.start;
        place
            .file
            .text
            .get((span.lo - start) as usize..(span.hi.max(span.lo) - start) as usize)
            .unwrap_or_default()
    }
}

/// What the lines of a PTX text were made from. `.loc` has a beginning only, which a sum and its first operand share; this
/// has an end too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Lines of the text that tell a place, rising, with that place.
    told: Vec<(u32, Origin)>,
}

/// What an instruction was made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// Its code, which never lies in a header of the compiler's.
    pub span: Span,
    /// Of code in functions that were inlined, a number for the calls that brought it there: copies that an unrolled loop has of
    /// a call have one number, and two calls have two.
    pub calls: u32,
}

impl Origins {
    /// What a line that tells a place begins with.
    pub(crate) const LOC: &str = "\t.loc\t";

    /// Those of a text whose lines tell these places, in order.
    pub(crate) fn of(text: &str, origins: &[Origin]) -> Self {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.starts_with(Self::LOC));
        let numbers: Vec<u32> = lines.map(|(number, _)| number).collect();
        // Assembly of the reader's own may have such lines: then it is not known which is whose.
        if numbers.len() != origins.len() {
            return Origins::default();
        }
        Origins { told: numbers.into_iter().zip(origins.iter().copied()).collect() }
    }

    /// Lines of the PTX, from 1 and rising, with the code that each, and those after it up to the next, were made from.
    pub fn spans(&self) -> impl Iterator<Item = (u32, Span)> {
        self.told.iter().map(|(line, origin)| (*line, origin.span))
    }

    /// What a line of the PTX was made from, the first line being 1. It never lies in a header of the compiler's.
    pub fn origin(&self, line: u32) -> Option<Origin> {
        let after = self.told.partition_point(|(told, _)| *told <= line);
        let (_, origin) = self.told.get(after.checked_sub(1)?)?;
        (origin.span != Span::default()).then_some(*origin)
    }

    /// The code of that.
    pub fn span(&self, line: u32) -> Option<Span> {
        self.origin(line).map(|origin| origin.span)
    }
}
