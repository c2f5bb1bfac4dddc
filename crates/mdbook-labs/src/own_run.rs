//! The reader's own run on a page: next to the reference's values where the two can be compared, else below them next to the
//! reference that was run alike, else a sentence that says what to run.
//!
//! Enters: what a directive shows of a reference, and the records. Leaves: its HTML with the reader's own results. A
//! record of the reader's own that cannot be read, or does not fit, is left out with a warning; it never fails the build.
//! This module must never decide which records can be compared: [`record::compare`] does.

use crate::library::Library;
use plots::Plot;
use record::compare::{why_counts_differ, why_incomparable};
use record::text::visible;
use record::{Device, Record};
use render::table::{Counted, Query, escape, prose, provenance};
use render::{Error, Figure, OwnRun};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The reader's own runs, as one page shows them.
pub(crate) struct OwnRuns<'a> {
    records: &'a Library,
    /// Sentences that the page has shown, so that it shows each once.
    said: RefCell<BTreeSet<String>>,
}

impl<'a> OwnRuns<'a> {
    pub(crate) fn new(records: &'a Library) -> Self {
        OwnRuns { records, said: RefCell::default() }
    }

    /// Calls `make` with the reader's own run, or without it if there is none or it does not fit. Where it does not, the
    /// page and the log say why, once a page.
    pub(crate) fn with(
        &self,
        lab: &str,
        make: impl Fn(Option<OwnRun<'_>>) -> Result<String, Error>,
    ) -> Result<String, String> {
        let why = match self.records.yours(lab) {
            Ok(None) => return make(None).map_err(|e| e.to_string()),
            Ok(Some(record)) => {
                let twin = self.records.twin(&record);
                match make(Some(OwnRun { record: &record, twin: twin.as_deref() })) {
                    Ok(made) => return Ok(made + &self.failed(&record)),
                    Err(error) => error.to_string(),
                }
            }
            Err(error) => error,
        };
        // If it fails without the reader's record too, that is the book's own fault, and an error.
        let made = make(None).map_err(|e| e.to_string())?;
        let what = format!(
            "Your own record of {lab} is not shown. {why}. Run cargo run --bin {lab} to record it again."
        );
        if self.said.borrow_mut().insert(what.clone()) {
            tracing::warn!("{}", visible(&what));
            return Ok(
                made + &format!("<div class=\"yours-damaged\" role=\"note\">⚠ {}</div>", escape(&what))
            );
        }
        Ok(made)
    }

    /// A table of a reference with the reader's own results.
    pub(crate) fn table(&self, query: &Query<'_>) -> Result<String, String> {
        self.with(&query.record.lab, |yours| {
            let table = Query { yours, ..query.clone() }.table()?;
            let mut html = table.html();
            if let Some(yours) = yours.filter(|_| table.tally.alone > 0) {
                html +=
                    &self.below(query.record, query.experiment, query.series, &yours, |twin, series| {
                        // The embedded device counts what the GPU counted, or there is nothing to compare.
                        let mut columns: Vec<_> =
                            query.columns.iter().filter_map(render::Field::embedded).collect();
                        let mut seen = Vec::new();
                        columns.retain(|field| {
                            let new = !seen.contains(field);
                            seen.push(field.clone());
                            new
                        });
                        let pivot = query.pivot.as_ref().and_then(render::Field::embedded);
                        if pivot.is_none() && query.pivot.is_some()
                            || !query.columns.is_empty() && !columns.iter().any(render::Field::is_result)
                        {
                            return Ok(None);
                        }
                        let x = xs(twin, query.experiment, series, query.x);
                        // A caption that the book gives may name sizes.
                        let alike = Query {
                            record: twin,
                            series,
                            x: &x,
                            columns: &columns,
                            pivot,
                            caption: None,
                            yours: Some(yours),
                            ..query.clone()
                        };
                        let table = alike.table()?;
                        Ok((table.tally.shown > 0).then(|| table.html()))
                    })?;
            }
            Ok(html)
        })
    }

    /// A table of counts of a reference with the reader's own.
    pub(crate) fn counters(&self, counted: &Counted<'_>) -> Result<String, String> {
        self.with(&counted.record.lab, |yours| {
            let table = Counted { yours, ..*counted }.table()?;
            let mut html = table.html();
            if let Some(yours) = yours.filter(|_| table.tally.alone > 0) {
                html += &self.below(
                    counted.record,
                    counted.experiment,
                    counted.series,
                    &yours,
                    |twin, series| {
                        let x = xs(twin, counted.experiment, series, counted.x);
                        let names = names(twin, counted.experiment, counted.names);
                        if names.is_empty() && !counted.names.is_empty() {
                            return Ok(None);
                        }
                        let alike = Counted {
                            record: twin,
                            series,
                            x: &x,
                            names: &names,
                            yours: Some(yours),
                            ..*counted
                        };
                        let table = alike.table()?;
                        Ok((table.tally.shown > 0).then(|| table.html()))
                    },
                )?;
            }
            Ok(html)
        })
    }

    /// A plot of a reference with the reader's own run over it; `id` and `id`-own are the ids of what is drawn.
    pub(crate) fn plot(&self, plot: &Plot<'_>) -> Result<String, String> {
        self.with(&plot.record.lab, |yours| {
            let whole = Plot { yours, ..*plot };
            let html = drawn(&whole)?;
            let Some(yours) = yours else { return Ok(html) };
            if whole.has_yours()? {
                return Ok(html);
            }
            let id = format!("{}-own", plot.id);
            let below = self.below(plot.record, plot.experiment, plot.series, &yours, |twin, series| {
                let alike = Plot { record: twin, series, id: &id, yours: Some(yours), ..*plot };
                Ok(if alike.has_yours()? { Some(drawn(&alike)?) } else { None })
            })?;
            Ok(html + &below)
        })
    }

    /// A figure, and the reader's own below it where its accesses differ.
    pub(crate) fn figure(&self, figure: &Figure<'_>) -> Result<String, String> {
        // Whatever device the record is of: a trace is always of the embedded one, and counts need no time.
        let caption = "Drawn from the addresses and counters of the embedded device when it ran this kernel";
        self.with(&figure.record.lab, |yours| {
            let of = |figure: &Figure<'_>| {
                let narrow = narrow_id(figure.id);
                Ok::<_, Error>([figure.svg()?, Figure { id: &narrow, ..*figure }.narrow_svg()?])
            };
            let svgs = of(figure)?;
            let both = yours.and_then(|yours| {
                Some((yours, yours.record.trace(figure.trace)?, figure.record.trace(figure.trace)?))
            });
            let Some((yours, mine, there)) = both else { return Ok(framed(&svgs, caption)) };
            if mine == there {
                return Ok(framed(&svgs, &format!("{caption}; your run's are the same")));
            }
            let id = format!("{}-own", figure.id);
            let own = of(&Figure { record: yours.record, id: &id, ..*figure })?;
            let why = why_counts_differ(yours.twin.unwrap_or(figure.record), yours.record);
            let own = framed(&own, "Drawn from the addresses and counters of your run");
            let summary = format!("≠ Your run accesses memory differently: {why}");
            Ok(framed(&svgs, caption) + &folded(&summary, &own))
        })
    }

