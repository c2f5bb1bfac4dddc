//! The pages on the sources: every claim with its verdicts, statements that no lab tests, and the mistakes.
//!
//! Enters: the file of claims, the records, the chapters. Leaves: HTML, or the mismatches: a verdict that
//! belongs to no claim, a claim that a record of its lab has no verdict on. This module must never decide a verdict.

use crate::chapters::Chapters;
use crate::library::{Library, instead};
use record::claims::Catalogue;
use record::{Claim, Device, Record, TimeSource, Verdict};
use render::table::{escape, prose, verdict};
use std::collections::BTreeSet;
use std::rc::Rc;

const VERDICTS: [Verdict; 4] =
    [Verdict::Holds, Verdict::HoldsInPart, Verdict::DoesNotHold, Verdict::NotShown];

/// Inputs of the pages on the sources.
pub(crate) struct Sources<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) chapters: &'a Chapters,
    /// Path from the page to the book's sources, such as `../`.
    pub(crate) up: &'a str,
}

/// All reference records that have claims, checked against the file of claims; those of GPUs first.
///
/// # Errors
/// Each record that cannot be read, and each claim without a verdict, or verdict without a claim.
pub(crate) fn records(catalogue: &Catalogue, library: &Library) -> Result<Vec<(String, Rc<Record>)>, String> {
    let mut records = Vec::new();
    let mut problems = Vec::new();
    for name in library.names() {
        match library.reference(&name) {
            Ok(record) => {
                problems.extend(fits(catalogue, &record).into_iter().map(|what| format!("{name}: {what}")));
                records.push((name, record));
            }
            Err(error) => problems.push(error),
        }
    }
    if !problems.is_empty() {
        return Err(problems.join("; "));
    }
    // Quick and short runs exist for the reader's own to be compared with; the sources' claims are judged by full ones.
    records.retain(|(_, record)| !record.claims.is_empty() && !record.is_quick() && !record.is_short());
    records.sort_by_key(|(name, record)| (record.device.source() != TimeSource::Measured, name.clone()));
    Ok(records)
}

/// Claims that a record has no verdict on, and verdicts that belong to no claim.
fn fits(catalogue: &Catalogue, record: &Record) -> Vec<String> {
    let stated: BTreeSet<&str> = catalogue.of_lab(&record.lab).map(|s| s.id.as_str()).collect();
    let judged: BTreeSet<&str> = record.claims.iter().map(|c| c.id.as_str()).collect();
    let listed = |ids: Vec<&str>| format!("`{}`", ids.join("`, `"));
    let without: Vec<&str> = stated.difference(&judged).copied().collect();
    let unknown: Vec<&str> = judged.difference(&stated).copied().collect();
    let mut problems = Vec::new();
    if !without.is_empty() {
        problems.push(format!(
            "no verdict on {}; judge it again: UPDATE=1 cargo test -p tests --test all records::",
            listed(without)
        ));
    }
    if !unknown.is_empty() {
        problems.push(format!("verdicts on {}, which are not claims of {}", listed(unknown), record.lab));
    }
    problems
}

