//! Widths of texts, and their line breaks.
//!
//! Enters: texts and sizes. Leaves: widths, estimated, and lines. This module must never know what the texts say.

/// Estimated width of a text in a sans-serif face, in the unit of `size`. As wide as DejaVu Sans sets it, the
/// widest of the usual faces: no font is at hand, and the browser chooses its own.
pub fn width(text: &str, size: f64) -> f64 {
    let em: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | 't' | 'f' | 'r' | '.' | ',' | ':' | ';' | '\'' | '|' | '(' | ')' | ' '
            | '\u{a0}' => 0.4,
            'm' | 'w' | 'M' | 'W' | '%' => 0.98,
            'A'..='Z' | '—' => 0.76,
            c if c.is_ascii() => 0.65,
            _ => 0.85,
        })
        .sum();
    em * size
}

/// How many texts there are for each that is shown, so that those shown are at least `gap` apart; `spans` holds where
/// each begins and ends, from left to right.
pub(crate) fn sparse(spans: &[(f64, f64)], gap: f64) -> usize {
    let fits = |every: &usize| {
        let shown: Vec<_> = spans.iter().step_by(*every).collect();
        shown.windows(2).all(|pair| pair[0].1 + gap <= pair[1].0)
    };
    (1..spans.len()).find(fits).unwrap_or(spans.len().max(1))
}

/// Breaks a text into lines of at most `room`, at spaces where that is possible, but not between a number and its unit.
pub fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split([' ', '\n', '\t']).filter(|word| !word.is_empty()) {
        match words.last_mut() {
            Some(last) if last.bytes().all(|b| b.is_ascii_digit() || b == b',' || b == b'.') => {
                last.push('\u{a0}');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    let mut lines = vec![String::new()];
    for word in words {
        let mut pieces = vec![String::new()];
        for c in word.chars() {
            if pieces.last().is_some_and(|piece| !piece.is_empty() && width(piece, size) > room - size) {
                pieces.push(String::new());
            }
            if let Some(piece) = pieces.last_mut() {
                piece.push(c);
            }
        }
        for piece in pieces {
            match lines.last_mut() {
                Some(line) if line.is_empty() => *line = piece,
                Some(line) if width(line, size) + width(&piece, size) + 0.3 * size <= room => {
                    line.push(' ');
                    line.push_str(&piece);
                }
                _ => lines.push(piece),
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_long_words_anywhere() {
        assert_eq!(wrap("guarded, const __restrict__", 10.0, 100.0), ["guarded, const", "__restrict__"]);
        assert_eq!(wrap("constant, 256 B", 10.0, 75.0), ["constant,", "256\u{a0}B"]);
        assert!(wrap(&"x".repeat(100), 10.0, 100.0).len() > 4);
        assert_eq!(wrap("", 10.0, 100.0), [""]);
    }
}