    /// Below what a reference shows: the reader's own run next to the reference that was run alike, folded; or a sentence on
    /// why there is none.
    fn below(
        &self,
        reference: &Record,
        experiment: &str,
        series: &[&str],
        yours: &OwnRun<'_>,
        show: impl Fn(&Record, &[&str]) -> Result<Option<String>, Error>,
    ) -> Result<String, Error> {
        let Some(twin) = yours.twin else { return Ok(self.incomparable(yours.record)) };
        // The model of another chip says nothing about the reader's.
        let of_other_chip = matches!(reference.device, Device::Simt { .. })
            && reference.device.chip() != yours.record.device.chip();
        if std::ptr::eq(twin, reference) || of_other_chip {
            return Ok(String::new());
        }
        let both = twin.experiment(experiment).filter(|_| yours.record.experiment(experiment).is_some());
        let there: Vec<&str> = match both {
            Some(of) if series.is_empty() => of.series.iter().map(|s| s.id.as_str()).collect(),
            Some(of) => series.iter().copied().filter(|id| of.series(id).is_some()).collect(),
            None => vec![],
        };
        if there.is_empty() {
            return Ok(self.absent(yours.record, experiment));
        }
        Ok(show(twin, &there)?.map_or_else(
            || self.uncounted(&yours.record.lab),
            |html| {
                let counts = yours.counts(experiment, &there);
                let counts = counts.map(|counts| format!(": {counts}")).unwrap_or_default();
                let which = match yours.record.is_quick() {
                    true => "Your quick run compared with the quick reference",
                    false => "Your run compared with the reference of the same sizes",
                };
                folded(&format!("{which}{counts}"), &html)
            },
        ))
    }

