//! `printf`: a template and arguments to bytes, for all of its functions.
//!
//! Enters: the template, the address of the arguments' cells. Leaves: bytes, as glibc makes them in the locale "C". What is not
//! a conversion is written as it is, as glibc does.

use super::{
    Library, decimal,
    errno::{self, Errno},
    finding::Mistake,
    memory::{get, text_within},
};
use crate::guest::{Guest, Signal};

/// Most bytes that one call writes: what is more is `EOVERFLOW`, as beyond `INT_MAX` with glibc.
const MOST: usize = 64 << 20;

/// The arguments after a template, in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    /// Address of the first.
    address: u64,
    /// Number of the next.
    next: u64,
}

impl Cells {
    pub(super) fn at(address: u64) -> Self {
        Self { address, next: 0 }
    }

    /// Bits of the next argument.
    pub(super) fn next(&mut self, guest: &dyn Guest) -> Result<u64, Signal> {
        self.next += 1;
        self.nth(guest, self.next)
    }

    /// Bits of an argument by its number, the first is 1.
    pub(super) fn nth(&self, guest: &dyn Guest, number: u64) -> Result<u64, Signal> {
        let offset = number.wrapping_sub(1).wrapping_mul(8);
        get(guest, self.address.wrapping_add(offset)).map(u64::from_le_bytes)
    }
}

/// Length of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    Char,
    Short,
    Int,
    Long,
}

/// What a conversion says before its letter.
#[derive(Clone, Debug)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
    /// Number of its argument, of `%2$d`.
    number: Option<u64>,
}

/// A reader of a template.
pub(super) struct Template<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Template<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    pub(super) fn skip(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Digits as a number; nothing where there is none. More than an `int` has is the most that it has.
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut value = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let more = value.unwrap_or(0u64) * 10 + u64::from(digit - b'0');
            value = Some(more.min(i32::MAX as u64));
            self.at += 1;
        }
        value
    }

    /// Digits before a `$`.
    pub(super) fn position(&mut self) -> Option<u64> {
        let start = self.at;
        match self.number() {
            Some(number) if number > 0 && self.skip(b'$') => Some(number),
            _ => {
                self.at = start;
                None
            }
        }
    }

    /// `hh`, `h`, `l`, `ll`, `L`, `q`, `j`, `z`, `Z`, `t`, or nothing.
    pub(super) fn length(&mut self) -> Length {
        let mut length = Length::Int;
        loop {
            length = match (self.peek(), length) {
                (Some(b'h'), Length::Short) => Length::Char,
                (Some(b'h'), _) => Length::Short,
                (Some(b'l' | b'L' | b'q' | b'j' | b'z' | b'Z' | b't'), _) => Length::Long,
                _ => return length,
            };
            self.at += 1;
        }
    }
}

/// A call of one of the functions.
struct Call<'c> {
    guest: &'c mut dyn Guest,
    library: &'c mut Library,
    function: &'static str,
    cells: Cells,
    out: Vec<u8>,
}

/// Bytes that a template makes of arguments.
///
/// # Errors
/// The outer one: an argument points to no memory. The inner one: the number of an error, where glibc's functions return -1.
pub(super) fn format(
    library: &mut Library,
    guest: &mut dyn Guest,
    function: &'static str,
    template: u64,
    cells: u64,
) -> Result<Result<Vec<u8>, Errno>, Signal> {
    if template == 0 {
        // glibc checks it.
        return Ok(Err(Errno::EINVAL));
    }
    let text = guest.read_text(template)?;
    let mut call = Call { guest, library, function, cells: Cells::at(cells), out: vec![] };
    let mut template = Template::new(&text);
    loop {
        let plain = text[template.at..].iter().position(|byte| *byte == b'%');
        let end = plain.map_or(text.len(), |plain| template.at + plain);
        call.out.extend(&text[template.at..end]);
        template.at = end + 1;
        if plain.is_none() {
            return Ok(Ok(call.out));
        }
        if let Err(error) = call.conversion(&mut template, end)? {
            return Ok(Err(error));
        }
    }
}

