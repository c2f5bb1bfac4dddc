//! Code on a page: a part of a file with a caption, and the difference between two parts.
//!
//! Enters: parts of files, as lines. Leaves: Markdown on its own lines. This module must never know which
//! chapter shows it.

use crate::wrap::fit;
use render::table::{escape, prose};
use similar::{ChangeTag, TextDiff};
use std::fmt::Write as _;

/// Columns that fit a page, and a printed one, without wrapping.
const COLUMNS: usize = 88;
/// Columns before a line of a change: its sign and a space.
const SIGN: usize = 2;

/// A part of a file, with a caption that names the file and, where given, says what it is.
///
/// # Errors
/// A line with more columns than a page has.
pub(crate) fn listing(argument: &str, lines: &[String], title: Option<&str>) -> Result<String, String> {
    let lines = fitted(argument, lines, COLUMNS)?;
    let file = file(argument);
    Ok(figure(&caption(title, &named(&file)), language(&file), &lines.join("\n")))
}

/// The change from one part to the next: its lines with `-` and `+` before them, and all that stay the same. A comment that
/// only one of two equal lines has is not a change.
///
/// # Errors
/// Two parts that do not differ; a line with more columns than a page has.
pub(crate) fn change(
    from: (&str, &[String]),
    to: (&str, &[String]),
    title: Option<&str>,
) -> Result<String, String> {
    let (before, after) = (fitted(from.0, from.1, COLUMNS - SIGN)?, fitted(to.0, to.1, COLUMNS - SIGN)?);
    let codes =
        [&before, &after].map(|lines| lines.iter().map(|line| without_comment(line)).collect::<Vec<_>>());
    if codes[0] == codes[1] {
        return Err(format!("`{}` and `{}` do not differ", from.0, to.0));
    }
    let mut text = String::new();
    for change in TextDiff::from_slices(&codes[0], &codes[1]).iter_all_changes() {
        let of = |lines: &'_ [String], at: Option<usize>| {
            at.and_then(|at| lines.get(at)).cloned().unwrap_or_default()
        };
        let (sign, line) = match change.tag() {
            ChangeTag::Equal => {
                let (one, other) = (of(&before, change.old_index()), of(&after, change.new_index()));
                (' ', if other.len() > one.len() { other } else { one })
            }
            ChangeTag::Delete => ('-', of(&before, change.old_index())),
            ChangeTag::Insert => ('+', of(&after, change.new_index())),
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "{sign} {line}");
    }
    let (one, other) = (file(from.0), file(to.0));
    let names = if one == other { named(&one) } else { format!("{} → {}", named(&one), named(&other)) };
    Ok(figure(&caption(title, &names), "diff", text.trim_end()))
}

/// A line without the comment at its end; one that is a comment stays as it is.
fn without_comment(line: &str) -> &str {
    match line.split_once("//") {
        Some((code, _)) if !code.trim().is_empty() && !code.contains('"') => code.trim_end(),
        _ => line,
    }
}

fn fitted(argument: &str, lines: &[String], columns: usize) -> Result<Vec<String>, String> {
    let lines = fit(lines, columns);
    match lines.iter().find(|line| line.chars().count() > columns) {
        None => Ok(lines),
        Some(line) => Err(format!(
            "`{argument}` has a line of {} columns that cannot be broken, and {columns} fit a page; make it shorter: {}",
            line.chars().count(),
            line.trim()
        )),
    }
}

/// A file's path from the book's root: its name in the chapter without the way up to there.
fn file(argument: &str) -> String {
    let path = argument.split(':').next().unwrap_or_default();
    match path.strip_prefix("../code/") {
        Some(rest) => format!("book/code/{rest}"),
        None => path.trim_start_matches("../").to_owned(),
    }
}

fn named(file: &str) -> String {
    format!("<code>{}</code>", escape(file))
}

fn caption(title: Option<&str>, file: &str) -> String {
    title.map_or_else(|| file.to_owned(), |title| format!("{} ({file})", prose(title)))
}

fn language(file: &str) -> &'static str {
    match file.rsplit('.').next() {
        Some("cu" | "cuh" | "h") => "cpp",
        Some("rs") => "rust",
        Some("toml") => "toml",
        _ => "text",
    }
}

fn figure(caption: &str, language: &str, code: &str) -> String {
    // A fence that the code does not have.
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!(
        "<figure class=\"listing\"><figcaption>{}</figcaption>\n\n{fence}{language}\n{code}\n{fence}\n\n</figure>",
        crate::raw_html::inert(caption)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_listing_names_its_file() {
        let text =
            listing("../../kernels/ch4-1/add.cu:add", &lines("a;\nb;"), Some("Both of `a`")).expect("fits");
        assert!(
            text.contains("<figcaption>Both of <code>a</code> &#40;<code>kernels&#47;ch4&#45;1&#47;add&#46;cu</code>&#41;"),
            "{text}"
        );
        assert!(text.contains("\n\n```cpp\na;\nb;\n```\n\n</figure>"), "{text}");
    }

    #[test]
    fn a_change_keeps_what_stays() {
        let (one, two) = (lines("a\nb\nc"), lines("a\nd\nc"));
        let text = change(("f.cu:one", &one), ("f.cu:two", &two), None).expect("differs");
        assert!(text.contains("```diff\n  a\n- b\n+ d\n  c\n```"), "{text}");
        assert!(change(("f.cu:one", &one), ("f.cu:one", &one), None).is_err());
    }

    #[test]
    fn a_comment_is_not_a_change() {
        let (one, two) = (lines("a; // why\nb;\n// c"), lines("a;\nd; // how\n// c"));
        let text = change(("f.cu:one", &one), ("f.cu:two", &two), None).expect("differs");
        assert!(text.contains("```diff\n  a; // why\n- b;\n+ d; // how\n  // c\n```"), "{text}");
        assert!(change(("f.cu:one", &lines("a; // b")), ("f.cu:two", &lines("a;")), None).is_err());
    }

    #[test]
    fn a_line_that_does_not_fit_is_refused() {
        let error = listing("f.cu", &["x".repeat(89)], None).expect_err("too long");
        assert!(
            error.starts_with("`f.cu` has a line of 89 columns that cannot be broken, and 88 fit a page"),
            "{error}"
        );
    }

    #[test]
    fn code_with_backticks_stays_code() {
        let text = listing("a.txt", &lines("```\nx\n````"), None).expect("fits");
        assert!(text.contains("`````text\n```\nx\n````\n`````"), "{text}");
    }
}
