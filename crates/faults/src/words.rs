//! Elements, threads and accesses of a fault in words.
//!
//! Enters: what was found. Leaves: phrases, without places in a source. This module must never know where they are shown.

use crate::stopped::{Called, Memory, Stopped};
use counters::grouped;
use device::{Detail, FailedAccess, Fault, FaultKind, Nearest, RaceAccess, UnwrittenBytes, UnwrittenMemory};
use names::Shared;

/// `c[37]`, or `spheres[9].radius`, or the name of a single variable.
pub fn element(memory: &Memory, index: u64) -> String {
    let Memory { name, members, .. } = memory;
    if memory.single {
        return name.clone();
    }
    let of = members.len().max(1) as u64;
    let member = members.get((index % of) as usize).map_or_else(String::new, |member| format!(".{member}"));
    format!("{name}[{}]{member}", index / of)
}

/// `row 0, column 37`, and whether that is padding; nothing for a vector.
pub fn position(memory: &Memory, index: u64) -> Option<(String, bool)> {
    let (mut rest, mut words, mut padding) = (index, vec![], false);
    for (number, axis) in memory.axes.iter().enumerate().rev() {
        // What is beyond the end is in a further row.
        let at = if number == 0 { rest } else { rest % axis.len.max(1) };
        rest /= axis.len.max(1);
        padding |= at >= axis.used && at < axis.len;
        words.push(format!("{} {at}", axis.name));
    }
    words.reverse();
    (!words.is_empty()).then(|| (words.join(", "), padding))
}

/// The buffer that code accesses, by its name: that with which it begins, or, as in `*(float4 *)(b + i)`, the only one.
fn accessed<'a>(code: &str, buffers: &'a [Called]) -> Option<&'a Called> {
    let names: Vec<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let mut named = buffers.iter().filter(|buffer| names.contains(&buffer.name.as_str()));
    let first = buffers.iter().find(|buffer| names.first() == Some(&buffer.name.as_str()));
    first.or_else(|| named.next().filter(|_| named.next().is_none()))
}

/// An access beyond its memory, by elements, where its size and its distance are whole numbers of them. `code` is what
/// made the access: an index there counts what it reads or writes at once.
pub(crate) fn beyond(stopped: &Stopped, code: &str) -> Option<String> {
    let Stopped { fault, instruction, memory, shared, buffers, .. } = stopped;
    let near = fault.nearest.as_ref()?;
    let verb = verb(instruction);
    if let Some(shared) = shared {
        return beyond_shared(shared, near, (verb, code));
    }
    // What a source gives no name, such as a piece of the kernels' heap, the fault's own message describes better.
    if near.name.contains(' ') {
        return None;
    }
    // A variable of a function is called after that.
    let name = names::readable(&near.name);
    let name = name.rsplit("::").next().unwrap_or_default();
    let called = if fault.kind == FaultKind::OutOfBoundsGlobal { accessed(code, buffers) } else { None };
    if let Some(Called { buffer, memory, .. }) = called
        && buffer != name
    {
        // What is nearest is another buffer, which the code does not name.
        let from = fault.seen_from.iter().find(|from| from.name == *buffer);
        let far = from.and_then(|from| {
            let fault = Fault { nearest: Some(from.clone()), ..fault.clone() };
            beyond(&Stopped { fault, memory: memory.clone(), ..stopped.clone() }, code)
        });
        let nowhere = || format!("`{code}` is {verb}, far outside `{buffer}` and every other buffer");
        return Some(far.unwrap_or_else(nowhere));
    }
    let indexed = Indexed::of(called.map_or(name, |called| &called.name), code);
    // A copy past the registers is reported by its first byte.
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
    // Of a struct or of rows, it is not known here how many bytes an index counts.
    let unknown = indexed == Indexed::Within || indexed == Indexed::No && memory.is_none();
    if unknown && at(0).is_none() && fault.kind != FaultKind::OutOfBoundsGlobal {
        let last = near.offset.saturating_add(width as i64 - 1);
        return Some(format!(
            "bytes {} to {} of `{name}` are {verb}, and `{name}` has {} bytes, 0 to {}",
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
    let last = near.bytes.checked_sub(shared.element)?.cast_signed();
    let (name, element) = (&shared.name, shared.at(near.offset));
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
        (false, true) => format!("what follows `{name}` is {verb}, and {end}"),
    })
}

/// The array in shared memory that code accesses by its name, and where the access is as seen from it.
fn accessed_shared<'a>(
    code: &str,
    fault: &'a Fault,
    variables: &'a [Shared],
) -> Option<(&'a Shared, &'a Nearest)> {
    let ends = |c: char| !c.is_alphanumeric() && c != '_';
    let mut names = code.split(ends).filter(|name| !name.is_empty() && !name.starts_with("atomic"));
    let first = names.next()?;
    let mut found = fault.seen_from.iter().filter_map(|near| {
        let variable = variables.iter().find(|one| one.symbol == near.name)?;
        (variable.name == first && !variable.lengths.is_empty()).then_some((variable, near))
    });
    // Two functions of a kernel may each have an array of the name.
    found.next().filter(|_| found.next().is_none())
}

