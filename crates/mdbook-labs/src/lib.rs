//! The mdBook preprocessor for records, and the book built with it.
//!
//! Enters: chapters with directives, records, kernel sources. Leaves: chapters with the records' numbers in them, or
//! everything that is wrong with its `file:line:column`. This crate must never run a kernel: what it shows was recorded.
//!
//! # Directives
//!
//! A directive is a name, words in a fixed order, and options. A word or an option's value with spaces in it stands in
//! double quotation marks; lists are separated by commas without spaces. `RECORD` is a folder of `book/records` and a
//! lab, such as `h200/lab-5-5`. Directives in code (inline, fenced, indented) and in comments stay as they are, and so
//! does `\{{#…}}` (mdBook takes the backslash away).
//!
//! In a sentence:
//!
//! | directive | becomes |
//! | --- | --- |
//! | `{{#value RECORD EXPERIMENT SERIES X FIELD}}` | a number with its unit: `{{#value h200/lab-5-5 stencil constant 256 y}}` is `1,893 GB/s` |
//! | `{{#fact RECORD NAME}}` | a fact: `{{#fact h200/lab-5-5 constant-cache-bytes}}` is `2 KiB` |
//! | `{{#param RECORD NAME}}` | a parameter of the run: `16,777,216`; with `unit=B` it is a size and takes the prefix that fits |
//! | `{{#error RECORD MODELLED WHICH [experiments=a,b]}}` | of a modelled record's errors, WHICH is `mean` (of magnitudes), `worst` or `points` |
//! | `{{#device RECORD}}` | the device, its compute capability, multiprocessors and driver, and when it was measured |
//!
//! - `X` is a number, on which `KiB` or `MiB` may follow: `256`, `64KiB`.
//! - `FIELD`: `y`, `y.min`, `y.max`, `time.median`, `time.mean`, `time.min`, `time.max`, `time.iqr`, `calls`, `kernel`, `grid`,
//!   `block`, `shared`, `series` (its label), `x`; a counter such as `global_load_sectors` (as the embedded device counts it)
//!   or `hardware:global_load_sectors` (as Nsight Compute does on the GPU); a ratio
//!   `global_load_sectors/global_load_requests`, also with `hardware:` before it; `ideal:4`, a column of that number.
//! - `digits=3`: significant digits (three, or four from 1,000 on; whole numbers in full). `unit=`: one of `ns`, `µs` (or
//!   `us`), `ms`, `s`; `B`, `KiB`, `MiB`, `GiB`; `GB/s`, `TB/s`.
//! - A modelled time or bandwidth is followed by `(modelled)`; `mark=no` leaves that out where the sentence says it.
//!
//! On a line of their own:
//!
//! | directive | becomes |
//! | --- | --- |
//! | `{{#plot RECORD EXPERIMENT [series=a,b] [title="…"] [y=log10]}}` | the plot, with a caption that says whose run it is, and when; `y` is `linear`, `log2` or `log10` instead of what the record says |
//! | `{{#figure RECORD TRACE [title="…"]}}` | what single memory instructions asked for and cost: lanes to sectors, banks or passes, or rows of elements |
//! | `{{#table RECORD EXPERIMENT [series=a,b] [x=32,256] [columns=FIELD,FIELD] [caption="…"]}}` | a row for each point |
//! | `{{#table RECORD EXPERIMENT pivot=FIELD [series=a,b] [x=32,256] [caption="…"]}}` | a row for each x, a column for each series |
//! | `{{#counters RECORD EXPERIMENT [series=a,b] [x=256] [names=NAME,NAME]}}` | what the GPU counted beside what the embedded device did |
//! | `{{#claims RECORD}}` | the sources' claims, each with its verdict and why |
//! | `{{#errors RECORD MODELLED [experiments=a,b] [by=series]}}` | how far a modelled record is off the measured one of the same lab, a row a point or a series |
//! | `{{#labs}}` | the chapters that show a lab's claims: its command, and the devices it was recorded on |
//! | `{{#sources}}` | the texts that the claims are from |
//! | `{{#all-claims}}` | every claim of the sources, with the verdict of every recorded device and why |
//! | `{{#mistakes}}` | the mistakes of the sources, and where it is done right |
//! | `{{#all-errors}}` | how far all modelled records are off the measured ones of their chips and labs, a row a lab |
//! | `{{#api FILE}}` | the host calls of a file, named from the book's root: CUDA runtime, driver API, cudarc |
//! | `{{#chips FOLDER}}` | what the chip files of this folder say, in the order of `names=` |
//! | `{{#checks RECORD}}` | what had to hold for the numbers to count; checks of the same thing that passed share a row |
//!
//! Where the reader has a record of the same lab in `book/records/yours`, plots draw it over the reference, tables have a
//! column of it beside the result (in a pivot: a line below it), and claims its verdict. One that cannot be read, or does
//! not fit, is left out with a warning on the page and in the log; a damaged reference fails the build.
//!
//! # Formulas
//!
//! `$$ … $$` (on lines of its own) and `\\( … \\)` (in a sentence) hold LaTeX and become MathML. `\$\$` is two dollar signs.
//!
//! # Includes
//!
//! mdBook's own `{{#include ../../kernels/ch5-5/stencil.cu:constant}}` works as ever; that the file and the anchor are there
//! is checked here, because mdBook only logs it.