impl Sources<'_> {
    /// The labs that have claims, by their numbers.
    pub(crate) fn labs(&self) -> Vec<&str> {
        let mut labs = distinct(self.catalogue.claims.iter().map(|claim| claim.lab.as_str()));
        labs.sort_by_key(|lab| numbers(lab));
        labs
    }

    /// List of the texts that the claims are from.
    pub(crate) fn texts(&self) -> String {
        let keys = distinct(self.catalogue.claims.iter().map(|claim| claim.source.as_str()));
        let items = keys
            .iter()
            .filter_map(|key| Some((self.heading(key), self.catalogue.sources.get(*key)?)))
            .map(|(title, source)| format!("<li><b>{title}</b>: {}.</li>", prose(&source.credit)));
        format!("<ul>{}</ul>", items.collect::<String>())
    }

    /// Table of the chapters that have a lab: the lab's command, and the devices that ran it.
    pub(crate) fn chapters(&self, records: &[(String, Rc<Record>)]) -> String {
        let head = ["chapter", "its lab", "recorded on"]
            .map(|heading| format!("<th scope=\"col\">{heading}</th>"))
            .concat();
        let body = self.chapters.labs().filter_map(|lab| {
            let (path, name) = self.chapters.of_lab(lab)?;
            let of_lab = records.iter().filter(|(_, record)| record.lab == lab);
            let devices: Vec<&Device> = of_lab.map(|(_, record)| &record.device).collect();
            Some(format!(
                "<tr><td><a href=\"{}{}\">{}</a></td><td>{}</td><td>{}</td></tr>",
                self.up,
                escape(path),
                escape(name),
                command(lab),
                escape(&labels(&devices, usize::MAX))
            ))
        });
        table("labs", "The chapters and their labs", &head, &body.collect::<String>())
    }

    /// Number of claims, and of each verdict by device.
    pub(crate) fn summary(&self, records: &[(String, Rc<Record>)]) -> String {
        let devices = distinct(records.iter().map(|(_, record)| record.device.label()));
        let mut head = "<th scope=\"col\">device</th>".to_owned();
        for (text, _) in VERDICTS.map(verdict) {
            let text = text.replacen(' ', "\u{a0}", 1); // the sign stays with its word
            head += &format!("<th scope=\"col\" class=\"number\">{text}</th>");
        }
        let mut body = String::new();
        for device in devices {
            let on = records.iter().filter(|(_, record)| record.device.label() == device);
            let all: Vec<Verdict> = on.flat_map(|(_, r)| r.claims.iter().map(|c| c.verdict)).collect();
            body += &format!("<tr><td>{}</td>", escape(&device));
            for one in VERDICTS {
                let n = all.iter().filter(|v| **v == one).count();
                body += &format!("<td class=\"number\">{n}</td>");
            }
            body += "</tr>";
        }
        let further = match self.catalogue.untested.len() {
            1 => "1 further statement is".to_owned(),
            n => format!("{n} further statements are"),
        };
        let caption = format!(
            "Verdicts on the {} claims, by the device that gave them; {further} tested by no lab",
            self.catalogue.claims.len()
        );
        table("", &caption, &head, &body)
    }

    /// Table of one lab's claims, with the verdicts of every device that has run it.
    pub(crate) fn claims(
        &self,
        lab: &str,
        records: &[(String, Rc<Record>)],
        yours: Option<&Record>,
    ) -> String {
        let of_lab: Vec<&Record> = records.iter().map(|(_, r)| r.as_ref()).filter(|r| r.lab == lab).collect();
        let mut body = String::new();
        for statement in self.catalogue.of_lab(lab) {
            let judged = |record: &Record| record.claims.iter().find(|c| c.id == statement.id).cloned();
            // Devices that give the same verdict for the same reason share a row.
            let mut same: Vec<(Claim, Vec<&Device>)> = Vec::new();
            for record in &of_lab {
                let Some(claim) = judged(record) else { continue };
                match same.iter_mut().find(|(c, _)| (c.verdict, &c.why) == (claim.verdict, &claim.why)) {
                    Some((_, devices)) => devices.push(&record.device),
                    None => same.push((claim, vec![&record.device])),
                }
            }
            let mut rows: Vec<String> =
                same.iter().map(|(claim, devices)| row(&labels(devices, NAMED), claim, false)).collect();
            if rows.is_empty() {
                rows.push("<td colspan=\"3\">no run of this lab is recorded yet</td>".to_owned());
            }
            if let Some(yours) = yours
                && let Some(claim) = judged(yours)
            {
                rows.push(row(&format!("yours: {}", yours.device.label()), &claim, true));
            }
            let (id, claim) = (escape(&statement.id), prose(&statement.claim));
            let cited = prose(&self.catalogue.cited(statement));
            let chip = match &statement.chip {
                Some(chip) => format!("; a figure of {}", escape(chip)),
                None => String::new(),
            };
            body += &format!(
                "<tr id=\"claim-{id}\"><th scope=\"rowgroup\" rowspan=\"{}\">{claim}<small>{cited}{chip}</small></th>{}</tr>",
                rows.len(),
                rows.join("</tr><tr>")
            );
        }
        let head = ["claim and source", "device", "verdict", "why"]
            .map(|heading| format!("<th scope=\"col\">{heading}</th>"))
            .concat();
        let caption = format!("What {} says about the claims it tests", escape(lab));
        format!(
            "<h3 id=\"claims-{}\">{}</h3>{}",
            escape(lab),
            self.lab(lab),
            table("all-claims", &caption, &head, &body)
        )
    }

    /// The statements that no lab tests, by source, in the order of the file.
    ///
    /// # Errors
    /// An unpaired backtick.
    pub(crate) fn untested(&self) -> Result<String, String> {
        let mut html = String::new();
        for key in distinct(self.catalogue.untested.iter().map(|one| one.source.as_str())) {
            let mut body = String::new();
            for one in self.catalogue.untested.iter().filter(|one| one.source == key) {
                let [place, statement, why] = [&one.place, &one.statement, &one.why].map(|text| {
                    code(text).map_err(|why| format!("[[statement]] `{}`: {why}", one.statement))
                });
                body += &format!("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", statement?, place?, why?);
            }
            let head = ["statement", "place", "why no lab tests it"]
                .map(|heading| format!("<th scope=\"col\">{heading}</th>"))
                .concat();
            html += &format!(
                "<h3 id=\"untested-{}\">{}</h3>{}",
                escape(key),
                self.heading(key),
                table("untested", "Statements that no lab tests", &head, &body)
            );
        }
        Ok(html)
    }

    /// The mistakes of the sources, by source, in the order of the file.
    ///
    /// # Errors
    /// A chapter that the book does not have, or an unpaired backtick.
    pub(crate) fn mistakes(&self) -> Result<String, String> {
        let mut html = String::new();
        for key in distinct(self.catalogue.mistakes.iter().map(|m| m.source.as_str())) {
            let of_source = self.catalogue.mistakes.iter().filter(|m| m.source == key);
            html += &format!(
                "<h3 id=\"mistakes-{0}\">{1}</h3><dl class=\"mistakes\">",
                escape(key),
                self.heading(key)
            );
            for mistake in of_source {
                let at = |why: String| format!("[[mistake]] `{}`: {why}", mistake.id);
                let chapter =
                    mistake.chapter.as_deref().map(|place| self.chapter(place)).transpose().map_err(at)?;
                let own = |lab: &&str| {
                    let of_lab = self.chapters.of_lab(lab).map(|(path, _)| path);
                    mistake.chapter.as_deref().map(page).is_some_and(|page| of_lab == Some(page))
                };
                let right = match (chapter, mistake.lab.as_deref()) {
                    // The lab's own chapter is named once.
                    (Some(chapter), Some(lab)) if own(&lab) => format!("{chapter} ({})", command(lab)),
                    (chapter, lab) => {
                        chapter.into_iter().chain(lab.map(|lab| self.lab(lab))).collect::<Vec<_>>().join(", ")
                    }
                };
                html += &format!(
                    "<dt id=\"mistake-{}\">{}</dt><dd>{} <span class=\"done-right\">→ {}</span></dd>",
                    escape(&mistake.id),
                    code(&mistake.title).map_err(at)?,
                    code(&mistake.text).map_err(at)?,
                    right
                );
            }
            html += "</dl>";
        }
        Ok(html)
    }

    /// The title of a source at the beginning of a line, as HTML.
    fn heading(&self, key: &str) -> String {
        let title = self.catalogue.title(key);
        let mut letters = title.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        prose(&first.chain(letters).collect::<String>())
    }

    /// Link to the chapter of a lab, or the lab's command alone.
    fn lab(&self, lab: &str) -> String {
        let code = command(lab);
        match self.chapters.of_lab(lab) {
            Some((path, name)) => {
                format!("<a href=\"{}{}\">{}</a> ({code})", self.up, escape(path), escape(name))
            }
            None => code,
        }
    }

    /// Link to a page, on which `#` and an anchor may follow.
    fn chapter(&self, place: &str) -> Result<String, String> {
        let path = page(place);
        let name = self.chapters.name(path).ok_or_else(|| {
            format!("the book has no chapter `{path}`{}", instead(path, self.chapters.paths()))
        })?;
        Ok(format!("<a href=\"{}{}\">{}</a>", self.up, escape(place), escape(name)))
    }
}