    /// Sentence on an experiment that the reader's own run does not have, and on what has it; once a page.
    fn absent(&self, yours: &Record, experiment: &str) -> String {
        let lab = &yours.lab;
        let of_device = |one: &Record| one.device.source() == yours.device.source();
        let has = |one: &Record| !one.is_quick() && of_device(one) && one.experiment(experiment).is_some();
        let all = self.records.of_lab(lab);
        // Of those that have it, one that takes the reader least.
        let whole = all.iter().filter(|one| has(one)).min_by_key(|one| !one.is_short());
        let what = match (&yours.device, whole) {
            (_, Some(whole)) if yours.is_quick() => {
                format!("it is a quick one; `{}` includes it", run(lab, self.full(whole)))
            }
            (_, Some(whole)) if yours.is_short() && !whole.is_short() => {
                format!("it leaves out what takes long; `{}` includes it", run(lab, self.full(whole)))
            }
            (Device::Simt { .. }, None) => {
                format!("it ran on the embedded device; `cargo run --bin {lab}` on a GPU includes it")
            }
            _ => format!("{} recorded it; `cargo run --bin {lab}` records it again", yours.written_by),
        };
        self.once(&format!("{lab} {experiment}"), &format!("Your run does not include this: {what}."))
    }

    /// Sentence on counts that the reader's own run does not have; once a page.
    fn uncounted(&self, lab: &str) -> String {
        let what = format!(
            "Only Nsight Compute counts this, and your run did not use it: `cargo run --bin {lab}` does on a GPU, where it \
             is installed."
        );
        self.once(&what, &what)
    }

    /// Sentence on why no reference can be compared with the reader's own run, and on what to run; once a page.
    fn incomparable(&self, yours: &Record) -> String {
        let all = self.records.of_lab(&yours.lab);
        // The nearest that the reader's machine can run.
        let nearest = all.iter().min_by_key(|one| {
            let other_chip = one.device.chip() != yours.device.chip();
            let on_gpu = matches!(one.device, Device::Gpu { .. });
            let no_gpu = on_gpu && (other_chip || matches!(yours.device, Device::Simt { .. }));
            (
                no_gpu,
                other_chip,
                one.device.source() != yours.device.source(),
                (one.is_quick(), one.is_short()) != (yours.is_quick(), yours.is_short()),
            )
        });
        let Some(nearest) = nearest else { return String::new() };
        let what = format!(
            "Your run of {} is not compared: {}. To compare, run `{}`.",
            yours.lab,
            why_incomparable(nearest, yours),
            self.command(nearest)
        );
        self.once(&what, &what)
    }

    /// The flag without which a lab runs less than this reference, where its embedded device does so by default.
    fn full(&self, reference: &Record) -> Option<&'static str> {
        let is_full =
            matches!(reference.device, Device::Simt { .. }) && !reference.is_quick() && !reference.is_short();
        (is_full && self.records.of_lab(&reference.lab).iter().any(|one| one.is_short())).then_some("--full")
    }

    /// Command that runs a lab as the reference was run.
    fn command(&self, reference: &Record) -> String {
        let mut flags = Vec::new();
        if let Device::Simt { chip, .. } = &reference.device {
            flags.push(format!("--device simt --arch {chip}"));
        }
        flags.extend(reference.is_quick().then_some("--quick").map(str::to_owned));
        flags.extend(self.full(reference).map(str::to_owned));
        run(&reference.lab, flags.iter().map(String::as_str))
    }

    /// The sentence, if the page has said nothing about `what` yet.
    fn once(&self, what: &str, text: &str) -> String {
        let new = self.said.borrow_mut().insert(what.to_owned());
        if new { format!("<p class=\"yours-note\">{}</p>", prose(text)) } else { String::new() }
    }

    /// Warning on a run whose own checks failed; once a page.
    fn failed(&self, yours: &Record) -> String {
        let failed: Vec<_> = yours.checks.iter().filter(|check| !check.passed).collect();
        let Some(first) = failed.first() else { return String::new() };
        let what = format!(
            "⚠ {} of the {} checks of your run of {} failed, so its numbers do not count. The first: {}; {}.",
            failed.len(),
            yours.checks.len(),
            yours.lab,
            first.what,
            first.found
        );
        self.once(&what, &what)
    }
}

