//! The sources' sentences and mistakes: the one file that states them (`labs/claims.toml`), read and checked.
//!
//! Enters: TOML text. Leaves: a checked [`Catalogue`], or an [`Error`] that names the entry. Labs take the texts of
//! their claims from it and add verdicts; the book shows all of them, and also the statements that no lab tests. This module must
//! never know a verdict: those are in records.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// All statements of the sources, those that a lab tests and the others, and the sources' mistakes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The texts that the workbook is based on, by the key that entries call them by.
    pub sources: BTreeMap<String, Publication>,
    /// Claims, in the order of the file.
    #[serde(rename = "claim", default)]
    pub claims: Vec<Statement>,
    /// Statements that no lab tests, in the order of the file.
    #[serde(rename = "statement", default)]
    pub untested: Vec<Untested>,
    /// Mistakes, in the order of the file.
    #[serde(rename = "mistake", default)]
    pub mistakes: Vec<Mistake>,
}

/// One of the texts that the workbook is based on.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Publication {
    /// Short title, shown next to a claim.
    pub title: String,
    /// Author and full title of the text.
    pub credit: String,
}

/// A statement of a source, and the lab that tests it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// Identifier, such as `constant-cache-64-kb`; unique among the claims of all labs.
    pub id: String,
    /// The lab's binary, such as `lab-5-5`.
    pub lab: String,
    /// A key of [`Catalogue::sources`].
    pub source: String,
    /// Where the source says it: a section, a heading, a listing.
    pub place: String,
    /// Kind of evidence that decides it.
    pub evidence: Evidence,
    /// The chip, or the generation of chips, that its figure belongs to, such as `GTX 970`.
    pub chip: Option<String>,
    /// The statement, in our words; code is in backticks.
    pub claim: String,
}

/// Kind of evidence that decides a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// The program's results and operations, by PTX's rules.
    Program,
    /// Counts of the hardware.
    Counters,
    /// Answers of the driver, the compiler or the chip.
    Calls,
    /// Measured times.
    Times,
}

/// A statement of a source that no lab tests.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Untested {
    /// A key of [`Catalogue::sources`].
    pub source: String,
    /// Where the source says it.
    pub place: String,
    /// The statement, in our words; code is in backticks.
    pub statement: String,
    /// Why no lab tests it.
    pub why: String,
}

/// A mistake in a source that its readers would trip over.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mistake {
    /// Identifier, such as `abs-of-floats`; unique among the mistakes.
    pub id: String,
    /// A key of [`Catalogue::sources`].
    pub source: String,
    /// The mistake in a few words.
    pub title: String,
    /// The mistake, why it matters, and the correction; code is in backticks.
    pub text: String,
    /// The lab that gets it right, such as `lab-5-5`.
    pub lab: Option<String>,
    /// The page that gets it right, as a path from the book's sources, such as `constant-memory.md#run-it`.
    pub chapter: Option<String>,
}

/// The reason why a file of claims is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Not TOML, or a field that is missing, unknown or of another type; the message names the line.
    #[error("{0}")]
    Toml(String),
    /// An impossible entry.
    #[error("[[{kind}]] `{id}`: {message}")]
    Entry {
        /// `claim`, `statement`, `mistake` or `sources`.
        kind: &'static str,
        /// The entry's id or key, or the statement.
        id: String,
        /// The condition that the entry breaks.
        message: String,
    },
}

impl Catalogue {
    /// Reads and checks a file of claims.
    ///
    /// # Errors
    /// Text that is not TOML, unknown or missing fields, empty texts, an id that occurs twice, a source that is not
    /// there, a mistake that no lab and no chapter shows right. The error names the line or the entry.
    pub fn from_toml(text: &str) -> Result<Self, Error> {
        let catalogue: Catalogue =
            toml::from_str(text).map_err(|e| Error::Toml(e.to_string().trim_end().to_owned()))?;
        catalogue.check()?;
        Ok(catalogue)
    }

    /// The statements that a lab tests, in their order.
    pub fn of_lab<'c>(&'c self, lab: &'c str) -> impl Iterator<Item = &'c Statement> {
        self.claims.iter().filter(move |claim| claim.lab == lab)
    }

    /// Source and place of a claim, as they are shown next to it.
    pub fn cited(&self, claim: &Statement) -> String {
        format!("{}: {}", self.title(&claim.source), claim.place)
    }

    /// The title shown next to an entry with this source.
    pub fn title<'c>(&'c self, source: &'c str) -> &'c str {
        // An entry's source was checked to exist.
        self.sources.get(source).map_or(source, |source| &source.title)
    }

    fn check(&self) -> Result<(), Error> {
        for (key, Publication { title, credit }) in &self.sources {
            texts("sources", key, [("title", title), ("credit", credit)])?;
        }
        let mut seen = BTreeSet::new();
        for Statement { id, lab, source, place, evidence: _, chip, claim } in &self.claims {
            self.entry("claim", id, source, &mut seen)?;
            texts("claim", id, [("lab", lab), ("place", place), ("claim", claim)])?;
            if let Some(chip) = chip {
                texts("claim", id, [("chip", chip)])?;
            }
        }
        for Untested { source, place, statement, why } in &self.untested {
            self.source("statement", statement, source)?;
            texts("statement", statement, [("place", place), ("statement", statement), ("why", why)])?;
        }
        let mut seen = BTreeSet::new();
        for Mistake { id, source, title, text, lab, chapter } in &self.mistakes {
            self.entry("mistake", id, source, &mut seen)?;
            texts("mistake", id, [("title", title), ("text", text)])?;
            if lab.is_none() && chapter.is_none() {
                return wrong("mistake", id, "has neither `lab` nor `chapter`: where is it done right?");
            }
        }
        Ok(())
    }

