//! Headers that others bring along: what a source for g++ uses without including the header that has it.
//!
//! Enters: the headers of the standard library that a source includes, and its words. Leaves: the library's files that have these
//! words, where g++'s headers would bring them along. The table is made with g++ (`library/make_brought.py`). This module must never
//! know how files are read.

use std::sync::OnceLock;

use crate::hash::Map;

/// Names that a file of the library declares, and the headers that bring them along.
struct Row {
    file: &'static str,
    headers: &'static str,
}

struct Table {
    rows: Vec<Row>,
    /// Rows by name.
    names: Map<&'static str, Vec<usize>>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let text = include_str!("../../library/host/brought.txt");
        let (mut sets, mut rows) = (Map::default(), vec![]);
        let mut names: Map<&str, Vec<usize>> = Map::default();
        for line in text.lines() {
            if let Some((number, headers)) = line.split_once(" = ") {
                sets.insert(number, headers);
                continue;
            }
            let mut words = line.split(' ');
            let (Some(file), Some(set)) = (words.next(), words.next()) else { continue };
            words.for_each(|name| names.entry(name).or_default().push(rows.len()));
            rows.push(Row { file, headers: sets.get(set).copied().unwrap_or_default() });
        }
        Table { rows, names }
    })
}

/// What is known of a source: words that some header declares, and the headers of the standard library that it includes.
#[derive(Default)]
pub(super) struct Brought {
    /// Rows of which a name was found.
    named: Vec<bool>,
    headers: Vec<String>,
    /// Whether names of `std` are used without saying so.
    opened: bool,
}

impl Brought {
    /// Notes the words of a file.
    pub(super) fn read(&mut self, text: &str) {
        let table = table();
        self.named.resize(table.rows.len(), false);
        self.opened |= text.contains("using namespace std");
        let mut before = "";
        for word in text.split(|one: char| !one.is_ascii_alphanumeric() && one != '_') {
            let asks = word == "typeid";
            // `std::x` is `std`, nothing between the colons, and `x`.
            if !word.is_empty()
                && let Some(rows) = table.names.get(if asks { "type_info" } else { word })
            {
                for row in rows {
                    let of_c = table.rows[*row].file.starts_with('c') && table.rows[*row].file != "chrono";
                    self.named[*row] |= self.opened || of_c || asks || before == "std";
                }
            }
            if !word.is_empty() {
                before = word;
            }
        }
    }

    /// Notes a header that a file includes.
    pub(super) fn include(&mut self, name: &str) {
        if !self.headers.iter().any(|known| known == name) {
            self.headers.push(name.to_owned());
        }
    }

    /// Files that have what was named and a header has brought along.
    pub(super) fn files(&self) -> Vec<&'static str> {
        let brings =
            |row: &Row| row.headers.split(' ').any(|one| self.headers.iter().any(|known| known == one));
        let rows = table().rows.iter().zip(&self.named).filter(|(row, named)| **named && brings(row));
        let mut files: Vec<&str> = rows.map(|(row, _)| row.file).collect();
        files.dedup();
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(headers: &[&str], text: &str) -> Vec<&'static str> {
        let mut brought = Brought::default();
        headers.iter().for_each(|name| brought.include(name));
        brought.read(text);
        brought.files()
    }

    #[test]
    fn what_a_header_of_gccs_brings_along_is_found_where_it_is_named() {
        assert_eq!(files(&["map"], "auto p = std::make_pair(1, 2);"), ["utility"]);
        assert!(files(&["iostream"], "std::vector<int> v;").is_empty());
        assert!(files(&["map"], "int make_pair;").is_empty());
        assert_eq!(files(&["map"], "using namespace std; auto p = make_pair(1, 2);"), ["utility"]);
        assert_eq!(files(&["iostream"], "exit(1);"), ["cstdlib"]);
        assert_eq!(files(&["iostream"], "puts(typeid(1).name());"), ["cstdio", "typeinfo"]);
    }

    #[test]
    fn the_files_of_the_table_are_there() {
        let there = |row: &Row| crate::library::file(&format!("host/{}", row.file)).is_some();
        assert!(!crate::side::HOST || table().rows.iter().all(there));
        assert!(table().rows.len() > 40);
    }
}
