//! Elements, threads and accesses in words.
//!
//! Enters: what was found. Leaves: phrases, without places in a source. This module must never know where they are shown.

use crate::verdict::{Differs, Memory, Race, Stopped, Touch};
use counters::grouped;
use cuda::Shared;
use device::{Fault, FaultKind, Nearest};
use scalar::Number;

/// `c[37]`, or `spheres[9].radius`, or the name of a single variable.
pub(crate) fn element(memory: &Memory, index: u64) -> String {
    let Memory { name, members, .. } = memory;
    if memory.single {
        return name.clone();
    }
    let of = members.len().max(1) as u64;
    let member = members.get((index % of) as usize).map_or_else(String::new, |member| format!(".{member}"));
    format!("{name}[{}]{member}", index / of)
}

/// `row 0, column 37`, and whether that is padding; nothing for a vector.
fn position(memory: &Memory, index: u64) -> Option<(String, bool)> {
    let (mut rest, mut words, mut padding) = (index, vec![], false);
    for (number, axis) in memory.axes.iter().enumerate().rev() {
        // What lies beyond the end lies in a further row.
        let at = if number == 0 { rest } else { rest % axis.len.max(1) };
        rest /= axis.len.max(1);
        padding |= at >= axis.used && at < axis.len;
        words.push(format!("{} {at}", axis.name));
    }
    words.reverse();
    (!words.is_empty()).then(|| (words.join(", "), padding))
}

/// `row 0, column 37, which is padding`; nothing for a vector.
fn where_it_is(memory: &Memory, index: u64) -> Option<String> {
    let (position, padding) = position(memory, index)?;
    Some(if padding { format!("{position}, which is padding") } else { position })
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
        Some(found) => format!("{name} is {}, and should be {expected}{unchanged}", short(*found)),
        None => format!("{name} was never written, and should be {expected}"),
    };
    if let Some(place) = where_it_is(memory, index) {
        line += &format!("  ({place})");
    }
    line
}

/// The buffer that code accesses, by its name: that with which it begins, or, as in `*(float4 *)(b + i)`, the only one.
fn accessed<'a>(code: &str, buffers: &'a [Memory]) -> Option<&'a Memory> {
    let names: Vec<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let mut named = buffers.iter().filter(|buffer| names.contains(&buffer.name.as_str()));
    let first = buffers.iter().find(|buffer| names.first() == Some(&buffer.name.as_str()));
    first.or_else(|| named.next().filter(|_| named.next().is_none()))
}

/// An access beyond its memory, by elements, where its size and its distance are whole numbers of them. `code` is what
/// made the access: an index there counts what it reads or writes at once.
pub(crate) fn beyond(stopped: &Stopped, code: &str) -> Option<String> {
    let Stopped { fault, instruction, memory, shared, buffers } = stopped;
    let near = fault.nearest.as_ref()?;
    let verb = verb(instruction);
    if let Some(shared) = shared {
        return beyond_shared(shared, near, (verb, code));
    }
    // What a source gives no name, such as a piece of the kernels' heap, the fault's own words tell better.
    if near.name.contains(' ') {
        return None;
    }
    // A variable of a function is called after that.
    let name = names::readable(&near.name);
    let name = name.rsplit("::").next().unwrap_or_default();
    if let Some(memory) = accessed(code, buffers)
        && memory.name != name
    {
        // What is nearest is another buffer, which the code does not name.
        let base = &memory.name;
        let from = fault.seen_from.iter().find(|from| from.name == *base);
        let far = from.and_then(|from| {
            let fault = Fault { nearest: Some(from.clone()), ..fault.clone() };
            beyond(&Stopped { fault, memory: Some(memory.clone()), ..stopped.clone() }, code)
        });
        let nowhere = || format!("`{code}` is {verb}, far outside of `{base}` and of every other buffer");
        return Some(far.unwrap_or_else(nowhere));
    }
    let indexed = Indexed::of(name, code);
    // A copy past the registers is told by its first byte.
    let copied = instruction.starts_with("cp.async");
    let least = memory.as_ref().map_or(1, |of| if copied { of.element } else { 1 });
    let width = u64::from(near.width).max(least).max(1);
    let element = match memory {
        Some(memory) if indexed != Indexed::Itself || memory.element * 4 < width => memory.element,
        _ => width,
    };
    let whole = near.bytes.is_multiple_of(element) && near.offset.rem_euclid(element as i64) == 0;
    if !whole || width % element != 0 || near.bytes < element {
        return None;
    }
    let (first, count) = (near.offset.div_euclid(element as i64), near.bytes / element);
    if let Some(memory) = memory.as_ref().filter(|memory| !memory.members.is_empty()) {
        return Some(beyond_structs(near, memory, name, verb, copied));
    }
    let axes = memory.as_ref().filter(|memory| memory.element == element);
    let at = |index: u64| axes.and_then(|memory| position(memory, index)).map(|(position, _)| position);
    // Of a struct or of rows, nobody knows here how many bytes an index stands for.
    let unknown = indexed == Indexed::Within || indexed == Indexed::No && memory.is_none();
    if unknown && at(0).is_none() && fault.kind != FaultKind::OutOfBoundsGlobal {
        let last = near.offset.saturating_add(width as i64 - 1);
        return Some(format!(
            "bytes {} to {} of `{name}` are {verb}, and it has {}, 0 to {}",
            grouped(near.offset),
            grouped(last),
            grouped(near.bytes),
            grouped(near.bytes - 1)
        ));
    }
    let many = (width / element).max(1) as i64;
    let last = count - 1;
    let place = |index: u64| at(index).map(|position| format!(" ({position})")).unwrap_or_default();
    let from = u64::try_from(first).map(place).unwrap_or_default();
    // The source has another index than that of the element.
    if indexed != Indexed::Itself
        && let (Some(there), Some(end)) = (u64::try_from(first).ok().and_then(at), at(last))
    {
        return Some(format!("`{name}` is {verb} at {there}, and it ends at {end}"));
    }
    let what = match many {
        1 => format!("`{name}[{first}]`{from} is {verb}"),
        _ => format!("`{name}[{first}]` to `{name}[{}]`{from} are {verb}", first + many - 1),
    };
    Some(match (first, at(last)) {
        (0.., Some(end)) => format!("{what}, and `{name}` ends at `{name}[{last}]`, {end}"),
        _ => format!("{what}, and {}", extent(name, first, count)),
    })
}