impl Call<'_> {
    fn argument(&mut self, number: Option<u64>) -> Result<u64, Signal> {
        match number {
            Some(number) => self.cells.nth(self.guest, number),
            None => self.cells.next(self.guest),
        }
    }

    /// A width or precision: digits, or an argument by `*`.
    fn size(&mut self, template: &mut Template) -> Result<Option<i64>, Signal> {
        if template.skip(b'*') {
            let number = template.position();
            return Ok(Some(i64::from(self.argument(number)? as i32)));
        }
        Ok(template.number().map(|number| number as i64))
    }

    /// What is between `%` and a conversion's letter.
    fn specification(&mut self, template: &mut Template) -> Result<Conversion, Signal> {
        let number = template.position();
        let mut it = Conversion {
            left: false,
            plus: false,
            space: false,
            alternate: false,
            zero: false,
            width: 0,
            precision: None,
            length: Length::Int,
            number,
        };
        loop {
            match template.peek() {
                Some(b'-') => it.left = true,
                Some(b'+') => it.plus = true,
                Some(b' ') => it.space = true,
                Some(b'#') => it.alternate = true,
                Some(b'0') => it.zero = true,
                Some(b'\'' | b'I') => {} // no groups of digits in the locale "C"
                _ => break,
            }
            template.at += 1;
        }
        if let Some(width) = self.size(template)? {
            it.left |= width < 0;
            it.width = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX);
        }
        if template.skip(b'.') {
            // One that is negative counts as if it were not there.
            it.precision = usize::try_from(self.size(template)?.unwrap_or(0)).ok();
        }
        it.length = template.length();
        Ok(it)
    }

    /// A conversion, from after its `%`, which is at `start`.
    fn conversion(&mut self, template: &mut Template, start: usize) -> Result<Result<(), Errno>, Signal> {
        let it = self.specification(template)?;
        let Some(letter) = template.next() else { return Ok(Err(Errno::EINVAL)) };
        if self.out.len() + it.width.max(it.precision.unwrap_or(0)) > MOST {
            return Ok(Err(Errno::EOVERFLOW));
        }
        match letter {
            b'%' => self.out.push(b'%'),
            b'd' | b'i' => self.signed(&it)?,
            b'u' | b'o' | b'x' | b'X' => self.unsigned(&it, letter)?,
            b'p' => self.pointer(&it)?,
            b'c' | b'C' => {
                let byte = self.argument(it.number)?;
                if (letter == b'C' || it.length == Length::Long) && byte as u32 > 0x7F {
                    return Ok(Err(Errno::EILSEQ));
                }
                self.padded(&it, &[byte as u8]);
            }
            b's' if it.length != Length::Long => self.text(&it)?,
            b's' | b'S' => return self.wide_text(&it),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => self.float(&it, letter)?,
            b'n' => self.count(&it)?,
            b'm' => {
                let number = self.library.errno(self.guest)?;
                let text =
                    errno::text(number).map_or_else(|| format!("Unknown error {number}"), str::to_owned);
                self.padded(&it, text.as_bytes());
            }
            _ => {
                let text = &template.text[start..template.at];
                let shown = String::from_utf8_lossy(text).into_owned();
                let message = format!("`{}`: the conversion `{shown}` does not exist", self.function);
                self.library.report(self.guest, Mistake::BadFormat, self.function, vec![], message);
                self.out.extend(text);
            }
        }
        if self.out.len() > MOST { Ok(Err(Errno::EOVERFLOW)) } else { Ok(Ok(())) }
    }

    /// Writes a text, with spaces up to the width.
    fn padded(&mut self, it: &Conversion, text: &[u8]) {
        self.number(it, "", text, false);
    }

    /// Writes a sign or prefix and what follows it, with zeros between both or spaces around both up to the width.
    fn number(&mut self, it: &Conversion, prefix: &str, digits: &[u8], zeros: bool) {
        let missing = it.width.saturating_sub(prefix.len() + digits.len());
        let (before, between, after) = match (it.left, zeros) {
            (true, _) => (0, 0, missing),
            (_, true) => (0, missing, 0),
            _ => (missing, 0, 0),
        };
        self.out.extend(std::iter::repeat_n(b' ', before));
        self.out.extend(prefix.as_bytes());
        self.out.extend(std::iter::repeat_n(b'0', between));
        self.out.extend(digits);
        self.out.extend(std::iter::repeat_n(b' ', after));
    }

    fn sign(it: &Conversion, negative: bool) -> &'static str {
        match (negative, it.plus, it.space) {
            (true, _, _) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn signed(&mut self, it: &Conversion) -> Result<(), Signal> {
        let bits = self.argument(it.number)?;
        let value = match it.length {
            Length::Char => i64::from(bits as i8),
            Length::Short => i64::from(bits as i16),
            Length::Int => i64::from(bits as i32),
            Length::Long => bits.cast_signed(),
        };
        let digits = digits(value.unsigned_abs(), 10, it.precision);
        self.number(it, Self::sign(it, value < 0), digits.as_bytes(), it.zero && it.precision.is_none());
        Ok(())
    }

    fn unsigned(&mut self, it: &Conversion, letter: u8) -> Result<(), Signal> {
        let bits = self.argument(it.number)?;
        let value = match it.length {
            Length::Char => bits & 0xFF,
            Length::Short => bits & 0xFFFF,
            Length::Int => bits & 0xFFFF_FFFF,
            Length::Long => bits,
        };
        let (radix, prefix) = match letter {
            b'o' => (8, ""),
            b'x' if it.alternate && value != 0 => (16, "0x"),
            b'X' if it.alternate && value != 0 => (16, "0X"),
            b'x' | b'X' => (16, ""),
            _ => (10, ""),
        };
        let mut digits = digits(value, radix, it.precision);
        if letter == b'o' && it.alternate && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        if letter == b'X' {
            digits.make_ascii_uppercase();
        }
        self.number(it, prefix, digits.as_bytes(), it.zero && it.precision.is_none());
        Ok(())
    }

    fn pointer(&mut self, it: &Conversion) -> Result<(), Signal> {
        let value = self.argument(it.number)?;
        if value == 0 {
            self.padded(it, b"(nil)");
            return Ok(());
        }
        let digits = digits(value, 16, it.precision);
        let prefix = format!("{}0x", Self::sign(it, false));
        self.number(it, &prefix, digits.as_bytes(), it.zero && it.precision.is_none());
        Ok(())
    }

    fn float(&mut self, it: &Conversion, letter: u8) -> Result<(), Signal> {
        let value = f64::from_bits(self.argument(it.number)?);
        let precision = it.precision.unwrap_or(6);
        let mut text = match letter.to_ascii_lowercase() {
            _ if value.is_nan() => "nan".to_owned(),
            _ if value.is_infinite() => "inf".to_owned(),
            b'e' => decimal::scientific(value, precision, it.alternate),
            b'f' => decimal::fixed(value, precision, it.alternate),
            b'g' => decimal::general(value, precision, it.alternate),
            _ => decimal::hexadecimal(value, it.precision, it.alternate),
        };
        let mut prefix = Self::sign(it, value.is_sign_negative()).to_owned();
        if let Some(rest) = text.strip_prefix("0x") {
            prefix += "0x";
            text = rest.to_owned();
        }
        if letter.is_ascii_uppercase() {
            prefix.make_ascii_uppercase();
            text.make_ascii_uppercase();
        }
        self.number(it, &prefix, text.as_bytes(), it.zero && value.is_finite());
        Ok(())
    }

    /// Reports a pointer that is to be a string and is not one.
    fn bad_text(&mut self, address: u64) {
        let message = format!(
            "`{}`: the argument for `%s`, {address:#x}, is not the address of a string",
            self.function
        );
        self.library.report(self.guest, Mistake::BadPointer, self.function, vec![], message);
    }

    fn text(&mut self, it: &Conversion) -> Result<(), Signal> {
        let address = self.argument(it.number)?;
        if address == 0 {
            // As glibc: whole or not at all.
            let text: &[u8] = if it.precision.is_none_or(|most| most >= 6) { b"(null)" } else { b"" };
            self.padded(it, text);
            return Ok(());
        }
        let text = match it.precision {
            Some(most) => {
                self.library.check_use(self.guest, self.function, address);
                text_within(self.guest, address, most as u64)
            }
            None => self.library.text(self.guest, self.function, address),
        };
        let text = text.inspect_err(|_| self.bad_text(address))?;
        self.padded(it, &text);
        Ok(())
    }

    /// `%ls`: characters of four bytes, which the locale "C" has only up to 127.
    fn wide_text(&mut self, it: &Conversion) -> Result<Result<(), Errno>, Signal> {
        let address = self.argument(it.number)?;
        if address == 0 {
            self.padded(it, if it.precision.is_none_or(|most| most >= 6) { b"(null)" } else { b"" });
            return Ok(Ok(()));
        }
        let mut text = vec![];
        while text.len() < it.precision.unwrap_or(MOST).min(MOST) {
            let at = address.wrapping_add(4 * text.len() as u64);
            match u32::from_le_bytes(get(self.guest, at)?) {
                0 => break,
                wide @ 1..=0x7F => text.push(wide as u8),
                _ => return Ok(Err(Errno::EILSEQ)),
            }
        }
        self.padded(it, &text);
        Ok(Ok(()))
    }

    /// `%n`.
    fn count(&mut self, it: &Conversion) -> Result<(), Signal> {
        let address = self.argument(it.number)?;
        let count = (self.out.len() as u64).to_le_bytes();
        let bytes = match it.length {
            Length::Char => 1,
            Length::Short => 2,
            Length::Int => 4,
            Length::Long => 8,
        };
        self.guest.write(address, &count[..bytes])
    }
}

/// Digits of a number, as many as the precision says at least; none of a zero with precision 0.
fn digits(value: u64, radix: u32, precision: Option<usize>) -> String {
    let digits = match radix {
        _ if value == 0 && precision == Some(0) => String::new(),
        8 => format!("{value:o}"),
        16 => format!("{value:x}"),
        _ => value.to_string(),
    };
    let missing = precision.unwrap_or(1).saturating_sub(digits.len());
    let mut all = "0".repeat(missing);
    all.push_str(&digits);
    all
}
