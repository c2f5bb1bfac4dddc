//! Numbers as C writes them, from text: what `strtol`, `strtod` and `scanf` understand.
//!
//! Enters: bytes. Leaves: a number, correctly rounded, and how many of the bytes it takes. This module must never know where the
//! bytes are from.

/// Whether C's `isspace` holds.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Sign of a number: whether it is negative, and how many bytes the sign takes.
fn sign(text: &[u8]) -> (bool, usize) {
    match text.first() {
        Some(b'-') => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    }
}

fn is_hexadecimal(text: &[u8]) -> bool {
    text.len() > 1 && text[0] == b'0' && text[1].eq_ignore_ascii_case(&b'x')
}

/// An integer that begins a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Integer {
    pub(super) negative: bool,
    /// Its absolute value; nothing where 64 bits do not hold it.
    pub(super) magnitude: Option<u64>,
    /// Bytes that it takes; 0 where there is no number.
    pub(super) used: usize,
}

impl Integer {
    /// What `strtol` makes of it, and whether it was out of range.
    pub(super) fn signed(self) -> (i64, bool) {
        let value = self.magnitude.map(|magnitude| match self.negative {
            true => 0i64.checked_sub_unsigned(magnitude),
            false => i64::try_from(magnitude).ok(),
        });
        let most = if self.negative { i64::MIN } else { i64::MAX };
        value.flatten().map_or((most, true), |value| (value, false))
    }

    /// What `strtoul` makes of it, and whether it was out of range: a negative number wraps.
    pub(super) fn unsigned(self) -> (u64, bool) {
        let value = self.magnitude.map(|value| if self.negative { value.wrapping_neg() } else { value });
        value.map_or((u64::MAX, true), |value| (value, false))
    }
}

/// The integer at a text's start, which is not a space. Base 0 finds the base by the prefix.
pub(super) fn integer(text: &[u8], base: u32) -> Integer {
    let (negative, mut at) = sign(text);
    let mut base = base;
    let digit = |at: usize, base: u32| {
        text.get(at).and_then(|byte| char::from(*byte).to_digit(36)).filter(|digit| *digit < base)
    };
    let prefixed = is_hexadecimal(&text[at..]) && digit(at + 2, 16).is_some();
    if base == 0 {
        base = match text.get(at) {
            Some(b'0') if prefixed => 16,
            Some(b'0') => 8,
            _ => 10,
        };
    }
    if base == 16 && prefixed {
        at += 2;
    }
    let start = at;
    let mut magnitude = Some(0u64);
    while let Some(digit) = digit(at, base) {
        let times = |value: u64| value.checked_mul(u64::from(base))?.checked_add(u64::from(digit));
        magnitude = magnitude.and_then(times);
        at += 1;
    }
    Integer { negative, magnitude, used: if at == start { 0 } else { at } }
}

/// A floating-point number that begins a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Float {
    /// As a `double`, and as a `float`: both are rounded once.
    pub(super) double: f64,
    pub(super) single: f32,
    /// Bytes that it takes; 0 where there is no number.
    pub(super) used: usize,
    /// Whether `strtod` sets `ERANGE`, and whether `strtof` does: where it is infinite and its text is not, or too small to be rounded
    /// as others are, and was rounded.
    pub(super) double_out_of_range: bool,
    pub(super) single_out_of_range: bool,
}

impl Float {
    /// No number.
    const NONE: Self =
        Self { double: 0.0, single: 0.0, used: 0, double_out_of_range: false, single_out_of_range: false };
}

/// The floating-point number at a text's start, which is not a space.
pub(super) fn float(text: &[u8]) -> Float {
    let (negative, start) = sign(text);
    let mut float = magnitude(&text[start..]);
    if float.used == 0 {
        return float;
    }
    float.used += start;
    if negative {
        (float.double, float.single) = (-float.double, -float.single);
    }
    float
}

