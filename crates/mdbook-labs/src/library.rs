//! The records of a book: reference records, which must be right, and the reader's own, which may be anything; and the
//! file of the sources' claims.
//!
//! Enters: a record's name, such as `h200/lab-5-5`. Leaves: the record, read once, or the reason why not. This module
//! must never know what is shown of it.

use crate::glossary::Glossary;
use exercise::chapter::{Program, Programs};
use exercise::live::{Live, Lives};
use question::Question;
use record::Record;
use record::claims::Catalogue;
use render::{Error, nearest};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The folder of the reader's own records.
pub(crate) const YOURS: &str = "yours";
/// What the names of labs begin with.
const LAB: &str = "lab-";
/// The folder of those of quick runs, in it.
const QUICK: &str = "quick";

/// A record, none, or the error in reading it.
type Read = Result<Option<Rc<Record>>, String>;

/// A folder of records.
#[derive(Debug)]
pub(crate) struct Library {
    folder: PathBuf,
    /// Name of the folder in messages: its path from the book's root.
    shown: String,
    read: RefCell<BTreeMap<String, Read>>,
    root: PathBuf,
    /// Path of the file of claims, from the root.
    claims: Option<String>,
    /// Path of the file of questions, from the root.
    questions: Option<String>,
    asked: OnceCell<Result<Vec<Question>, String>>,
    /// Path of the file of terms, from the root.
    glossary: Option<String>,
    terms: OnceCell<Result<Glossary, String>>,
    /// Path of the file of live kernels, from the root.
    live: Option<String>,
    lives: OnceCell<Result<Lives, String>>,
    /// Path of the file of chapters' programs, from the root.
    programs: Option<String>,
    shown_programs: OnceCell<Result<Programs, String>>,
    /// Whether the book is built with the engine that runs them.
    runs: bool,
}

/// Paths of a book's files from its root, where it names them.
#[derive(Debug, Default)]
pub(crate) struct Named {
    pub(crate) claims: Option<String>,
    pub(crate) questions: Option<String>,
    pub(crate) glossary: Option<String>,
    pub(crate) live: Option<String>,
    pub(crate) programs: Option<String>,
    /// Whether the book is built with the engine that runs live kernels.
    pub(crate) runs: bool,
}

impl Library {
    pub(crate) fn new(root: &Path, folder: &str, named: Named) -> Self {
        Library {
            folder: root.join(folder),
            shown: folder.into(),
            read: RefCell::default(),
            root: root.into(),
            claims: named.claims,
            questions: named.questions,
            asked: OnceCell::new(),
            glossary: named.glossary,
            terms: OnceCell::new(),
            live: named.live,
            lives: OnceCell::new(),
            programs: named.programs,
            shown_programs: OnceCell::new(),
            runs: named.runs,
        }
    }

    /// Claims and mistakes of the sources.
    ///
    /// # Errors
    /// A book that names no file of claims, or a file that cannot be read or is not of that form.
    pub(crate) fn catalogue(&self) -> Result<Catalogue, String> {
        let file = self.claims.as_ref().ok_or(
            "book.toml names no file of claims; add one to [preprocessor.labs], such as `claims = \"labs/claims.toml\"`",
        )?;
        Catalogue::from_toml(&self.text(file)?).map_err(|error| format!("{file}: {error}"))
    }

    /// The book's terms; none where the book names no file of them.
    ///
    /// # Errors
    /// A file that cannot be read or is not of that form.
    pub(crate) fn glossary(&self) -> Result<Option<&Glossary>, String> {
        let Some(file) = &self.glossary else { return Ok(None) };
        let read = || Glossary::from_toml(&self.text(file)?).map_err(|error| format!("{file}: {error}"));
        self.terms.get_or_init(read).as_ref().map(Some).map_err(Clone::clone)
    }

    /// The live kernel of a name.
    ///
    /// # Errors
    /// A book that names no file of them, a file that is not of that form, or a name that is not in it.
    pub(crate) fn live(&self, name: &str) -> Result<&Live, String> {
        let read = || {
            let file = self.live.as_ref().ok_or(
                "book.toml names no file of live kernels; add one to [preprocessor.labs], such as `live = \"book/live.toml\"`",
            )?;
            Lives::parse(&self.text(file)?).map_err(|error| format!("{file}: {error}"))
        };
        let lives = self.lives.get_or_init(read).as_ref().map_err(Clone::clone)?;
        let names = || lives.entries.iter().map(|live| live.name.as_str());
        lives.named(name).ok_or_else(|| format!("no live kernel `{name}`{}", instead(name, names())))
    }

    /// The program of a name, and the folder of its source.
    ///
    /// # Errors
    /// A book that names no file of them, a file that is not of that form, or a name that is not in it.
    pub(crate) fn program(&self, name: &str) -> Result<(&Program, PathBuf), String> {
        let read = || {
            let file = self.programs.as_ref().ok_or(
                "book.toml names no file of programs; add one to [preprocessor.labs], such as `programs = \"book/programs.toml\"`",
            )?;
            Programs::parse(&self.text(file)?).map_err(|error| format!("{file}: {error}"))
        };
        let all = self.shown_programs.get_or_init(read).as_ref().map_err(Clone::clone)?;
        let names = || all.entries.iter().map(|one| one.name.as_str());
        let found =
            all.named(name).ok_or_else(|| format!("no program `{name}`{}", instead(name, names())))?;
        Ok((found, self.root.join(exercise::chapter::FOLDER)))
    }