    fn entry<'c>(
        &'c self,
        kind: &'static str,
        id: &'c str,
        source: &str,
        seen: &mut BTreeSet<&'c str>,
    ) -> Result<(), Error> {
        if id.is_empty() || !id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-') {
            return wrong(kind, id, "an id has lower-case letters, digits and hyphens");
        }
        if !seen.insert(id) {
            return wrong(kind, id, "occurs twice");
        }
        self.source(kind, id, source)
    }

    fn source(&self, kind: &'static str, id: &str, source: &str) -> Result<(), Error> {
        if !self.sources.contains_key(source) {
            let there: Vec<&str> = self.sources.keys().map(String::as_str).collect();
            return wrong(kind, id, format!("no source `{source}`; there are: {}", there.join(", ")));
        }
        Ok(())
    }
}

fn texts<const N: usize>(kind: &'static str, id: &str, all: [(&str, &String); N]) -> Result<(), Error> {
    match all.into_iter().find(|(_, text)| text.trim().is_empty()) {
        Some((name, _)) => wrong(kind, id, format!("`{name}` is empty")),
        None => Ok(()),
    }
}

fn wrong<T>(kind: &'static str, id: &str, message: impl Into<String>) -> Result<T, Error> {
    Err(Error::Entry { kind, id: id.to_owned(), message: message.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"
        [sources.book]
        title = "a book"
        credit = "somebody's book"
        [[claim]]
        id = "one"
        lab = "lab-5-5"
        source = "book"
        place = "5.5"
        evidence = "times"
        chip = "GTX 970"
        claim = "It is so."
        [[claim]]
        id = "two"
        lab = "lab-4-1"
        source = "book"
        place = "listing 1"
        evidence = "program"
        claim = "It is so, too."
        [[statement]]
        source = "book"
        place = "5.6"
        statement = "It is as it is."
        why = "What else should it be?"
        [[mistake]]
        id = "one"
        source = "book"
        title = "It is not so"
        text = "It is `otherwise`."
        chapter = "preface.md"
    "#;

    #[test]
    fn claims_keep_their_order_and_know_their_lab() {
        let catalogue = Catalogue::from_toml(WHOLE).expect("whole");
        let ids: Vec<&str> = catalogue.of_lab("lab-5-5").map(|claim| claim.id.as_str()).collect();
        assert_eq!(ids, ["one"]);
        assert_eq!(catalogue.cited(&catalogue.claims[1]), "a book: listing 1");
        assert_eq!(catalogue.claims[0].evidence, Evidence::Times);
        assert_eq!(catalogue.claims[0].chip.as_deref(), Some("GTX 970"));
        assert_eq!(catalogue.untested[0].place, "5.6");
        assert_eq!(catalogue.mistakes[0].chapter.as_deref(), Some("preface.md"));
    }

    #[test]
    fn what_cannot_be_is_refused_by_the_name_of_the_entry() {
        for (from, to, expected) in [
            ("id = \"two\"", "id = \"one\"", "[[claim]] `one`: occurs twice"),
            ("id = \"two\"", "id = \"Two\"", "[[claim]] `Two`: an id has lower-case letters"),
            ("source = \"book\"", "source = \"bok\"", "[[claim]] `one`: no source `bok`; there are: book"),
            ("title = \"a book\"", "title = \" \"", "[[sources]] `book`: `title` is empty"),
            ("claim = \"It is so.\"", "claim = \"\"", "[[claim]] `one`: `claim` is empty"),
            ("chapter = \"preface.md\"", "", "[[mistake]] `one`: has neither `lab` nor `chapter`"),
            ("chapter = \"preface.md\"", "page = \"preface.md\"", "unknown field `page`"),
            ("lab = \"lab-4-1\"", "", "missing field `lab`"),
            ("claim = \"It is so.\"", "claim = 5", "line 12"),
            ("place = \"5.5\"", "", "missing field `place`"),
            ("place = \"5.6\"", "place = \"\"", "[[statement]] `It is as it is.`: `place` is empty"),
            ("evidence = \"times\"", "evidence = \"faith\"", "unknown variant `faith`"),
            ("chip = \"GTX 970\"", "chip = \"\"", "[[claim]] `one`: `chip` is empty"),
            ("[[claim]]", "[[claims]]", "unknown field `claims`"),
        ] {
            assert!(WHOLE.contains(from), "{from}");
            let error = Catalogue::from_toml(&WHOLE.replacen(from, to, 1)).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn any_text_is_answered() {
        for text in ["", "sources = 1", "[[claim]]", "\u{0}", "[sources]\n[[claim]]\nid = \"\""] {
            assert!(Catalogue::from_toml(text).is_err(), "{text:?}");
        }
    }
}
