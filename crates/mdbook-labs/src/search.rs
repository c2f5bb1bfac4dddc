//! The search's index: a third of mdBook's, and with the terms of the glossary.
//!
//! Enters: a built book with mdBook's index. Leaves: the index as a list of sections, of which a page makes what mdBook's search asks
//! when a reader first searches (`book/theme/page.js`). Drawings, listings and cells of numbers are left out, which are two thirds of
//! what mdBook finds in a page; each term of the glossary is a section of its own. This module must never know how a search is made.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What is around the index in mdBook's script.
const BEFORE: &str = "window.search = Object.assign(window.search, JSON.parse('";
const AFTER: &str = "'));";
/// Elements that are not searched, with all that they hold, and those of a table if they hold a number.
const LEFT_OUT: [&str; 5] = ["svg", "pre", "script", "style", "template"];
const NUMBERS: [&str; 2] = ["class=\"number", "text-align: right"];
/// The table of all claims, which the chapters have too.
const CLAIMS: &str = "all-claims";
/// Elements that are a part of a word or a sentence.
const INLINE: [&str; 11] = ["a", "b", "code", "em", "i", "kbd", "small", "span", "strong", "sub", "sup"];
/// The list of terms in its page.
const TERMS: [&str; 2] = ["<dl class=\"glossary\">", "</dl>"];

