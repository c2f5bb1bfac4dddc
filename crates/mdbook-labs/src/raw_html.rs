//! HTML that passes through Markdown and mdBook as it is.

/// HTML in which neither Markdown nor mdBook finds anything: every punctuation mark of its text becomes a character
/// reference, and so does every brace of its tags. Every expansion of a directive passes here.
///
/// Markdown leaves tags alone, but looks for emphasis, links, quotation marks and the beginnings of lists and headings
/// in the text between them; mdBook looks for directives everywhere.
pub(crate) fn inert(html: &str) -> String {
    let mut inert = String::with_capacity(html.len() * 2);
    let (mut in_tag, mut in_style) = (false, false);
    let mut rest = html;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        match c {
            '<' => {
                in_tag = true;
                in_style = rest.starts_with("<style");
                inert.push(c);
            }
            '>' if in_tag => {
                in_tag = false;
                inert.push(c);
            }
            '&' if reference(rest).is_some() => {
                length = reference(rest).unwrap_or(length);
                inert.push_str(&rest[..length]);
            }
            // A style sheet has its own braces, and nothing from a record.
            _ if in_style => inert.push(c),
            _ if in_tag && c != '{' => inert.push(c),
            // Four spaces at the beginning of a line would be code.
            ' ' if !in_tag && inert.is_empty() => inert.push_str("&#32;"),
            c if c.is_ascii_punctuation() => inert.push_str(&format!("&#{};", u32::from(c))),
            c => inert.push(c),
        }
        rest = &rest[length..];
    }
    // Two spaces at the end of a line would break it.
    if inert.ends_with(' ') {
        inert.pop();
        inert.push_str("&#32;");
    }
    inert
}

/// Length of a character reference, such as `&amp;` or `&#123;`, at the start of `html`.
fn reference(html: &str) -> Option<usize> {
    let end = html.bytes().take(12).position(|b| b == b';')?;
    let name = html.get(1..end)?;
    let digits = name.strip_prefix('#').unwrap_or(name);
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_alphanumeric())).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use record::text::visible;
    use render::table::escape;

    #[test]
    fn text_between_tags_is_inert_and_tags_stay() {
        assert_eq!(
            inert("<b class=\"a_b\">a_b * c &amp; d</b><style>.a{b:c}</style>"),
            "<b class=\"a_b\">a&#95;b &#42; c &amp; d</b><style>.a{b:c}</style>"
        );
    }

    /// Words that Markdown finds in a text, or `None` where it finds anything but words in the places that hold them.
    fn words(markdown: &str) -> Option<String> {
        use mdbook_markdown::pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
        let mut words = String::new();
        for event in Parser::new_ext(markdown, Options::all()) {
            match event {
                Event::Text(text) => words += &text,
                Event::Start(
                    Tag::Paragraph | Tag::List(None) | Tag::Item | Tag::Heading { id: None, .. },
                )
                | Event::Start(Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::TableCell) => {}
                Event::SoftBreak => {}
                Event::End(TagEnd::TableCell) => words.push('/'),
                Event::End(_) => {}
                _ => return None,
            }
        }
        Some(words)
    }

    proptest! {
        #[test]
        fn no_text_is_anything_but_text(
            any in any::<String>(),
            hostile in "([ a1.)(\\[\\]!*_~`^$:|#>+={}&;<\"'/\\\\\n-]|\\{\\{#include x\\}\\}|&#123;|\\[x\\]:|\u{202e}){0,12}",
        ) {
            for text in [any, hostile] {
                let html = inert(&escape(&text));
                prop_assert!(!html.contains(['{', '<', '\u{202e}', '\n']), "{html:?}");
                let shown = visible(&text.replace(['\n', '\r', '\t'], " ")).into_owned();
                for (page, expected) in [
                    (format!("{html}\n"), shown.clone()),
                    (format!("before\n{html}\nafter"), format!("before{shown}after")),
                    (format!("- {html}\n"), shown.clone()),
                    (format!("# {html}\n"), shown.clone()),
                    (format!("| a | b |\n| --- | --- |\n| {html} | x |\n"), format!("a/b/{shown}/x/")),
                ] {
                    // Any text except spaces at either end, which Markdown removes.
                    let found = words(&page).map(|words| words.replace([' ', '\n'], ""));
                    prop_assert_eq!(found, Some(expected.replace(' ', "")), "{:?}", page);
                }
            }
        }
    }
}