    /// The book's root.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Whether the book is built with the engine that runs live kernels.
    pub(crate) fn runs(&self) -> bool {
        self.runs
    }

    /// The book's questions, with their answers.
    ///
    /// # Errors
    /// A book that names no file of questions, or a question whose answer no record has.
    pub(crate) fn questions(&self) -> Result<&[Question], String> {
        let asked = self.asked.get_or_init(|| {
            let file = self.questions.as_ref().ok_or(
                "book.toml names no file of questions; add one to [preprocessor.labs], such as `questions = \"book/questions.toml\"`",
            )?;
            question::read(&self.text(file)?, &|name| self.reference(name))
                .map_err(|error| format!("{file}: {error}"))
        });
        asked.as_deref().map_err(Clone::clone)
    }

    /// Text of a file that is named from the book's root.
    pub(crate) fn text(&self, file: &str) -> Result<String, String> {
        files::read_text(&self.root.join(file), record::MOST_BYTES)
            .map_err(|error| format!("{file}: {error}"))
    }

    /// Names of a folder's files that end in `.extension`, without it, sorted; the folder is named from the book's
    /// root.
    pub(crate) fn stems(&self, folder: &str, extension: &str) -> Result<Vec<String>, String> {
        let entries =
            std::fs::read_dir(self.root.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
        let files = entries.flatten().map(|entry| entry.path());
        let of_kind = files.filter(|file| file.extension().is_some_and(|e| e == extension));
        let mut stems: Vec<String> =
            of_kind.filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned())).collect();
        stems.sort();
        Ok(stems)
    }

    /// The reference record `device/lab`.
    pub(crate) fn reference(&self, name: &str) -> Result<Rc<Record>, String> {
        let plain = |s: &str| {
            !s.is_empty()
                && !s.starts_with('.')
                && s.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
        };
        match name.split_once('/') {
            Some((YOURS, lab)) => {
                return Err(format!(
                    "a page shows a reference record and adds the reader's own by itself: \
                     name the reference's folder instead of `{YOURS}/{lab}`"
                ));
            }
            Some((device, lab)) if plain(device) && plain(lab) => {}
            _ => {
                return Err(format!(
                    "`{name}` names no record; write its folder and lab, such as `h200/lab-5-5`"
                ));
            }
        }
        self.read(name)?.ok_or_else(|| {
            let there = self.names();
            Error::missing("record", name, &self.shown, there.iter().map(String::as_str)).to_string()
        })
    }

    /// The reader's own record of a lab, if there is one, rather of a whole run than of a quick one; an error if it cannot be
    /// read. Only labs have one: the experiments of `causes` and `timing` set the driver's limits, record its
    /// version and the clocks, and need the reference's GPU, so that no two machines' records of them can be compared.
    pub(crate) fn yours(&self, lab: &str) -> Read {
        if !lab.starts_with(LAB) {
            return Ok(None);
        }
        match self.read(&format!("{YOURS}/{lab}")) {
            Ok(None) => self.read(&format!("{YOURS}/{QUICK}/{lab}")),
            whole => whole,
        }
    }

    /// The reference records of a lab that can be read, those of GPUs first.
    pub(crate) fn of_lab(&self, lab: &str) -> Vec<Rc<Record>> {
        let names = self.names().into_iter().filter(|name| name.ends_with(&format!("/{lab}")));
        // A reference that cannot be read is an error of the page that shows it.
        let mut records: Vec<_> = names.filter_map(|name| self.reference(&name).ok()).collect();
        records.sort_by_key(|record| record.device.source());
        records
    }

    /// The reference with which the reader's own record can be compared.
    pub(crate) fn twin(&self, yours: &Record) -> Option<Rc<Record>> {
        record::compare::twin(self.of_lab(&yours.lab), yours).map(|(twin, _)| twin)
    }

    fn read(&self, name: &str) -> Read {
        if let Some(record) = self.read.borrow().get(name) {
            return record.clone();
        }
        let file = format!("{}/{name}.json", self.shown);
        let record = match files::read_text(&self.folder.join(format!("{name}.json")), record::MOST_BYTES) {
            Ok(text) => match Record::from_json(&text) {
                Ok(record) if !name.ends_with(&format!("/{}", record.lab)) => {
                    Err(format!("{file}: field `lab`: this is a record of {}", record.lab))
                }
                Ok(record) => Ok(Some(Rc::new(record))),
                Err(error) => Err(format!("{file}: {error}")),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{file}: {error}")),
        };
        self.read.borrow_mut().insert(name.into(), record.clone());
        record
    }

    /// Names of the reference records, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries =
            |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
        let mut names = Vec::new();
        for device in entries(&self.folder) {
            for file in entries(&device).filter(|f| f.extension().is_some_and(|e| e == "json")) {
                if let (Some(device), Some(lab)) = (device.file_name(), file.file_stem())
                    && device != YOURS
                {
                    names.push(format!("{}/{}", device.to_string_lossy(), lab.to_string_lossy()));
                }
            }
        }
        names.sort();
        names
    }
}

/// Hint of the form ` (did you mean …?); there are: …`, or that there is nothing to choose from.
pub(crate) fn instead<'a>(name: &str, there: impl Iterator<Item = &'a str> + Clone) -> String {
    let hint = nearest(name, there.clone()).map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default();
    let there: Vec<&str> = there.collect();
    if there.is_empty() {
        format!("{hint}; there are none")
    } else {
        format!("{hint}; there are: {}", there.join(", "))
    }
}
