//! Elements, races and output lines of exercises in words.
//!
//! Enters: what was found. Leaves: phrases, without places in a source. This module must never know where they are shown.

use checker::{Differing, Differs, Race, Touch};
use faults::{Form, Memory, Raced, element, position};
use record::text::visible;
use scalar::Number;

/// Most characters of a program's line that are shown.
const MOST_OF_LINE: usize = 200;

/// How a program's standard output differs.
pub(crate) fn output(differing: &Differing) -> String {
    let line = differing.line;
    match (&differing.found, &differing.expected) {
        (None, _) if line == 1 => "the program printed nothing on standard output".to_owned(),
        (None, _) => format!("the standard output ends before line {line}"),
        (_, None) => format!("line {line} of the standard output is one too many"),
        _ => format!("line {line} of the standard output is wrong"),
    }
}

/// The line that differs, as it is and as it should be.
pub(crate) fn lines(differing: &Differing) -> Vec<String> {
    let each = [("expected", &differing.expected), ("found", &differing.found)].into_iter();
    let each = each.filter_map(|(what, line)| Some((what, line.as_ref()?)));
    let shown = |line: &str| visible(&line.chars().take(MOST_OF_LINE).collect::<String>()).into_owned();
    each.map(|(what, line)| format!("{what:<9} {}", shown(line))).collect()
}

/// An element that differs, in a line.
pub(crate) fn differs(memory: &Memory, one: &Differs) -> String {
    let Differs { index, found, expected, before } = one;
    let index = *index as u64;
    let name = element(memory, index);
    let unchanged =
        if before.is_some_and(|before| before.is_equal(*expected)) { ", as it was before" } else { "" };
    let expected = short(*expected);
    let mut line = match found {
        Some(found) => format!("{name} is {}, but should be {expected}{unchanged}", short(*found)),
        None => format!("{name} was never written, but should be {expected}"),
    };
    if let Some(place) = where_it_is(memory, index) {
        line += &format!("  ({place})");
    }
    line
}

/// `row 0, column 37, which is padding`; nothing for a vector.
fn where_it_is(memory: &Memory, index: u64) -> Option<String> {
    let (position, padding) = position(memory, index)?;
    Some(if padding { format!("{position}, which is padding") } else { position })
}

/// What to do about a race.
pub(crate) fn advice(race: &Race) -> &'static str {
    if race.touches.iter().all(|touch| touch.writes) {
        "give each thread its own elements; where several threads must change the same element, use an atomic \
         operation"
    } else {
        "a barrier orders the threads of one block, and only the end of a launch orders threads of different \
         blocks; or write to an array that no thread reads in this launch"
    }
}

/// Two threads and what they do.
pub(crate) fn race(race: &Race) -> String {
    let Race { element, touches: [earlier, later] } = race;
    faults::race(element, raced(later), raced(earlier))
}

fn raced(touch: &Touch) -> Raced<'_> {
    let Touch { block, thread, place, writes } = touch;
    Raced { thread: *thread, block: *block, place, writes: *writes }
}

/// The form of both threads of a race.
pub(crate) fn form_of_race(race: &Race) -> Form {
    Form::of(race.touches.iter().flat_map(|touch| [touch.thread, touch.block]))
}

/// A number with as many digits as a reader needs.
fn short(number: Number) -> String {
    let number = match number {
        Number::Int(number) => return number.to_string(), // all of it: a colour, or bits
        Number::Float(number) => number,
    };
    let whole = number.fract() == 0.0 && number.abs() < 1e10;
    if whole || (1e-3..1e7).contains(&number.abs()) {
        let text = format!("{number:.6}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    } else if number.is_finite() {
        format!("{number:.5e}")
    } else {
        number.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faults::Axis;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (0.5, "0.5"),
            (3.0, "3"),
            (-0.0, "0"),
            (1e-9, "1.00000e-9"),
            (123_456_789.0, "123456789"),
            (1e12, "1.00000e12"),
        ] {
            assert_eq!(short(Number::Float(number)), text);
        }
        assert_eq!(short(Number::Int(i64::MIN.into())), "-9223372036854775808");
    }

    #[test]
    fn an_element_of_a_matrix_has_a_row_and_a_column() {
        let axis = |name: &str, len, used| Axis { name: name.to_owned(), len, used };
        let memory = |axes: &[Axis]| Memory {
            name: "c".to_owned(),
            element: 4,
            axes: axes.to_vec(),
            members: vec![],
            single: false,
        };
        let of = |axes: &[Axis], index| where_it_is(&memory(axes), index);
        assert_eq!(of(&[], 7), None);
        let matrix = [axis("row", 3, 3), axis("column", 64, 37)];
        assert_eq!(of(&matrix, 64 + 5).as_deref(), Some("row 1, column 5"));
        assert_eq!(of(&matrix, 37).as_deref(), Some("row 0, column 37, which is padding"));
        // The row after the last.
        assert_eq!(of(&matrix, 3 * 64).as_deref(), Some("row 3, column 0"));
        let cube = [axis("plane", 2, 2), axis("row", 3, 3), axis("column", 4, 4)];
        assert_eq!(of(&cube, 12 + 4 + 1).as_deref(), Some("plane 1, row 1, column 1"));
    }
}
