//! `getopt` and `getopt_long`, as glibc has them: arguments that are not options are moved to the end.
//!
//! Enters: `argc`, `argv`, the options. Leaves: an option's letter or value, and the variables `optarg`, `optind`, `opterr` and
//! `optopt`, which are the library's and which the header reaches by their addresses.

use super::{
    Library, Place, Row,
    io::Standard,
    memory::{arguments, from_int, get_u32, get_u64, int, put_u32, put_u64},
    row,
};
use crate::guest::{Guest, Signal};

pub(super) const ROWS: &[Row] = &[
    row("getopt", "iipp", |library, guest, given| {
        let [count, vector, short] = arguments(given);
        library.option(guest, count, vector, short, None, false)
    }),
    row("getopt_long", "iipppp", |library, guest, given| {
        let [count, vector, short, long, index] = arguments(given);
        library.option(guest, count, vector, short, Some((long, index)), false)
    }),
    row("getopt_long_only", "iipppp", |library, guest, given| {
        let [count, vector, short, long, index] = arguments(given);
        library.option(guest, count, vector, short, Some((long, index)), true)
    }),
    row("__optarg_location", "p", |library, guest, _| Ok(library.options(guest)?.argument())),
    row("__optind_location", "p", |library, guest, _| Ok(library.options(guest)?.index())),
    row("__opterr_location", "p", |library, guest, _| Ok(library.options(guest)?.report())),
    row("__optopt_location", "p", |library, guest, _| Ok(library.options(guest)?.bad())),
];

/// Where in `argv` the search is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Position {
    /// Bytes of the present argument that were looked at; 0 before the next argument.
    within: u64,
    /// Arguments that are not options and were passed, from the first to before the last: they are to be moved.
    passed: (u64, u64),
    started: bool,
}

/// The four variables.
#[derive(Clone, Copy)]
struct Variables(u64);

impl Variables {
    fn argument(self) -> u64 {
        self.0
    }

    fn index(self) -> u64 {
        self.0 + 8
    }

    fn report(self) -> u64 {
        self.0 + 12
    }

    fn bad(self) -> u64 {
        self.0 + 16
    }
}

/// How arguments that are not options are treated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// They are moved to the end.
    Permute,
    /// The first ends the search, by `+`.
    Require,
    /// Each is returned as the argument of option 1, by `-`.
    Return,
}

/// A call of one of the functions.
struct Call<'c> {
    library: &'c mut Library,
    guest: &'c mut dyn Guest,
    variables: Variables,
    count: u64,
    vector: u64,
    short: Vec<u8>,
    long: Option<(u64, u64)>,
    /// Whether a missing argument is `:` rather than `?`, and not reported.
    colon: bool,
    /// Index of the next argument.
    index: u64,
}

/// A long option, as the program describes it.
struct Long {
    name: Vec<u8>,
    /// 0 none, 1 required, 2 optional.
    argument: i32,
    flag: u64,
    value: i32,
    index: u64,
}

/// Long options that are looked at.
const MOST: u64 = 10_000;

impl Library {
    fn options(&mut self, guest: &mut dyn Guest) -> Result<Variables, Signal> {
        let new = !self.places.contains_key(&Place::Options);
        let variables = Variables(self.place(guest, Place::Options, 24)?);
        if new {
            put_u32(guest, variables.index(), 1)?;
            put_u32(guest, variables.report(), 1)?;
            put_u32(guest, variables.bad(), u32::from(b'?'))?;
        }
        Ok(variables)
    }

    fn option(
        &mut self,
        guest: &mut dyn Guest,
        count: u64,
        vector: u64,
        short: u64,
        long: Option<(u64, u64)>,
        only: bool,
    ) -> Result<u64, Signal> {
        let variables = self.options(guest)?;
        let mut short = guest.read_text(short)?;
        let index = u64::from(get_u32(guest, variables.index())?);
        if index == 0 || !self.option.started {
            // The program starts over with 0.
            let first = index.max(1);
            self.option = Position { within: 0, passed: (first, first), started: true };
        }
        let order = match short.first() {
            Some(b'+') => Order::Require,
            Some(b'-') => Order::Return,
            _ => Order::Permute,
        };
        if order != Order::Permute {
            short.remove(0);
        }
        let colon = short.first() == Some(&b':');
        let (index, count) = (index.max(1), int(count).max(0) as u64);
        let mut call = Call { library: self, guest, variables, count, vector, short, long, colon, index };
        put_u64(call.guest, variables.argument(), 0)?;
        let found = call.next(order, only)?;
        let index = call.index;
        put_u32(guest, variables.index(), u32::try_from(index).unwrap_or(u32::MAX))?;
        Ok(from_int(found))
    }
}

