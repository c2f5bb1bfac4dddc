//! Finds the directives and formulas of a chapter, but not in code, comments or where escaped.
//!
//! Enters: a chapter's Markdown. Leaves: [`Piece`]s with their ranges, or a position and the error there. This module
//! must never know which directives there are.

use mdbook_markdown::pulldown_cmark::{Event, Tag};
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};
use std::ops::Range;

/// A directive or formula in a chapter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// Range of its bytes in the chapter.
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// `{{#name word word key=value}}`.
    Directive(Directive),
    /// `$$ … $$` and `\\( … \\)`.
    Formula {
        tex: String,
        /// Position of the TeX in the chapter, in bytes.
        start: usize,
        display: bool,
    },
}

/// A directive's name and arguments.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Directive {
    pub(crate) name: String,
    /// Arguments without a name.
    pub(crate) words: Vec<String>,
    /// Arguments with a name, in their order.
    pub(crate) options: Vec<(String, String)>,
    /// Whether the directive is in code, where mdBook expands its own.
    pub(crate) in_code: bool,
}

impl Directive {
    /// The value of an option.
    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(there, _)| there == name).map(|(_, value)| value.as_str())
    }

    /// The values of an option, which commas separate; none where it is not given.
    pub(crate) fn list(&self, name: &str) -> Vec<&str> {
        self.option(name).map(|list| list.split(',').map(str::trim).collect()).unwrap_or_default()
    }
}

/// Position of an error in the chapter, in bytes, and its message.
pub(crate) type Wrong = (usize, String);

/// All pieces of a chapter in their order, and the errors in texts that begin like a piece but are not one.
pub(crate) fn pieces(text: &str) -> (Vec<Piece>, Vec<Wrong>) {
    let code = code(text);
    let (mut pieces, mut wrong) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let in_code = code.iter().find(|range| range.contains(&at));
        let escaped = text[..at].ends_with('\\');
        let step = if rest.starts_with("{{") && rest[2..].trim_start().starts_with('#') {
            if escaped {
                2
            } else {
                match directive(rest) {
                    Ok((mut directive, length)) => {
                        directive.in_code = in_code.is_some();
                        let kind = Kind::Directive(directive);
                        pieces.push(Piece { range: at..at + length, kind });
                        length
                    }
                    // Braces in code are the code's own.
                    Err(_) if in_code.is_some() => 2,
                    Err((offset, message)) => {
                        wrong.push((at + offset, message));
                        2
                    }
                }
            }
        } else if let Some(code) = in_code {
            // To the end of the code, or the next braces in it, which may include a file.
            let end = code.end - at;
            rest[..end].match_indices("{{").map(|(i, _)| i).find(|i| *i > 0).unwrap_or(end)
        } else if let Some(comment) = rest.strip_prefix("<!--") {
            comment.find("-->").map_or(rest.len(), |end| end + 4 + 3)
        } else if !escaped && let Some(formula) = formula(rest) {
            match formula {
                Ok((start, end, length)) => {
                    let kind = Kind::Formula {
                        tex: rest[start..end].to_owned(),
                        start: at + start,
                        display: rest.starts_with("$$"),
                    };
                    pieces.push(Piece { range: at..at + length, kind });
                    length
                }
                Err(message) => {
                    wrong.push((at, message));
                    2
                }
            }
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += step;
    }
    (pieces, wrong)
}

/// Ranges of code blocks and code spans, in their order, as mdBook's own parser finds them.
fn code(text: &str) -> Vec<Range<usize>> {
    new_cmark_parser(text, &MarkdownOptions::default())
        .into_offset_iter()
        .filter(|(event, _)| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))))
        .map(|(_, range)| range)
        .collect()
}

/// Reads a formula at the start of `text`: start and end of its TeX, and the length of the whole.
fn formula(text: &str) -> Option<Result<(usize, usize, usize), String>> {
    let (open, close, escape) = if text.starts_with("$$") {
        ("$$", "$$", r"\$\$ for two dollar signs")
    } else if text.starts_with(r"\\(") {
        (r"\\(", r"\\)", r"\\\\( for a backslash and a parenthesis")
    } else {
        return None;
    };
    let rest = &text[open.len()..];
    let paragraph = rest.find("\n\n").unwrap_or(rest.len());
    Some(match rest[..paragraph].find(close) {
        Some(end) => Ok((open.len(), open.len() + end, open.len() + end + close.len())),
        None => Err(format!(
            "`{open}` begins a formula that no `{close}` ends in this paragraph (write {escape})"
        )),
    })
}

