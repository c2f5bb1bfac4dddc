//! `string.h` and `strings.h`: blocks of bytes, and strings that end at a zero.
//!
//! Enters: addresses and sizes. Leaves: bytes in the program's memory, positions, orders. What a range has beyond its block on the
//! heap, and ranges that overlap where they must not, are reported; then it is done as memory allows.

use super::{
    Does, Library, Place, Row,
    finding::Mistake,
    memory::{arguments, bytes, check, from_int, get_u64, int, put_text, put_u64, text_within},
    row,
    stdio::errno_text,
};
use crate::{
    guest::{Guest, Signal},
    heap::Kind,
};
use std::cmp::Ordering;

pub(super) const ROWS: &[Row] = &[
    row("memcpy", "pppl", |library, guest, given| {
        let [to, from, count] = arguments(given);
        library.check_overlap(guest, "memcpy", to, from, count, count);
        library.copy(guest, "memcpy", to, from, count)
    }),
    row("memmove", "pppl", |library, guest, given| {
        let [to, from, count] = arguments(given);
        library.copy(guest, "memmove", to, from, count)
    }),
    row("memset", "ppil", |library, guest, given| {
        let [to, byte, count] = arguments(given);
        check(guest, to, count)?;
        library.check_range(guest, "memset", to, count, Does::Writes);
        guest.fill(to, byte as u8, count)?;
        Ok(to)
    }),
    row("bzero", "vpl", |library, guest, given| {
        let [to, count] = arguments(given);
        check(guest, to, count)?;
        library.check_range(guest, "bzero", to, count, Does::Writes);
        guest.fill(to, 0, count)?;
        Ok(0)
    }),
    row("memcmp", "ippl", memcmp),
    row("memchr", "ppil", memchr),
    row(
        "strlen",
        "lp",
        |library, guest, given| Ok(library.text(guest, "strlen", first(given))?.len() as u64),
    ),
    row("strnlen", "lpl", |_, guest, given| {
        let [text, most] = arguments(given);
        Ok(text_within(guest, text, most)?.len() as u64)
    }),
    row("strcpy", "ppp", |library, guest, given| {
        library.copy_text(guest, "strcpy", given, None).map(|_| first(given))
    }),
    row("stpcpy", "ppp", |library, guest, given| {
        Ok(first(given).wrapping_add(library.copy_text(guest, "stpcpy", given, None)?))
    }),
    row("strncpy", "pppl", strncpy),
    row("strcat", "ppp", |library, guest, given| library.append(guest, "strcat", given, None)),
    row("strncat", "pppl", |library, guest, given| {
        library.append(guest, "strncat", given, given.get(2).copied())
    }),
    row("strcmp", "ipp", |library, guest, given| library.compare(guest, "strcmp", given, None, false)),
    row("strcoll", "ipp", |library, guest, given| library.compare(guest, "strcoll", given, None, false)),
    row("strncmp", "ippl", |library, guest, given| {
        library.compare(guest, "strncmp", given, given.get(2), false)
    }),
    row("strcasecmp", "ipp", |library, guest, given| library.compare(guest, "strcasecmp", given, None, true)),
    row("strncasecmp", "ippl", |library, guest, given| {
        library.compare(guest, "strncasecmp", given, given.get(2), true)
    }),
    row("strchr", "ppi", |library, guest, given| library.find_byte(guest, "strchr", given, false)),
    row("strrchr", "ppi", |library, guest, given| library.find_byte(guest, "strrchr", given, true)),
    row("strstr", "ppp", strstr),
    row("strspn", "lpp", |_, guest, given| Ok(span(guest, given, true)?.0)),
    row("strcspn", "lpp", |_, guest, given| Ok(span(guest, given, false)?.0)),
    row("strpbrk", "ppp", |_, guest, given| {
        let (count, more) = span(guest, given, false)?;
        Ok(if more { first(given).wrapping_add(count) } else { 0 })
    }),
    row("strtok", "ppp", |library, guest, given| {
        let [text, delimiters] = arguments(given);
        let (token, rest) = token(guest, text, delimiters, library.token)?;
        library.token = rest;
        Ok(token)
    }),
    row("strtok_r", "pppp", |_, guest, given| {
        let [text, delimiters, place] = arguments(given);
        let before = if text == 0 { get_u64(guest, place)? } else { 0 };
        let (token, rest) = token(guest, text, delimiters, before)?;
        put_u64(guest, place, rest)?;
        Ok(token)
    }),
    row("strdup", "pp", |library, guest, given| library.duplicate(guest, "strdup", given, None)),
    row("strndup", "ppl", |library, guest, given| {
        library.duplicate(guest, "strndup", given, given.get(1).copied())
    }),
    row("strerror", "pi", strerror),
];

