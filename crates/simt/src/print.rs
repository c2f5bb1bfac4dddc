//! `printf`'s format, as a kernel's `vprintf` gets it.

use std::iter::Peekable;
use std::str::Chars;

/// The function that kernels print with (PTX Writer's Guide to Interoperability, system calls): PTX without the name prints nothing.
pub const PRINTS: &str = "vprintf";

/// The place of an argument of 4 or 8 bytes after others, and where the next may begin.
pub(crate) fn place(at: u64, wide: bool) -> (u64, u64) {
    let size = if wide { 8 } else { 4 };
    let at = at.next_multiple_of(size);
    (at, at + size)
}

/// The first bytes of some texts, and whether that is not all.
pub(crate) fn first_bytes<'a>(texts: impl Iterator<Item = &'a str>, most: usize) -> String {
    let mut out = String::new();
    for text in texts {
        let room = most - out.len();
        if text.len() > room {
            let end = (0..=room).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            out.push_str(&text[..end]);
            out.push_str(&format!("\n… and more than the {most} bytes that a launch may print\n"));
            break;
        }
        out.push_str(text);
    }
    out
}

/// Formats, as far as `most` bytes show; `argument(at, wide)` gives the argument at or after byte `at` of the arguments and
/// where the next one may begin, `string(address)` a string. Returns the text and the number of arguments.
pub(crate) fn format(
    format: &str,
    most: usize,
    argument: impl Fn(u64, bool) -> (u64, u64),
    string: impl Fn(u64) -> Option<String>,
) -> (String, u64) {
    let mut out = String::new();
    let mut at = 0;
    let mut count = 0;
    let mut rest = format.chars().peekable();
    let mut next = |wide: bool| {
        let (value, after) = argument(at, wide);
        at = after;
        count += 1;
        if wide { value } else { value & 0xffff_ffff }
    };
    while let Some(c) = rest.next() {
        // More than is ever shown.
        if out.len() > most {
            break;
        }
        if c != '%' {
            out.push(c);
            continue;
        }
        // What CUDA does not know is printed unchanged, such as `%zu` and `%.*f` (measured on an H200 with CUDA 13.0), and so is a
        // `%` at the end.
        let mut after = rest.clone();
        match Spec::parse(&mut after, &mut next) {
            Some((spec, conversion)) => {
                spec.convert(&mut out, conversion, format.as_bytes()[0], &mut next, &string);
                rest = after;
            }
            None => out.push('%'),
        }
    }
    (out, count)
}

/// Letters of conversions that take an argument.
const CONVERSIONS: &str = "diuoxXpcsfFeEgGaA";

fn number(rest: &mut Peekable<Chars<'_>>) -> Option<usize> {
    let mut value: Option<usize> = None;
    while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
        rest.next();
        value = Some((value.unwrap_or(0) * 10 + digit as usize).min(1000));
    }
    value
}

/// A conversion specification: the words between `%` and the conversion's letter.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Length modifiers: `l` or `ll`, for an argument of 64 bits; `h`, and `hh`.
    wide: bool,
    short: bool,
    byte: bool,
}

impl Spec {
    /// Flags, width, precision, length and the conversion's letter, if CUDA takes them together; `next` gives the argument that a `*`
    /// represents.
    fn parse(rest: &mut Peekable<Chars<'_>>, next: &mut impl FnMut(bool) -> u64) -> Option<(Self, char)> {
        let mut spec = Spec::default();
        let mut plain = true;
        while let Some(flag) = rest.next_if(|c| "-+ #0".contains(*c)) {
            match flag {
                '-' => spec.left = true,
                '+' => spec.plus = true,
                ' ' => spec.space = true,
                '#' => spec.alternate = true,
                _ => spec.zero = true,
            }
            plain = false;
        }
        let from_argument = rest.next_if_eq(&'*').is_some();
        if !from_argument {
            let width = number(rest);
            plain &= width.is_none();
            spec.width = width.unwrap_or(0);
        }
        if rest.next_if_eq(&'.').is_some() {
            spec.precision = Some(number(rest).unwrap_or(0));
            plain = false;
        }
        let mut length = String::new();
        while let Some(letter) = rest.next_if(|c| "hl".contains(*c)) {
            length.push(letter);
        }
        (spec.wide, spec.short, spec.byte) = match &*length {
            "" => (false, false, false),
            "l" | "ll" => (true, false, false),
            "h" => (false, true, false),
            "hh" => (false, false, true),
            _ => return None,
        };
        let conversion = rest.next()?;
        if !(CONVERSIONS.contains(conversion) || conversion == '%' && plain && length.is_empty()) {
            return None;
        }
        if from_argument {
            let width = next(false) as u32 as i32;
            spec.left |= width < 0;
            spec.width = width.unsigned_abs().min(1000) as usize;
        }
        Some((spec, conversion))
    }

