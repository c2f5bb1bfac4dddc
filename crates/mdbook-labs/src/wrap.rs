//! Lines of code that fit a page: longer ones are broken where C and Rust may be, without any other change.
//!
//! Enters: lines. Leaves: lines of at most a given number of columns, as far as they can be broken. Sources are as wide as a
//! screen, and their line numbers are in records, so that they cannot be made narrower for a page's sake. This module must
//! never know what the code means.

/// Steps of indentation of a broken line's rest.
const REST: &str = "    ";

/// The lines, none longer than `columns` if it can be broken: comments are refilled, a comment after code goes before
/// it, and code is broken after a comma, an opening parenthesis or an assignment, or before an operator.
pub(crate) fn fit(lines: &[String], columns: usize) -> Vec<String> {
    let mut fitted = Vec::with_capacity(lines.len());
    let mut rest = lines;
    while let Some(first) = rest.first() {
        // A comment of several lines is one text, and so is code up to the last of its parentheses.
        let head = comment(first);
        let together = match head {
            Some((mark, _)) => rest.iter().take_while(|line| continues(line, mark)).count().max(1),
            None => statement(rest),
        };
        let (these, others) = rest.split_at(together);
        rest = others;
        if these.iter().all(|line| length(line) <= columns) {
            fitted.extend_from_slice(these);
        } else if let Some((mark, _)) = head {
            let words =
                these.iter().filter_map(|line| comment(line)).flat_map(|(_, text)| text.split_whitespace());
            fitted.extend(fill(mark, words, columns));
        } else {
            let joined: Vec<&str> = these.iter().skip(1).map(|line| line.trim()).collect();
            let whole = [first.as_str()].into_iter().chain(joined).collect::<Vec<_>>().join(" ");
            fitted.extend(code(&whole, columns));
        }
    }
    fitted
}

/// Number of lines up to the one that closes the first line's parentheses; one where a comment or a macro is in the way.
fn statement(lines: &[String]) -> usize {
    let mut depth = 0_i32;
    for (n, line) in lines.iter().enumerate() {
        if line.contains("//") || line.contains('"') && n > 0 || line.ends_with(['\\', '{']) && n == 0 {
            return 1;
        }
        // The brace of a block that begins here is closed elsewhere.
        let line = line.trim_end_matches('{');
        depth += line.matches(['(', '[', '{']).count() as i32 - line.matches([')', ']', '}']).count() as i32;
        if depth <= 0 {
            return n + 1;
        }
    }
    1
}

fn length(line: &str) -> usize {
    line.chars().count()
}

/// A comment's indentation and mark (`    //`), and its text.
fn comment(line: &str) -> Option<(&str, &str)> {
    let at = line.len() - line.trim_start().len();
    let mark = if line[at..].starts_with("///") { 3 } else { 2 };
    line[at..].starts_with("//").then(|| line.split_at(at + mark))
}

/// Whether the line continues with a comment: an empty line of one, or one that begins a list, stays as it is.
fn continues(line: &str, mark: &str) -> bool {
    comment(line).is_some_and(|(there, text)| there == mark && !text.trim().is_empty())
}

fn fill<'w>(mark: &str, words: impl Iterator<Item = &'w str>, columns: usize) -> Vec<String> {
    let mut lines = vec![mark.to_owned()];
    for word in words {
        match lines.last_mut() {
            Some(last) if last.as_str() == mark || length(last) + 1 + length(word) <= columns => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(format!("{mark} {word}")),
        }
    }
    lines
}

fn code(line: &str, columns: usize) -> Vec<String> {
    // Each line of a macro but its last ends in a backslash, often far to the right.
    if let Some(before) = line.strip_suffix('\\') {
        let lines = code(before.trim_end(), columns.saturating_sub(2));
        return lines.into_iter().map(|line| line + " \\").collect();
    }
    let indent = &line[..line.len() - line.trim_start().len()];
    if let Some((before, text)) = line.split_once(" // ") {
        // Before the code that it explains, where both are short enough.
        let mut lines = fill(&format!("{indent}//"), text.split_whitespace(), columns);
        lines.extend(code(before.trim_end(), columns));
        return lines;
    }
    let deeper = format!("{indent}{REST}");
    let (mut lines, mut left) = (Vec::new(), line.to_owned());
    while length(&left) > columns {
        let Some(at) = place(&left, columns) else { break };
        let next = left.split_off(at);
        lines.push(left.trim_end().to_owned());
        left = format!("{deeper}{}", next.trim_start());
    }
    lines.push(left);
    lines
}