fn magnitude(text: &[u8]) -> Float {
    let word = |word: &[u8]| text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word);
    let special = |double: f64, used| Float { double, single: double as f32, used, ..Float::NONE };
    if word(b"infinity") {
        return special(f64::INFINITY, 8);
    }
    if word(b"inf") {
        return special(f64::INFINITY, 3);
    }
    if word(b"nan") {
        let rest = &text[3..];
        let end = rest.iter().position(|byte| *byte == b')');
        let payload = end.filter(|end| {
            rest[0] == b'(' && rest[1..*end].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        });
        return special(f64::NAN, 3 + payload.map_or(0, |end| end + 1));
    }
    if is_hexadecimal(text) {
        let number = hexadecimal(&text[2..]);
        if number.used > 0 {
            return Float { used: number.used + 2, ..number };
        }
    }
    decimal(text)
}

/// Bytes of digits with at most one point, and whether there is a digit.
fn digits(text: &[u8], is_digit: impl Fn(&u8) -> bool) -> (usize, bool) {
    let whole = text.iter().take_while(|byte| is_digit(byte)).count();
    if text.get(whole) != Some(&b'.') {
        return (whole, whole > 0);
    }
    let fraction = text[whole + 1..].iter().take_while(|byte| is_digit(byte)).count();
    (whole + 1 + fraction, whole + fraction > 0)
}

/// Bytes of an exponent, and its value.
fn exponent(text: &[u8], letter: u8) -> (usize, i64) {
    if !text.first().is_some_and(|byte| byte.eq_ignore_ascii_case(&letter)) {
        return (0, 0);
    }
    let (negative, size) = sign(&text[1..]);
    let digits = text[1 + size..].iter().take_while(|byte| byte.is_ascii_digit());
    let mut count = 0;
    let value = digits
        .inspect(|_| count += 1)
        .fold(0i64, |value, digit| (value * 10 + i64::from(digit - b'0')).min(1 << 40));
    if count == 0 { (0, 0) } else { (1 + size + count, if negative { -value } else { value }) }
}

fn decimal(text: &[u8]) -> Float {
    let (count, any) = digits(text, u8::is_ascii_digit);
    if !any {
        return Float::NONE;
    }
    let used = count + exponent(&text[count..], b'e').0;
    let number = std::str::from_utf8(&text[..used]).unwrap_or_default();
    let zero = text[..count].iter().all(|byte| matches!(byte, b'0' | b'.'));
    let (double, single): (f64, f32) = (number.parse().unwrap_or(0.0), number.parse().unwrap_or(0.0));
    Float {
        double,
        single,
        used,
        // A decimal number of less than 700 digits that is subnormal was rounded.
        double_out_of_range: !zero && !double.is_normal(),
        single_out_of_range: !zero && !single.is_normal(),
    }
}

