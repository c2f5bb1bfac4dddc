//! The directives: their arguments, and the HTML or text that replaces them.
//!
//! Enters: a directive and the records. Leaves: text in which Markdown finds nothing to interpret, in one line, so that
//! it fits in a sentence, a list or a table. This module must never know where in a chapter it goes.

use crate::api;
use crate::catalogue;
use crate::chapters::Chapters;
use crate::chips::{self, ChipFile};
use crate::claims;
use crate::examples;
use crate::exercises;
use crate::glossary;
use crate::include;
use crate::library::{Library, instead};
use crate::listing;
use crate::live;
use crate::own_run::OwnRuns;
use crate::questions;
use crate::raw_html::inert;
use crate::reading;
use crate::scan::Directive;
use crate::sources::{self, Sources};
use crate::strips;
use plots::Plot;
use question::Question;
use record::{Draw, Parameter, Record, Scale, TimeSource};
use render::table::{self, Counted, Query, escape, prose};
use render::{Field, Figure, Format, errors};
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

type Expanded = Result<String, String>;

/// A page while it is expanded.
pub(crate) struct Page<'a> {
    pub(crate) records: &'a Library,
    chapters: &'a Chapters,
    /// Path from the page to the book's sources, such as `../`.
    up: String,
    /// A word unique to the page, with which the ids of its plots begin.
    pub(crate) slug: String,
    /// Folder of the page's source, from which the files that it shows are named.
    pub(crate) folder: &'a Path,
    plots: usize,
    /// Groups of tabs so far, and tabs of the one that is open.
    groups: usize,
    open: Option<usize>,
    /// Whether the page says that it does not run its kernels.
    still: bool,
    /// Names of the programs so far.
    programs: BTreeSet<String>,
    /// The questions so far.
    asked: Vec<&'a Question>,
    /// The reader's own runs.
    mine: OwnRuns<'a>,
}

/// A directive of this preprocessor.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    usage: &'static str,
    options: &'static [&'static str],
    expand: Expand,
}