/// Where to break a line: after the head of a statement, or in the second half, inside as few parentheses as possible,
/// and there rather after a comma than at an operator, as late as possible.
fn place(line: &str, columns: usize) -> Option<usize> {
    let start = line.len() - line.trim_start().len();
    let heads = ["for ", "if ", "while ", "else "].iter().any(|word| line[start..].starts_with(word));
    let (mut depth, mut quoted) = (0_i32, false);
    let mut best: Option<((i32, i32), usize)> = None;
    for (n, (at, c)) in line.char_indices().enumerate().take(columns) {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth -= 1,
            _ => {}
        }
        let (before, rest) = line.split_at(at);
        if quoted || c != ' ' || at <= start || rest == " {" {
            continue;
        }
        let ends = |marks: &[&str]| marks.iter().any(|mark| before.ends_with(mark));
        let operators = [" + ", " - ", " * ", " && ", " || ", " ? ", " : "];
        let kind = if heads && ends(&[")", "else"]) {
            0
        } else if 2 * n < columns {
            continue;
        } else if ends(&[",", ";"]) {
            0
        } else if ends(&[" =", " +="]) || operators.iter().any(|operator| rest.starts_with(operator)) {
            1
        } else {
            continue;
        };
        if best.is_none_or(|(least, _)| (depth, kind) <= least) {
            best = Some(((depth, kind), at));
        }
    }
    best.map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fitted(text: &str, columns: usize) -> Vec<String> {
        fit(&text.lines().map(str::to_owned).collect::<Vec<_>>(), columns)
    }

    #[test]
    fn what_fits_stays() {
        assert_eq!(fitted("// a\n// b\nint a = b;", 20), ["// a", "// b", "int a = b;"]);
    }

    #[test]
    fn a_comment_is_refilled() {
        assert_eq!(
            fitted("  // one two three four\n  // five\n  //\n  // six\n  x;", 16),
            ["  // one two", "  // three four", "  // five", "  //", "  // six", "  x;"]
        );
    }

    #[test]
    fn a_comment_after_code_goes_before_it() {
        assert_eq!(fitted("  f(a, b); // what it does", 20), ["  // what it does", "  f(a, b);"]);
    }

    #[test]
    fn code_is_broken_outside_parentheses_first() {
        assert_eq!(
            fitted("    float a = f(b, c), d = g(e, h, i);", 32),
            ["    float a = f(b, c),", "        d = g(e, h, i);"]
        );
        assert_eq!(
            fitted("void f(int one, int two, int three)", 26),
            ["void f(int one, int two,", "    int three)"]
        );
    }

    #[test]
    fn code_that_was_broken_before_is_broken_again() {
        let text = "void f(int one, int two,\n       int three) {\n  g();\n}";
        assert_eq!(fitted(text, 20), ["void f(int one,", "    int two,", "    int three) {", "  g();", "}"]);
        assert_eq!(fitted(text, 30), text.lines().collect::<Vec<_>>());
    }

    #[test]
    fn texts_are_not_broken_and_macros_continue() {
        assert_eq!(fitted("print(\"a, b, c, d, e, f\");", 12), ["print(\"a, b, c, d, e, f\");"]);
        assert_eq!(fitted("#define F(A, B)       \\", 20), ["#define F(A, B) \\"]);
        assert_eq!(fitted("  a = b + c; \\\n  d;", 12), ["  a = b \\", "      + c; \\", "  d;"]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "[ a-c(),;+=/\"\\\\{}\n]{0,120}", columns in 4_usize..40) {
            let tokens = |text: &str| {
                let mut tokens: Vec<char> =
                    text.chars().filter(|c| !c.is_whitespace() && !"/\\".contains(*c)).collect();
                tokens.sort_unstable();
                tokens
            };
            prop_assert_eq!(tokens(&fitted(&text, columns).join("\n")), tokens(&text));
        }
    }
}
