//! The mark by which a student names a line as the cause: `// cause`, at the line's end or on the line before it.
//!
//! Enters: lines of a source. Leaves: whether they are marked, and their text without it. This module must never know which
//! line is the right one.

/// The mark, as tasks write it.
pub const MARK: &str = "// cause";

/// A line without its mark; `None` where it has none.
pub fn without(line: &str) -> Option<&str> {
    let (before, said) = line.rsplit_once("//")?;
    said.trim().eq_ignore_ascii_case("cause").then_some(before)
}

/// Indices of the lines that are marked. A mark on a line of its own is for the next line that is not empty.
pub fn marked(lines: &[&str]) -> Vec<usize> {
    let is_code = |line: &str| !without(line).unwrap_or(line).trim().is_empty();
    let of = |at: usize| (at..lines.len()).find(|at| is_code(lines[*at])).unwrap_or(at);
    (0..lines.len()).filter(|at| without(lines[*at]).is_some()).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_a_comment_that_says_nothing_else() {
        assert_eq!(without("    int i = 0; // cause"), Some("    int i = 0; "));
        assert_eq!(without("f(); // why // Cause "), Some("f(); // why "));
        for line in ["f(); // the cause", "f(); // cause of it", "cause", "// Write `// cause` there", ""] {
            assert_eq!(without(line), None, "{line}");
        }
    }

    #[test]
    fn a_mark_of_its_own_is_for_the_next_line_with_code() {
        assert_eq!(marked(&["a;", "  // cause", "", "b; // why", "c; // cause"]), [3, 4]);
        assert_eq!(marked(&["a;", "// cause"]), [1]);
    }
}