/// Expansion of a directive.
enum Expand {
    /// Expansion with the record that the directive's first word names.
    Record(fn(&mut Page<'_>, &Arguments<'_>) -> Expanded),
    /// Expansion without a record.
    Page(fn(&mut Page<'_>, &Directive) -> Expanded),
    /// Expansion to Markdown, of a directive on its own line.
    Lines(fn(&mut Page<'_>, &Directive) -> Expanded),
}

/// All directives of this preprocessor; the crate's documentation explains each.
pub(crate) const KNOWN: [Known; 39] = [
    Known { name: "chips", usage: "FOLDER", options: &["names"], expand: Expand::Page(chip_files) },
    Known {
        name: "all-counters",
        usage: "",
        options: &[],
        expand: Expand::Page(|_, _| Ok(catalogue::table())),
    },
    Known {
        name: "exercises",
        usage: "CHAPTER",
        options: &[],
        expand: Expand::Page(|page, directive| {
            exercises::list(directive.words.first().map_or("", String::as_str), page.records.runs())
        }),
    },
    Known { name: "live", usage: "NAME", options: &["asked"], expand: Expand::Lines(live_kernel) },
    Known { name: "program", usage: "NAME", options: &["title"], expand: Expand::Lines(program) },
    Known { name: "live-page", usage: "WHICH", options: &[], expand: Expand::Lines(live_page) },
    Known { name: "examples", usage: "", options: &[], expand: Expand::Page(all_examples) },
    Known { name: "glossary", usage: "", options: &[], expand: Expand::Page(glossary) },
    Known { name: "listing", usage: "FILE", options: &["title"], expand: Expand::Lines(listing_of) },
    Known { name: "change", usage: "FROM TO", options: &["title"], expand: Expand::Lines(change) },
    Known { name: "tabs", usage: "", options: &[], expand: Expand::Lines(tabs) },
    Known { name: "tab", usage: "NAME", options: &[], expand: Expand::Lines(tab) },
    Known { name: "end-tabs", usage: "", options: &[], expand: Expand::Lines(end_tabs) },
    Known { name: "question", usage: "ID", options: &[], expand: Expand::Page(question) },
    Known { name: "answers", usage: "", options: &[], expand: Expand::Page(answers) },
    Known { name: "labs", usage: "", options: &[], expand: Expand::Page(labs) },
    Known { name: "sources", usage: "", options: &[], expand: Expand::Page(texts) },
    Known { name: "all-claims", usage: "", options: &[], expand: Expand::Page(all_claims) },
    Known { name: "untested", usage: "", options: &[], expand: Expand::Page(untested) },
    Known { name: "mistakes", usage: "", options: &[], expand: Expand::Page(mistakes) },
    Known { name: "all-errors", usage: "", options: &[], expand: Expand::Page(all_errors) },
    Known { name: "held-out", usage: "WHICH", options: &[], expand: Expand::Page(held_out) },
    Known {
        name: "time",
        usage: "",
        options: &[],
        expand: Expand::Page(|_, _| Ok(reading::MARK.to_owned())),
    },
    Known {
        name: "efforts",
        usage: "",
        options: &[],
        expand: Expand::Page(|_, _| Ok(reading::TABLE.to_owned())),
    },
    Known { name: "time-rule", usage: "", options: &[], expand: Expand::Page(|_, _| Ok(reading::rule())) },
    Known { name: "api", usage: "FILE", options: &[], expand: Expand::Page(api) },
    Known {
        name: "value",
        usage: "RECORD EXPERIMENT SERIES X FIELD",
        options: &["digits", "unit", "mark"],
        expand: Expand::Record(value),
    },
    Known {
        name: "fact",
        usage: "RECORD NAME",
        options: &["digits", "unit", "mark"],
        expand: Expand::Record(fact),
    },
    Known {
        name: "param",
        usage: "RECORD NAME",
        options: &["digits", "unit"],
        expand: Expand::Record(param),
    },
    Known { name: "device", usage: "RECORD", options: &[], expand: Expand::Record(device) },
    Known {
        name: "table",
        usage: "RECORD EXPERIMENT",
        options: &["series", "x", "columns", "pivot", "caption", "digits", "unit"],
        expand: Expand::Record(points),
    },
    Known {
        name: "counters",
        usage: "RECORD EXPERIMENT",
        options: &["series", "x", "names"],
        expand: Expand::Record(counters),
    },
    Known {
        name: "plot",
        usage: "RECORD EXPERIMENT",
        options: &["series", "title", "y"],
        expand: Expand::Record(plot),
    },
    Known {
        name: "figure",
        usage: "RECORD TRACE",
        options: &["title", "counts"],
        expand: Expand::Record(figure),
    },
    Known {
        name: "strips",
        usage: "RECORD",
        options: &["facts", "names", "of", "title"],
        expand: Expand::Record(cycles),
    },
    Known { name: "claims", usage: "RECORD", options: &[], expand: Expand::Record(claims) },
    Known { name: "checks", usage: "RECORD", options: &["of"], expand: Expand::Record(checks) },
    Known {
        name: "errors",
        usage: "RECORD MODELLED",
        options: &["experiments", "by"],
        expand: Expand::Record(errors),
    },
    Known {
        name: "error",
        usage: "RECORD MODELLED WHICH",
        options: &["experiments"],
        expand: Expand::Record(error),
    },
];

impl<'a> Page<'a> {
    pub(crate) fn new(
        library: &'a Library,
        chapters: &'a Chapters,
        slug: String,
        up: String,
        folder: &'a Path,
    ) -> Self {
        let mine = OwnRuns::new(library);
        Page {
            records: library,
            chapters,
            up,
            slug,
            folder,
            plots: 0,
            groups: 0,
            open: None,
            still: false,
            programs: BTreeSet::new(),
            asked: Vec::new(),
            mine,
        }
    }

    /// Problems of the page as a whole, once all of it is expanded.
    pub(crate) fn finish(&self) -> Result<(), String> {
        match self.open {
            Some(_) => Err("{{#tabs}}: no {{#end-tabs}} follows".into()),
            None => Ok(()),
        }
    }

    /// Replacement of a directive, or the error in it; `alone` says that nothing else is on its lines.
    pub(crate) fn expand(&mut self, known: &Known, directive: &Directive, alone: bool) -> Expanded {
        let words = known.usage.split_whitespace().count();
        let usage = || {
            let options: String = known.options.iter().map(|option| format!(" [{option}=…]")).collect();
            let usage = known.usage;
            format!(
                "write {{{{#{}{}{usage}{options}}}}}",
                known.name,
                if usage.is_empty() { "" } else { " " }
            )
        };
        if directive.words.len() != words {
            return Err(format!("takes {words} words, not {}: {}", directive.words.len(), usage()));
        }
        if matches!(known.expand, Expand::Lines(_)) && !alone {
            return Err("must be alone on its line, at the start of it".into());
        }
        for (name, _) in &directive.options {
            if !known.options.contains(&name.as_str()) {
                return Err(format!("no option `{name}`{}", instead(name, known.options.iter().copied())));
            }
        }
        let expanded = match known.expand {
            Expand::Page(expand) => expand(self, directive)?,
            // The directive is not surrounded by text, so its Markdown is for Markdown to read.
            Expand::Lines(expand) => return expand(self, directive),
            Expand::Record(expand) => {
                let record = self.records.reference(directive.words.first().map_or("", String::as_str))?;
                expand(self, &Arguments { directive, record })?
            }
        };
        Ok(inert(&expanded))
    }

    /// The question of an id.
    fn question(&self, id: &str) -> Result<&'a Question, String> {
        let all = self.records.questions()?;
        let found = all.iter().find(|question| question.id == id);
        found.ok_or_else(|| format!("no question `{id}`{}", instead(id, all.iter().map(|q| q.id.as_str()))))
    }
}

/// A directive's arguments, its record read.
struct Arguments<'a> {
    directive: &'a Directive,
    record: Rc<Record>,
}

impl Arguments<'_> {
    fn word(&self, i: usize) -> &str {
        // The number of words was checked against the directive's usage.
        self.directive.words.get(i).map_or("", String::as_str)
    }

    fn option(&self, name: &str) -> Option<&str> {
        self.directive.option(name)
    }

    fn list(&self, name: &str) -> Vec<&str> {
        self.directive.list(name)
    }

    fn xs(&self) -> Result<Vec<f64>, String> {
        self.list("x").into_iter().map(x).collect()
    }

    fn format(&self) -> Result<Format<'_>, String> {
        let digits = match self.option("digits") {
            None => None,
            Some(text) => match text.parse() {
                Ok(digits @ 1..=15) => Some(digits),
                _ => return Err(format!("digits={text}: there can be 1 to 15 significant digits")),
            },
        };
        Ok(Format { digits, unit: self.option("unit") })
    }