fn first(given: &[u64]) -> u64 {
    arguments::<1>(given)[0]
}

/// The sign of an order, as the functions of comparison return it.
fn order(order: Ordering) -> u64 {
    from_int(order as i32)
}

fn memcmp(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [one, two, count] = arguments(given);
    library.check_use(guest, "memcmp", one);
    library.check_use(guest, "memcmp", two);
    Ok(order(bytes(guest, one, count)?.cmp(&bytes(guest, two, count)?)))
}

fn memchr(_: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [text, byte, count] = arguments(given);
    const PART: u64 = 4096;
    let mut done = 0;
    while done < count {
        let at = text.wrapping_add(done);
        // It may end at the byte, before the range and memory do.
        let size = (PART - at % PART).min(count - done).min(guest.end().saturating_sub(at).max(1));
        let part = bytes(guest, at, size)?;
        if let Some(found) = part.iter().position(|one| *one == byte as u8) {
            return Ok(at + found as u64);
        }
        done += size;
    }
    Ok(0)
}

fn strncpy(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [to, from, count] = arguments(given);
    check(guest, to, count)?;
    library.check_use(guest, "strncpy", from);
    library.check_range(guest, "strncpy", to, count, Does::Writes);
    let text = text_within(guest, from, count)?;
    let read = (text.len() as u64 + 1).min(count);
    library.check_overlap(guest, "strncpy", to, from, count, read);
    guest.write(to, &text)?;
    guest.fill(to + text.len() as u64, 0, count - text.len() as u64)?;
    Ok(to)
}

fn strstr(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [text, part] = arguments(given);
    let (whole, part) = (library.text(guest, "strstr", text)?, library.text(guest, "strstr", part)?);
    if part.is_empty() {
        return Ok(text);
    }
    let found = whole.windows(part.len()).position(|window| window == part);
    Ok(found.map_or(0, |found| text + found as u64))
}

/// Bytes at a text's start that all are, or none of which is, in a set, and whether others follow.
fn span(guest: &dyn Guest, given: &[u64], inside: bool) -> Result<(u64, bool), Signal> {
    let [text, set] = arguments(given);
    let (text, set) = (guest.read_text(text)?, guest.read_text(set)?);
    let end = text.iter().position(|byte| set.contains(byte) != inside);
    Ok((end.unwrap_or(text.len()) as u64, end.is_some()))
}

/// The next token of a text, or of what the one before left, and what it leaves.
fn token(guest: &mut dyn Guest, text: u64, delimiters: u64, before: u64) -> Result<(u64, u64), Signal> {
    let start = if text == 0 { before } else { text };
    if start == 0 {
        return Ok((0, 0));
    }
    let (rest, set) = (guest.read_text(start)?, guest.read_text(delimiters)?);
    let Some(begin) = rest.iter().position(|byte| !set.contains(byte)) else {
        return Ok((0, start + rest.len() as u64));
    };
    let token = start + begin as u64;
    match rest[begin..].iter().position(|byte| set.contains(byte)) {
        Some(end) => {
            let end = token + end as u64;
            guest.write(end, &[0])?;
            Ok((token, end + 1))
        }
        None => Ok((token, start + rest.len() as u64)),
    }
}