mod api;
mod book;
mod chapters;
mod chips;
mod expand;
mod include;
mod library;
mod math;
mod problem;
mod scan;
mod serve;
mod sources;

pub use book::{build, log_to_stderr, root};
pub use problem::{Problem, Problems};
pub use serve::Server;

use chapters::Chapters;
use expand::{KNOWN, Page};
use library::{Library, instead};
use mdbook_preprocessor::book::{Book, BookItem, Chapter};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext, errors};
use scan::{Directive, Kind};
use std::path::Path;

/// Where the records are, from the book's root, unless `preprocessor.labs.records` says otherwise.
const RECORDS: &str = "book/records";
/// Where the sources' claims are, likewise, unless `preprocessor.labs.claims` says otherwise.
const CLAIMS: &str = "book/claims.toml";

/// The preprocessor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Labs;

impl Preprocessor for Labs {
    fn name(&self) -> &str {
        "labs"
    }

    /// # Errors
    /// [`Problems`]: all that are wrong in the whole book.
    fn run(&self, context: &PreprocessorContext, mut book: Book) -> errors::Result<Book> {
        let records: Option<String> = context.config.get("preprocessor.labs.records")?;
        let claims: Option<String> = context.config.get("preprocessor.labs.claims")?;
        let library = Library::new(
            &context.root,
            records.as_deref().unwrap_or(RECORDS),
            claims.as_deref().unwrap_or(CLAIMS),
        );
        let chapters = Chapters::of(&book);
        let source = &context.config.book.src;
        let mut problems = Vec::new();
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
                );
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

    let mut page = Page::new(library, chapters, slug, up);
    let mut content = String::with_capacity(text.len());
    let mut copied = 0;
    let (pieces, malformed) = scan::pieces(&text);
    for (at, message) in malformed {
        wrong(at, message);
    }
    for piece in pieces {
        let expanded = match &piece.kind {
            Kind::Directive(directive) => match expand_directive(&mut page, directive, here) {
                Ok(expanded) => expanded,
                Err(message) => {
                    wrong(piece.range.start, format!("{{{{#{}}}}}: {message}", directive.name));
                    None
                }
            },
            Kind::Formula { tex, start, display } => match math::mathml(tex, *display) {
                Ok(mathml) => Some(expand::inert(&mathml)),
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
    content.push_str(&text[copied..]);
    problems.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
    chapter.content = content;
}

/// What a directive becomes; `None` for one that is mdBook's, or stands in code.
fn expand_directive(
    page: &mut Page<'_>,
    directive: &Directive,
    folder: &Path,
) -> Result<Option<String>, String> {
    let name = directive.name.as_str();
    if include::INCLUDES.contains(&name) {
        return match directive.words.first() {
            Some(argument) => include::check(argument, folder).map(|()| None),
            None => Err("names no file".into()),
        };
    }
    if directive.in_code || include::OTHERS.contains(&name) {
        return Ok(None);
    }
    match KNOWN.iter().find(|known| known.name == name) {
        Some(known) => page.expand(known, directive).map(Some),
        None => {
            let names = KNOWN.iter().map(|known| known.name).chain(include::INCLUDES).chain(include::OTHERS);
            Err(format!("no such directive{}", instead(name, names)))
        }
    }
}