/// An access beyond a variable in shared memory.
fn beyond_shared(shared: &Shared, near: &Nearest, (verb, code): (&str, &str)) -> Option<String> {
    let offset = u64::try_from(near.offset).ok()?;
    let last = near.bytes.checked_sub(shared.element)?;
    let (name, element) = (&shared.name, shared.at(offset));
    let end = match shared.lengths[..] {
        [] => format!("`{name}` has {} bytes", shared.element),
        [count] => extent(name, near.offset, count),
        _ => format!("`{name}` ends at `{}`", shared.at(last)),
    };
    // A pointer has led here, or an array that has no memory of its own.
    let by_way = !code.is_empty() && !code.contains(name.as_str());
    Some(match (by_way, shared.lengths.is_empty()) {
        (true, _) => format!("`{code}` is {verb}, at `{element}`, and {end}"),
        (false, false) => format!("`{element}` is {verb}, and {end}"),
        // Of a single variable, no index says how far beyond it that is.
        (false, true) => format!("what lies behind `{name}` is {verb}, and {end}"),
    })
}

/// A fault's words with the element of shared memory that it is about.
pub(crate) fn of_shared(stopped: &Stopped, words: &str) -> Option<String> {
    let (fault, shared) = (&stopped.fault, stopped.shared.as_ref()?);
    let near = fault.nearest.as_ref()?;
    let element = shared.at(u64::try_from(near.offset).ok()?);
    match fault.kind {
        FaultKind::SharedRace => {
            let words = words.replacen("shared memory that ", &format!("`{element}`, which "), 1);
            // A store that meets itself in another thread need not lack a barrier.
            let itself = fault.other.as_ref().filter(|other| other.place.line() == fault.place.line());
            let stores = itself.is_some() && words.starts_with("writes ") && words.contains(" wrote at ");
            let or = if stores { ", or one of the two writes the wrong element" } else { "" };
            Some(words + or)
        }
        FaultKind::UninitialisedRead => {
            // The device says how far past the start of the variable that is.
            let words = words.strip_suffix(&format!(", {}", near.words())).unwrap_or(words);
            let whole =
                words.strip_prefix("read of ").and_then(|rest| rest.split_once(" of shared memory that "));
            Some(match whole {
                Some((_, nobody)) => format!("`{element}` is read, and {nobody} it"),
                None => words.replacen("shared memory", &format!("`{element}`"), 1),
            })
        }
        _ => None,
    }
}