    /// A fact of the record.
    fn known(&self, name: &str) -> Result<&record::Fact, String> {
        let facts = &self.record.facts;
        facts
            .get(name)
            .ok_or_else(|| format!("no fact `{name}`{}", instead(name, facts.keys().map(String::as_str))))
    }

    /// Mark after a modelled number, unless the sentence says it.
    fn mark(&self, timing: bool) -> Result<&'static str, String> {
        let modelled = timing && self.record.device.source() == TimeSource::Modelled;
        match self.option("mark") {
            None | Some("yes") => Ok(if modelled { " (modelled)" } else { "" }),
            Some("no") => Ok(""),
            Some(other) => Err(format!("mark={other}: write yes or no")),
        }
    }
}

/// Reads a value of x: a number, on which KiB or MiB may follow.
fn x(text: &str) -> Result<f64, String> {
    let (digits, size) = match (text.strip_suffix("KiB"), text.strip_suffix("MiB")) {
        (Some(digits), _) => (digits, 1024.0),
        (_, Some(digits)) => (digits, 1048576.0),
        _ => (text, 1.0),
    };
    match digits.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number * size),
        _ => Err(format!("`{text}` is not a value of x: write a number, such as 256 or 64KiB")),
    }
}

fn live_kernel(page: &mut Page<'_>, directive: &Directive) -> Expanded {
    let live = page.records.live(directive.words.first().map_or("", String::as_str))?;
    Ok(if page.records.runs() {
        live::place(
            live,
            directive.option("asked").map(|id| page.question(id).map(questions::id)).transpose()?,
        )
    } else if std::mem::replace(&mut page.still, true) {
        String::new()
    } else {
        live::ABSENT.to_owned()
    })
}