    /// Prints the next argument by a conversion: `d`, `x`, `s`. `first`: the first byte of the format.
    fn convert(
        mut self,
        out: &mut String,
        conversion: char,
        first: u8,
        next: &mut impl FnMut(bool) -> u64,
        string: impl Fn(u64) -> Option<String>,
    ) {
        match conversion {
            '%' => out.push('%'),
            'd' | 'i' => {
                let value = match (self.wide, self.short) {
                    _ if self.byte => i64::from(first.cast_signed()),
                    (true, _) => next(true) as i64,
                    (_, true) => i64::from(next(false) as i16),
                    _ => i64::from(next(false) as i32),
                };
                self.integer(out, value < 0, value.unsigned_abs().to_string(), "");
            }
            'u' | 'x' | 'X' | 'o' => {
                let value = match self.short {
                    _ if self.byte => u64::from(first),
                    true => next(false) & 0xffff,
                    false => next(self.wide),
                };
                let (digits, prefix) = match conversion {
                    'x' => (format!("{value:x}"), "0x"),
                    'X' => (format!("{value:X}"), "0X"),
                    'o' => (format!("{value:o}"), "0"),
                    _ => (value.to_string(), ""),
                };
                let prefix = if self.alternate && value != 0 { prefix } else { "" };
                (self.plus, self.space) = (false, false);
                self.integer(out, false, digits, prefix);
            }
            'p' => {
                // As glibc has it, which the driver prints with.
                let text = match next(true) {
                    0 => "(nil)".to_owned(),
                    address => format!("{address:#x}"),
                };
                self.pad(out, &text);
            }
            'c' => self.pad(out, &char::from(next(false) as u8).to_string()),
            's' => {
                let text = string(next(true)).unwrap_or_else(|| "(null)".to_owned());
                let text = match self.precision {
                    Some(most) => text.chars().take(most).collect(),
                    None => text,
                };
                self.pad(out, &text);
            }
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
                self.float(out, f64::from_bits(next(true)), conversion);
            }
            _ => {} // `Spec::parse` gives no others
        }
    }

    fn pad(&self, out: &mut String, text: &str) {
        let fill = self.width.saturating_sub(text.chars().count());
        if !self.left {
            out.extend(std::iter::repeat_n(' ', fill));
        }
        out.push_str(text);
        if self.left {
            out.extend(std::iter::repeat_n(' ', fill));
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    /// Sign and prefix, zeros up to the width where asked for, digits.
    fn number(&self, out: &mut String, before: &str, digits: &str, zeros: bool) {
        let length = before.len() + digits.len();
        if zeros && !self.left && length < self.width {
            let zeros = "0".repeat(self.width - length);
            self.pad(out, &format!("{before}{zeros}{digits}"));
        } else {
            self.pad(out, &format!("{before}{digits}"));
        }
    }

    fn integer(&self, out: &mut String, negative: bool, mut digits: String, prefix: &str) {
        if let Some(least) = self.precision {
            if least == 0 && digits == "0" {
                digits.clear();
            }
            digits = format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len())));
        }
        let before = format!("{}{prefix}", self.sign(negative));
        self.number(out, &before, &digits, self.zero && self.precision.is_none());
    }

    fn float(&self, out: &mut String, value: f64, conversion: char) {
        let upper = conversion.is_ascii_uppercase();
        let magnitude = value.abs();
        let sign = self.sign(value.is_sign_negative());
        if !value.is_finite() {
            let text = if value.is_nan() { "nan" } else { "inf" };
            let text = if upper { text.to_ascii_uppercase() } else { text.to_owned() };
            return self.pad(out, &format!("{sign}{text}"));
        }
        let precision = self.precision.unwrap_or(6);
        let mut digits = match conversion.to_ascii_lowercase() {
            'f' => format!("{magnitude:.precision$}"),
            'e' => exponential(magnitude, precision),
            'a' => hexadecimal(magnitude),
            _ => general(magnitude, precision.max(1), self.alternate),
        };
        if self.alternate && !digits.contains('.') {
            // A point even where no digit follows; `e` is a digit of `%a`, whose exponent begins with `p`.
            let exponent = digits.find('p').or_else(|| digits.find('e')).unwrap_or(digits.len());
            digits.insert(exponent, '.');
        }
        let digits = if upper { digits.to_ascii_uppercase() } else { digits };
        self.number(out, sign, &digits, self.zero);
    }
}