fn strerror(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let text = errno_text(int(first(given)));
    let address = library.place(guest, Place::ErrorText, 64)?;
    put_text(guest, address, text.as_bytes())?;
    Ok(address)
}

impl Library {
    /// Reports ranges that have bytes in common.
    fn check_overlap(
        &mut self,
        guest: &dyn Guest,
        function: &'static str,
        to: u64,
        from: u64,
        written: u64,
        read: u64,
    ) {
        let common = if to <= from { from - to < written } else { to - from < read };
        if common && written > 0 && read > 0 {
            let (low, high) = (to.min(from), to.max(from));
            let instead = if function == "memcpy" { "; use `memmove`" } else { "" };
            let message = format!(
                "`{function}`: source and destination are {} bytes apart and overlap{instead}",
                high - low
            );
            // To copy a range onto itself is undefined too, and harmless with every library.
            if low != high {
                self.report(guest, Mistake::Overlap, function, vec![], message);
            }
        }
    }

    fn copy(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        to: u64,
        from: u64,
        count: u64,
    ) -> Result<u64, Signal> {
        check(guest, from, count)?;
        check(guest, to, count)?;
        self.check_range(guest, function, from, count, Does::Reads);
        self.check_range(guest, function, to, count, Does::Writes);
        guest.copy(to, from, count)?;
        Ok(to)
    }

    /// Copies a text with its zero; its bytes without.
    fn copy_text(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        given: &[u64],
        most: Option<u64>,
    ) -> Result<u64, Signal> {
        let [to, from] = arguments(given);
        let text = match most {
            Some(most) => {
                self.check_use(guest, function, from);
                text_within(guest, from, most)?
            }
            None => self.text(guest, function, from)?,
        };
        let count = text.len() as u64 + 1;
        self.check_overlap(guest, function, to, from, count, count);
        self.check_range(guest, function, to, count, Does::Writes);
        put_text(guest, to, &text)?;
        Ok(text.len() as u64)
    }

    fn append(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        given: &[u64],
        most: Option<u64>,
    ) -> Result<u64, Signal> {
        let [to, from] = arguments(given);
        let end = to.wrapping_add(self.text(guest, function, to)?.len() as u64);
        self.copy_text(guest, function, &[end, from], most)?;
        Ok(to)
    }

    fn compare(
        &mut self,
        guest: &dyn Guest,
        function: &'static str,
        given: &[u64],
        most: Option<&u64>,
        fold: bool,
    ) -> Result<u64, Signal> {
        let [one, two] = arguments(given);
        let mut text = |address| {
            self.check_use(guest, function, address);
            let mut text = text_within(guest, address, most.copied().unwrap_or(u64::MAX))?;
            if fold {
                text.make_ascii_lowercase();
            }
            Ok::<_, Signal>(text)
        };
        Ok(order(text(one)?.cmp(&text(two)?)))
    }

    fn find_byte(
        &mut self,
        guest: &dyn Guest,
        function: &'static str,
        given: &[u64],
        last: bool,
    ) -> Result<u64, Signal> {
        let [text, byte] = arguments(given);
        let mut whole = self.text(guest, function, text)?;
        whole.push(0); // it can be found too
        let is = |one: &u8| *one == byte as u8;
        let found = if last { whole.iter().rposition(is) } else { whole.iter().position(is) };
        Ok(found.map_or(0, |found| text + found as u64))
    }

    fn duplicate(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        given: &[u64],
        most: Option<u64>,
    ) -> Result<u64, Signal> {
        self.check_use(guest, function, first(given));
        let text = text_within(guest, first(given), most.unwrap_or(u64::MAX))?;
        let address = self.allocate(guest, function, text.len() as u64 + 1, 0, Kind::Malloc)?;
        if address != 0 {
            put_text(guest, address, &text)?;
        }
        Ok(address)
    }
}
