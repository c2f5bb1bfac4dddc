//! Places in a chapter's prose that a line break must not split, such as a number and its unit.
//!
//! Enters: a chapter's Markdown. Leaves: places with their replacements. This module must never know what they mean.

use mdbook_markdown::pulldown_cmark::{Event, Tag, TagEnd};
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};
use std::ops::Range;

/// Places of the text outside code and pictures, each with its replacement, in their order.
pub(crate) fn places(chapter: &str) -> Vec<(Range<usize>, String)> {
    let mut places = Vec::new();
    let mut closed = 0_usize;
    // Text and the line ends in it, which are separate events.
    let mut run = 0..0;
    let mut end = |run: &Range<usize>| {
        let text = &chapter[run.clone()];
        places.extend(render::nonbreaking::whole(text).into_iter().map(|(there, whole)| {
            let html = whole.html(&text[there.clone()]);
            (run.start + there.start..run.start + there.end, html)
        }));
    };
    for (event, range) in new_cmark_parser(chapter, &MarkdownOptions::default()).into_offset_iter() {
        match event {
            Event::Text(_) | Event::SoftBreak if closed == 0 => {
                if run.end == range.start {
                    run.end = range.end;
                } else {
                    end(&run);
                    run = range;
                }
            }
            Event::Start(Tag::CodeBlock(_) | Tag::Image { .. }) => closed += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::Image) => closed = closed.saturating_sub(1),
            _ => {}
        }
    }
    end(&run);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_kept_together_and_code_is_not_touched() {
        let text =
            "Take 64\nKiB, `5 ms` and **3 ns**.\n\n```text\n2 MiB\n```\n\n![8 GB](a.png) | 2026-01-31\n";
        let found: Vec<_> = places(text).into_iter().map(|(at, html)| (&text[at], html)).collect();
        let date = "<span class=\"whole\">2026-01-31</span>".to_owned();
        let space = "\u{a0}".to_owned();
        assert_eq!(found, [("\n", space.clone()), (" ", space), ("2026-01-31", date)]);
    }
}
