//! Text to tokens.

use crate::ast::place;
use crate::error::Error;
use std::iter::Peekable;
use std::ops::Range;
use std::slice::Iter;

/// A token and the byte offset at which it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Token<'a> {
    pub(crate) at: u32,
    pub(crate) is: Is<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Is<'a> {
    /// An identifier, with `%`, `$`, `_` where they belong.
    Word(&'a str),
    /// A word after a dot, without it.
    Dot(&'a str),
    Integer(u64),
    /// An integer with the suffix `U`, or one too large for 63 bits.
    Unsigned(u64),
    F32(u32),
    F64(u64),
    Text(&'a str),
    Mark(u8),
    End,
}

impl Is<'_> {
    pub(crate) fn describe(&self) -> String {
        match self {
            Is::Word(word) => format!("`{word}`"),
            Is::Dot(word) => format!("`.{word}`"),
            Is::Integer(value) | Is::Unsigned(value) => format!("`{value}`"),
            Is::F32(bits) => format!("`0f{bits:08x}`"),
            Is::F64(bits) => format!("`0d{bits:016x}`"),
            Is::Text(_) => "a string".into(),
            Is::Mark(mark) => format!("`{}`", *mark as char),
            Is::End => "the end of the text".into(),
        }
    }
}

/// Byte offsets at which lines start.
pub(crate) fn line_starts(text: &str) -> Vec<u32> {
    // Compilers' lines have some thirty bytes.
    let mut starts = Vec::with_capacity(text.len() / 24 + 1);
    starts.push(0);
    let mut words = text.as_bytes().chunks_exact(8);
    for (n, word) in words.by_ref().enumerate() {
        // A byte of zero, where the text has a line's end, makes its highest bit so.
        let ends = u64::from_le_bytes(word.try_into().unwrap_or_default()) ^ 0x0a0a_0a0a_0a0a_0a0a;
        if ends.wrapping_sub(0x0101_0101_0101_0101) & !ends & 0x8080_8080_8080_8080 != 0 {
            let ends = word.iter().enumerate().filter(|(_, b)| **b == b'\n');
            starts.extend(ends.map(|(i, _)| (8 * n + i) as u32 + 1));
        }
    }
    let rest = text.len() - words.remainder().len();
    let ends = words.remainder().iter().enumerate().filter(|(_, b)| **b == b'\n');
    starts.extend(ends.map(|(i, _)| (rest + i) as u32 + 1));
    starts
}

/// What a byte may be, as bits: the classes of characters, looked up at once.
static CLASSES: [u8; 256] = classes();
const SPACE: u8 = 1;
/// A byte that a word may begin with.
const FIRST: u8 = 2;
/// A byte that a word may continue with.
const WORD: u8 = 4;

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut b = 0;
    while b < 128 {
        let byte = b as u8;
        let joins = byte == b'_' || byte == b'$';
        if byte.is_ascii_whitespace() {
            classes[b] |= SPACE;
        }
        if byte.is_ascii_alphabetic() || joins || byte == b'%' {
            classes[b] |= FIRST;
        }
        if byte.is_ascii_alphanumeric() || joins {
            classes[b] |= WORD;
        }
        b += 1;
    }
    classes
}

fn of_class(b: u8, class: u8) -> bool {
    CLASSES[b as usize] & class != 0
}

fn starts_word(b: u8) -> bool {
    of_class(b, FIRST)
}

fn in_word(b: u8) -> bool {
    of_class(b, WORD)
}

/// Tokens, one after the other, the last one [`Is::End`] for ever. They are not kept: those of a large module would take
/// far more memory than its text.
pub(crate) struct Lexer<'a, 't> {
    text: &'a str,
    line_starts: &'t [u32],
    /// Braces of which nothing is read but themselves, in the order of the text.
    left_out: Peekable<Iter<'t, Range<u32>>>,
    /// Position of the closing one, where the opening one was read.
    closing: Option<u32>,
    /// Where the next token is looked for.
    next: usize,
    /// What no token begins with, or one that does not end: there the tokens end.
    stopped: Option<Error>,
}