/// An access by the name of an array in shared memory that is outside it: `a[64]`, and how far the array reaches.
pub(crate) fn overrun(fault: &Fault, variables: &[Shared], code: &str) -> Option<(String, String)> {
    let (array, near) = accessed_shared(code, fault, variables)?;
    if near.is_inside() {
        return None;
    }
    let last = near.bytes.checked_sub(array.element)?.cast_signed();
    let end = match array.lengths[..] {
        [count] => extent(&array.name, near.offset.div_euclid(array.element.max(1).cast_signed()), count),
        _ if near.offset < 0 => format!("`{}` begins at `{}`", array.name, array.at(0)),
        _ => format!("`{}` ends at `{}`", array.name, array.at(last)),
    };
    Some((array.at(near.offset), end))
}

/// A fault's words with the element of shared memory that it is about. `code` made the access, `other` the one that it is in
/// conflict with.
pub(crate) fn of_shared(stopped: &Stopped, said: &Threads, (code, other): (&str, &str)) -> Option<String> {
    let (fault, shared) = (&stopped.fault, stopped.shared.as_ref()?);
    let near = fault.nearest.as_ref()?;
    let element = shared.at(near.offset);
    match fault.detail.as_ref()? {
        Detail::Conflict(conflict) if conflict.shared => {
            let Threads { thread, other: who, at } = said;
            let (does, did) = (conflict.access.does(), conflict.other.did());
            if let Some((outside, end)) = overrun(fault, &stopped.variables, code) {
                let verb = verb(&stopped.instruction);
                return Some(format!(
                    "`{outside}` is {verb}, and {end}: what is there is `{element}`, which {who} {did}{at}"
                ));
            }
            if let Some((outside, end)) = overrun(fault, &stopped.variables, other) {
                return Some(format!(
                    "{thread} {does} `{element}`, which {who} {did}{at} as `{outside}`, and {end}"
                ));
            }
            // A store that meets itself in another thread need not lack a barrier.
            let itself = fault.other.as_ref().filter(|other| other.place.line() == fault.place.line());
            let writes = (conflict.access, conflict.other) == (RaceAccess::Write, RaceAccess::Write);
            let or = match itself.is_some() && writes {
                true => ", or one of the two writes the wrong element",
                false => "",
            };
            Some(format!("{thread} {does} `{element}`, which {}{or}", conflict.other_words(who, at)))
        }
        Detail::Unwritten(read) => match (&read.which, read.memory) {
            (UnwrittenBytes::All, UnwrittenMemory::Shared | UnwrittenMemory::Cluster) => {
                let who = read.memory.who();
                Some(match overrun(fault, &stopped.variables, code) {
                    Some((outside, end)) => {
                        format!("`{outside}` is read, and {end}: what is there is `{element}`, which {who}")
                    }
                    None => format!("`{element}` is read, and {who} it"),
                })
            }
            _ => Some(read.words(Some(&format!("`{element}`")))),
        },
        Detail::Conflict(_) | Detail::Access(_) => None,
    }
}