/// The numbers in a lab's name, by which 4.1 comes before 14.4.
pub(crate) fn numbers(lab: &str) -> Vec<u32> {
    lab.split('-').filter_map(|word| word.parse().ok()).collect()
}

/// The page of a place in the book.
fn page(place: &str) -> &str {
    place.split('#').next().unwrap_or_default()
}

/// The name of a lab's binary.
fn command(lab: &str) -> String {
    format!("<code>{}</code>", escape(lab))
}

/// The items without repetitions, in the order in which they first occur.
fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for one in all {
        if !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    distinct
}

/// Most chips that a row of claims names one by one; the table of all devices has their names.
const NAMED: usize = 3;

/// Devices, with the embedded one named once for all chips that it models, of which `most` are named.
fn labels(devices: &[&Device], most: usize) -> String {
    let mut labels = Vec::new();
    let mut models = Vec::new();
    for device in devices {
        match device {
            Device::Gpu { .. } => labels.push(device.label()),
            Device::Simt { models: chip, .. } => models.push(chip.as_str()),
        }
    }
    if models.len() > most {
        labels.push(format!("embedded device (as each of {} chips)", models.len()));
    } else if !models.is_empty() {
        labels.push(format!("embedded device (as {})", models.join(", ")));
    }
    labels.join("; ")
}

/// Row of a table: device, verdict and reason.
fn row(device: &str, claim: &Claim, yours: bool) -> String {
    let (text, mark) = verdict(claim.verdict);
    let class = if yours { " class=\"yours\"" } else { "" };
    format!(
        "<td{class}>{}</td><td class=\"{mark}\"><span class=\"verdict\">{text}</span></td><td{class}>{}</td>",
        escape(device),
        prose(&claim.why)
    )
}

fn table(class: &str, caption: &str, head: &str, body: &str) -> String {
    format!(
        "<div class=\"lab-table {class}\"><table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
}

/// Text from the file of claims as HTML, in which every backtick must have its pair.
fn code(text: &str) -> Result<String, String> {
    if text.matches('`').count() % 2 == 1 {
        return Err("a backtick is missing".into());
    }
    Ok(prose(text))
}
