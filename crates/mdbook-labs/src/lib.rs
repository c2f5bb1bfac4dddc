//! The mdBook preprocessor for records, and the book built with it.
//!
//! Enters: chapters with directives, records, kernel sources. Leaves: chapters with the records' numbers in them, or
//! all problems, each with its `file:line:column`. This crate must never run a kernel: it shows recorded results.
//!
//! ```
//! use mdbook_preprocessor::book::{Book, BookItem, Chapter};
//! use mdbook_preprocessor::{Preprocessor, PreprocessorContext, config::Config};
//!
//! let mut book = Book::new();
//! let text = "A block of 32 × 8 threads: {{#value h200/lab-4-3 blocks naive 32 time.median}}.";
//! book.push_item(Chapter::new("One", text.into(), "one.md", vec![]));
//!
//! // The repository is the book's root; its records are in book/records.
//! let context = PreprocessorContext::new("../..".into(), Config::default(), "html".into());
//! let book = mdbook_labs::Labs.run(&context, book)?;
//! let Some(BookItem::Chapter(chapter)) = book.items.first() else { panic!("a chapter") };
//! assert!(chapter.content.ends_with("µs."), "{}", chapter.content);
//! # Ok::<(), mdbook_preprocessor::errors::Error>(())
//! ```
//!
//! # Settings
//!
//! In `book.toml`, below `[preprocessor.labs]`, as paths from the book's root: `records`, the folder of the records
//! (`book/records` by default), `claims`, the file of the sources' claims and mistakes, which the directives on
//! them need, `questions`, the file of questions, `glossary`, the file of terms, `live`, that of live kernels, and `programs`, that
//! of the programs that chapters show.
//!
//! # Directives
//!
//! A directive is a name, words in a fixed order, and options. A word or an option's value with spaces in it is put in
//! double quotation marks; lists are separated by commas without spaces. `RECORD` is a folder of `book/records` and a
//! lab, such as `h200/lab-5-5`. Directives in code (inline, fenced, indented) and in comments stay as they are, and so
//! does `\{{#…}}` (mdBook takes the backslash away).
//!
//! In a sentence:
//!
//! | directive | becomes |
//! | --- | --- |
//! | `{{#value RECORD EXPERIMENT SERIES X FIELD}}` | a number with its unit: `{{#value h200/lab-5-5 stencil constant 256 y}}` is `1,893 GB/s` |
//! | `{{#fact RECORD NAME}}` | a fact: `{{#fact h200/lab-5-5 constant_l1_capacity}}` is `2 KiB` |
//! | `{{#param RECORD NAME}}` | a parameter of the run: `16,777,216`; with `unit=B` it is a size and takes the prefix that fits |
//! | `{{#error RECORD MODELLED WHICH [experiments=a,b]}}` | of a modelled record's errors, WHICH is `mean` (of magnitudes), `worst` or `points` |
//! | `{{#time}}` | the time that the chapter takes, to read and for its exercises, by a fixed rule |
//! | `{{#time-rule}}` | that rule |
//! | `{{#device RECORD}}` | the device, its compute capability, multiprocessors and driver, and when it was measured |
//!
//! - `X` is a number, on which `KiB` or `MiB` may follow: `256`, `64KiB`.
//! - `FIELD`: `y`, `y.min`, `y.max`, `time.median`, `time.mean`, `time.min`, `time.max`, `time.iqr`, `calls`, `kernel`, `grid`,
//!   `block`, `shared`, `series` (its label), `x`; a counter such as `global_load_sectors` (as the embedded device counts it)
//!   or `hardware:global_load_sectors` (as Nsight Compute does on the GPU); a ratio
//!   `global_load_sectors/global_load_requests`, also with `hardware:` before it; `ideal:4`, a column of that number.
//! - `digits=3`: significant digits (three, or four from 1,000 on; whole numbers in full). `unit=`: one of `ns`, `µs` (or
//!   `us`), `ms`, `s`; `B`, `KiB`, `MiB`, `GiB`; `GB/s`, `TB/s`; `%` for a share, which is a number without a unit:
//!   `{{#fact h200/lab-5-5 best_stencil_share_of_copy unit=%}}` is `99.1 %`. In a table only ratios and `y` become
//!   percentages; counts next to them stay counts.
//! - A modelled time or bandwidth is followed by `(modelled)`; `mark=no` leaves that out where the sentence says it.
//!
//! On their own lines:
//!
//! | directive | becomes |
//! | --- | --- |
//! | `{{#plot RECORD EXPERIMENT [series=a,b] [title="…"] [y=log10]}}` | the plot, with a caption that says whose run it is, and when; `y` is `linear`, `log2` or `log10` instead of what the record says |
//! | `{{#figure RECORD TRACE [title="…"] [counts=no]}}` | what single memory instructions asked for and cost: lanes to sectors, banks or broadcasts, or rows of elements; with `counts=no`, their key shows no counts, for a reader who is asked for them later |
//! | `{{#table RECORD EXPERIMENT [series=a,b] [x=32,256] [columns=FIELD,FIELD] [caption="…"]}}` | a row for each point |
//! | `{{#table RECORD EXPERIMENT pivot=FIELD [series=a,b] [x=32,256] [caption="…"]}}` | a row for each x, a column for each series |
//! | `{{#counters RECORD EXPERIMENT [series=a,b] [x=256] [names=NAME,NAME]}}` | the GPU's counts next to the embedded device's; of a record of the embedded device its counts alone |
//! | `{{#strips RECORD facts=A,B names="a,b" of="loads" title="…"}}` | facts that are rates in 100 cycles, as boxes in rows of cycles |
//! | `{{#claims RECORD}}` | how many of the sources' claims have each verdict, in a line that unfolds to them, each with why |
//! | `{{#errors RECORD MODELLED [experiments=a,b] [by=series]}}` | how far a modelled record is off the measured one of the same lab, a row a point or a series |
//! | `{{#labs}}` | the chapters that show a lab's claims: its command, and the devices it was recorded on |
//! | `{{#efforts}}` | a row for each chapter with `{{#time}}`: its words, pictures, questions, exercises and times |
//! | `{{#sources}}` | the texts that the claims are from |
//! | `{{#all-claims}}` | every claim of the sources, with the verdict of every recorded device and why |
//! | `{{#untested}}` | the sources' statements that no lab tests, and why |
//! | `{{#mistakes}}` | the mistakes of the sources, and where it is done right |
//! | `{{#all-errors}}` | how far all modelled records are off the measured ones of their chips and labs, a row a lab |
//! | `{{#held-out WHICH}}` | how far the model is off in the labs that it was not fitted to: `mean`, `worst`, `factor`, `points`, `order` (the share of pairs of variants in the order of the measured times) or `pairs` |
//! | `{{#api FILE}}` | the host calls of a file, named from the book's root: CUDA runtime, driver API, cudarc |
//! | `{{#chips FOLDER}}` | what the chip files of this folder say, in the order of `names=` |
//! | `{{#exercises CHAPTER}}` | the exercises of a chapter, named as its page without `.md`: what to do, and how to begin |
//! | `{{#live NAME [asked=QUESTION]}}` | a place where the page runs a kernel of the book's file of live kernels, whose result stays covered until the reader has answered the question or chosen to see; in a book built without the engine, a line that says so instead of the first, and nothing in the others |
//! | `{{#program NAME:PART [title="…"]}}` | a part of a program of the book's file of programs, as `listing` shows it, and a place where the page runs all of it; without `:PART` the place alone. The first place of a program on a page runs it |
//! | `{{#live-page WHICH}}` | what the page `any` (any kernel) or `work` (the reader's exercises) is about |
//! | `{{#examples}}` | a card for each whole program that the page of any kernel offers, which opens it: the picture that it writes, what it prints, or its kernel |
//! | `{{#question ID}}` | a question of the book's file of questions, with its choices and the response to each |
//! | `{{#answers}}` | the answers to the questions before it on the page, folded |
//! | `{{#all-counters}}` | the catalogue of counters: meaning, unit, memory, metric of Nsight Compute |
//! | `{{#glossary}}` | the book's terms: what each is, and the chapter that introduces it |
//! | `{{#listing FILE [title="…"]}}` | a part of a file, `FILE:anchor` or `FILE:12:30`, with a caption that names the file (and code in backticks); lines of more than 88 columns are broken |
//! | `{{#change FROM TO [title="…"]}}` | the change from one part to another: lines removed and lines added |
//! | `{{#tabs}}` … `{{#tab NAME}}` … `{{#end-tabs}}` | the text below each `tab`, one at a time; paper shows all |
//! | `{{#checks RECORD}}` | one line, which unfolds to what had to hold for the numbers to count; checks of the same thing that passed share a row |
//!
//! Where the reader has a record of the same lab in `book/records/yours` (or of a quick run in its folder `quick`), its results
//! appear below the reference's in the cells of tables, and over the points of plots, if the two can be compared
//! (`record::compare`): counts if chip and parameters are the same, or do not matter there; times if they are of the same
//! origin too. A count that differs is marked with ≠, and a sentence says why. Where another reference was run like the
//! reader's, such as a quick one, the two are shown below, folded; where none was, a sentence says what to run. Claims have the
//! reader's verdict with its reason. A record that cannot be read, or does not fit, is left out with a warning on the page and
//! in the log; a damaged reference fails the build.
//!
//! # Terms
//!
//! Where a section (down to the next heading of the first or second level) uses a term of the glossary first, the term
//! becomes a link to its explanation. A term in bold is being introduced: it is left alone, and so are headings, links, code
//! and tables.
//!
//! # Formulas
//!
//! `$$ … $$` (on its own lines) and `\\( … \\)` (in a sentence) hold LaTeX and become MathML. `\$\$` is two dollar signs.
//!
//! # Includes
//!
//! mdBook's own `{{#include ../../kernels/ch5-5/stencil.cu:constant}}` works as ever; that the file and the anchor
//! exist is checked here, because mdBook only logs it.

mod api;
mod book;
mod catalogue;
mod chapters;
mod chips;
mod claims;
mod command;
mod examples;
mod exercises;
mod expand;
mod glossary;
mod include;
mod library;
mod listing;
mod live;
mod math;
mod nonbreaking;
mod own_run;
mod policy;
mod preprocessor;
mod problem;
mod questions;
mod raw_html;
pub mod reading;
mod reload;
mod scan;
mod search;
mod serve;
mod sources;
mod strips;
mod typed_commands;
mod wrap;

pub use book::{build, log_to_stderr, root};
pub use command::main;
pub use preprocessor::Labs;
pub use problem::{Problem, Problems};
pub use serve::Server;
