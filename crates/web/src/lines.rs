//! Lines of an edited text next to those of the text as it came.
//!
//! Enters: two texts. Leaves: for each line of the later one, the line of the earlier one that it was. This module must
//! never know what is in them.

/// For each line of `after`, counted from 1 at place 0, the line of `before` that it was, if there is one.
pub(crate) fn origins(before: &str, after: &str) -> Vec<Option<u32>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let shorter = old.len().min(new.len());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count().min(shorter - head);
    let (inner_old, inner_new) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let mut origins: Vec<Option<u32>> = (0..head as u32).map(|at| Some(at + 1)).collect();
    if inner_old.len() == inner_new.len() {
        // Lines that were changed, each in its place.
        origins.extend((0..inner_new.len()).map(|at| Some((head + at) as u32 + 1)));
    } else {
        let mut from = 0;
        origins.extend(inner_new.iter().map(|line| {
            let ahead = inner_old[from..].iter().position(|old| old.trim() == line.trim())?;
            from += ahead + 1;
            Some((head + from) as u32)
        }));
    }
    origins.extend((0..tail).map(|at| Some((old.len() - tail + at) as u32 + 1)));
    origins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_changed_keeps_its_place() {
        assert_eq!(origins("a\nb\nc", "a\nB\nc"), [Some(1), Some(2), Some(3)]);
    }

    #[test]
    fn lines_that_were_added_have_no_origin() {
        assert_eq!(origins("a\nb\nc", "a\nx\ny\nb\nc"), [Some(1), None, None, Some(2), Some(3)]);
        assert_eq!(origins("a\nb\nc\nd\n", "a\nc\nx\ny\nd\n"), [Some(1), Some(3), None, None, Some(4)]);
        assert_eq!(origins("", "a"), [None]);
        assert_eq!(origins("a\na", "a"), [Some(1)]);
    }
}