impl<'a, 't> Lexer<'a, 't> {
    pub(crate) fn new(text: &'a str, line_starts: &'t [u32], left_out: &'t [Range<u32>]) -> Self {
        Lexer {
            text,
            line_starts,
            left_out: left_out.iter().peekable(),
            closing: None,
            next: 0,
            stopped: None,
        }
    }

    /// What stopped it before the end of the text.
    pub(crate) fn stopped(self) -> Option<Error> {
        self.stopped
    }

    #[cold]
    fn fail(&mut self, at: usize, message: String) -> Token<'a> {
        self.stopped = Some(Error { place: place(self.line_starts, at as u32), message });
        // Nothing follows.
        self.next = self.text.len();
        self.left_out = [].iter().peekable();
        Token { at: at as u32, is: Is::End }
    }

    /// Continues after the brace that closes one, and returns its place; nothing if there is none. Texts and comments may
    /// hold braces of their own.
    pub(crate) fn skip_braces(&mut self, opening: u32) -> Option<u32> {
        let bytes = self.text.as_bytes();
        let mut open = 0;
        let mut i = opening as usize;
        loop {
            let behind =
                |end: &str| self.text.get(i + 1..)?.find(end).map(|length| i + 1 + length + end.len());
            match (*bytes.get(i)?, bytes.get(i + 1)) {
                (b'{', _) => open += 1,
                (b'}', _) if open == 1 => break,
                (b'}', _) => open -= 1,
                (b'"', _) => i = behind("\"")? - 1,
                (b'/', Some(b'/')) => i = behind("\n")? - 1,
                (b'/', Some(b'*')) => i = behind("*/")? - 1,
                _ => {}
            }
            i += 1;
        }
        self.next = i + 1;
        Some(i as u32)
    }

    /// The next token.
    pub(crate) fn token(&mut self) -> Token<'a> {
        let text = self.text;
        let bytes = text.as_bytes();
        if let Some(at) = self.closing.take() {
            self.next = at as usize + 1;
            return Token { at, is: Is::Mark(b'}') };
        }
        let mut i = self.next;
        loop {
            while i < bytes.len() && of_class(bytes[i], SPACE) {
                i += 1;
            }
            self.next = i;
            let Some(&b) = bytes.get(i) else {
                return Token { at: bytes.len() as u32, is: Is::End };
            };
            let at = i;
            if let Some(body) = self.left_out.next_if(|body| body.start as usize == i) {
                self.closing = Some(body.end - 1);
                return Token { at: body.start, is: Is::Mark(b'{') };
            }
            match b {
                // `@@DWARF …` (PTX ISA 11.5.1) is a line of debugging information.
                b'/' | b'@' if bytes.get(i + 1) == Some(&b) => {
                    while i < bytes.len() && bytes[i] != b'\n' {
                        i += 1;
                    }
                }
                b'/' if bytes.get(i + 1) == Some(&b'*') => {
                    match text.get(i + 2..).and_then(|rest| rest.find("*/")) {
                        Some(length) => i += length + 4,
                        None => return self.fail(at, "unterminated comment".into()),
                    }
                }
                _ => match lexeme(text, at, b) {
                    Ok((is, end)) => {
                        self.next = end;
                        return Token { at: at as u32, is };
                    }
                    Err(message) => return self.fail(at, message),
                },
            }
        }
    }
}

