//! The policy of the built book's pages: nothing is loaded from another host, and no script runs that is not the book's.
//!
//! Enters: a page. Leaves: the page with a content security policy in its head, which names mdBook's inline scripts by their
//! hashes, and none that came with the chapter's text. A page that is read as a file gets no headers, so the policy has to be
//! in the page. This module must never know what a script does.

use hmac_sha256::Hash;
use std::fs;
use std::io;
use std::path::Path;

/// Text that mdBook writes at the beginning of each page's head; the policy follows it.
const CHARSET: &str = "<meta charset=\"UTF-8\">";
/// Where the policy names scripts.
const SCRIPTS: &str = "script-src 'self' 'wasm-unsafe-eval'";

/// Puts the policy into all pages of a folder.
///
/// # Errors
/// A page that cannot be read or written.
pub(crate) fn put(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            put(&path)?;
        } else if path.extension().is_some_and(|end| end == "html") {
            fs::write(&path, guarded(&fs::read_to_string(&path)?))?;
        }
    }
    Ok(())
}

/// The page with its policy. Inline styles are drawings' and the editor's; `blob:` is the worker that runs kernels.
fn guarded(page: &str) -> String {
    let hashes: String = inline(page).map(|script| format!(" {}", hash(script))).collect();
    let policy = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; {SCRIPTS}{hashes}; \
         style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; \
         worker-src blob:; child-src blob: 'self'; frame-src 'self'; form-action 'none'; base-uri 'self'\">"
    );
    page.replacen(CHARSET, &format!("{CHARSET}\n        {policy}"), 1)
}

/// The page, whose policy allows one more inline script.
pub(crate) fn allow(page: &str, script: &str) -> String {
    page.replacen(SCRIPTS, &format!("{SCRIPTS} {}", hash(script)), 1)
}

/// Texts of the scripts that are in a page around its chapter: those of mdBook's template. The chapter is between the first
/// `<main>` and the last `</main>`, whatever it holds itself; what the template puts before it, such as titles, is escaped.
fn inline(page: &str) -> impl Iterator<Item = &str> {
    let (before, rest) = page.split_once("<main>").unwrap_or((page, ""));
    let after = rest.rsplit_once("</main>").map_or("", |(_, after)| after);
    [before, after]
        .into_iter()
        .flat_map(|part| part.split("<script>").skip(1))
        .filter_map(|rest| rest.split_once("</script>"))
        .map(|(script, _)| script)
}

/// How a policy names a script.
fn hash(script: &str) -> String {
    format!("'sha256-{}'", base64(&Hash::hash(script.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits =
            three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for digit in 0..4 {
            let at = bits >> (18 - 6 * digit) & 63;
            text.push(if digit <= three.len() { char::from(DIGITS[at as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_its_own_scripts() {
        let page = format!("<head>{CHARSET}</head><script>alert('a')</script><script src=\"b.js\"></script>");
        let guarded = guarded(&page);
        assert!(guarded.contains(&hash("alert('a')")), "{guarded}");
        assert_eq!(guarded.matches("sha256-").count(), 1);
        assert_eq!(allow(&guarded, "b").matches("sha256-").count(), 2);
    }

    #[test]
    fn a_script_that_a_chapter_brings_is_not_named() {
        let chapter = "<script>theirs</script></main><script>theirs too</script><main>";
        let page =
            format!("<head>{CHARSET}<script>a</script></head><main>{chapter}</main><script>b</script>");
        let guarded = guarded(&page);
        assert_eq!(guarded.matches("sha256-").count(), 2, "{guarded}");
        assert!(guarded.contains(&hash("a")) && guarded.contains(&hash("b")), "{guarded}");
    }

    #[test]
    fn hashes_are_as_browsers_make_them() {
        // The example of the recommendation, CSP Level 2, section 7.17.2.
        assert_eq!(hash("alert('Hello, world.');"), "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
