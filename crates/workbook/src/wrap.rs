//! Lines that fit a terminal: it would break them in the middle of a word.
//!
//! Enters: text with ANSI styles, and the number of columns. Leaves: the same with further line breaks, between words.

/// Breaks lines that have more columns than this. Marks below a line of code stay as they are.
pub(crate) fn wrapped(text: &str, columns: usize) -> String {
    let mut reported = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let seen = visible(line);
        if seen.chars().count() <= columns || is_drawn(&seen) {
            reported.push_str(line);
        } else {
            let indent = seen.len() - seen.trim_start_matches(' ').len();
            broken(&mut reported, line, columns, &" ".repeat(indent));
        }
    }
    reported
}

/// Whether it is code, or what points at it.
fn is_drawn(line: &str) -> bool {
    let behind_number = line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
    ["|", "-->", ":::", "..."].iter().any(|mark| behind_number.starts_with(mark))
}

fn broken(reported: &mut String, line: &str, columns: usize, indent: &str) {
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        let seen = visible(word);
        let (room, all) = (seen.trim_end_matches(' ').chars().count(), seen.chars().count());
        if used > indent.len() && used + room > columns {
            reported.truncate(reported.trim_end_matches(' ').len());
            reported.push('\n');
            reported.push_str(indent);
            used = indent.len();
        }
        reported.push_str(word);
        used += all;
    }
}

/// A line without its styles and its end.
fn visible(line: &str) -> String {
    anstream::adapter::strip_str(line.trim_end_matches(['\n', '\r'])).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_breaks_between_words_and_continues_where_it_began() {
        assert_eq!(wrapped("one two three\nfour\n", 8), "one two\nthree\nfour\n");
        assert_eq!(wrapped("  one two three\n", 9), "  one two\n  three\n");
        assert_eq!(wrapped("one two", 7), "one two");
    }

    #[test]
    fn styles_have_no_width() {
        assert_eq!(wrapped("\x1b[1mone two\x1b[0m three", 7), "\x1b[1mone two\x1b[0m\nthree");
    }

    #[test]
    fn code_and_what_points_at_it_stay_as_they_are() {
        let code = "12 |     if (i < n) c[i] = a[i] + b[i];\n   |                ^^^^ thread 0 of block 1\n  --> exercises/a b.cu:12:16\n";
        assert_eq!(wrapped(code, 20), code);
    }

    #[test]
    fn a_word_that_is_too_long_has_a_line_of_its_own() {
        assert_eq!(wrapped("a bbbbbbbbbb c\n", 4), "a\nbbbbbbbbbb\nc\n");
    }
}