/// A read of a buffer's elements that nobody has written, in words.
pub(crate) fn of_unwritten(stopped: &Stopped, words: &str) -> Option<String> {
    let (near, memory) = (stopped.fault.nearest.as_ref()?, stopped.memory.as_ref()?);
    if stopped.fault.kind != FaultKind::UninitialisedRead || !words.contains(" that nobody has written") {
        return None;
    }
    let of = memory.element.max(1);
    let first = u64::try_from(near.offset).ok()? / of;
    let many = u64::from(near.width).div_ceil(of).max(1);
    let element = |index| element(memory, index);
    Some(match many {
        1 => format!("`{}` is read, and nobody has written it", element(first)),
        _ => format!(
            "`{}` to `{}` are read, and nobody has written them",
            element(first),
            element(first + many - 1)
        ),
    })
}

/// Where a buffer of so many elements begins, for an index before it, or how far it reaches.
fn extent(name: &str, index: i64, count: u64) -> String {
    match (index, count) {
        (..0, _) => format!("`{name}` begins at `{name}[0]`"),
        (_, 1) => format!("`{name}` has 1 element"),
        _ => format!("`{name}` has {} elements, up to `{name}[{}]`", grouped(count), count.saturating_sub(1)),
    }
}

/// An access beyond a list of structs, which is as long as whole ones are: by the struct, and by the member where it is of one.
fn beyond_structs(near: &Nearest, memory: &Memory, name: &str, verb: &str, copied: bool) -> String {
    let size = memory.element * memory.members.len() as u64;
    let (index, within) = (near.offset.div_euclid(size as i64), near.offset.rem_euclid(size as i64) as u64);
    let count = near.bytes / size;
    let member = memory.members.get((within / memory.element) as usize);
    let member = member.filter(|_| !copied && u64::from(near.width) < size);
    let member = member.map_or_else(String::new, |member| format!(".{member}"));
    format!("`{name}[{index}]{member}` is {verb}, and {}", extent(name, index, count))
}

/// How code indexes a buffer or variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Indexed {
    /// By one index, which counts what is read or written at once, such as `a[i]`.
    Itself,
    /// By an index of a struct or of a row, such as `a[i].x`.
    Within,
    /// Not at all: by way of another pointer, or more than once.
    No,
}

impl Indexed {
    fn of(name: &str, code: &str) -> Self {
        let mut uses = places(code, name).filter_map(|at| code[at + name.len()..].strip_prefix('['));
        let (Some(index), None) = (uses.next(), uses.next()) else { return Indexed::No };
        let mut depth = 1_usize;
        let end = index.find(|c| {
            depth = match c {
                '[' => depth + 1,
                ']' => depth - 1,
                _ => depth,
            };
            depth == 0
        });
        match end {
            Some(end) if !index[end + 1..].starts_with(['.', '[', '-']) => Indexed::Itself,
            _ => Indexed::Within,
        }
    }
}

/// Where a text has a name, as a whole word.
pub(crate) fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let whole =
        move |at: &usize| !text[..*at].ends_with(letter) && !text[*at + name.len()..].starts_with(letter);
    text.match_indices(name).map(|(at, _)| at).filter(whole)
}

/// An access to shared memory where the source has declared none with its size, in words.
pub(crate) fn without_dynamic(stopped: &Stopped, code: &str) -> Option<String> {
    let fault = &stopped.fault;
    (fault.kind == FaultKind::OutOfBoundsShared && fault.nearest.is_none() && !code.is_empty()).then(|| {
        format!(
            "`{code}` is {}, and there is no such shared memory: the exercise gives none beside arrays that are declared with \
             their sizes",
            verb(&stopped.instruction)
        )
    })
}

/// A loop that goes on for too long, in words.
pub(crate) fn endless(fault: &Fault) -> Option<String> {
    let words = match (fault.proven, fault.address) {
        (false, _) => {
            "the kernel does not end: this loop goes on for ever, or for far more steps than the exercise takes"
        }
        (true, Some(_)) => {
            "the kernel never ends: the loop waits for this value to change, and no thread that still runs changes it"
        }
        (true, None) => "the kernel never ends: the loop comes back to where it was, with nothing changed",
    };
    (fault.kind == FaultKind::InfiniteLoop).then(|| words.to_owned())
}

/// What to do about a race.
pub(crate) fn advice(race: &Race) -> &'static str {
    if race.touches.iter().all(|touch| touch.writes) {
        "give each thread elements of its own; where several threads must change one element, an atomic operation lets \
         each of them do so"
    } else {
        "a barrier orders the threads of one block, and only the end of a launch those of different blocks; or write to an \
         array that no thread reads in this launch"
    }
}

