//! Where texts go: line breaks, estimated widths, and the places of the labels at the lines' ends.
//!
//! Enters: texts, sizes, wishes. Leaves: lines and positions without overlap. This module must never know what the texts
//! say.

/// The width of a text set in a sans-serif face, in the unit of `size`. As wide as DejaVu Sans sets it, the
/// widest of the usual faces: no font is at hand, and the browser chooses its own.
pub(super) fn width(text: &str, size: f64) -> f64 {
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

/// Breaks a text into lines of at most `room`, at spaces where that is possible, but not between a number and its unit.
pub(super) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
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

/// Puts items of the given heights as near as possible to the centres they wish for, in the order of the wishes,
/// without overlap, and inside of `low..high` where they fit. Returns the centres in the order given.
pub(super) fn spread(wishes: &[(f64, f64)], low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wishes.len()).collect();
    order.sort_by(|a, b| wishes[*a].0.total_cmp(&wishes[*b].0));

    // Items that would overlap become one group, which lies where its members wish it to be on average.
    struct Group {
        items: Vec<usize>,
        height: f64,
        sum: f64, // of the tops that the members wish for the group
    }
    impl Group {
        fn top(&self, low: f64, high: f64) -> f64 {
            (self.sum / self.items.len() as f64).min(high - self.height).max(low)
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    for i in order {
        let (wish, height) = wishes[i];
        let mut group = Group { items: vec![i], height, sum: wish - height / 2.0 };
        while let Some(above) = groups.pop() {
            if above.top(low, high) + above.height <= group.top(low, high) {
                groups.push(above);
                break;
            }
            group = Group {
                sum: above.sum + group.sum - above.height * group.items.len() as f64,
                height: above.height + group.height,
                items: [above.items, group.items].concat(),
            };
        }
        groups.push(group);
    }
    let mut centres = vec![0.0; wishes.len()];
    for group in &groups {
        let mut at = group.top(low, high);
        for i in &group.items {
            centres[*i] = at + wishes[*i].1 / 2.0;
            at += wishes[*i].1;
        }
    }
    centres
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

    #[test]
    fn labels_that_fit_stay_where_they_are() {
        assert_eq!(spread(&[(50.0, 10.0), (20.0, 10.0)], 0.0, 100.0), [50.0, 20.0]);
    }

    #[test]
    fn labels_that_overlap_part_around_their_middle() {
        assert_eq!(spread(&[(50.0, 10.0), (50.0, 10.0)], 0.0, 100.0), [45.0, 55.0]);
    }

    #[test]
    fn labels_stay_inside() {
        assert_eq!(spread(&[(0.0, 10.0), (1.0, 10.0), (99.0, 10.0)], 0.0, 100.0), [5.0, 15.0, 95.0]);
    }
}
