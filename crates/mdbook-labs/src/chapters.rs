//! The chapters of a book as links need them: their paths and names, and for each lab the one that shows its claims.
//!
//! Enters: the book as mdBook has read it. Leaves: paths and names. This module must never change a chapter.

use crate::scan::{Kind, pieces};
use mdbook_preprocessor::book::{Book, BookItem};
use std::collections::BTreeMap;

/// All chapters that have a page.
#[derive(Debug, Default)]
pub(crate) struct Chapters {
    /// Names by path, such as `constant-memory.md`.
    names: BTreeMap<String, String>,
    /// Labs with paths, in the order of the chapters: each lab with the first chapter that shows the claims of a record
    /// of it.
    labs: Vec<(String, String)>,
}

impl Chapters {
    pub(crate) fn of(book: &Book) -> Self {
        let mut chapters = Chapters::default();
        for item in book.iter() {
            let BookItem::Chapter(chapter) = item else { continue };
            let Some(path) = &chapter.source_path else { continue };
            let path = path.to_string_lossy().replace('\\', "/");
            for piece in pieces(&chapter.content).0 {
                if let Kind::Directive(directive) = piece.kind
                    && directive.name == "claims"
                    && !directive.in_code
                    && let Some((_, lab)) = directive.words.first().and_then(|record| record.split_once('/'))
                    && !chapters.labs.iter().any(|(there, _)| there == lab)
                {
                    chapters.labs.push((lab.to_owned(), path.clone()));
                }
            }
            chapters.names.insert(path, chapter.name.clone());
        }
        chapters
    }

    /// Path and name of the chapter that shows a lab's claims.
    pub(crate) fn of_lab(&self, lab: &str) -> Option<(&str, &str)> {
        let (_, path) = self.labs.iter().find(|(there, _)| there == lab)?;
        Some((path, self.names.get(path)?))
    }

    /// The labs that have a chapter, in the order of the chapters.
    pub(crate) fn labs(&self) -> impl Iterator<Item = &str> {
        self.labs.iter().map(|(lab, _)| lab.as_str())
    }

    /// The name of the chapter at a path.
    pub(crate) fn name(&self, path: &str) -> Option<&str> {
        self.names.get(path).map(String::as_str)
    }

    /// Paths of all chapters.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> + Clone {
        self.names.keys().map(String::as_str)
    }
}
