//! Variants of one source: the solution, the skeleton that a student begins with, and typical attempts.
//!
//! Enters: the source of an exercise, in which regions have alternatives. Leaves: the text of one variant. The solution
//! is the file itself, less the other alternatives, so that nothing is written twice.
//!
//! ```text
//! //< the reads            begins a region; the text describes it
//!     sum += table[i];
//! //| skeleton             an alternative to the solution above
//!     // YOUR CODE
//! //| a lane each          one more: an attempt that must fail
//!     sum += table[lane];
//! //>                      ends the region
//! ```
//!
//! A variant takes its alternative where a region has one of its name, and the solution everywhere else.

use std::collections::BTreeSet;

/// Name of the variant that a student begins with.
pub const SKELETON: &str = "skeleton";

const BEGIN: &str = "//<";
const NEXT: &str = "//|";
const END: &str = "//>";

/// A source without alternatives except the skeleton.
pub(crate) fn without_attempts(source: &str) -> String {
    let mut kept = true;
    source
        .split_inclusive('\n')
        .filter(|line| {
            let mark = line.trim_start();
            if let Some(name) = mark.strip_prefix(NEXT) {
                kept = name.trim() == SKELETON;
            } else if mark.starts_with(END) {
                kept = true;
            }
            kept
        })
        .collect()
}

/// Line of a source whose regions are not well-formed, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct Error {
    line: usize,
    why: &'static str,
}

/// A source with its alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variants {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    /// The solution's lines, or those outside regions.
    solution: String,
    /// Other alternatives by name.
    others: Vec<(String, String)>,
}

impl Variants {
    /// The variants of a source.
    ///
    /// # Errors
    /// A region that does not end, or a mark outside one.
    pub fn parse(source: &str) -> Result<Self, Error> {
        let mut parts = vec![Part { solution: String::new(), others: vec![] }];
        let mut open = None;
        let error = |line, why| Err(Error { line, why });
        for (number, line) in (1..).zip(source.lines()) {
            let mark = line.trim_start();
            if mark.starts_with(BEGIN) {
                if open.replace(number).is_some() {
                    return error(number, "a region begins inside another");
                }
                parts.push(Part { solution: String::new(), others: vec![] });
            } else if let Some(name) = mark.strip_prefix(NEXT) {
                let Some(part) = parts.last_mut().filter(|_| open.is_some()) else {
                    return error(number, "an alternative is outside a region");
                };
                if name.trim().is_empty() {
                    return error(number, "an alternative has no name");
                }
                part.others.push((name.trim().to_owned(), String::new()));
            } else if mark.starts_with(END) {
                if open.take().is_none() {
                    return error(number, "a region ends that has not begun");
                }
                parts.push(Part { solution: String::new(), others: vec![] });
            } else if let Some(part) = parts.last_mut() {
                let text = part.others.last_mut().map_or(&mut part.solution, |(_, text)| text);
                text.push_str(line);
                text.push('\n');
            }
        }
        match open {
            Some(line) => error(line, "the region that begins here does not end"),
            None => Ok(Variants { parts }),
        }
    }

    /// The solution.
    pub fn solution(&self) -> String {
        self.parts.iter().map(|part| part.solution.as_str()).collect()
    }

    /// The variant of a name; `None` where no region has it.
    pub fn named(&self, name: &str) -> Option<String> {
        let mut found = false;
        let mut text = String::new();
        for part in &self.parts {
            let other = part.others.iter().find(|(other, _)| other == name);
            found |= other.is_some();
            text += other.map_or(&part.solution, |(_, text)| text);
        }
        found.then_some(text)
    }

    /// Lines of a variant, from 0, in those regions whose solution has a line that `is` so.
    pub(crate) fn lines_where(&self, name: &str, is: &dyn Fn(&str) -> bool) -> BTreeSet<usize> {
        let mut lines = BTreeSet::new();
        let mut next = 0;
        for part in &self.parts {
            let other = part.others.iter().find(|(other, _)| other == name);
            let text = other.map_or(&part.solution, |(_, text)| text);
            let first = next;
            next += text.lines().count();
            if other.is_some() && part.solution.lines().any(is) {
                lines.extend(first..next);
            }
        }
        lines
    }

    /// Names of all variants except the solution.
    pub fn names(&self) -> BTreeSet<&str> {
        self.parts.iter().flat_map(|part| &part.others).map(|(name, _)| name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_attempts_the_solution_and_the_skeleton_are_as_before() {
        let source = "a\n//<\nb\n//| skeleton\nc\n//| wrong\nd\n//>\ne\n//<\nf\n//| wrong\ng\n//>\n";
        let (all, less) = (Variants::parse(source), Variants::parse(&without_attempts(source)));
        let (all, less) = (all.expect("regions"), less.expect("regions"));
        assert_eq!((less.solution(), less.named(SKELETON)), (all.solution(), all.named(SKELETON)));
        assert!(all.names().contains("wrong") && !less.names().contains("wrong"));
    }

    const SOURCE: &str = "\
void f() {
//< first
    a;
//| skeleton
    // YOUR CODE
//| late
    z;
//>
    b;
    //< second
    c;
    //| skeleton
    //>
}
";

    #[test]
    fn the_solution_has_the_first_alternatives() {
        let variants = Variants::parse(SOURCE).expect("well-formed");
        assert_eq!(variants.solution(), "void f() {\n    a;\n    b;\n    c;\n}\n");
    }

    #[test]
    fn a_variant_takes_its_alternatives_and_else_the_solution() {
        let variants = Variants::parse(SOURCE).expect("well-formed");
        assert_eq!(variants.named(SKELETON).as_deref(), Some("void f() {\n    // YOUR CODE\n    b;\n}\n"));
        assert_eq!(variants.named("late").as_deref(), Some("void f() {\n    z;\n    b;\n    c;\n}\n"));
        assert_eq!(variants.named("early"), None);
        assert_eq!(variants.names().into_iter().collect::<Vec<_>>(), ["late", "skeleton"]);
    }

    #[test]
    fn lines_of_a_variant_are_those_of_regions_whose_solution_is_so() {
        let variants =
            Variants::parse("x\n//< a\nb!\n//| s\nc\nd\n//>\n//< e\nf\n//| s\ng\n//>\n").expect("regions");
        let lines = |name| variants.lines_where(name, &|line| line.ends_with('!'));
        assert_eq!(lines("s"), BTreeSet::from([1, 2]));
        assert_eq!(lines("t"), BTreeSet::new());
    }

    #[test]
    fn regions_that_are_not_well_formed_are_reported_by_line() {
        for (source, said) in [
            ("//< a\n", "line 1: the region that begins here does not end"),
            ("//< a\n//< b\n", "line 2: a region begins inside another"),
            ("x\n//| skeleton\n", "line 2: an alternative is outside a region"),
            ("//>\n", "line 1: a region ends that has not begun"),
            ("//<\n//|\n//>\n", "line 2: an alternative has no name"),
        ] {
            assert_eq!(Variants::parse(source).map_err(|e| e.to_string()), Err(said.to_owned()));
        }
    }
}