impl Call<'_> {
    fn argument(&self, index: u64) -> Result<(u64, Vec<u8>), Signal> {
        let address = get_u64(self.guest, self.vector.wrapping_add(8 * index))?;
        Ok((address, self.guest.read_text(address)?))
    }

    fn next(&mut self, order: Order, only: bool) -> Result<i32, Signal> {
        if self.library.option.within == 0 {
            if let Some(end) = self.advance(order)? {
                return Ok(end);
            }
            let (address, text) = self.argument(self.index)?;
            if let Some(list) = self.long {
                if text.starts_with(b"--") {
                    self.index += 1;
                    return self
                        .long(list, address + 2, &text[2..], "--")
                        .map(|found| found.unwrap_or(i32::from(b'?')));
                }
                // With one dash it is a long option unless it can only be short.
                let short_too = text.len() < 3 && self.short.contains(&text[1]);
                if only && !short_too {
                    self.index += 1;
                    if let Some(found) = self.long(list, address + 1, &text[1..], "-")? {
                        return Ok(found);
                    }
                    self.index -= 1;
                }
            }
            self.library.option.within = 1;
        }
        self.short()
    }

    /// Moves on to an argument that is an option; what to return where there is none.
    fn advance(&mut self, order: Order) -> Result<Option<i32>, Signal> {
        // The program may have changed `optind`.
        let (first, last) = self.library.option.passed;
        let (mut first, mut last) = (first.min(self.index), last.min(self.index));
        if order == Order::Permute {
            if first == last || last == self.index {
                first = if last == self.index { first } else { self.index };
            } else {
                first = self.exchange(first, last)?;
            }
            while self.index < self.count && !is_option(&self.argument(self.index)?.1) {
                self.index += 1;
            }
            last = self.index;
        }
        if self.index < self.count && self.argument(self.index)?.1 == b"--" {
            self.index += 1;
            if first == last {
                first = self.index;
            } else if last != self.index {
                first = self.exchange(first, last)?;
            }
            (last, self.index) = (self.count, self.count);
        }
        self.library.option.passed = (first, last);
        if self.index >= self.count {
            if first != last {
                self.index = first; // what is not an option follows
            }
            return Ok(Some(-1));
        }
        let (address, text) = self.argument(self.index)?;
        if is_option(&text) {
            return Ok(None);
        }
        if order == Order::Return {
            put_u64(self.guest, self.variables.argument(), address)?;
            self.index += 1;
            return Ok(Some(1));
        }
        Ok(Some(-1))
    }

    /// Moves arguments that were passed to after the options that follow them; where the first is then.
    fn exchange(&mut self, first: u64, last: u64) -> Result<u64, Signal> {
        let order = (last..self.index).chain(first..last);
        let read = |at: u64| get_u64(self.guest, self.vector.wrapping_add(8 * at));
        let moved: Vec<u64> = order.map(read).collect::<Result<_, _>>()?;
        for (at, value) in (first..).zip(moved) {
            put_u64(self.guest, self.vector.wrapping_add(8 * at), value)?;
        }
        Ok(first + (self.index - last))
    }

    fn report(&mut self, words: &str) -> Result<(), Signal> {
        if self.colon || get_u32(self.guest, self.variables.report())? == 0 {
            return Ok(());
        }
        let program = String::from_utf8_lossy(&self.argument(0)?.1).into_owned();
        self.library.io.put(Standard::Error, format!("{program}: {words}\n").as_bytes())
    }

    fn set_bad(&mut self, value: i32) -> Result<(), Signal> {
        put_u32(self.guest, self.variables.bad(), value.cast_unsigned())
    }

    /// What is returned where an argument is missing.
    fn missing(&self) -> i32 {
        i32::from(if self.colon { b':' } else { b'?' })
    }

    /// A letter of the present argument.
    fn short(&mut self) -> Result<i32, Signal> {
        let (address, text) = self.argument(self.index)?;
        let at = self.library.option.within as usize;
        let letter = text.get(at).copied().unwrap_or(0);
        self.library.option.within += 1;
        let ends = at + 1 >= text.len();
        if ends {
            self.library.option.within = 0;
            self.index += 1;
        }
        let shown = char::from(letter);
        let place = self.short.iter().position(|one| *one == letter);
        let Some(place) = place.filter(|_| !matches!(letter, b':' | b';' | 0)) else {
            self.report(&format!("invalid option -- '{shown}'"))?;
            self.set_bad(i32::from(letter))?;
            return Ok(i32::from(b'?'));
        };
        let takes = self.short.get(place + 1) == Some(&b':');
        let optional = takes && self.short.get(place + 2) == Some(&b':');
        if !takes {
            return Ok(i32::from(letter));
        }
        let argument = self.variables.argument();
        if !ends {
            put_u64(self.guest, argument, address + at as u64 + 1)?;
            self.library.option.within = 0;
            self.index += 1;
        } else if !optional {
            if self.index >= self.count {
                self.report(&format!("option requires an argument -- '{shown}'"))?;
                self.set_bad(i32::from(letter))?;
                return Ok(self.missing());
            }
            let (value, _) = self.argument(self.index)?;
            put_u64(self.guest, argument, value)?;
            self.index += 1;
        }
        Ok(i32::from(letter))
    }

    fn longs(&self, list: u64) -> Result<Vec<Long>, Signal> {
        let mut all = vec![];
        for index in 0..MOST {
            let at = list.wrapping_add(32 * index);
            let name = get_u64(self.guest, at)?;
            if name == 0 {
                break;
            }
            all.push(Long {
                name: self.guest.read_text(name)?,
                argument: get_u32(self.guest, at.wrapping_add(8))?.cast_signed(),
                flag: get_u64(self.guest, at.wrapping_add(16))?,
                value: get_u32(self.guest, at.wrapping_add(24))?.cast_signed(),
                index,
            });
        }
        Ok(all)
    }

    /// A long option after its dashes; nothing where it may be a short one.
    fn long(
        &mut self,
        (list, place): (u64, u64),
        address: u64,
        text: &[u8],
        dashes: &str,
    ) -> Result<Option<i32>, Signal> {
        let name_end = text.iter().position(|byte| *byte == b'=').unwrap_or(text.len());
        let (name, value) =
            (&text[..name_end], (name_end < text.len()).then_some(address + name_end as u64 + 1));
        let shown = String::from_utf8_lossy(name).into_owned();
        let all = self.longs(list)?;
        let exact = all.iter().find(|one| one.name == name);
        let candidates: Vec<&Long> = all.iter().filter(|one| one.name.starts_with(name)).collect();
        let same = |one: &&Long, other: &&Long| {
            (one.argument, one.flag, one.value) == (other.argument, other.flag, other.value)
        };
        let ambiguous =
            candidates.first().is_some_and(|first| !candidates.iter().all(|one| same(one, first)));
        let found = match (exact, ambiguous) {
            (Some(exact), _) => exact,
            (None, true) => {
                let names =
                    candidates.iter().map(|one| format!(" '{dashes}{}'", String::from_utf8_lossy(&one.name)));
                let names: String = names.collect();
                self.report(&format!("option '{dashes}{shown}' is ambiguous; possibilities:{names}"))?;
                self.set_bad(0)?;
                return Ok(Some(i32::from(b'?')));
            }
            (None, false) => match candidates.first() {
                Some(first) => first,
                None if dashes == "-" && text.first().is_some_and(|letter| self.short.contains(letter)) => {
                    return Ok(None);
                }
                None => {
                    self.report(&format!("unrecognized option '{dashes}{shown}'"))?;
                    self.set_bad(0)?;
                    return Ok(Some(i32::from(b'?')));
                }
            },
        };
        let full = String::from_utf8_lossy(&found.name).into_owned();
        match (value, found.argument) {
            (Some(_), 0) => {
                self.report(&format!("option '{dashes}{full}' doesn't allow an argument"))?;
                self.set_bad(found.value)?;
                return Ok(Some(i32::from(b'?')));
            }
            (Some(value), _) => put_u64(self.guest, self.variables.argument(), value)?,
            (None, 1) => {
                if self.index >= self.count {
                    self.report(&format!("option '{dashes}{full}' requires an argument"))?;
                    self.set_bad(found.value)?;
                    return Ok(Some(self.missing()));
                }
                let (value, _) = self.argument(self.index)?;
                put_u64(self.guest, self.variables.argument(), value)?;
                self.index += 1;
            }
            (None, _) => {}
        }
        if place != 0 {
            put_u32(self.guest, place, found.index as u32)?;
        }
        if found.flag != 0 {
            put_u32(self.guest, found.flag, found.value.cast_unsigned())?;
            return Ok(Some(0));
        }
        Ok(Some(found.value))
    }
}

/// Whether an argument is an option: a dash and something after it.
fn is_option(text: &[u8]) -> bool {
    text.len() > 1 && text[0] == b'-'
}