/// A part of a program, or nothing of it, and a place that runs the whole.
fn program(page: &mut Page<'_>, directive: &Directive) -> Expanded {
    let argument = word(directive, 0);
    let (name, part) = argument.split_once(':').unwrap_or((argument, ""));
    let (program, folder) = page.records.program(name)?;
    let mut text = match (part, directive.option("title")) {
        ("", Some(_)) => return Err("a title is that of a part: write NAME:PART".into()),
        ("", None) => String::new(),
        (_, title) => {
            let lines = include::part(&format!("{}:{part}", program.file), &folder)?;
            listing::listing(&format!("../code/{}", program.file), &lines, title)?
        }
    };
    if page.records.runs() {
        text += &format!("\n\n{}\n", live::program_place(program, page.programs.insert(name.to_owned())));
    }
    Ok(text)
}

fn live_page(page: &mut Page<'_>, directive: &Directive) -> Expanded {
    // A book may have no questions.
    let questions = page.records.questions().unwrap_or_default();
    live::page(directive.words.first().map_or("", String::as_str), page.records.runs(), questions)
}

fn value(_: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    let text = |e: render::Error| e.to_string();
    let experiment = table::experiment(&a.record, a.word(1)).map_err(text)?;
    let series = table::select_series(experiment, &[a.word(2)]).map_err(text)?;
    let [series] = series[..] else { return Err(format!("`{}` is not a single series", a.word(2))) };
    let point = table::select_point(experiment, series, x(a.word(3))?).map_err(text)?;
    let field = Field::parse(a.word(4)).map_err(text)?;
    let value = field.of(experiment, series, point).map_err(text)?;
    Ok(format!("{}{}", escape(&value.show(a.format()?)?), a.mark(field.is_timing())?))
}

fn fact(_: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    let fact = a.known(a.word(1))?;
    // A fact does not say what it was computed from; those in these units were computed from times.
    let timing = matches!(fact.unit.as_str(), "ns" | "GB/s");
    Ok(format!("{}{}", escape(&a.format()?.quantity(fact.value, &fact.unit)?), a.mark(timing)?))
}

fn cycles(_: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    let (facts, names) = (a.list("facts"), a.list("names"));
    if facts.is_empty() || facts.len() != names.len() {
        return Err("facts=… and names=… have as many entries each, and at least one".into());
    }
    let rate = |(fact, name)| Ok((name, a.known(fact)?.value));
    let rates = facts.into_iter().zip(names).map(rate).collect::<Result<Vec<_>, String>>()?;
    strips::html(a.option("title").unwrap_or_default(), a.option("of").unwrap_or_default(), &rates)
}

fn param(_: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    let name = a.word(1);
    let parameters = &a.record.parameters;
    let parameter = parameters.get(name).ok_or_else(|| {
        format!("no parameter `{name}`{}", instead(name, parameters.keys().map(String::as_str)))
    })?;
    // A parameter has no unit: `unit=B` says what its number counts, and a size takes the prefix that fits.
    let unit = a.option("unit").unwrap_or_default();
    let format = Format { unit: None, ..a.format()? };
    let number = |n: f64| format.quantity(n, unit);
    Ok(escape(&match parameter {
        Parameter::Flag(flag) => (if *flag { "yes" } else { "no" }).to_owned(),
        Parameter::Integer(n) => number(*n as f64)?,
        Parameter::Number(n) => number(*n)?,
        Parameter::Text(text) => text.clone(),
        Parameter::Integers(all) => {
            all.iter().map(|n| number(*n as f64)).collect::<Result<Vec<_>, _>>()?.join(", ")
        }
    }))
}

fn device(_: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    let (compute_capability, multiprocessors, driver) = match &a.record.device {
        record::Device::Gpu { compute_capability, multiprocessors, driver, .. } => {
            (compute_capability, multiprocessors, format!(", driver API {driver}"))
        }
        record::Device::Simt { compute_capability, multiprocessors, .. } => {
            (compute_capability, multiprocessors, String::new())
        }
    };
    let (name, when) = (a.record.device.label(), render::format::day(&a.record.when));
    let source = match a.record.device.source() {
        TimeSource::Measured => "measured",
        TimeSource::Modelled => "counted and modelled",
    };
    Ok(prose(&format!(
        "{name}, compute capability {compute_capability}, {multiprocessors} multiprocessors{driver}, {source} {when}"
    )))
}