/// What begins at a place that is neither a space nor a comment, with the byte `b`, and where it ends.
#[inline(always)]
fn lexeme(text: &str, at: usize, b: u8) -> Result<(Is<'_>, usize), String> {
    let bytes = text.as_bytes();
    let mut i = at;
    match b {
        b'"' => match bytes[i + 1..].iter().position(|b| *b == b'"') {
            Some(length) => Ok((Is::Text(&text[at + 1..i + 1 + length]), i + 2 + length)),
            None => Err("unterminated string".into()),
        },
        b'.' if bytes.get(i + 1).is_some_and(|b| in_word(*b)) => {
            i += 1;
            // `::` joins the parts of a sub-qualifier, as in `.shared::cta`.
            loop {
                while i < bytes.len() && in_word(bytes[i]) {
                    i += 1;
                }
                if bytes.get(i..i + 2) == Some(b"::") { i += 2 } else { break }
            }
            Ok((Is::Dot(&text[at + 1..i]), i))
        }
        b if starts_word(b) => {
            i += 1;
            while i < bytes.len() && in_word(bytes[i]) {
                i += 1;
            }
            Ok((Is::Word(&text[at..i]), i))
        }
        b'0'..=b'9' => number(text, i),
        b',' | b';' | b':' | b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'<' | b'>' | b'@' | b'!' | b'|'
        | b'=' | b'+' | b'-' | b'*' | b'~' | b'&' | b'^' | b'?' | b'/' => Ok((Is::Mark(b), i + 1)),
        // PTX is ASCII (PTX ISA 4.1); only comments and strings, where compilers put file names, hold anything.
        _ if !b.is_ascii() => Err("PTX is ASCII, and this character is not".into()),
        _ => Err(format!("`{}` does not occur in PTX", (b as char).escape_default())),
    }
}

/// A number that starts at `i`, and where it ends.
fn number(text: &str, i: usize) -> Result<(Is<'_>, usize), String> {
    let bytes = text.as_bytes();
    let run = |from: usize, ok: fn(u8) -> bool| from + bytes[from..].iter().take_while(|b| ok(**b)).count();
    let hex = |b: u8| b.is_ascii_hexdigit();
    if bytes[i] == b'0' && i + 1 < bytes.len() {
        match bytes[i + 1] {
            b'f' | b'F' => {
                let end = run(i + 2, hex);
                return match u32::from_str_radix(&text[i + 2..end], 16) {
                    Ok(bits) if end == i + 10 => Ok((Is::F32(bits), end)),
                    _ => Err(format!("`{}` needs 8 hexadecimal digits", &text[i..end])),
                };
            }
            b'd' | b'D' => {
                let end = run(i + 2, hex);
                return match u64::from_str_radix(&text[i + 2..end], 16) {
                    Ok(bits) if end == i + 18 => Ok((Is::F64(bits), end)),
                    _ => Err(format!("`{}` needs 16 hexadecimal digits", &text[i..end])),
                };
            }
            b'x' | b'X' => return integer(text, i, i + 2, run(i + 2, hex), 16),
            b'b' | b'B' => return integer(text, i, i + 2, run(i + 2, |b| b == b'0' || b == b'1'), 2),
            b'0'..=b'9' => {
                let end = run(i, |b| b.is_ascii_digit());
                if !matches!(bytes.get(end), Some(b'.' | b'e' | b'E')) {
                    return integer(text, i, i + 1, end, 8);
                }
            }
            _ => {}
        }
    }
    let end = run(i, |b| b.is_ascii_digit());
    let fraction = bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
    let exponent = matches!(bytes.get(end), Some(b'e' | b'E'));
    // `1.` with nothing after its point.
    let point = bytes.get(end) == Some(&b'.') && !bytes.get(end + 1).is_some_and(|b| in_word(*b));
    if point {
        return match text[i..end].parse::<f64>() {
            Ok(value) => Ok((Is::F64(value.to_bits()), end + 1)),
            Err(_) => Err(format!("`{}` is not a number", &text[i..end])),
        };
    }
    if !fraction && !exponent {
        return integer(text, i, i, end, 10);
    }
    let mut end = if fraction { run(end + 1, |b| b.is_ascii_digit()) } else { end };
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end = run(end + 1 + sign, |b| b.is_ascii_digit());
    }
    match text[i..end].parse::<f64>() {
        Ok(value) => Ok((Is::F64(value.to_bits()), end)),
        Err(_) => Err(format!("`{}` is not a number", &text[i..end])),
    }
}

