//! The book's terms: the page that explains them, and links to it from every section that uses one.
//!
//! Enters: the file of terms, and a chapter's Markdown. Leaves: the glossary's HTML, and where in the chapter a term is to
//! be linked. A term is linked where a section of a chapter uses it first, so that authors need not think of it. This module
//! must never know which chapter it reads.

use crate::raw_html::inert;
use mdbook_markdown::pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};
use render::table::{escape, prose};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The page of the terms, from the book's sources.
pub(crate) const PAGE: &str = "glossary.md";

/// Error of a directive on terms where there are none.
pub(crate) const NO_FILE: &str = "book.toml names no file of terms; add one to [preprocessor.labs], such as `glossary = \"book/glossary.toml\"`";

/// The file of terms, as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    term: Vec<Term>,
}

/// A term of the field.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Term {
    name: String,
    /// Other forms that mean the same, such as the plural.
    #[serde(default)]
    also: Vec<String>,
    /// Definition, in a sentence or two; backticks mark code.
    is: String,
    /// The page that introduces it, from the book's sources, such as `linear-memory.md`.
    page: String,
}

impl Term {
    fn id(&self) -> String {
        self.name.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-")
    }

    fn forms(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.also).map(String::as_str)
    }
}

/// All terms.
#[derive(Debug)]
pub(crate) struct Glossary {
    terms: Vec<Term>,
    /// Terms by their forms in lower case; the longest form first.
    forms: Vec<(String, usize)>,
}

impl Glossary {
    /// # Errors
    /// A text of another form, or a form that two terms share.
    pub(crate) fn from_toml(text: &str) -> Result<Self, String> {
        let mut terms = toml::from_str::<File>(text).map_err(|error| error.to_string())?.term;
        terms.sort_by_key(|term| term.name.to_lowercase());
        let mut by_form = BTreeMap::new();
        for (at, term) in terms.iter().enumerate() {
            for form in term.forms() {
                if by_form.insert(form.to_lowercase(), at).is_some() {
                    return Err(format!("`{form}` stands for two terms"));
                }
            }
        }
        let mut forms: Vec<(String, usize)> = by_form.into_iter().collect();
        forms.sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
        Ok(Glossary { terms, forms })
    }

    /// The list of the terms; `chapter` is the path to a page and its name, if the book has it.
    ///
    /// # Errors
    /// A term that is introduced on no page of the book.
    pub(crate) fn html(&self, chapter: &dyn Fn(&str) -> Option<(String, String)>) -> Result<String, String> {
        let item = |term: &Term| {
            let (page, name) = chapter(&term.page).ok_or_else(|| {
                format!("the book has no page `{}`, where `{}` is introduced", term.page, term.name)
            })?;
            Ok(format!(
                "<dt id=\"{}\">{}</dt><dd>{} <small>→ <a href=\"{}\">{}</a></small></dd>",
                term.id(),
                escape(&term.name),
                prose(&term.is),
                escape(&page).replace(".md", ".html"),
                escape(&name),
            ))
        };
        let items: Vec<String> = self.terms.iter().map(item).collect::<Result<_, String>>()?;
        Ok(format!("<dl class=\"glossary\">{}</dl>", items.concat()))
    }