fn points(page: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    let (series, xs) = (a.list("series"), a.xs()?);
    let field = |name: &str| Field::parse(name).map_err(|e| e.to_string());
    let columns = a.list("columns").into_iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let pivot = a.option("pivot").map(field).transpose()?;
    if pivot.is_some() && !columns.is_empty() {
        return Err("a table has either columns=… or pivot=…".into());
    }
    page.mine.table(&Query {
        series: &series,
        x: &xs,
        columns: &columns,
        pivot,
        caption: a.option("caption"),
        format: a.format()?,
        ..Query::new(&a.record, a.word(1))
    })
}

fn counters(page: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    let (series, x, names) = (a.list("series"), a.xs()?, a.list("names"));
    let counted = Counted::new(&a.record, a.word(1));
    page.mine.counters(&Counted { series: &series, x: &x, names: &names, ..counted })
}

fn plot(page: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    page.plots += 1;
    let id = format!("plot-{}-{}", page.slug, page.plots);
    let series = a.list("series");
    let y_scale = match a.option("y") {
        None => None,
        Some("linear") => Some(Scale::Linear),
        Some("log2") => Some(Scale::Log2),
        Some("log10") => Some(Scale::Log10),
        Some(other) => return Err(format!("y={other}: write linear, log2 or log10")),
    };
    let plot = Plot::new(&a.record, a.word(1), &id);
    page.mine.plot(&Plot { y_scale, series: &series, title: a.option("title"), ..plot })
}

fn figure(page: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    page.plots += 1;
    let id = format!("plot-{}-{}", page.slug, page.plots);
    let counts = match a.option("counts") {
        None => true,
        Some("no") if a.record.trace(a.word(1)).is_none_or(|t| matches!(t.draw, Draw::Grid { .. })) => false,
        Some("no") => return Err("only a figure of rows of elements can do without its counts".to_owned()),
        Some(other) => return Err(format!("counts={other}: write no, or leave it out")),
    };
    let figure = Figure { record: &a.record, trace: a.word(1), title: a.option("title"), counts, id: &id };
    page.mine.figure(&figure)
}

fn claims(page: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    page.mine.with(&a.record.lab, |yours| Ok(claims::html(&a.record, yours.map(|yours| yours.record))))
}

fn labs(page: &mut Page<'_>, _: &Directive) -> Expanded {
    let catalogue = page.records.catalogue()?;
    let records = sources::records(&catalogue, page.records)?;
    Ok(Sources { catalogue: &catalogue, chapters: page.chapters, up: &page.up }.chapters(&records))
}

fn texts(page: &mut Page<'_>, _: &Directive) -> Expanded {
    let catalogue = page.records.catalogue()?;
    Ok(Sources { catalogue: &catalogue, chapters: page.chapters, up: &page.up }.texts())
}

fn all_claims(page: &mut Page<'_>, _: &Directive) -> Expanded {
    let catalogue = page.records.catalogue()?;
    let sources = Sources { catalogue: &catalogue, chapters: page.chapters, up: &page.up };
    let records = sources::records(&catalogue, page.records)?;
    let mut html = sources.summary(&records);
    for lab in sources.labs() {
        html += &page
            .mine
            .with(lab, |yours| Ok(sources.claims(lab, &records, yours.map(|yours| yours.record))))?;
    }
    Ok(html)
}

fn untested(page: &mut Page<'_>, _: &Directive) -> Expanded {
    let catalogue = page.records.catalogue()?;
    Sources { catalogue: &catalogue, chapters: page.chapters, up: &page.up }.untested()
}

fn mistakes(page: &mut Page<'_>, _: &Directive) -> Expanded {
    let catalogue = page.records.catalogue()?;
    Sources { catalogue: &catalogue, chapters: page.chapters, up: &page.up }.mistakes()
}

fn glossary(page: &mut Page<'_>, _: &Directive) -> Expanded {
    let glossary = page.records.glossary()?.ok_or(glossary::NO_FILE)?;
    glossary.html(&|path| Some((format!("{}{path}", page.up), page.chapters.name(path)?.to_owned())))
}