/// `1.5e+00`.
fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// `%g`: whichever of the two forms is the shorter, without zeros at the end.
fn general(value: f64, precision: usize, keep_zeros: bool) -> String {
    let scientific = exponential(value, precision - 1);
    let exponent: i32 = scientific.rsplit_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    let trim = |text: &str| {
        if keep_zeros || !text.contains('.') {
            text.to_owned()
        } else {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    if exponent < -4 || exponent >= precision as i32 {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
        format!("{}e{exponent}", trim(mantissa))
    } else {
        let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
        trim(&format!("{value:.decimals$}"))
    }
}

/// `%a`: `0x1.8p+1`.
fn hexadecimal(value: f64) -> String {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    if exponent == 0 && fraction == 0 {
        return "0x0p+0".to_owned();
    }
    let (lead, exponent) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{}{}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats arguments that lie in memory as a compiler puts them.
    fn text(pattern: &str, arguments: &[u8]) -> String {
        let read = |at: u64, wide: bool| {
            let (at, next) = place(at, wide);
            let mut bytes = [0; 8];
            for (n, byte) in bytes.iter_mut().enumerate() {
                *byte = arguments.get(at as usize + n).copied().unwrap_or(0);
            }
            (u64::from_le_bytes(bytes), next)
        };
        format(pattern, 1 << 20, read, |_| Some("text".to_owned())).0
    }

    #[test]
    fn integers_have_width_sign_and_precision() {
        let minus = (-7i32).to_le_bytes();
        assert_eq!(text("[%d|%5d]", &[minus, minus].concat()), "[-7|   -7]");
        assert_eq!(text("[%-5d][%05d]", &[minus, minus].concat()), "[-7   ][-0007]");
        assert_eq!(text("[%+.3d]", &5i32.to_le_bytes()), "[+005]");
        assert_eq!(text("%#x %X %u", &[255u32.to_le_bytes(); 3].concat()), "0xff FF 255");
    }

    #[test]
    fn wide_arguments_are_aligned() {
        let mut arguments = 1u32.to_le_bytes().to_vec();
        arguments.extend([0; 4]);
        arguments.extend(2.5f64.to_le_bytes());
        arguments.extend((-1i64).to_le_bytes());
        assert_eq!(text("%d %f %lld", &arguments), "1 2.500000 -1");
    }

    #[test]
    fn floats_come_in_every_form() {
        let of = |pattern: &str, value: f64| text(pattern, &value.to_le_bytes());
        assert_eq!(
            (of("%.2f", 1.005), of("%e", 12345.678), of("%g", 0.0001)),
            ("1.00".into(), "1.234568e+04".into(), "0.0001".into())
        );
        assert_eq!(
            (of("%g", 1e10), of("%G", 1e-7), of("%g", 100000.0)),
            ("1e+10".into(), "1E-07".into(), "100000".into())
        );
        assert_eq!(
            (of("%a", 3.0), of("%8.1f", -0.05), of("%f", f64::NAN)),
            ("0x1.8p+1".into(), "    -0.1".into(), "nan".into())
        );
        assert_eq!(
            (of("%#.0f", 2.0), of("%#.0e", 2.0), of("%#a", 1.0)),
            ("2.".into(), "2.e+00".into(), "0x1.p+0".into())
        );
    }

    /// As an H200 prints them: what CUDA does not know takes no argument, and of `%hhd` it shows the first byte of the format.
    #[test]
    fn what_cuda_does_not_know_is_printed_unchanged() {
        let arguments = [7u32.to_le_bytes(), [0; 4], 42u32.to_le_bytes(), [0; 4]].concat();
        for format in [
            "%zu", "%5zu|", "%jd", "%td", "%Lf", "%.*f", "%*.*f|", "%1$d", "%lllx", "%hhhd", "%5%", "%.",
            "%l", "%y", "%n",
        ] {
            assert_eq!(text(format, &arguments), format);
        }
        assert_eq!(text("%zu %d %%", &arguments), "%zu 7 %");
        assert_eq!(text("1%hhd %hhu %hd", &arguments), "149 49 7");
        assert_eq!(text("%*d|%-5d|", &arguments), "      0|42   |");
    }

    #[test]
    fn strings_characters_and_percents() {
        assert_eq!(text("%s|%6s|%.2s|%%|%c", &[0; 40]), "text|  text|te|%|\0");
        assert_eq!(text("100%", &[]), "100%");
    }
}
