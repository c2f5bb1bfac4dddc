//! Pages that reload themselves while they are served.
//!
//! Enters: a built page. Leaves: its version, by which a page knows whether it is still the one that it was; and the page
//! with a script that asks for that version and reloads. The built book has no such script: only what the server sends
//! has. This module must never know when a page is built.

use crate::policy;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The query of a page's address that asks for its version.
pub(crate) const QUERY: &str = "version";
const SCRIPT: &str = include_str!("reload.js");

/// A word that is the same for the same page as long as the server runs.
pub(crate) fn version(page: &str) -> String {
    let mut hasher = DefaultHasher::new();
    page.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The page with the script at the end of its body.
pub(crate) fn watching(page: &str) -> String {
    let script = format!("\n{}", SCRIPT.replace("VERSION", &version(page)));
    let page = &policy::allow(page, &script);
    let script = format!("<script>{script}</script>\n");
    match page.rfind("</body>") {
        Some(end) => format!("{}{script}{}", &page[..end], &page[end..]),
        None => format!("{page}{script}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_that_of_the_pages_text() {
        assert_eq!(version("a"), version("a"));
        assert_ne!(version("a"), version("b"));
        assert!(version("a").bytes().all(|b| b.is_ascii_hexdigit()), "it is in a script as it is");
    }

    #[test]
    fn the_script_is_at_the_end_of_the_body_once() {
        let page = watching("<body>a</body>");
        assert!(page.starts_with("<body>a<script>") && page.ends_with("</script>\n</body>"), "{page}");
        assert!(page.contains(&format!("(\"{}\")", version("<body>a</body>"))), "{page}");
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(watching("a").starts_with("a<script>"), "a page without a body's end");
    }
}