/// What an instruction does to memory.
pub(crate) fn verb(instruction: &str) -> &'static str {
    match instruction.split('.').next() {
        Some("st" | "stmatrix") => "written",
        Some("atom" | "red") => "changed",
        _ => "read",
    }
}

/// Whether an instruction stores.
pub(crate) fn stores(instruction: &str) -> bool {
    verb(instruction) == "written"
}

/// Two threads and what they do.
pub(crate) fn race(race: &Race) -> String {
    let Race { element, touches: [a, b] } = race;
    let form = Form::of_race(race);
    let thread = |touch: &Touch| form.thread(touch.thread, touch.block);
    let (first, second) = (thread(a), thread(b));
    match (a.writes, b.writes) {
        (true, true) => format!("{first} and {second} both write `{element}`, and nothing orders them"),
        (true, false) => format!("{second} reads `{element}`, {first} writes it, and nothing orders them"),
        _ => format!("{first} reads `{element}`, {second} writes it, and nothing orders them"),
    }
}

/// Whether a fault is of an access outside of its memory.
pub(crate) fn is_beyond(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::OutOfBoundsGlobal | FaultKind::OutOfBoundsConstant | FaultKind::OutOfBoundsShared
    )
}

/// How the indices of a message are written, all alike: by as many numbers as one of them needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    dimensions: usize,
}

impl Form {
    /// The form of these indices.
    pub(crate) fn of(indices: impl IntoIterator<Item = [u32; 3]>) -> Self {
        let needed = |[_, y, z]: [u32; 3]| match (y, z) {
            (0, 0) => 1,
            (_, 0) => 2,
            _ => 3,
        };
        Form { dimensions: indices.into_iter().map(needed).max().unwrap_or(1) }
    }

    /// That of a fault and of the access it is in conflict with.
    pub(crate) fn of_fault(fault: &Fault) -> Self {
        let other = fault.other.iter().map(|other| other.thread);
        Self::of([fault.thread, fault.block].into_iter().chain(other))
    }

    /// That of both threads of a race.
    pub(crate) fn of_race(race: &Race) -> Self {
        Self::of(race.touches.iter().flat_map(|touch| [touch.thread, touch.block]))
    }

    /// `3`, `(3, 4)` or `(3, 4, 5)`.
    pub(crate) fn index(self, [x, y, z]: [u32; 3]) -> String {
        match self.dimensions {
            1 => x.to_string(),
            2 => format!("({x}, {y})"),
            _ => format!("({x}, {y}, {z})"),
        }
    }

    /// `thread 3 of block 0`.
    pub(crate) fn thread(self, thread: [u32; 3], block: [u32; 3]) -> String {
        format!("thread {} of block {}", self.index(thread), self.index(block))
    }
}

/// A number with as many digits as one looks at.
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
    use crate::verdict::Axis;

    #[test]
    fn an_index_counts_what_is_accessed_unless_more_follows() {
        for (code, indexed) in [
            ("a[i]", Indexed::Itself),
            ("a[b[i] + 1]", Indexed::Itself),
            ("f(me, a[j])", Indexed::Itself),
            ("a[i].x", Indexed::Within),
            ("a[i][j]", Indexed::Within),
            ("a[i]->x", Indexed::Within),
            ("aa[i]", Indexed::No),
            ("*(a + i)", Indexed::No),
            ("a[i] + a[i + 1]", Indexed::No),
            ("((const float4 *)a)[i]", Indexed::No),
            ("a[i", Indexed::Within),
        ] {
            assert_eq!(Indexed::of("a", code), indexed, "{code}");
        }
    }

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
    fn the_indices_of_a_message_have_as_many_numbers_as_one_of_them_needs() {
        for (block, text) in [
            ([2, 0, 0], "thread 8 of block 2"),
            ([0, 1, 0], "thread (8, 0) of block (0, 1)"),
            ([0, 0, 1], "thread (8, 0, 0) of block (0, 0, 1)"),
        ] {
            assert_eq!(Form::of([[8, 0, 0], block]).thread([8, 0, 0], block), text);
        }
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
        // The row behind the last.
        assert_eq!(of(&matrix, 3 * 64).as_deref(), Some("row 3, column 0"));
        let cube = [axis("plane", 2, 2), axis("row", 3, 3), axis("column", 4, 4)];
        assert_eq!(of(&cube, 12 + 4 + 1).as_deref(), Some("plane 1, row 1, column 1"));
    }
}
