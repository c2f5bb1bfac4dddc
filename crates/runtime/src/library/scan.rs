//! `scanf`: bytes to values in the program's memory, by a template.
//!
//! Enters: bytes of a stream or a string, one at a time, the template, the address of the arguments' cells. Leaves: values where the
//! arguments point, how many of them, and the bytes that were not used.

use super::{
    Does, Library,
    finding::Mistake,
    format::{Cells, Length, Template},
    memory::get,
    number::{self, is_space},
};
use crate::{
    guest::{Guest, Signal},
    heap::Kind,
};

/// Where the bytes are from.
#[derive(Clone, Copy, Debug)]
pub(super) enum From {
    Stream(u64),
    Memory(u64),
}

/// Most bytes of a number that are looked at: more digits change no result.
const NUMBER: usize = 4096;

struct Call<'c> {
    guest: &'c mut dyn Guest,
    library: &'c mut Library,
    function: &'static str,
    from: From,
    cells: Cells,
    /// A byte that was looked at and not taken.
    seen: Option<u8>,
    /// Bytes that were taken.
    taken: u64,
    /// Values that were stored.
    stored: i32,
}

/// Why a template ends before its end.
enum Stop {
    /// A byte that does not fit.
    Mismatch,
    /// There are no more bytes.
    End,
}

/// What a conversion says before its letter.
struct Conversion {
    /// Whether the value is not stored.
    suppressed: bool,
    /// Whether memory for the text is allocated, by `m`.
    allocated: bool,
    width: usize,
    length: Length,
    number: Option<u64>,
}

type Step = Result<Result<(), Stop>, Signal>;

/// Stores what a template finds; how many values, or -1 where the input ends before the first.
pub(super) fn scan(
    library: &mut Library,
    guest: &mut dyn Guest,
    function: &'static str,
    from: From,
    template: u64,
    cells: u64,
) -> Result<i32, Signal> {
    let text = guest.read_text(template)?;
    let mut template = Template::new(&text);
    let cells = Cells::at(cells);
    let mut call = Call { guest, library, function, from, cells, seen: None, taken: 0, stored: 0 };
    let mut converted = false;
    let result = loop {
        let Some(byte) = template.next() else { break Ok(()) };
        let step = match byte {
            b'%' => {
                let step = call.conversion(&mut template)?;
                converted |= step.is_ok();
                step
            }
            space if is_space(space) => {
                call.skip_spaces()?;
                Ok(())
            }
            plain => call.plain(plain)?,
        };
        if let Err(stop) = step {
            break Err(stop);
        }
    };
    call.put_back();
    Ok(match result {
        Err(Stop::End) if call.stored == 0 && !converted => -1,
        _ => call.stored,
    })
}