fn word(directive: &Directive, at: usize) -> &str {
    // The number of words was checked against the directive's usage.
    directive.words.get(at).map_or("", String::as_str)
}

fn listing_of(page: &mut Page<'_>, directive: &Directive) -> Expanded {
    let argument = word(directive, 0);
    listing::listing(argument, &include::part(argument, page.folder)?, directive.option("title"))
}

fn change(page: &mut Page<'_>, directive: &Directive) -> Expanded {
    let (from, to) = (word(directive, 0), word(directive, 1));
    let (before, after) = (include::part(from, page.folder)?, include::part(to, page.folder)?);
    listing::change((from, &before), (to, &after), directive.option("title"))
}

fn tabs(page: &mut Page<'_>, _: &Directive) -> Expanded {
    if page.open.is_some() {
        return Err("the tabs before have no {{#end-tabs}}".into());
    }
    page.groups += 1;
    page.open = Some(0);
    // The first tab opens the group: a line that began with a radio button would be a paragraph to Markdown.
    Ok(String::new())
}

/// A radio button, its label and what it shows, one after the other: a style sheet puts the labels in a row and shows
/// what is chosen, so that tabs need no script.
fn tab(page: &mut Page<'_>, directive: &Directive) -> Expanded {
    let tabs = page.open.ok_or("must be between {{#tabs}} and {{#end-tabs}}")?;
    page.open = Some(tabs + 1);
    let (group, name) = (format!("tabs-{}-{}", page.slug, page.groups), inert(&escape(word(directive, 0))));
    let (end, checked) = if tabs == 0 { ("<div class=\"tabs\">", " checked") } else { ("</div>", "") };
    Ok(format!(
        "{end}<input type=\"radio\" name=\"{group}\" id=\"{group}-{tabs}\"{checked}>\
         <label for=\"{group}-{tabs}\">{name}</label>\n<div class=\"tab\">\n"
    ))
}

fn end_tabs(page: &mut Page<'_>, _: &Directive) -> Expanded {
    match page.open.take() {
        None => Err("no {{#tabs}} precedes it".into()),
        Some(0) => Err("no {{#tab NAME}} since {{#tabs}}".into()),
        Some(_) => Ok("</div>\n</div>\n".into()),
    }
}

fn question(page: &mut Page<'_>, directive: &Directive) -> Expanded {
    let found = page.question(directive.words.first().map_or("", String::as_str))?;
    page.asked.push(found);
    Ok(questions::html(found, page.asked.len()))
}

fn answers(page: &mut Page<'_>, _: &Directive) -> Expanded {
    if page.asked.is_empty() {
        return Err("must follow the questions, but this page has asked none so far".to_owned());
    }
    Ok(questions::answers(&page.asked))
}

fn all_examples(page: &mut Page<'_>, _: &Directive) -> Expanded {
    let records = page.records;
    examples::cards(records.root(), page.folder, records.runs()).map_err(|error| format!("{error:#}"))
}

fn api(page: &mut Page<'_>, directive: &Directive) -> Expanded {
    let file = directive.words.first().map_or("", String::as_str);
    api::tables(&page.records.text(file)?).map_err(|error| format!("{file}: {error}"))
}

/// Table of a record's checks, or of those in the group `of`, whose ids begin with its name and a `/`.
fn checks(_: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    let Some(of) = a.option("of") else { return Ok(folded(&a.record)) };
    let group = |check: &record::Check| check.id.split('/').next().unwrap_or_default().to_owned();
    let mut some = Record::clone(&a.record);
    some.checks.retain(|check| group(check) == of);
    if some.checks.is_empty() {
        let there: BTreeSet<String> = a.record.checks.iter().map(group).collect();
        return Err(format!("no checks of `{of}`{}", instead(of, there.iter().map(String::as_str))));
    }
    Ok(folded(&some))
}

/// A line that says whether all checks passed, and unfolds to show them.
fn folded(record: &Record) -> String {
    let count = |n: usize| render::format::count(n as u64);
    let (all, failed) = (record.checks.len(), record.checks.iter().filter(|check| !check.passed).count());
    let checks = if all == 1 { "check" } else { "checks" };
    let (open, line) = match failed {
        0 => ("", format!("✓ {} {checks}", count(all))),
        _ => (" open", format!("✗ {} of {} {checks} failed", count(failed), count(all))),
    };
    let table = table::checks(record).html();
    format!("<details class=\"checks\"{open}><summary>{line}</summary>{table}</details>")
}