    /// Places of a chapter where a section uses a term first, each with the link that takes its place. Headings, links,
    /// code, tables and what is set in bold (a definition) are left alone.
    pub(crate) fn links(&self, chapter: &str, up: &str) -> Vec<(Range<usize>, String)> {
        let (mut links, mut seen) = (Vec::new(), BTreeSet::new());
        // Nesting depths of elements in which text is not linked, and of bold text, which introduces a term.
        let (mut closed, mut bold) = (0_usize, 0_usize);
        for (event, range) in new_cmark_parser(chapter, &MarkdownOptions::default()).into_offset_iter() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    closed += 1;
                    if level <= HeadingLevel::H2 {
                        seen.clear();
                    }
                }
                Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_) | Tag::Table(_)) => {
                    closed += 1
                }
                Event::End(
                    TagEnd::Heading(_) | TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock | TagEnd::Table,
                ) => closed = closed.saturating_sub(1),
                Event::Start(Tag::Strong) => bold += 1,
                Event::End(TagEnd::Strong) => bold = bold.saturating_sub(1),
                Event::Text(_) if closed == 0 => {
                    for (at, term) in self.uses(&chapter[range.clone()]) {
                        if seen.insert(term) && bold == 0 {
                            let there = range.start + at.start..range.start + at.end;
                            let link = self.link(term, &chapter[there.clone()], up);
                            links.push((there, link));
                        }
                    }
                }
                _ => {}
            }
        }
        links
    }

    /// Terms in a text, in their order.
    fn uses(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        // Letters keep their lengths: a text with others is rare, and then has no links.
        let lower = text.to_lowercase();
        let mut uses: Vec<(Range<usize>, usize)> = Vec::new();
        if lower.len() != text.len() || text.contains("{{") || text.contains("}}") {
            return uses;
        }
        for (form, term) in &self.forms {
            for (at, _) in lower.match_indices(form.as_str()) {
                let range = at..at + form.len();
                let joins = |c: char| c.is_alphanumeric() || "_-:.`".contains(c);
                let before =
                    text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || "_-`".contains(c));
                let rest = &text[range.end..];
                let after = rest.chars().next().is_some_and(|c| joins(c) && !".:".contains(c));
                let overlaps =
                    |(there, _): &(Range<usize>, usize)| there.start < range.end && range.start < there.end;
                if !before && !after && !uses.iter().any(overlaps) {
                    uses.push((range, *term));
                }
            }
        }
        uses.sort_by_key(|(range, _)| range.start);
        uses
    }

    fn link(&self, term: usize, shown: &str, up: &str) -> String {
        let Some(term) = self.terms.get(term) else { return inert(&escape(shown)) };
        let page = PAGE.replace(".md", ".html");
        // The definition, without its backticks, is shown when the reader points at the term.
        let is = escape(&term.is.replace('`', "")).replace('"', "&quot;");
        inert(&format!(
            "<a class=\"term\" href=\"{up}{page}#{}\" title=\"{is}\">{}</a>",
            term.id(),
            escape(shown)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "[[term]]\nname = \"bank conflict\"\nalso = [\"bank conflicts\"]\nis = \"Two words of one `bank`.\"\npage = \"a.md\"\n\
        [[term]]\nname = \"bank\"\nalso = [\"banks\"]\nis = \"A 32nd.\"\npage = \"a.md\"\n";

    fn linked(text: &str) -> Vec<&str> {
        let glossary = Glossary::from_toml(FILE).expect("terms");
        glossary.links(text, "").into_iter().map(|(range, _)| &text[range]).collect()
    }

    #[test]
    fn a_section_s_first_use_of_a_term_is_linked() {
        let text = "# Banks\n\nBanks and banks, bank conflicts.\n\n## Bank\n\nA bank (in this bank).\n\n### More\n\nA bank.";
        assert_eq!(linked(text), ["Banks", "bank conflicts", "bank"]);
    }

    #[test]
    fn a_definition_code_and_links_stay_as_they_are() {
        assert_eq!(linked("A **bank** is `bank`, a bank."), [""; 0]);
        assert_eq!(
            linked("[a bank](x), `bank`, embankment, bank_0, bank-like, and\n\n```\nbank\n```\n"),
            [""; 0]
        );
        assert_eq!(linked("| bank |\n| --- |\n| bank |\n\nIn {{#value bank}} one\nbank."), ["bank"]);
    }

    #[test]
    fn a_link_says_what_the_term_is() {
        let glossary = Glossary::from_toml(FILE).expect("terms");
        let (_, link) = &glossary.links("A bank conflict.", "../")[0];
        assert_eq!(
            link,
            "<a class=\"term\" href=\"../glossary.html#bank-conflict\" title=\"Two words of one bank.\">bank conflict</a>"
        );
    }

    #[test]
    fn the_list_links_the_page_of_each_term() {
        let glossary = Glossary::from_toml(FILE).expect("terms");
        let html = glossary.html(&|path| Some((path.to_owned(), "A".to_owned()))).expect("pages");
        assert!(html.starts_with("<dl class=\"glossary\"><dt id=\"bank\">bank</dt><dd>A 32nd. "), "{html}");
        assert!(
            html.contains("Two words of one <code>bank</code>. <small>→ <a href=\"a.html\">A</a>"),
            "{html}"
        );
        assert!(glossary.html(&|_| None).is_err_and(|error| error.contains("no page `a.md`")));
    }

    #[test]
    fn a_form_of_two_terms_is_an_error() {
        let twice = FILE.replace("\"banks\"", "\"bank conflict\"");
        assert!(
            Glossary::from_toml(&twice).is_err_and(|error| error == "`bank conflict` stands for two terms")
        );
    }
}
