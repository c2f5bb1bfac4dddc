//! What no line's end may part: a number and its unit, the factors of a product, a date.
//!
//! Enters: text. Leaves: where spaces must not break, and where a date is. This module must never know where the text
//! is shown.

use std::ops::Range;

/// Units that stay with the number before them.
const UNITS: [&str; 20] = [
    "%",
    "ns",
    "µs",
    "ms",
    "s",
    "B",
    "KB",
    "MB",
    "GB",
    "KiB",
    "MiB",
    "GiB",
    "GB/s",
    "TB/s",
    "MHz",
    "GHz",
    "GFLOP/s",
    "TFLOP/s",
    "billion",
    "billion/s",
];

/// Place in a text that takes another form in HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// A space that must not break.
    Space,
    /// A date, with hyphens that must not break.
    Date,
}

impl Whole {
    /// HTML for `text`, which is there and is as it would be in HTML otherwise.
    pub fn html(self, text: &str) -> String {
        match self {
            Whole::Space => "\u{a0}".to_owned(),
            Whole::Date => format!("<span class=\"whole\">{text}</span>"),
        }
    }
}

/// Ranges of bytes in `text` that stay whole, in their order.
pub fn whole(text: &str) -> Vec<(Range<usize>, Whole)> {
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        let (before, rest) = text.split_at(at);
        if matches!(c, ' ' | '\n') && joins(before, &rest[1..]) {
            found.push((at..at + 1, Whole::Space));
        } else if c.is_ascii_digit() && !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '-') {
            let length = "2026-01-31".len();
            if rest.get(..length).is_some_and(is_date)
                && !rest[length..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
            {
                found.push((at..at + length, Whole::Date));
            }
        }
    }
    found
}

/// Whether the texts on both sides of a space belong together.
fn joins(before: &str, after: &str) -> bool {
    let digit = |c: char| c.is_ascii_digit();
    // In a chapter, a number may be the end of a directive.
    if before.ends_with(digit) || before.ends_with("}}") {
        let word = after.split(|c: char| !(c.is_alphanumeric() || matches!(c, '%' | '/' | '×'))).next();
        return word.is_some_and(|word| UNITS.contains(&word) || word == "×" && after.starts_with("× "));
    }
    let factor = |number: &str| number.ends_with(digit) || number.ends_with("}}");
    before.strip_suffix(" ×").is_some_and(factor) && (after.starts_with(digit) || after.starts_with("{{"))
}

fn is_date(text: &str) -> bool {
    text.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mut html = text.to_owned();
        for (range, whole) in whole(text).into_iter().rev() {
            let there = whole.html(&text[range.clone()]);
            html.replace_range(range, &there);
        }
        html.replace('\u{a0}', "_")
    }

    #[test]
    fn a_number_keeps_its_unit() {
        for (text, html) in [
            ("a module has 64 KiB of it", "a module has 64_KiB of it"),
            ("from global memory 89 %: what", "from global memory 89_%: what"),
            ("1.5 ms, 3,000 GB/s.", "1.5_ms, 3,000_GB/s."),
            ("{{#value a b}} GB/s", "{{#value a b}}_GB/s"),
            ("256 B apart", "256_B apart"),
            ("as many as 64\nKiB", "as many as 64_KiB"),
        ] {
            assert_eq!(shown(text), html);
        }
    }

    #[test]
    fn the_factors_of_a_product_stay_together() {
        assert_eq!(shown("blocks of 32 × 8 threads"), "blocks of 32_×_8 threads");
        assert_eq!(shown("4,800 × 6,400 × 3,200"), "4,800_×_6,400_×_3,200");
        assert_eq!(shown("R × R elements"), "R × R elements");
    }

    #[test]
    fn other_spaces_break() {
        for text in ["2 blocks", "4 sectors", "16 Bytes", "3 sets", "of 5.5: 5.5", "i % 4", "a s"] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn a_date_is_one_word() {
        assert_eq!(
            shown("measured 2026-11-22; yours: 2026-11-26)"),
            "measured <span class=\"whole\">2026-11-22</span>; yours: <span class=\"whole\">2026-11-26</span>)"
        );
        for text in ["2026-11-222", "x2026-11-22", "1-2026-11-22", "2026-1-22", "2026-11-2", "202é-11-22"] {
            assert_eq!(shown(text), text);
        }
    }
}