fn hexadecimal(text: &[u8]) -> Float {
    let (count, any) = digits(text, u8::is_ascii_hexdigit);
    if !any {
        return Float::NONE;
    }
    let (more, mut power) = exponent(&text[count..], b'p');
    let (mut significand, mut sticky, mut point) = (0u64, false, false);
    for byte in &text[..count] {
        let Some(digit) = char::from(*byte).to_digit(16) else {
            point = true;
            continue;
        };
        if significand >> 60 == 0 {
            significand = significand << 4 | u64::from(digit);
            power -= if point { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            power += if point { 0 } else { 4 };
        }
    }
    let (double, double_out_of_range) = compose(significand, power, sticky, 53, 1023);
    let (single, single_out_of_range) = compose(significand, power, sticky, 24, 127);
    Float {
        double: f64::from_bits(double),
        single: f32::from_bits(single as u32),
        used: count + more,
        double_out_of_range,
        single_out_of_range,
    }
}

/// Bits of the number `significand · 2^power`, and a little more where something is left, in a format of that many bits of
/// significand and largest exponent: to the nearest, ties to even. With it, whether it is out of the format's range.
fn compose(significand: u64, power: i64, sticky: bool, bits: u32, largest: i64) -> (u64, bool) {
    if significand == 0 {
        return (0, false);
    }
    let zeros = significand.leading_zeros();
    let significand = significand << zeros;
    let exponent = power - i64::from(zeros) + 63;
    let infinity = (2 * largest as u64 + 1) << (bits - 1);
    if exponent > largest {
        return (infinity, true);
    }
    // Bits that a subnormal number has fewer.
    let missing = (1 - largest - exponent).max(0);
    let kept = i64::from(bits) - missing;
    if kept < 0 {
        return (0, true);
    }
    let shift = 64 - kept as u32;
    let whole = u128::from(significand);
    let (quotient, rest) = ((whole >> shift) as u64, whole & ((1 << shift) - 1));
    let half = 1u128 << (shift - 1);
    let up = rest > half || rest == half && (sticky || quotient & 1 == 1);
    let rounded = quotient + u64::from(up);
    // A carry out of the significand increases the exponent by itself.
    let biased = if missing > 0 { 0 } else { (exponent + largest - 1) as u64 };
    let result = (biased << (bits - 1)) + rounded;
    (result, result == infinity || missing > 0 && (rest > 0 || sticky))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_take_prefixes_signs_and_what_follows_is_left() {
        let of = |text: &str, base| integer(text.as_bytes(), base);
        let is = |negative, magnitude, used| Integer { negative, magnitude: Some(magnitude), used };
        assert_eq!(of("123abc", 10), is(false, 123, 3));
        assert_eq!(of("-0x1Fz", 0), is(true, 31, 5));
        assert_eq!(of("0x", 0), is(false, 0, 1));
        assert_eq!(of("0xg", 16), is(false, 0, 1));
        assert_eq!(of("0778", 0), is(false, 0o77, 3));
        assert_eq!(of("zz", 36), is(false, 35 * 36 + 35, 2));
        assert_eq!(of("-", 10), is(true, 0, 0));
        assert_eq!(of("18446744073709551616", 10).magnitude, None);
        assert_eq!(of("-9223372036854775808", 10).signed(), (i64::MIN, false));
        assert_eq!(of("9223372036854775808", 10).signed(), (i64::MAX, true));
        assert_eq!(of("-1", 10).unsigned(), (u64::MAX, false));
    }

    #[test]
    fn hexadecimal_numbers_are_rounded_once() {
        let bits = |text: &str| float(text.as_bytes()).double.to_bits();
        assert_eq!(bits("0x1p0"), 1.0f64.to_bits());
        assert_eq!(bits("0x1.8p-1"), 0.75f64.to_bits());
        assert_eq!(bits("0x1.00000000000008p0"), 1.0f64.to_bits(), "a tie goes to the even one");
        assert_eq!(bits("0x1.000000000000080000000000001p0"), 1.0f64.to_bits() + 1);
        assert_eq!(bits("0x1p-1074"), 1);
        assert_eq!(bits("0x1p-1075"), 0);
        assert_eq!(bits("0x1.8p-1075"), 1);
        assert_eq!(bits("0x1.fffffffffffffp1023"), f64::MAX.to_bits());
        assert_eq!(bits("0x1.fffffffffffff8p1023"), f64::INFINITY.to_bits());
        assert_eq!(bits("0x.00000000000000000000001p92"), 1.0f64.to_bits());
        assert_eq!(bits("0x100000000000000000000000p-92"), 1.0f64.to_bits());
        assert_eq!(float(b"0x1.000001p0").single.to_bits(), 1.0f32.to_bits());
        assert_eq!(float(b"0x1.0000011p0").single.to_bits(), 1.0f32.to_bits() + 1);
        assert_eq!(float(b"0x1p-149").single.to_bits(), 1);
    }

    #[test]
    fn decimal_numbers_end_where_their_grammar_does() {
        let used = |text: &str| float(text.as_bytes()).used;
        assert_eq!(
            [used("1e"), used("1e+"), used("1e+5x"), used("1.5.2"), used("."), used("-.5e2")],
            [1, 1, 4, 3, 0, 5]
        );
        assert_eq!(
            [used("0x"), used("0x.p1"), used("inf"), used("infinite"), used("infinity"), used("nan(12)")],
            [1, 1, 3, 3, 8, 7]
        );
        assert_eq!(float(b"-1.25").double, -1.25);
        assert!(float(b"1e999").double_out_of_range && float(b"1e-400").double_out_of_range);
        assert!(float(b"1e40").single_out_of_range && !float(b"1e40").double_out_of_range);
        assert!(!float(b"0e-999").double_out_of_range && !float(b"inf").double_out_of_range);
    }
}