/// Reads a directive at the start of `text`; returns its length too.
fn directive(text: &str) -> Result<(Directive, usize), Wrong> {
    let mut directive = Directive::default();
    let start = text.find('#').map_or(2, |at| at + 1);
    let mut at = start;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        if text[at..].starts_with("}}") {
            break;
        }
        let word_at = at;
        let (mut word, mut quoted, mut name) = (String::new(), false, None);
        loop {
            let rest = &text[at..];
            let Some(c) = rest.chars().next() else {
                return Err((0, "this directive has no `}}` at its end".into()));
            };
            if !quoted && (c.is_whitespace() || rest.starts_with("}}")) {
                break;
            }
            at += c.len_utf8();
            match c {
                '"' => quoted = !quoted,
                // A directive ends before the paragraph does; else one quotation mark would take the rest of the page.
                '\n' if rest[1..].starts_with('\n') => {
                    return Err((word_at, "a quotation mark is missing in this directive".into()));
                }
                '\n' => word.push(' '),
                '=' if !quoted && name.is_none() => name = Some(std::mem::take(&mut word)),
                c => word.push(c),
            }
        }
        match name {
            _ if directive.name.is_empty() => directive.name = word,
            None => directive.words.push(word),
            Some(name) if directive.options.iter().any(|(there, _)| *there == name) => {
                return Err((word_at, format!("option `{name}` is given twice")));
            }
            Some(name) => directive.options.push((name, word)),
        }
    }
    if directive.name.is_empty() {
        return Err((0, "this directive has no name".into()));
    }
    Ok((directive, at + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let (pieces, wrong) = pieces(text);
        assert_eq!(wrong, []);
        pieces
            .into_iter()
            .map(|piece| match piece.kind {
                Kind::Directive(d) if d.in_code => format!("{} in code", d.name),
                Kind::Directive(d) => d.name,
                Kind::Formula { tex, display, .. } => {
                    format!("{}:{}", if display { "display" } else { "inline" }, tex)
                }
            })
            .collect()
    }

    #[test]
    fn a_directive_has_words_and_options() {
        let (pieces, _) = pieces("a {{#plot h200/lab-5-5 stencil series=a,b title=\"x = {1}\"}} b");
        let Kind::Directive(d) = &pieces[0].kind else { panic!("no directive") };
        assert_eq!((d.name.as_str(), d.words.join(" ")), ("plot", "h200/lab-5-5 stencil".into()));
        assert_eq!(d.options, [("series".into(), "a,b".into()), ("title".into(), "x = {1}".into())]);
        assert_eq!(pieces[0].range, 2..59);
    }

    #[test]
    fn escaped_directives_are_left_alone() {
        assert_eq!(names(r"\{{#value a}} {{#fact b}}"), ["fact"]);
    }

    #[test]
    fn code_and_comments_are_left_alone() {
        let text = "`{{#a}}` {{#b}}\n\n```c\n$$ \\\\( x[{{0}}] {{#c}}\n```\n\n    {{#d}}\n\n<!-- {{#e}} $$ -->\n\n{{#f}}";
        assert_eq!(names(text), ["a in code", "b", "c in code", "d in code", "f"]);
    }

    #[test]
    fn formulas_are_found_outside_code() {
        assert_eq!(
            names("$$a_1 * b$$ and \\\\( c \\\\) and `$$`, \\$\\$"),
            ["display:a_1 * b", "inline: c "]
        );
    }

    #[test]
    fn what_has_no_end_is_refused_where_it_begins() {
        for (text, at) in
            [("ä {{#value a", 3), ("a $$ b", 2), ("\\\\( b\n\nc \\\\)", 0), ("{{#a b=\"c}}\n\n d\"", 5)]
        {
            let (_, wrong) = pieces(text);
            assert_eq!(wrong.first().map(|(at, _)| *at), Some(at), "{text}");
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic() {
        for text in [
            "{{",
            "{{#",
            "{{#}}",
            "{{#a=}}",
            "$$",
            "$$$",
            "\\\\(",
            "<!--",
            "{{#\u{a0}ä\"",
            "`{{#",
            "{{#a \"\n\n",
        ] {
            let _ = pieces(text);
        }
    }
}