/// Command that runs a lab with these flags.
fn run<'f>(lab: &str, flags: impl IntoIterator<Item = &'f str>) -> String {
    let flags: Vec<&str> = flags.into_iter().collect();
    let flags = if flags.is_empty() { String::new() } else { format!(" -- {}", flags.join(" ")) };
    format!("cargo run --bin {lab}{flags}")
}

/// The chosen values of x that a twin has; if it has none of them, its largest.
fn xs(twin: &Record, experiment: &str, series: &[&str], chosen: &[f64]) -> Vec<f64> {
    let Some(experiment) = twin.experiment(experiment) else { return vec![] };
    let of: Vec<_> = series.iter().filter_map(|id| experiment.series(id)).collect();
    let there: Vec<f64> = chosen.iter().copied().filter(|x| of.iter().any(|s| s.at(*x).is_some())).collect();
    if !there.is_empty() || chosen.is_empty() {
        return there;
    }
    of.iter().flat_map(|s| s.points.last()).map(|p| p.x).max_by(f64::total_cmp).into_iter().collect()
}

/// The chosen counters that a twin has.
fn names<'n>(twin: &Record, experiment: &str, chosen: &[&'n str]) -> Vec<&'n str> {
    let points = twin.experiment(experiment).into_iter().flat_map(|e| &e.series).flat_map(|s| &s.points);
    let counted: Vec<_> =
        points.map(|point| &point.counters).filter(|counters| !counters.is_empty()).collect();
    chosen
        .iter()
        .copied()
        .filter(|name| counted.iter().all(|counters| counters.contains_key(*name)))
        .collect()
}

/// A plot with a caption that says whose run it is, and how the reader's counts compare.
fn drawn(plot: &Plot<'_>) -> Result<String, Error> {
    let narrow = narrow_id(plot.id);
    let svgs = [plot.svg()?, Plot { id: &narrow, ..*plot }.narrow_svg()?];
    let yours = if plot.has_yours()? { plot.yours } else { None };
    let origin = plot.record.experiment(plot.experiment).map(|e| e.y_is).unwrap_or_default();
    let mut caption = provenance(plot.record, yours.map(|yours| yours.record), origin);
    let mut note = String::new();
    if let Some(yours) = yours
        && let Some(counts) = yours.counts(plot.experiment, plot.series)
    {
        caption += &format!("; {counts}");
        if counts.starts_with('≠') {
            note = format!("<p class=\"yours-note\">{}</p>", prose(&yours.why_differs(plot.record)));
        }
    }
    Ok(framed(&svgs, &caption) + &note)
}

/// The id of the second drawing, for a narrow screen.
fn narrow_id(id: &str) -> String {
    format!("{id}-narrow")
}

/// A drawing once as wide as a page and once for a narrow screen, in boxes of which the style sheet shows one, with its
/// caption.
fn framed([wide, narrow]: &[String; 2], caption: &str) -> String {
    let boxes: String = [("lab-wide", wide), ("lab-narrow", narrow)]
        .iter()
        .map(|(class, svg)| format!("<div class=\"{class}\">{}</div>", svg.replace('\n', " ")))
        .collect();
    format!("<figure class=\"lab-figure\">{boxes}<figcaption>{}</figcaption></figure>", prose(caption))
}

fn folded(summary: &str, html: &str) -> String {
    format!("<details class=\"yours-below\"><summary>{}</summary>{html}</details>", prose(summary))
}