/// A fault's words with the elements of the buffer that it is about: what nothing has written, or who else touches it.
pub(crate) fn of_buffer(stopped: &Stopped, said: &Threads) -> Option<String> {
    let near = stopped.fault.nearest.as_ref().filter(|near| near.is_inside())?;
    let offset = u64::try_from(near.offset).ok()?;
    let plain = Memory::of(&names::readable(&near.name), u64::from(near.width));
    let memory = stopped.memory.as_ref().unwrap_or(&plain);
    let of = memory.element.max(1);
    let (first, many) = (offset / of, u64::from(near.width).div_ceil(of).max(1));
    let element = |index| element(memory, index);
    let elements = match many {
        1 => format!("`{}`", element(first)),
        _ => format!("`{}` to `{}`", element(first), element(first + many - 1)),
    };
    let Threads { thread, other: who, at } = said;
    let read = match stopped.fault.detail.as_ref()? {
        // Of shared memory whose variables are not known from a compiler, the size of an element is not known.
        Detail::Conflict(conflict) if !conflict.shared => {
            let (does, other) = (conflict.access.does(), conflict.other_words(who, at));
            return Some(format!("{thread} {does} {elements}, which {other}"));
        }
        Detail::Unwritten(read) => read,
        Detail::Conflict(_) | Detail::Access(_) => return None,
    };
    let (is, it) = if many == 1 { ("is", "it") } else { ("are", "them") };
    Some(match (&read.which, read.memory) {
        (UnwrittenBytes::All, UnwrittenMemory::Global) => {
            format!("{elements} {is} read, and nothing has written {it}")
        }
        (UnwrittenBytes::All, UnwrittenMemory::Constant) => {
            let whole = near.bytes == u64::from(near.width);
            let elements = if whole { format!("`{}`", memory.name) } else { elements };
            format!("{elements} {is} read, and nothing has set {it}: neither an initialiser nor the host")
        }
        (
            UnwrittenBytes::All,
            UnwrittenMemory::Shared | UnwrittenMemory::Cluster | UnwrittenMemory::Local,
        ) => {
            return None;
        }
        (UnwrittenBytes::Some { .. }, _) => format!("{elements} {is} read, of which {}", read.some()?),
        (UnwrittenBytes::Early { missing, .. }, _) => {
            format!("{elements} {is} read before {who} writes {it}{at}; {missing}")
        }
    })
}

/// What the device says of a fault, with its threads and places as they are written here.
pub(crate) fn of_device(fault: &Fault, said: &Threads) -> String {
    let Threads { thread, other, at } = said;
    match &fault.detail {
        Some(Detail::Conflict(conflict)) => format!("{thread} {}", conflict.words(other, at)),
        Some(Detail::Unwritten(read)) => read.early(other, at).unwrap_or_else(|| fault.message.clone()),
        Some(Detail::Access(_)) | None => fault.message.clone(),
    }
}

/// Whether the access that a fault is in conflict with stores.
pub(crate) fn other_stores(fault: &Fault) -> bool {
    match &fault.detail {
        Some(Detail::Conflict(conflict)) => conflict.other == RaceAccess::Write,
        Some(Detail::Unwritten(read)) => matches!(read.which, UnwrittenBytes::Early { .. }),
        Some(Detail::Access(_)) | None => false,
    }
}

/// Where a buffer of that many elements begins, for an index before it, or how far it reaches.
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
pub fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let whole =
        move |at: &usize| !text[..*at].ends_with(letter) && !text[*at + name.len()..].starts_with(letter);
    text.match_indices(name).map(|(at, _)| at).filter(whole)
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
pub fn stores(instruction: &str) -> bool {
    verb(instruction) == "written"
}

/// An access to shared memory of a block that has none, in words.
pub(crate) fn without_shared(stopped: &Stopped, code: &str) -> Option<String> {
    let (fault, verb) = (&stopped.fault, verb(&stopped.instruction));
    (fault.nearest.is_none() && !code.is_empty()).then(|| {
        format!(
            "`{code}` is {verb}, and the block has no shared memory: neither an array that is declared with its size nor any \
             that the launch gives"
        )
    })
}