fn errors(page: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    let modelled = page.records.reference(a.word(1))?;
    let experiments = a.list("experiments");
    let table = match a.option("by") {
        None | Some("point") => errors::table(&a.record, &modelled, &experiments),
        Some("series") => errors::by_series(&a.record, &modelled, &experiments),
        Some(other) => return Err(format!("by={other}: write point or series")),
    };
    Ok(table.map_err(|e| e.to_string())?.html())
}

fn error(page: &mut Page<'_>, a: &Arguments<'_>) -> Expanded {
    let modelled = page.records.reference(a.word(1))?;
    let all = errors::deviations(&a.record, &modelled, &a.list("experiments")).map_err(|e| e.to_string())?;
    let summary = errors::Summary::of(&all);
    Ok(escape(&match a.word(2) {
        "mean" => errors::magnitude(summary.mean),
        "worst" => errors::percent(summary.worst),
        "points" => render::format::count(summary.points as u64),
        other => return Err(format!("`{other}`: write mean, worst or points")),
    }))
}

/// How far the model is off in the labs that it was not fitted to, all of them together.
fn held_out(page: &mut Page<'_>, directive: &Directive) -> Expanded {
    let pairs = modelled_and_measured(page)?;
    let labs = pairs.iter().filter(|(measured, _)| errors::is_held_out(&measured.lab));
    let labs = labs.map(|(measured, modelled)| errors::deviations(measured, modelled, &[]));
    let labs = labs.collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string())?;
    let (summary, order) = errors::together(&labs);
    Ok(escape(&match directive.words.first().map_or("", String::as_str) {
        "mean" => errors::magnitude(summary.mean),
        "worst" => errors::percent(summary.worst),
        "factor" => errors::factor(summary.factor),
        "points" => render::format::count(summary.points as u64),
        "order" => errors::magnitude(order.share()),
        "pairs" => render::format::count(order.pairs as u64),
        other => return Err(format!("`{other}`: write mean, worst, factor, points, order or pairs")),
    }))
}

/// Table of each record of a chip as the embedded device models it, `embedded-CHIP/LAB`, against `CHIP/LAB`.
fn all_errors(page: &mut Page<'_>, _: &Directive) -> Expanded {
    let pairs = modelled_and_measured(page)?;
    let pairs: Vec<(&Record, &Record)> = pairs.iter().map(|(a, b)| (a.as_ref(), b.as_ref())).collect();
    Ok(errors::overview(&pairs).map_err(|e| e.to_string())?.html())
}

/// A measured record, and that of the same lab on the embedded device.
type Pair = (Rc<Record>, Rc<Record>);

/// The records of chips that the embedded device modelled too, with those.
fn modelled_and_measured(page: &Page<'_>) -> Result<Vec<Pair>, String> {
    let mut names = page.records.names();
    names.sort_by_key(|name| sources::numbers(name));
    let mut pairs = vec![];
    for modelled in &names {
        if let Some(measured) = modelled.strip_prefix("embedded-")
            && names.iter().any(|name| name == measured)
        {
            pairs.push((page.records.reference(measured)?, page.records.reference(modelled)?));
        }
    }
    Ok(pairs)
}

/// The chip files of a folder side by side, in the order of `names`.
fn chip_files(page: &mut Page<'_>, directive: &Directive) -> Expanded {
    let folder = directive.words.first().map_or("", String::as_str);
    let there = page.records.stems(folder, "toml")?;
    let names = directive.list("names");
    if let Some(left_out) = there.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(format!("{folder}/{left_out}.toml is not among names={}", names.join(",")));
    }
    let file = |name: &&str| ChipFile::parse(name, &page.records.text(&format!("{folder}/{name}.toml"))?);
    chips::html(&names.iter().map(file).collect::<Result<Vec<_>, String>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_x_may_be_sizes() {
        assert_eq!(x("256"), Ok(256.0));
        assert_eq!(x("64KiB"), Ok(65536.0));
        assert!(x("KiB").is_err() && x("inf").is_err() && x("").is_err());
    }
}