impl Call<'_> {
    /// The next byte, which stays.
    fn peek(&mut self) -> Result<Option<u8>, Signal> {
        if self.seen.is_none() {
            self.seen = match self.from {
                From::Stream(stream) => self.library.io.next(stream)?.unwrap_or(None),
                From::Memory(text) => {
                    let [byte] = get::<1>(self.guest, text.wrapping_add(self.taken))?;
                    (byte != 0).then_some(byte)
                }
            };
        }
        Ok(self.seen)
    }

    fn advance(&mut self) {
        self.seen = None;
        self.taken += 1;
    }

    fn put_back(&mut self) {
        if let (From::Stream(stream), Some(byte)) = (self.from, self.seen.take()) {
            self.library.io.push_back(stream, byte);
        }
    }

    fn skip_spaces(&mut self) -> Result<(), Signal> {
        while self.peek()?.is_some_and(is_space) {
            self.advance();
        }
        Ok(())
    }

    fn plain(&mut self, byte: u8) -> Step {
        Ok(match self.peek()? {
            Some(found) if found == byte => {
                self.advance();
                Ok(())
            }
            Some(_) => Err(Stop::Mismatch),
            None => Err(Stop::End),
        })
    }

    fn conversion(&mut self, template: &mut Template) -> Step {
        let number = template.position();
        let mut it =
            Conversion { suppressed: false, allocated: false, width: 0, length: Length::Int, number };
        while let Some(flag @ (b'*' | b'\'' | b'I')) = template.peek() {
            it.suppressed |= flag == b'*';
            template.next();
        }
        it.width = template.number().map_or(0, |width| width as usize);
        it.allocated = template.skip(b'm');
        it.length = template.length();
        let Some(letter) = template.next() else { return Ok(Err(Stop::Mismatch)) };
        if !matches!(letter, b'c' | b'[' | b'n') {
            self.skip_spaces()?;
        }
        if !matches!(letter, b'n') && self.peek()?.is_none() {
            return Ok(Err(Stop::End));
        }
        match letter {
            b'%' => self.plain(b'%'),
            b'd' | b'u' => self.integer(&it, 10),
            b'i' => self.integer(&it, 0),
            b'o' => self.integer(&it, 8),
            b'x' | b'X' => self.integer(&it, 16),
            b'p' => self.integer(&Conversion { length: Length::Long, ..it }, 16),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => self.float(&it),
            b'c' => self.characters(&it),
            b's' => self.text(&it, |byte| !is_space(byte)),
            b'[' => {
                let set = set(template);
                self.text(&it, |byte| set[usize::from(byte)])
            }
            b'n' => {
                let taken = self.taken;
                self.store_integer(&it, taken)?;
                Ok(Ok(()))
            }
            letter => {
                let shown = char::from(letter).escape_default().to_string();
                let message = format!("`{}`: the conversion `%{shown}` does not exist", self.function);
                self.library.report(self.guest, Mistake::BadFormat, self.function, vec![], message);
                Ok(Err(Stop::Mismatch))
            }
        }
    }

    /// Address that the next argument is.
    fn target(&mut self, it: &Conversion) -> Result<u64, Signal> {
        match it.number {
            Some(number) => self.cells.nth(self.guest, number),
            None => self.cells.next(self.guest),
        }
    }

    fn store_integer(&mut self, it: &Conversion, value: u64) -> Result<(), Signal> {
        if it.suppressed {
            return Ok(());
        }
        let bytes = match it.length {
            Length::Char => 1,
            Length::Short => 2,
            Length::Int => 4,
            Length::Long => 8,
        };
        let target = self.target(it)?;
        self.guest.write(target, &value.to_le_bytes()[..bytes])
    }

    /// Bytes of a number: as many as can be part of one, by whether what is there so far still can begin one.
    fn number(&mut self, it: &Conversion, begins: impl Fn(&[u8]) -> bool) -> Result<Vec<u8>, Signal> {
        let most = if it.width == 0 { NUMBER } else { it.width.min(NUMBER) };
        let mut text = vec![];
        while text.len() < most {
            let Some(byte) = self.peek()? else { break };
            text.push(byte);
            if !begins(&text) {
                text.pop();
                break;
            }
            self.advance();
        }
        Ok(text)
    }

    fn integer(&mut self, it: &Conversion, base: u32) -> Step {
        let text = self.number(it, |text| begins_integer(text, base))?;
        let found = number::integer(&text, base);
        // Of `0x` with no digit after it, glibc takes both and stores the zero.
        if found.used == 0 {
            return Ok(Err(Stop::Mismatch));
        }
        let value = match it.length {
            // As glibc: out of range is the most that a `long` holds, of which less is stored.
            _ if base == 16 => found.unsigned().0,
            _ if found.negative => found.signed().0.cast_unsigned(),
            _ => found.magnitude.unwrap_or(i64::MAX as u64),
        };
        self.store_integer(it, value)?;
        self.stored += i32::from(!it.suppressed);
        Ok(Ok(()))
    }

    fn float(&mut self, it: &Conversion) -> Step {
        let text = self.number(it, begins_float)?;
        let found = number::float(&text);
        // Of `1e` glibc takes both and stores 1; of `infin` it takes all and stores nothing.
        if found.used == 0 || found.used != text.len() && !found.double.is_finite() {
            return Ok(Err(Stop::Mismatch));
        }
        if !it.suppressed {
            let target = self.target(it)?;
            match it.length {
                Length::Long => self.guest.write(target, &found.double.to_le_bytes())?,
                _ => self.guest.write(target, &found.single.to_le_bytes())?,
            }
            self.stored += 1;
        }
        Ok(Ok(()))
    }

    /// `%c`: as many bytes as the width says.
    fn characters(&mut self, it: &Conversion) -> Step {
        let mut bytes = vec![];
        while bytes.len() < it.width.max(1) {
            let Some(byte) = self.peek()? else { break };
            bytes.push(byte);
            self.advance();
        }
        self.store_bytes(it, &bytes)
    }

    /// `%s` and `%[`: the bytes that belong to it.
    fn text(&mut self, it: &Conversion, belongs: impl Fn(u8) -> bool) -> Step {
        let most = if it.width == 0 { usize::MAX } else { it.width };
        let mut bytes = vec![];
        while bytes.len() < most {
            let Some(byte) = self.peek()?.filter(|byte| belongs(*byte)) else { break };
            bytes.push(byte);
            self.advance();
        }
        if bytes.is_empty() {
            return Ok(Err(Stop::Mismatch));
        }
        bytes.push(0);
        self.store_bytes(it, &bytes)
    }

    fn store_bytes(&mut self, it: &Conversion, bytes: &[u8]) -> Step {
        if it.suppressed {
            return Ok(Ok(()));
        }
        let mut target = self.target(it)?;
        if it.allocated {
            let new =
                self.library.allocate(self.guest, self.function, bytes.len() as u64, 0, Kind::Malloc)?;
            self.guest.write(target, &new.to_le_bytes())?;
            if new == 0 {
                return Ok(Err(Stop::End));
            }
            target = new;
        }
        self.library.check_range(self.guest, self.function, target, bytes.len() as u64, Does::Writes);
        self.guest.write(target, bytes)?;
        self.stored += 1;
        Ok(Ok(()))
    }
}

