//! Parts of files: where mdBook includes them, and where this preprocessor shows them.
//!
//! Enters: an argument such as `stencil.cu:constant`, and the chapter's folder. Leaves: the part's text, or the name of
//! the missing file or anchor: mdBook itself only logs it, and continues without. This module must never know what is shown
//! of a part.

use crate::library::instead;
use std::path::Path;

/// Names of mdBook's directives that take a file.
pub(crate) const INCLUDES: [&str; 3] = ["include", "rustdoc_include", "playground"];
/// Names of mdBook's other directives.
pub(crate) const OTHERS: [&str; 1] = ["title"];

/// Checks `file`, `file:3:7` or `file:anchor`.
pub(crate) fn check(argument: &str, folder: &Path) -> Result<(), String> {
    let (text, part) = read(argument, folder)?;
    let anchor = part.split(':').next().unwrap_or_default();
    if anchor.is_empty() || anchor.parse::<usize>().is_ok() {
        return Ok(());
    }
    anchored(&text, argument, anchor).map(|_| ())
}

/// The lines of `file`, `file:3:7` (the third to the seventh) or `file:anchor`, without lines that are anchors, and
/// without the indentation that all of them have.
pub(crate) fn part(argument: &str, folder: &Path) -> Result<Vec<String>, String> {
    let (text, part) = read(argument, folder)?;
    let lines: Vec<&str> = match part.split_once(':') {
        _ if part.is_empty() => text.lines().filter(|line| !is_anchor(line)).collect(),
        Some((from, to)) => numbered(&text, argument, from, to)?,
        None => anchored(&text, argument, part)?,
    };
    let indentation = |line: &str| line.len() - line.trim_start().len();
    // A line for the preprocessor begins at the margin, however the code around it is indented.
    let of_code = lines.iter().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let least = of_code.map(|line| indentation(line)).min().unwrap_or(0);
    Ok(lines.iter().map(|line| line[least.min(indentation(line))..].to_owned()).collect())
}

/// A file's text, and what follows its name.
fn read<'a>(argument: &'a str, folder: &Path) -> Result<(String, &'a str), String> {
    let (file, part) = argument.split_once(':').unwrap_or((argument, ""));
    let text = files::read_text(&folder.join(file), record::MOST_BYTES)
        .map_err(|error| format!("cannot include `{file}`: {error}"))?;
    Ok((text, part))
}

fn numbered<'t>(text: &'t str, argument: &str, from: &str, to: &str) -> Result<Vec<&'t str>, String> {
    let last = text.lines().count();
    match (from.parse::<usize>(), to.parse::<usize>()) {
        (Ok(from), Ok(to)) if 1 <= from && from <= to && to <= last => {
            Ok(text.lines().skip(from - 1).take(to - from + 1).filter(|line| !is_anchor(line)).collect())
        }
        _ => Err(format!("`{argument}`: lines are written as FILE:FIRST:LAST, but this file has {last}")),
    }
}

/// The numbers of the first and the last line of a part of a text: an anchor's, or `3:7`.
pub(crate) fn range(text: &str, file: &str, part: &str) -> Result<(usize, usize), String> {
    let lines = match part.split_once(':') {
        Some((from, to)) => numbered(text, file, from, to)?,
        None => anchored(text, file, part)?,
    };
    let place = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    let number = |line: &&str| text[..place(line)].matches('\n').count() + 1;
    let ends = lines.first().map(number).zip(lines.last().map(number));
    ends.ok_or_else(|| format!("`{file}:{part}` has no line"))
}

fn anchored<'t>(text: &'t str, argument: &str, anchor: &str) -> Result<Vec<&'t str>, String> {
    let begins = |line: &&str| named(line, "ANCHOR:") == Some(anchor);
    let ends = |line: &&str| named(line, "ANCHOR_END:") == Some(anchor);
    if !text.lines().any(|line| begins(&line)) {
        let anchors: Vec<&str> = text.lines().filter_map(|line| named(line, "ANCHOR:")).collect();
        let file = argument.split(':').next().unwrap_or_default();
        return Err(format!("no anchor `{anchor}` in `{file}`{}", instead(anchor, anchors.into_iter())));
    }
    let after = text.lines().skip_while(|line| !begins(line)).skip(1);
    Ok(after.take_while(|line| !ends(line)).filter(|line| !is_anchor(line)).collect())
}

/// A text whose lines that only mark a part are empty, so that all lines keep their numbers.
pub(crate) fn without_anchors(text: &str) -> String {
    let ends = |line: &str| if line.ends_with('\n') { "\n" } else { "" };
    text.split_inclusive('\n').map(|line| if is_anchor(line) { ends(line) } else { line }).collect()
}

fn is_anchor(line: &str) -> bool {
    named(line, "ANCHOR:").or(named(line, "ANCHOR_END:")).is_some()
}

/// The name after `mark` in a line.
fn named<'l>(line: &'l str, mark: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(mark)?;
    rest.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    const FILE: &str =
        "a\n// ANCHOR: one\n    b\n#pragma\n// ANCHOR: two\n\n      c\n// ANCHOR_END: one\nd\n";

    fn of(part: &str) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("f.cu"), FILE).expect("written");
        super::part(part, folder.path())
    }

    #[test]
    fn a_part_is_an_anchor_s_or_some_lines_without_their_indentation() {
        assert_eq!(of("f.cu:one").expect("there"), ["b", "#pragma", "", "  c"]);
        assert_eq!(of("f.cu:two").expect("there"), ["", "      c", "d"], "to the end, where nothing ends it");
        assert_eq!(of("f.cu:3:7").expect("there"), ["b", "#pragma", "", "  c"]);
        assert_eq!(of("f.cu").expect("there").len(), 6);
    }

    #[test]
    fn a_part_has_a_first_and_a_last_line() {
        let of = |part| super::range(FILE, "f.cu", part);
        assert_eq!([of("one"), of("two"), of("3:7")], [Ok((3, 7)), Ok((6, 9)), Ok((3, 7))]);
        assert!(of("three").is_err_and(|error| error.contains("no anchor `three` in `f.cu`")));
        assert!(of("3:70").is_err());
    }

    #[test]
    fn a_text_without_its_anchors_keeps_its_lines() {
        let text = super::without_anchors(FILE);
        assert_eq!(text, "a\n\n    b\n#pragma\n\n\n      c\n\nd\n");
        assert_eq!(super::without_anchors("a\n// ANCHOR_END: b"), "a\n");
    }

    #[test]
    fn what_is_not_there_is_named() {
        assert!(of("g.cu").is_err_and(|error| error.starts_with("cannot include `g.cu`")));
        assert!(
            of("f.cu:onw")
                .is_err_and(|error| error.contains("no anchor `onw` in `f.cu` (did you mean `one`?)"))
        );
        assert!(of("f.cu:7:90").is_err_and(|error| error.contains("this file has 9")));
    }
}