/// A loop that continues for too long, in words.
pub(crate) fn endless(fault: &Fault) -> String {
    match (fault.proven, fault.address) {
        (false, _) => format!("the kernel does not end: {}", fault.message),
        (true, Some(_)) => {
            "the kernel never ends: the loop waits for this value to change, and no thread that still runs changes it"
                .to_owned()
        }
        (true, None) => "the kernel never ends: the loop comes back to where it was, with nothing changed".to_owned(),
    }
}

/// The words of an access, with its code for its subject: `access of 4 bytes through a null pointer`.
pub(crate) fn of_access(stopped: &Stopped, code: &str) -> Option<String> {
    let Some(Detail::Access(FailedAccess { bytes: width, reason, .. })) = &stopped.fault.detail else {
        return None;
    };
    let verb = verb(&stopped.instruction);
    let bytes = match width {
        1 => "1 byte is".to_owned(),
        _ => format!("{width} bytes are"),
    };
    Some(match stopped.fault.kind {
        _ if code.is_empty() => format!("{bytes} {verb}{reason}"),
        FaultKind::MisalignedAddress => format!("`{code}` is {verb}, {width} bytes{reason}"),
        _ => format!("`{code}` is {verb}{reason}"),
    })
}

/// The threads of a fault, and where the other made its access, in words.
pub(crate) struct Threads {
    /// `thread 3 of block 0`.
    thread: String,
    /// `thread 4`, or with its block where that is another one; empty without another.
    other: String,
    /// `` in line 9``, or with the file where that is another one.
    at: String,
}

impl Threads {
    /// Those of a fault.
    pub(crate) fn of(fault: &Fault) -> Self {
        let form = Form::of_fault(fault);
        let thread = form.thread(fault.thread, fault.block);
        let Some(other) = &fault.other else {
            return Threads { thread, other: String::new(), at: String::new() };
        };
        let who = match other.block {
            Some(block) => form.thread(other.thread, block),
            None => format!("thread {}", form.index(other.thread)),
        };
        let line = other.place.line();
        let own = fault.place.written_line().map(|(file, _)| file);
        let at = match other.place.written_line() {
            Some((file, number)) if own == Some(file) => {
                let calls = line.strip_prefix(&format!("{file}:{number}")).unwrap_or_default();
                format!(" in line {number}{calls}")
            }
            _ => format!(" at {line}"),
        };
        Threads { thread, other: who, at }
    }
}

/// How the indices of a message are written, all alike: by as many numbers as one of them needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    dimensions: usize,
}

impl Form {
    /// The form of these indices.
    pub fn of(indices: impl IntoIterator<Item = [u32; 3]>) -> Self {
        let needed = |[_, y, z]: [u32; 3]| match (y, z) {
            (0, 0) => 1,
            (_, 0) => 2,
            _ => 3,
        };
        Form { dimensions: indices.into_iter().map(needed).max().unwrap_or(1) }
    }

    /// That of all threads and blocks of a fault.
    pub(crate) fn of_fault(fault: &Fault) -> Self {
        let other = fault.other.iter().flat_map(|other| [Some(other.thread), other.block]);
        Form::of([fault.thread, fault.block].into_iter().chain(other.flatten()))
    }

    /// `3`, `(3, 4)` or `(3, 4, 5)`.
    pub fn index(self, [x, y, z]: [u32; 3]) -> String {
        match self.dimensions {
            1 => x.to_string(),
            2 => format!("({x}, {y})"),
            _ => format!("({x}, {y}, {z})"),
        }
    }

    /// `thread 3 of block 0`.
    pub fn thread(self, thread: [u32; 3], block: [u32; 3]) -> String {
        format!("thread {} of block {}", self.index(thread), self.index(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_indices_of_a_message_have_as_many_numbers_as_one_of_them_needs() {
        for (block, text) in [
            ([2, 0, 0], "thread 8 of block 2"),
            ([0, 1, 0], "thread (8, 0) of block (0, 1)"),
            ([0, 0, 1], "thread (8, 0, 0) of block (0, 0, 1)"),
        ] {
            assert_eq!(Form::of([[8, 0, 0], block]).thread([8, 0, 0], block), text);
        }
    }
}