/// Whether a text can be the beginning of an integer.
fn begins_integer(text: &[u8], base: u32) -> bool {
    let digits = text.strip_prefix(b"+").or_else(|| text.strip_prefix(b"-")).unwrap_or(text);
    let (digits, base) = match digits {
        [b'0', b'x' | b'X', rest @ ..] if matches!(base, 0 | 16) => (rest, 16),
        [b'0', rest @ ..] if base == 0 => (rest, 8),
        _ => (digits, if base == 0 { 10 } else { base }),
    };
    digits.iter().all(|byte| char::from(*byte).is_digit(base))
}

/// Whether a text can be the beginning of a floating-point number.
fn begins_float(text: &[u8]) -> bool {
    let rest = text.strip_prefix(b"+").or_else(|| text.strip_prefix(b"-")).unwrap_or(text);
    let lower = rest.to_ascii_lowercase();
    if b"infinity".starts_with(&lower) || b"nan".starts_with(&lower) {
        return true;
    }
    let (digits, hexadecimal) = match &*lower {
        [b'0', b'x', rest @ ..] => (rest, true),
        _ => (&*lower, false),
    };
    let letter = if hexadecimal { b'p' } else { b'e' };
    let is_digit = |byte: &u8| if hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let exponent = digits.iter().position(|byte| *byte == letter);
    let (significand, exponent) = digits.split_at(exponent.unwrap_or(digits.len()));
    let points = significand.iter().filter(|byte| **byte == b'.').count();
    let any = significand.iter().any(is_digit);
    if points > 1 || !significand.iter().all(|byte| *byte == b'.' || is_digit(byte)) {
        return false;
    }
    let Some(exponent) = exponent.get(1..) else { return true };
    let exponent = exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-")).unwrap_or(exponent);
    any && exponent.iter().all(u8::is_ascii_digit)
}

/// Bytes of a set, from after its `[`.
fn set(template: &mut Template) -> [bool; 256] {
    let inverted = template.skip(b'^');
    let mut set = [false; 256];
    let mut first = true;
    let mut before: Option<u8> = None;
    while let Some(byte) = template.next() {
        match (byte, before) {
            (b']', _) if !first => break,
            (b'-', Some(from)) if template.peek().is_some_and(|next| next != b']') => {
                let to = template.next().unwrap_or(from);
                for byte in from..=to {
                    set[usize::from(byte)] = true;
                }
                before = None;
            }
            (byte, _) => {
                set[usize::from(byte)] = true;
                before = Some(byte);
            }
        }
        first = false;
    }
    set.map(|member| member != inverted)
}
