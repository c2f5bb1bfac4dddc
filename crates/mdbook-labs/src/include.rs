//! Checks of mdBook's own includes: mdBook logs a missing file or anchor and goes on without.
//!
//! Enters: an include's argument and the chapter's folder. Leaves: nothing, or the name of the missing file or anchor.

use std::path::Path;

/// Names of mdBook's directives that take a file.
pub(crate) const INCLUDES: [&str; 3] = ["include", "rustdoc_include", "playground"];
/// Names of mdBook's other directives.
pub(crate) const OTHERS: [&str; 1] = ["title"];

/// Checks `file`, `file:3:7` or `file:anchor`.
pub(crate) fn check(argument: &str, folder: &Path) -> Result<(), String> {
    let (file, part) = match argument.split_once(':') {
        Some((file, part)) => (file, part),
        None => (argument, ""),
    };
    let text = files::read_text(&folder.join(file), record::MOST_BYTES)
        .map_err(|error| format!("cannot include `{file}`: {error}"))?;
    let anchor = part.split(':').next().unwrap_or_default();
    if anchor.is_empty() || anchor.parse::<usize>().is_ok() {
        return Ok(());
    }
    let anchors: Vec<&str> = text.lines().filter_map(anchor_of).collect();
    if anchors.contains(&anchor) {
        return Ok(());
    }
    Err(format!("no anchor `{anchor}` in `{file}`{}", crate::library::instead(anchor, anchors.into_iter())))
}

/// Name in a line that has `ANCHOR: name`.
fn anchor_of(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("ANCHOR:")?;
    rest.split_whitespace().next()
}
