//! Code of the source, as text: which part of an expression an instruction is about, and what a kernel calls its parameters.
//!
//! Enters: text. Leaves: parts of it. This module must never know what a fault is.

/// Of an assignment what is assigned to, if an instruction `stores`, and otherwise what is read; of any other code all of it.
pub fn narrowed(code: &str, stores: bool) -> &str {
    match assignment(code) {
        Some((end, _, compound)) if stores || compound => &code[..end],
        Some((_, start, _)) => &code[start..],
        None => code,
    }
}

/// The names of a kernel's parameters, in their order, as far as a text declares them; the kernel by its name in the PTX.
pub(crate) fn named_parameters(text: &str, kernel: &str) -> Vec<String> {
    let written = names::readable(kernel);
    let base = written.split(['(', '<']).next().unwrap_or_default();
    let base = base.rsplit([' ', ':']).next().unwrap_or_default();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = |parameter: String| {
        let before = parameter.split('=').next().unwrap_or_default().trim_end().trim_end_matches(['[', ']']);
        let start = before.rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
        before[start..].to_owned()
    };
    parameters(text, base).unwrap_or_default().into_iter().map(name).collect()
}

/// In an expression that is an assignment: where what is assigned to ends, where the value begins, and whether the old
/// value counts too.
fn assignment(text: &str) -> Option<(usize, usize, bool)> {
    let (mut depth, bytes) = (0, text.as_bytes());
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'=' if depth == 0 && bytes.get(at + 1) != Some(&b'=') => {
                let before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
                let shift = at > 1 && matches!(before, b'<' | b'>') && bytes[at - 2] == before;
                if matches!(before, b'=' | b'!') || matches!(before, b'<' | b'>') && !shift {
                    continue;
                }
                let compound = shift || b"+-*/%&|^".contains(&before);
                let target = text[..at].trim_end_matches(|c: char| "+-*/%&|^<>".contains(c)).trim_end();
                let value = at + 1 + text[at + 1..].len() - text[at + 1..].trim_start().len();
                return Some((target.len(), value, compound));
            }
            _ => {}
        }
    }
    None
}

/// The parameters of a function that a text declares, each as it is written there. Functions that macros make have none
/// here.
pub fn parameters(text: &str, name: &str) -> Option<Vec<String>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let open = text.match_indices(name).find_map(|(at, _)| {
        let (before, after) = (&text[..at], text[at + name.len()..].trim_start());
        let declared = before.ends_with(|c: char| !is_name(c)) && before.trim_end().ends_with("void");
        (declared && after.starts_with('(')).then(|| text.len() - after.len() + 1)
    })?;
    let (mut all, mut depth, mut start) = (vec![], 0, open);
    for (at, c) in text[open..].char_indices() {
        let at = open + at;
        match c {
            ')' if depth == 0 => {
                all.push(&text[start..at]);
                break;
            }
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                all.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    let words = |part: &&str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(all.iter().map(words).filter(|part| !part.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_the_names_that_the_kernel_has_for_them() {
        let text =
            "extern \"C\" __global__ void k(const float *__restrict__ in, float (&out)[4], int n = 3) {}";
        assert_eq!(named_parameters(text, "k")[0], "in");
        assert_eq!(
            named_parameters("template <class T> __global__ void s(T *p, int n) {}", "_Z1sIfEvPT_i"),
            ["p", "n"]
        );
        assert_eq!(named_parameters("void other() {}", "k"), Vec::<String>::new());
    }

    #[test]
    fn an_assignment_has_two_sides() {
        let sides = |text: &str| {
            let (end, start, compound) = assignment(text)?;
            Some((text[..end].to_owned(), text[start..].to_owned(), compound))
        };
        let both = |a: &str, b: &str, compound| Some((a.to_owned(), b.to_owned(), compound));
        assert_eq!(sides("c[i] = a[i] == b[i]"), both("c[i]", "a[i] == b[i]", false));
        assert_eq!(sides("c[i = 3] += a[i]"), both("c[i = 3]", "a[i]", true));
        assert_eq!(sides("c <<= 2"), both("c", "2", true));
        for none in ["a[i]", "a <= b", "a == b", "f(a = b)", ""] {
            assert_eq!(sides(none), None, "{none}");
        }
    }

    #[test]
    fn parameters_are_reported_as_they_are_written() {
        let text = "// k(\n__global__ void __launch_bounds__(64) other(int a);\n\
                    extern \"C\" __global__ void k(const float *in, Pair<int, 2> p,\n    int n) {}";
        let reported = |name| parameters(text, name);
        assert_eq!(
            reported("k"),
            Some(vec!["const float *in".to_owned(), "Pair<int, 2> p".to_owned(), "int n".to_owned()])
        );
        assert_eq!(reported("absent"), None);
    }
}
