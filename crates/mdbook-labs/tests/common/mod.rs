//! Tiny books in a temporary folder, in the manner of mdBook's own tests: set up, build, look.
#![allow(dead_code)] // each test file uses a part of it

use mdbook_driver::MDBook;
use mdbook_labs::Problems;
use record::Record;
use std::fs;
use std::path::{Path, PathBuf};
use tests::fixture;

pub(crate) struct Tiny {
    pub(crate) folder: tempfile::TempDir,
}

impl Tiny {
    /// A book of one chapter, with a measured and a modelled reference record.
    pub(crate) fn new(chapter: &str) -> Self {
        let tiny = Tiny { folder: tempfile::tempdir().expect("a temporary folder") };
        tiny.file(
            "book.toml",
            "[book]\nsrc = \"src\"\n[preprocessor.labs]\nbefore = [\"links\"]\nrecords = \"records\"\nclaims = \"claims.toml\"\n",
        )
        .file("src/SUMMARY.md", "- [One](one.md)\n")
        .file("src/one.md", chapter)
        .record("h200/lab-5-5", &fixture::measured())
        .record("embedded-h200/lab-5-5", &fixture::modelled())
    }

    pub(crate) fn file(self, path: &str, text: &str) -> Self {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
        self
    }

    pub(crate) fn record(self, name: &str, record: &Record) -> Self {
        let json = record.to_json().expect("a record that holds");
        self.file(&format!("records/{name}.json"), &json)
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The chapter's Markdown after our preprocessor, or what is wrong, one problem a line.
    pub(crate) fn expand(&self) -> Result<String, String> {
        let book = MDBook::load(self.root()).expect("a book");
        let context = mdbook_preprocessor::PreprocessorContext::new(
            self.root().to_owned(),
            book.config.clone(),
            "html".to_owned(),
        );
        match mdbook_preprocessor::Preprocessor::run(&mdbook_labs::Labs, &context, book.book.clone()) {
            Ok(book) => {
                let texts = book.chapters().map(|chapter| chapter.content.clone());
                Ok(texts.collect::<Vec<_>>().join("\n"))
            }
            Err(error) => Err(error.downcast::<Problems>().expect("problems").to_string()),
        }
    }

    /// The problems of a book that has some.
    pub(crate) fn problems(&self) -> String {
        self.expand().expect_err("the book should not build")
    }

    /// The chapter's page, built in this process.
    pub(crate) fn page(&self) -> String {
        let index = mdbook_labs::build(self.root(), None).expect("built");
        fs::read_to_string(index.with_file_name("one.html")).expect("a page")
    }
}

/// All files of a folder with their contents, sorted.
pub(crate) fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("inside").to_owned();
                found.push((name, fs::read(&path).expect("a file")));
            }
        }
    }
    found.sort();
    found
}

/// Expanded text as a reader sees it: without tags, character references resolved.
pub(crate) fn read(html: &str) -> String {
    let (mut text, mut in_tag) = (String::new(), false);
    // A date is one word, which no tag parts from the text around it.
    let dates = html.split("<span class=\"whole\">").enumerate();
    let html: String = dates
        .map(|(n, part)| if n == 0 { part.to_owned() } else { part.replacen("</span>", "", 1) })
        .collect();
    for c in html.chars() {
        match c {
            '<' => in_tag = true,
            '>' => {
                in_tag = false;
                text.push('|');
            }
            c if !in_tag => text.push(c),
            _ => {}
        }
    }
    while text.contains("||") {
        text = text.replace("||", "|");
    }
    for code in 33..127u8 {
        text = text.replace(&format!("&#{code};"), &char::from(code).to_string());
    }
    text.replace("&lt;", "<").replace("&amp;", "&").replace('\u{a0}', " ")
}