fn integer(text: &str, at: usize, from: usize, end: usize, radix: u32) -> Result<(Is<'_>, usize), String> {
    let digits = &text[from..end];
    // Nearly all are short and decimal.
    let short = radix == 10 && (1..=18).contains(&digits.len());
    let value = if short {
        Ok(digits.bytes().fold(0, |value, digit| 10 * value + u64::from(digit - b'0')))
    } else {
        u64::from_str_radix(digits, radix)
    };
    match value {
        Ok(value) => Ok(match text.as_bytes().get(end) {
            Some(b'U') => (Is::Unsigned(value), end + 1),
            _ if value > i64::MAX as u64 => (Is::Unsigned(value), end),
            _ => (Is::Integer(value), end),
        }),
        Err(_) => Err(format!("`{}` is not a 64-bit integer", &text[at..end])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All tokens but the end.
    fn all(text: &str) -> Result<Vec<Is<'_>>, Error> {
        let starts = line_starts(text);
        let mut lexer = Lexer::new(text, &starts, &[]);
        let mut all = vec![];
        loop {
            match lexer.token().is {
                Is::End => return lexer.stopped().map_or(Ok(all), Err),
                is => all.push(is),
            }
        }
    }

    fn read(text: &str) -> Vec<Is<'_>> {
        all(text).unwrap()
    }

    #[test]
    fn lines_start_after_every_end_of_one() {
        let text = "a\n\nbcdefghijklmnop\n\n\n01234567\n0123456\n\u{10a}\u{a0a}\n x";
        let wanted: Vec<u32> = text.bytes().zip(1..).filter(|(b, _)| *b == b'\n').map(|(_, n)| n).collect();
        for from in 0..20 {
            let part = text.get(from..).unwrap_or_default();
            let wanted = wanted.iter().filter_map(|n| n.checked_sub(from as u32)).filter(|n| *n > 0);
            assert_eq!(line_starts(part), std::iter::once(0).chain(wanted).collect::<Vec<_>>(), "{from}");
        }
    }

    #[test]
    fn words_keep_their_signs_and_dots_start_words() {
        assert_eq!(
            read("ld.shared::cta.f32 %f1 $L__BB0_2"),
            [Is::Word("ld"), Is::Dot("shared::cta"), Is::Dot("f32"), Is::Word("%f1"), Is::Word("$L__BB0_2")]
        );
    }

    #[test]
    fn numbers_are_read_in_every_radix() {
        assert_eq!(
            read("10 0x1F 0b101 017 7U 0 1.5 2e3"),
            [
                Is::Integer(10),
                Is::Integer(31),
                Is::Integer(5),
                Is::Integer(15),
                Is::Unsigned(7),
                Is::Integer(0),
                Is::F64(1.5f64.to_bits()),
                Is::F64(2000f64.to_bits()),
            ]
        );
        assert_eq!(read("0f3F800000 0d3FF0000000000000"), [Is::F32(1f32.to_bits()), Is::F64(1f64.to_bits())]);
    }

    #[test]
    fn comments_are_not_tokens() {
        assert_eq!(read("a // b\n/* c\n */ d"), [Is::Word("a"), Is::Word("d")]);
    }

    #[test]
    fn errors_have_places() {
        for (text, message) in [
            ("a\n  \"b", "2:3: unterminated string"),
            ("/* a", "1:1: unterminated comment"),
            ("0f12", "1:1: `0f12` needs 8 hexadecimal digits"),
            ("99999999999999999999", "1:1: `99999999999999999999` is not a 64-bit integer"),
            ("a \u{e9}", "1:3: PTX is ASCII, and this character is not"),
            ("a #", "1:3: `#` does not occur in PTX"),
        ] {
            let error = all(text).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}
