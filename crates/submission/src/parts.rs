//! The number of parts of a text of TOML, counted before any of it is unpacked.
//!
//! Enters: a text, which need not be TOML. Leaves: whether it has few enough parts, or the line with the first that is too
//! many. A value of two bytes takes a hundred bytes of memory once it is read, so that a limit on the bytes of a file
//! alone does not limit memory. Strings and comments are not parts, however long they are: they take no more than their bytes.

/// A place in a text: outside strings, or in a string that ends as it says.
#[derive(Clone, Copy)]
enum In {
    Text,
    Comment,
    /// A string of one line, with its quote.
    Line(u8),
    /// A string of several lines, with its quote.
    Lines(u8),
}

/// Counts what can begin a part: commas, dots, equals signs, brackets, and line ends. The line, from 1, of the first part
/// beyond `most`.
pub(crate) fn first_beyond(text: &str, most: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut line, mut parts, mut within) = (0, 1, 0, In::Text);
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let mut step = 1;
        if byte == b'\n' {
            line += 1;
        }
        within = match (within, byte) {
            (In::Lines(quote), _) if rest.starts_with(&[quote; 3]) => {
                step = 3;
                In::Text
            }
            // A character after a backslash does not end a string; a line end is looked at, for the count of lines.
            (In::Line(b'"') | In::Lines(b'"'), b'\\') => {
                step = if rest.get(1) == Some(&b'\n') { 1 } else { 2 };
                within
            }
            (In::Line(quote), byte) if byte == quote => In::Text,
            (In::Line(_) | In::Comment | In::Text, b'\n') => {
                parts += 1;
                In::Text
            }
            (In::Line(_) | In::Lines(_) | In::Comment, _) => within,
            (In::Text, b'"' | b'\'') if rest.starts_with(&[byte; 3]) => {
                step = 3;
                In::Lines(byte)
            }
            (In::Text, b'"' | b'\'') => {
                parts += 1;
                In::Line(byte)
            }
            (In::Text, b'#') => In::Comment,
            (In::Text, b',' | b'.' | b'=' | b'[' | b'{') => {
                parts += 1;
                In::Text
            }
            (In::Text, _) => In::Text,
        };
        if parts > most {
            return Some(line);
        }
        at += step;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of parts of a text.
    fn parts(text: &str) -> usize {
        (0..).find(|most| first_beyond(text, *most).is_none()).unwrap_or_default()
    }

    #[test]
    fn what_is_in_strings_and_comments_is_not_a_part() {
        assert_eq!(parts("a = 1\n"), 2);
        assert_eq!(parts("a.b = [1, 2, {c = 3}]\n"), 8);
        for string in ["\"\"\"\n,\\\"\"\"\n,,,\n\"\"\"", "'''\n,''\n,,,\\'''", "\"\"\"\\\n,,,\"\"\""] {
            assert_eq!(parts(&format!("a = {string}\n")), 2, "{string}");
        }
        for string in ["\",\\\",,[\"", "',,\\'", "\"\\\\\"", "''"] {
            assert_eq!(parts(&format!("a = {string}\n")), 3, "{string}");
        }
        assert_eq!(parts("# a = [1, 2, 3] ''' \"\"\"\n"), 1);
    }

    #[test]
    fn a_string_of_one_line_that_is_not_closed_hides_nothing_of_the_next() {
        assert_eq!(parts("a = \"\n,,,"), 6);
        assert_eq!(parts("a = '\\\n,,,"), 6);
        assert_eq!(parts("a = \"\\\n,,,"), 6);
    }

    #[test]
    fn the_line_of_the_first_part_beyond_is_reported() {
        assert_eq!(first_beyond("a = 1\nb = '''\n\n'''\nc = [1,\n2]\n", 5), Some(5));
        assert_eq!(first_beyond("", 0), None);
    }
}
