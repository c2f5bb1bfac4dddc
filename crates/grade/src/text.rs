//! Escaping of untrusted text.
//!
//! Enters: names and messages of any content. Leaves: the text for a terminal, a Markdown report or a spreadsheet's
//! cell, where it can neither move the cursor, nor become markup, nor be evaluated as a formula. Invisible and control
//! characters are shown as escapes of the form `\u{202e}`, so that nothing is lost and nothing is hidden.

use record::text::{is_hidden, visible_lines};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// Maximum length of a text, in characters; longer ones are truncated.
const MOST: usize = 255;
/// Maximum length of a name, in characters: short enough that a longer text which holds it is not truncated within it.
const MOST_OF_NAME: usize = 100;
/// Digits of the hash that distinguishes truncated names.
const HASH_DIGITS: usize = 16;

fn escaped(text: &str, most: usize, acts: impl Fn(char) -> bool) -> String {
    let mut out = String::new();
    let mut left = most;
    for c in text.chars() {
        if left == 0 {
            out.push('…');
            break;
        }
        left -= 1;
        if is_hidden(c) || acts(c) {
            // Writing to a string does not fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// Text for a terminal.
pub(crate) fn shown(text: &str) -> String {
    escaped(text, MOST, |_| false)
}

/// A file's name of any bytes: those that are not UTF-8 are shown as `\xff`, a backslash as two. Different names are
/// never shown alike: a long one is truncated, and a hash of the whole is appended.
pub(crate) fn name(name: &OsStr) -> String {
    let mut out = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out.push_str("\\\\"),
                c => out.push_str(&escaped(c.encode_utf8(&mut [0; 4]), 1, |_| false)),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    if out.chars().count() <= MOST_OF_NAME {
        return out;
    }
    let start: String = out.chars().take(MOST_OF_NAME).collect();
    let hash = kernels::sha256(name.as_encoded_bytes());
    format!("{start}…{}", &hash[..HASH_DIGITS])
}

/// A Markdown code span, in which nothing is markup. Backticks, which errors use as quotes, would end it and are
/// replaced by apostrophes; a bar would end a table's cell and is escaped.
pub(crate) fn code(text: &str) -> String {
    long_code(text, MOST)
}

/// The same for a text of at most `most` characters.
pub(crate) fn long_code(text: &str, most: usize) -> String {
    let inside = escaped(text, most, |c| c == '|').replace('`', "'");
    // A span strips one space at either end, and one of spaces alone or of nothing is none.
    match inside.trim() {
        "" => "(empty)".to_owned(),
        inside => format!("`{inside}`"),
    }
}

/// Text of many lines with what is hidden shown; one of more characters than `most` is cut.
pub(crate) fn lines(text: &str, most: usize) -> String {
    let cut: String = text.chars().take(most).collect();
    let end = if cut.len() < text.len() { "…" } else { "" };
    visible_lines(&cut).into_owned() + end
}

/// A block of Markdown in which nothing is markup: its fence is longer than any that the text has.
pub(crate) fn block(text: &str, most: usize) -> String {
    let text = lines(text, most);
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", text.trim_end())
}

/// Text of many lines for a spreadsheet's cell.
pub(crate) fn long_cell(text: &str, most: usize) -> String {
    inert(lines(text, most))
}

/// Text for a spreadsheet's cell: one that would be a formula is prefixed with an apostrophe, so that it is shown as
/// text.
pub(crate) fn cell(text: &str) -> String {
    inert(shown(text))
}

fn inert(text: String) -> String {
    let acts = |c| matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '\'');
    if text.trim_start().starts_with(acts) { format!("'{text}") } else { text }
}

/// Text of a table that a spreadsheet may have saved, of at most `most` bytes.
///
/// # Errors
/// A file that cannot be read, or is in another encoding, which is the default of some spreadsheets.
pub(crate) fn read_table(path: &Path, most: u64) -> io::Result<String> {
    let advised = |error: io::Error| match error.kind() {
        io::ErrorKind::InvalidData => {
            io::Error::other(format!("{error}; save it from the spreadsheet as \"CSV UTF-8\""))
        }
        _ => error,
    };
    files::read_text(path, most).map_err(advised)
}

/// Reader of a table that a spreadsheet may have saved: with a byte-order mark, and in some countries semicolons.
pub(crate) fn table(text: &str, trim: csv::Trim) -> csv::Reader<&[u8]> {
    let text = text.trim_start_matches('\u{feff}');
    let header = text.lines().next().unwrap_or_default();
    let delimiter = if header.contains(';') { b';' } else { b',' };
    csv::ReaderBuilder::new().delimiter(delimiter).trim(trim).from_reader(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mdbook_markdown::pulldown_cmark::{Event, Options, Parser, Tag};
    use proptest::prelude::*;

    #[test]
    fn what_is_hidden_is_shown() {
        assert_eq!(shown("a\x1b[2Jb\u{202e}c\u{200b}\n"), "a\\u{1b}[2Jb\\u{202e}c\\u{200b}\\u{a}");
        assert_eq!(shown("Zoë Müller 李"), "Zoë Müller 李");
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_text_is_shown_by_its_bytes() {
        use std::os::unix::ffi::OsStrExt as _;
        assert_eq!(name(OsStr::from_bytes(b"caf\xe9.json")), "caf\\xe9.json");
    }

    #[cfg(unix)]
    #[test]
    fn different_names_are_shown_differently() {
        use std::os::unix::ffi::OsStrExt as _;
        let long = |end: &str| format!("{}{end}", "x".repeat(200)).into_bytes();
        let names: Vec<Vec<u8>> = vec![
            b"\xff".to_vec(),
            b"\xfe".to_vec(),
            b"\\xff".to_vec(),
            b"\\\\xff".to_vec(),
            "\u{202e}".into(),
            b"\\u{202e}".to_vec(),
            b"a{b".to_vec(),
            b"a}b".to_vec(),
            b"a".to_vec(),
            b"a (2)".to_vec(),
            long("1"),
            long("2"),
        ];
        let shown: std::collections::BTreeSet<String> =
            names.iter().map(|bytes| name(OsStr::from_bytes(bytes))).collect();
        assert_eq!(shown.len(), names.len(), "{shown:?}");
    }

    #[test]
    fn formulas_become_text() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "  =1", "＝1", "\t=1"] {
            let cell = cell(formula);
            assert!(cell.starts_with('\'') || cell.starts_with("\\u{9}"), "{cell}");
        }
        assert_eq!(cell("alice"), "alice");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(shown(&"x".repeat(1000)).chars().count(), MOST + 1);
    }

    #[test]
    fn a_block_cannot_be_left() {
        for text in ["```\n# out", "````\n<b>", "plain", "", "a\x1b[2J"] {
            let page = format!("{}\nafter\n", block(text, 100));
            let events: Vec<_> = Parser::new(&page).collect();
            let markup =
                events.iter().find(|e| matches!(e, Event::Html(_) | Event::Start(Tag::Heading { .. })));
            assert!(markup.is_none() && page.ends_with("\nafter\n"), "{page:?}: {markup:?}");
            assert!(matches!(events.last(), Some(Event::End(_))) && !page.contains('\x1b'), "{events:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_markup_in_a_table(text in any::<String>(), hostile in r"[`|\\<>\[\]()!*_~&#:/ a-z\n]{0,60}") {
            for text in [text, hostile] {
                let page = format!("| a | b |\n| --- | --- |\n| {} | x |\n", code(&text));
                let events: Vec<_> = Parser::new_ext(&page, Options::all()).collect();
                let markup = events.iter().find(|e| matches!(e, Event::Html(_) | Event::InlineHtml(_)
                    | Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Emphasis | Tag::Strong)
                    | Event::InlineMath(_) | Event::DisplayMath(_) | Event::SoftBreak | Event::HardBreak));
                prop_assert!(markup.is_none(), "{page:?}: {markup:?}");
                let cells = events.iter().filter(|e| matches!(e, Event::Start(Tag::TableCell))).count();
                prop_assert_eq!(cells, 4, "{:?}", page);
            }
        }

        #[test]
        fn no_cell_is_a_formula_or_holds_a_control_character(text in any::<String>()) {
            let cell = cell(&text);
            prop_assert!(!cell.trim_start().starts_with(['=', '+', '-', '@']));
            prop_assert!(!cell.chars().any(char::is_control));
        }
    }
}
