//! The preprocessor: expands each chapter's directives and formulas.
//!
//! Enters: mdBook's chapters. Leaves: the chapters with directives and formulas expanded, or all problems of the book.

use crate::chapters::Chapters;
use crate::expand::{KNOWN, Page};
use crate::glossary;
use crate::library::{Library, Named, instead};
use crate::problem::{Problem, Problems};
use crate::reading::Effort;
use crate::scan::{self, Directive, Kind};
use crate::{include, live, math, nonbreaking, raw_html, reading};
use mdbook_preprocessor::book::{Book, BookItem, Chapter};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext, errors};
use std::ops::Range;
use std::path::Path;

/// Folder of the records, from the book's root, unless `preprocessor.labs.records` names another.
const RECORDS: &str = "book/records";

/// Preprocessor that expands the directives.
#[derive(Clone, Copy, Debug, Default)]
pub struct Labs;

impl Preprocessor for Labs {
    fn name(&self) -> &str {
        "labs"
    }

    /// # Errors
    /// [`Problems`]: all those of the whole book.
    fn run(&self, context: &PreprocessorContext, mut book: Book) -> errors::Result<Book> {
        let records: Option<String> = context.config.get("preprocessor.labs.records")?;
        let named = Named {
            claims: context.config.get("preprocessor.labs.claims")?,
            questions: context.config.get("preprocessor.labs.questions")?,
            glossary: context.config.get("preprocessor.labs.glossary")?,
            live: context.config.get("preprocessor.labs.live")?,
            programs: context.config.get("preprocessor.labs.programs")?,
            runs: context.config.get(live::RUNS)?.unwrap_or(false),
        };
        let library = Library::new(&context.root, records.as_deref().unwrap_or(RECORDS), named);
        let chapters = Chapters::of(&book);
        let source = &context.config.book.src;
        let mut problems = Vec::new();
        let mut efforts = Vec::new();
        book.for_each_mut(|item| {
            if let BookItem::Chapter(chapter) = item {
                let folder = context.root.join(source);
                expand_chapter(
                    chapter,
                    &source.to_string_lossy(),
                    &folder,
                    &library,
                    &chapters,
                    &mut problems,
                    &mut efforts,
                );
            }
        });
        book.for_each_mut(|item| {
            let BookItem::Chapter(chapter) = item else { return };
            if chapter.content.contains(reading::TABLE) {
                chapter.content =
                    chapter.content.replace(reading::TABLE, &raw_html::inert(&reading::table(&efforts)));
            }
        });
        if problems.is_empty() { Ok(book) } else { Err(Problems(problems).into()) }
    }

    fn supports_renderer(&self, renderer: &str) -> errors::Result<bool> {
        Ok(renderer == "html")
    }
}

fn expand_chapter(
    chapter: &mut Chapter,
    source: &str,
    folder: &Path,
    library: &Library,
    chapters: &Chapters,
    problems: &mut Vec<Problem>,
    efforts: &mut Vec<(String, String, Effort)>,
) {
    // A draft has no file and no text.
    let Some(path) = chapter.source_path.clone() else { return };
    let shown = path.to_string_lossy().replace('\\', "/");
    let file = if source.is_empty() { shown.clone() } else { format!("{source}/{shown}") };
    let slug: String = shown.trim_end_matches(".md").replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let up = "../".repeat(shown.matches('/').count());
    let here = folder.join(&path);
    let here = here.parent().unwrap_or(folder);
    let text = std::mem::take(&mut chapter.content);
    let mut wrong = |at: usize, message: String| problems.push(Problem::at(&file, &text, at, message));

    let mut links = match library.glossary() {
        Ok(Some(terms)) if shown != glossary::PAGE => terms.links(&text, &up),
        Ok(_) => Vec::new(),
        Err(message) => {
            wrong(0, message);
            Vec::new()
        }
    };
    // No term holds a number.
    links.extend(nonbreaking::places(&text));
    links.sort_by_key(|(range, _)| range.start);
    let mut links = links.into_iter().peekable();
    let mut page = Page::new(library, chapters, slug, up, here);
    let mut content = String::with_capacity(text.len());
    let mut copied = 0;
    let (pieces, malformed) = scan::pieces(&text);
    for (at, message) in malformed {
        wrong(at, message);
    }
    for piece in pieces {
        // Terms before the piece are linked, and spaces replaced; in it there are none.
        while let Some((range, link)) = links.next_if(|(range, _)| range.start < piece.range.end) {
            if range.end <= piece.range.start {
                content.push_str(&text[copied..range.start]);
                content.push_str(&link);
                copied = range.end;
            }
        }
        let expanded = match &piece.kind {
            Kind::Directive(directive) => match expand_directive(&mut page, directive, &text, &piece.range) {
                Ok(expanded) => expanded,
                Err(message) => {
                    wrong(piece.range.start, format!("{{{{#{}}}}}: {message}", directive.name));
                    None
                }
            },
            Kind::Formula { tex, start, display } => match math::mathml(tex, *display) {
                Ok(mathml) => Some(raw_html::inert(&mathml)),
                Err((at, message)) => {
                    wrong(start + at, message);
                    None
                }
            },
        };
        if let Some(expanded) = expanded {
            content.push_str(&text[copied..piece.range.start]);
            content.push_str(&expanded);
            copied = piece.range.end;
        }
    }
    for (range, link) in links {
        content.push_str(&text[copied..range.start]);
        content.push_str(&link);
        copied = range.end;
    }
    content.push_str(&text[copied..]);
    if let Some(at) = text.find("{{#time}}").filter(|_| content.contains(reading::MARK)) {
        // The name of its page is the chapter's in the list of exercises.
        let name = shown.trim_end_matches(".md");
        match Effort::of(name, &content) {
            Ok(effort) => {
                content = content.replace(reading::MARK, &raw_html::inert(&effort.time()));
                efforts.push((format!("{name}.html"), chapter.name.clone(), effort));
            }
            Err(message) => wrong(at, message),
        }
    }
    if let Err(message) = page.finish() {
        wrong(text.len(), message);
    }
    problems.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
    chapter.content = content;
}

/// Replacement of a directive; `None` for one that is mdBook's, or is in code.
fn expand_directive(
    page: &mut Page<'_>,
    directive: &Directive,
    text: &str,
    range: &Range<usize>,
) -> Result<Option<String>, String> {
    let name = directive.name.as_str();
    if include::INCLUDES.contains(&name) {
        return match directive.words.first() {
            Some(argument) => include::check(argument, page.folder).map(|()| None),
            None => Err("names no file".into()),
        };
    }
    if directive.in_code || include::OTHERS.contains(&name) {
        return Ok(None);
    }
    match KNOWN.iter().find(|known| known.name == name) {
        Some(known) => {
            let first = range.start == 0 || text[..range.start].ends_with('\n');
            let alone = first && text[range.end..].lines().next().is_none_or(|rest| rest.trim().is_empty());
            page.expand(known, directive, alone).map(Some)
        }
        None => {
            let names = KNOWN.iter().map(|known| known.name).chain(include::INCLUDES).chain(include::OTHERS);
            Err(format!("no such directive{}", instead(name, names)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crate_s_documentation_has_every_directive() {
        let text = include_str!("lib.rs");
        let has = |name: &str| [" ", "}"].iter().any(|end| text.contains(&format!("{{{{#{name}{end}")));
        let missing: Vec<_> = KNOWN.iter().map(|known| known.name).filter(|name| !has(name)).collect();
        assert!(missing.is_empty(), "not in lib.rs: {missing:?}");
    }
}