/// Puts the index in the place of mdBook's, in a book that has one.
///
/// # Errors
/// A file that cannot be read or written, or an index that is not mdBook's.
pub(crate) fn put(folder: &Path) -> Result<()> {
    let Some(path) = index_of(folder)? else { return Ok(()) };
    let script = fs::read_to_string(&path)?;
    let packed = script.strip_prefix(BEFORE).and_then(|rest| rest.strip_suffix(AFTER));
    let packed = packed.with_context(|| format!("{} is not an index of mdBook", path.display()))?;
    let index: Value = serde_json::from_str(&plain(packed))?;
    let page = |name: &str| -> Result<String> {
        let path = folder.join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let small = small(&index, &page)?.to_string();
    fs::write(&path, format!("{BEFORE}{}{AFTER}", small.replace('\\', "\\\\").replace('\'', "\\'")))?;
    Ok(())
}

fn index_of(folder: &Path) -> Result<Option<PathBuf>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with("searchindex") && path.extension().is_some_and(|end| end == "js") {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// A text without the escapes of a string in a script.
fn plain(packed: &str) -> String {
    let mut plain = String::with_capacity(packed.len());
    let mut chars = packed.chars();
    while let Some(c) = chars.next() {
        plain.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    plain
}

/// The index: of each section its title, where it is in the book, and its words.
fn small(index: &Value, page: &dyn Fn(&str) -> Result<String>) -> Result<Value> {
    let urls = index["doc_urls"].as_array().context("no addresses of sections")?;
    let urls: Vec<&str> = urls.iter().filter_map(Value::as_str).collect();
    let mut pages: BTreeMap<&str, String> = BTreeMap::new();
    let (mut sections, mut addresses, mut terms) = (vec![], vec![], vec![]);
    for (id, url) in urls.iter().enumerate() {
        let (name, anchor) = url.split_once('#').unwrap_or((url, ""));
        if !pages.contains_key(name) {
            pages.insert(name, page(name)?);
        }
        let html = main(&pages[name]);
        let doc = &index["index"]["documentStore"]["docs"][id.to_string()];
        ensure!(doc.is_object(), "no section {id}");
        // It ends where the next one of the page begins.
        let of_page = |next: &&&str| next.split('#').next() == Some(name);
        let next = urls.get(id + 1).filter(of_page).and_then(|next| Some(next.split_once('#')?.1));
        let from = heading(html, anchor).unwrap_or(0);
        let to = next.and_then(|next| heading(html, next)).filter(|to| *to > from).unwrap_or(html.len());
        let (around, list) = without_terms(&html[from..to]);
        let body = around
            .split_once("</h")
            .map_or(around.as_str(), |(_, rest)| rest.split_once('>').map_or("", |(_, rest)| rest));
        sections.push(json!([doc["title"], doc["breadcrumbs"], words(body)]));
        addresses.push((*url).to_owned());
        for (id, term, means) in list {
            let within = format!("{} » {term}", doc["title"].as_str().unwrap_or_default());
            terms.push((format!("{name}#{id}"), json!([term, within, means])));
        }
    }
    for (address, term) in terms {
        addresses.push(address);
        sections.push(term);
    }
    Ok(json!({
        "doc_urls": addresses,
        "index": { "sections": sections },
        "results_options": index["results_options"],
        "search_options": index["search_options"],
    }))
}

/// The part of a page that is its chapter.
fn main(page: &str) -> &str {
    let rest = page.split_once("<main>").map_or(page, |(_, rest)| rest);
    rest.rsplit_once("</main>").map_or(rest, |(main, _)| main)
}

/// Where a heading begins.
fn heading(html: &str, anchor: &str) -> Option<usize> {
    (1..=6).find_map(|level| html.find(&format!("<h{level} id=\"{anchor}\"")))
}

/// A section without its list of terms; and these, each with its id, its name and what it means.
fn without_terms(html: &str) -> (String, Vec<(String, String, String)>) {
    let list =
        html.split_once(TERMS[0]).and_then(|(before, rest)| Some((before, rest.split_once(TERMS[1])?)));
    let Some((before, (list, after))) = list else { return (html.to_owned(), vec![]) };
    let term = |part: &str| {
        let (id, rest) = part.split_once("\">")?;
        let (name, rest) = rest.split_once("</dt>")?;
        Some((id.to_owned(), words(name), words(rest)))
    };
    (format!("{before}{after}"), list.split("<dt id=\"").skip(1).filter_map(term).collect())
}

/// The words of a part of a page.
fn words(html: &str) -> String {
    let mut text = String::new();
    // The element that is left out, and how many of its name are open.
    let mut out: Option<(&str, usize)> = None;
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        if out.is_none() {
            text.push_str(&rest[..at]);
        }
        let tag = tag(&rest[at..]);
        rest = &rest[at + tag.len()..];
        let inside = tag.trim_matches(['<', '>', '/']);
        let name = inside.split(|c: char| c.is_whitespace()).next().unwrap_or_default();
        let (ends, alone) = (tag.starts_with("</"), tag.ends_with("/>"));
        out = match out {
            Some((of, depth)) if of == name && !alone => {
                let depth = if ends { depth - 1 } else { depth + 1 };
                (depth > 0).then_some((of, depth))
            }
            None if !ends && !alone && is_left_out(name, tag) => Some((name, 1)),
            out => out,
        };
        if !INLINE.contains(&name) {
            text.push(' ');
        }
    }
    if out.is_none() {
        text.push_str(rest);
    }
    let text = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&amp;", "&")]
        .into_iter()
        .fold(text, |text, (reference, c)| text.replace(reference, c));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_left_out(name: &str, tag: &str) -> bool {
    LEFT_OUT.contains(&name)
        || (name == "td" && NUMBERS.iter().any(|number| tag.contains(number)))
        || (name == "div" && tag.contains(CLAIMS))
}

/// A tag, to its end: a quoted value may hold its last character.
fn tag(html: &str) -> &str {
    let mut quote = None;
    for (at, c) in html.char_indices() {
        match quote {
            Some(of) if c == of => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == '>' => return &html[..=at],
            None => {}
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<nav>not this</nav><main><h1 id=\"a\"><a href=\"#a\">A</a></h1>\n<p title=\"1 > 0\">Of <code>__ldg</code>, \
        &lt;here&gt;.</p><svg><text>12</text><svg></svg><text>13</text></svg><table><tr><td class=\"number\">77</td><td>row</td></tr></table>\
        <h2 id=\"b\">B</h2><p>second</p><dl class=\"glossary\">\n<dt id=\"bank\">bank</dt>\n<dd>One of <em>32</em>.</dd>\n</dl></main>after";

    fn index() -> Value {
        json!({
            "doc_urls": ["p.html#a", "p.html#b"],
            "index": { "documentStore": { "docs": {
                "0": { "title": "A", "breadcrumbs": "A", "body": "with drawings" },
                "1": { "title": "B", "breadcrumbs": "A » B", "body": "" },
            } } },
            "results_options": { "limit_results": 30 },
            "search_options": {},
        })
    }

    #[test]
    fn a_section_has_its_words_without_drawings_and_numbers_and_a_term_is_one() {
        let small = small(&index(), &|_| Ok(PAGE.to_owned())).expect("an index");
        assert_eq!(small["doc_urls"], json!(["p.html#a", "p.html#b", "p.html#bank"]));
        assert_eq!(
            small["index"]["sections"],
            json!([
                ["A", "A", "Of __ldg, <here>. row"],
                ["B", "A » B", "second"],
                ["bank", "B » bank", "One of 32."]
            ])
        );
        assert_eq!(small["results_options"]["limit_results"], 30);
    }

    #[test]
    fn the_index_is_written_in_the_place_of_mdbook_s() {
        let folder = tempfile::tempdir().expect("a folder");
        put(folder.path()).expect("a book without a search");
        let file = folder.path().join("searchindex-1.js");
        let mdbook_s =
            format!("{BEFORE}{}{AFTER}", index().to_string().replace("with", "it\\'s \\\\\"so\\\\\""));
        fs::write(&file, mdbook_s).expect("written");
        assert!(put(folder.path()).is_err_and(|error| error.to_string().starts_with("cannot read ")));
        fs::write(folder.path().join("p.html"), PAGE.replace("second", "it's \\ here")).expect("written");
        put(folder.path()).expect("an index");
        let written = fs::read_to_string(&file).expect("there");
        assert!(written.contains("\"it\\'s \\\\\\\\ here\""), "{written}");
        fs::write(&file, "something else").expect("written");
        assert!(
            put(folder.path()).is_err_and(|error| error.to_string().ends_with("is not an index of mdBook"))
        );
    }
}
