//! Spellings of literals to their values.
//!
//! Enters: a number, character or string as written. Leaves: the parser's token, or why there is none. This module must
//! never know types: what an integer's type is depends on its value and on the checker's rules.

use std::rc::Rc;

use crate::token::TokenKind;

/// Code of a number with letters at its end that are no suffix: a name such as `2nd`.
const SUFFIX: &str = "literal-suffix";

/// Why a literal is none.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wrong {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// Whether it may be meant as a name, and so be written several times.
    pub(super) is_name: bool,
}

fn wrong(code: &'static str, message: impl Into<String>) -> Wrong {
    Wrong { code, message: message.into(), help: None, is_name: code == SUFFIX }
}

impl Wrong {
    fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

/// Suffixes that the C++ library defines; a program's own begin with `_`.
const STANDARD: [&str; 13] = ["h", "min", "s", "ms", "us", "ns", "i", "if", "il", "y", "d", "sv", "_"];

/// Whether letters at the end of a literal are a suffix of the user's or the C++ library's.
pub(super) fn is_suffix(text: &str) -> bool {
    STANDARD.contains(&text) || text.starts_with('_')
}

/// Number before a suffix of the user's or the C++ library's, and the suffix, where there is one.
pub(super) fn suffixed(written: &str) -> Option<(TokenKind, &str)> {
    let from = written.char_indices().skip(1).find_map(|(at, _)| {
        let (digits, suffix) = written.split_at(at);
        (is_suffix(suffix) && number(written).is_err() && number(digits).is_ok()).then_some(at)
    })?;
    let (digits, suffix) = written.split_at(from);
    match number(digits).ok()? {
        TokenKind::Integer { value, decimal, suffix: own } if own.is_empty() => {
            Some((TokenKind::Integer { value, decimal, suffix: "ull".into() }, suffix))
        }
        float @ TokenKind::Float { .. } => Some((float, suffix)),
        _ => None,
    }
}

/// Value of a number.
pub(super) fn number(written: &str) -> Result<TokenKind, Wrong> {
    let text: String = written.chars().filter(|one| *one != '\'').collect();
    let lower = text.to_ascii_lowercase();
    if let Some(rest) = lower.strip_prefix("0x") {
        let end = rest.find(|one: char| !one.is_ascii_hexdigit()).unwrap_or(rest.len());
        if rest[end..].starts_with(['.', 'p']) {
            return hexadecimal_float(written, &lower);
        }
        return integer(written, &rest[..end], &rest[end..], 16);
    }
    if let Some(rest) = lower.strip_prefix("0b") {
        let end = rest.find(|one: char| !one.is_ascii_digit()).unwrap_or(rest.len());
        return integer(written, &rest[..end], &rest[end..], 2);
    }
    let end = lower.find(|one: char| !one.is_ascii_digit()).unwrap_or(lower.len());
    if lower[end..].starts_with(['.', 'e']) {
        return decimal_float(written, &lower);
    }
    let (digits, suffix) = lower.split_at(end);
    if suffix == "f" {
        return Err(wrong(
            SUFFIX,
            format!(
                "invalid suffix `f` on integer constant `{digits}`: only a number with a point or an exponent \
                 may end in `f`"
            ),
        )
        .help(format!("write `{digits}.0f`")));
    }
    let radix = if digits.len() > 1 && digits.starts_with('0') { 8 } else { 10 };
    integer(written, digits, suffix, radix)
}

fn integer(written: &str, digits: &str, suffix: &str, radix: u32) -> Result<TokenKind, Wrong> {
    let suffix = match suffix {
        "" => "",
        "u" => "u",
        "l" => "l",
        "ul" | "lu" => "ul",
        "ll" => "ll",
        "ull" | "llu" => "ull",
        _ => {
            let from = written.len().saturating_sub(suffix.len());
            let suffix = written.get(from..).unwrap_or(suffix);
            let other = suffix.chars().next().is_some_and(|first| !"uUlLfF".contains(first));
            let message = format!("invalid suffix `{suffix}` in `{written}`");
            return Err(wrong(SUFFIX, message).help(match other {
                true => "names begin with a letter or `_`, and a product is written with `*`",
                false => "the suffixes of integers are `u`, `l`, `ul`, `ll` and `ull`",
            }));
        }
    };
    if digits.is_empty() {
        return Err(wrong("literal", format!("`{written}` has no digits")));
    }
    let mut value = 0u64;
    for digit in digits.chars() {
        let Some(digit_value) = digit.to_digit(radix) else {
            let problem = wrong(
                "literal",
                format!("invalid digit `{digit}` in constant `{written}` with base {radix}"),
            );
            return Err(if radix == 8 {
                problem.help(format!(
                    "a leading 0 makes a number octal: write `{}`",
                    digits.trim_start_matches('0')
                ))
            } else {
                problem
            });
        };
        value = value
            .checked_mul(u64::from(radix))
            .and_then(|value| value.checked_add(u64::from(digit_value)))
            .ok_or_else(|| {
                wrong("literal", format!("integer constant `{written}` does not fit in 64 bits"))
            })?;
    }
    Ok(TokenKind::Integer { value, decimal: radix == 10, suffix: suffix.into() })
}

/// Digits from a place on; where they end.
fn digits(text: &str, from: usize, hexadecimal: bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let is_digit = |one: char| if hexadecimal { one.is_ascii_hexdigit() } else { one.is_ascii_digit() };
    from + rest.find(|one| !is_digit(one)).unwrap_or(rest.len())
}

/// End of an exponent that begins at a place with one of two letters; the place itself where there is none.
fn exponent(written: &str, text: &str, at: usize, letter: char) -> Result<usize, Wrong> {
    let Some(rest) = text.get(at..).and_then(|rest| rest.strip_prefix(letter)) else { return Ok(at) };
    let sign = usize::from(rest.starts_with(['+', '-']));
    let end = digits(text, at + 1 + sign, false);
    if end == at + 1 + sign {
        return Err(wrong("literal", format!("the exponent of `{written}` has no digits")));
    }
    Ok(end)
}

fn decimal_float(written: &str, text: &str) -> Result<TokenKind, Wrong> {
    let mut end = digits(text, 0, false);
    if text[end..].starts_with('.') {
        end = digits(text, end + 1, false);
    }
    end = exponent(written, text, end, 'e')?;
    float(written, &text[..end], &text[end..])
}

fn hexadecimal_float(written: &str, text: &str) -> Result<TokenKind, Wrong> {
    let mut end = digits(text, 2, true);
    if text[end..].starts_with('.') {
        end = digits(text, end + 1, true);
    }
    if !text[..end].contains(|one: char| one.is_ascii_hexdigit()) || end < 4 && text[2..end] == *"." {
        return Err(wrong("literal", format!("`{written}` has no digits")));
    }
    let mantissa = end;
    end = exponent(written, text, end, 'p')?;
    if end == mantissa {
        return Err(wrong(
            "literal",
            format!("hexadecimal floating-point constant `{written}` has no exponent"),
        )
        .help("a hexadecimal number with a point needs a `p` and a power of two, such as `0x1.8p3`"));
    }
    float(written, &text[..end], &text[end..])
}

fn float(written: &str, text: &str, suffix: &str) -> Result<TokenKind, Wrong> {
    match suffix {
        "" | "f" | "l" => Ok(TokenKind::Float { text: text.into(), suffix: suffix.into() }),
        _ if suffix.starts_with('.') => {
            Err(wrong("literal", format!("too many decimal points in number `{written}`")))
        }
        _ => Err(wrong(SUFFIX, format!("invalid suffix `{suffix}` on floating-point constant"))
            .help("the suffixes are `f` for `float`, `l` for `long double`, and none for `double`")),
    }
}

/// Value of a character literal with its quotes.
pub(super) fn character(written: &str) -> Result<TokenKind, Wrong> {
    let Some(inner) = written.strip_prefix('\'') else {
        return Err(wrong("wide-literal", format!("character literal {written} is not of type `char`"))
            .help("kernels have only characters of type `char`: remove the letters before the quote"));
    };
    let bytes = escapes(inner.strip_suffix('\'').unwrap_or(inner))?;
    match bytes.as_slice() {
        [one] => Ok(TokenKind::Character(u32::from(*one))),
        [] => Err(wrong("literal", "empty character literal")),
        _ if inner.chars().filter(|one| *one != '\'').count() == 1 => {
            Err(wrong("literal", format!("{written} does not fit in a `char`, which has one byte")))
        }
        _ => Err(wrong("literal", "more than one character in a character literal")
            .help("a string is written in double quotes: `\"text\"`")),
    }
}

/// Contents of a string literal with its quotes.
pub(super) fn string(written: &str) -> Result<TokenKind, Wrong> {
    let plain = written.strip_prefix("u8").unwrap_or(written);
    if let Some(rest) = plain.strip_prefix("R\"") {
        let open = rest.find('(').unwrap_or(rest.len());
        let close = rest.len().saturating_sub(open + 2); // `)`, the delimiter and the quote
        let inner = rest.get(open + 1..close).unwrap_or_default();
        return Ok(TokenKind::String(inner.as_bytes().into()));
    }
    let Some(inner) = plain.strip_prefix('"') else {
        return Err(wrong("wide-literal", "strings of wide characters are not supported")
            .help("kernels have only strings of type `const char *`: remove the letters before the quote"));
    };
    Ok(TokenKind::String(escapes(inner.strip_suffix('"').unwrap_or(inner))?.into()))
}

fn escapes(text: &str) -> Result<Vec<u8>, Wrong> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(one) = rest.chars().next() {
        rest = &rest[one.len_utf8()..];
        if one != '\\' {
            bytes.extend_from_slice(one.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        rest = escape(rest, &mut bytes)?;
    }
    Ok(bytes)
}

/// Adds what the escape at the beginning of `rest` stands for; returns what is after it.
fn escape<'a>(rest: &'a str, bytes: &mut Vec<u8>) -> Result<&'a str, Wrong> {
    let Some(letter) = rest.chars().next() else { return Ok(rest) };
    let behind = &rest[letter.len_utf8()..];
    let simple = match letter {
        'n' => b'\n',
        't' => b'\t',
        'r' => b'\r',
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        '\\' | '\'' | '"' | '?' => letter as u8,
        '0'..='7' => {
            let length = rest.bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            let value = u32::from_str_radix(&rest[..length], 8).unwrap_or(u32::MAX);
            bytes.push(u8::try_from(value).map_err(|_| too_large(&rest[..length]))?);
            return Ok(&rest[length..]);
        }
        'x' => {
            let length = behind.bytes().take_while(u8::is_ascii_hexdigit).count();
            let digits = &behind[..length];
            if length == 0 {
                return Err(wrong("escape", "`\\x` requires hexadecimal digits after it"));
            }
            bytes.push(u8::from_str_radix(digits, 16).map_err(|_| too_large(&rest[..=length]))?);
            return Ok(&behind[length..]);
        }
        'u' | 'U' => {
            let length = if letter == 'u' { 4 } else { 8 };
            let one = behind
                .get(..length)
                .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
                .and_then(|digits| u32::from_str_radix(digits, 16).ok())
                .and_then(char::from_u32)
                .ok_or_else(|| {
                    wrong(
                        "escape",
                        format!("`\\{letter}` requires {length} hexadecimal digits that name a character"),
                    )
                })?;
            bytes.extend_from_slice(one.encode_utf8(&mut [0; 4]).as_bytes());
            return Ok(&behind[length..]);
        }
        _ => {
            return Err(wrong("escape", format!("unknown escape sequence `\\{letter}`"))
                .help(format!("a backslash is written `\\\\`: did you mean `\\\\{letter}`?")));
        }
    };
    bytes.push(simple);
    Ok(behind)
}

fn too_large(digits: &str) -> Wrong {
    wrong("escape", format!("`\\{digits}` does not fit in a `char`, which has one byte"))
}

/// Text as a string literal that stands for it.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for one in text.chars() {
        if matches!(one, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(one);
    }
    quoted.push('"');
    quoted
}

/// Contents of a string literal as text, for `_Pragma`.
pub(super) fn unquote(written: &str) -> Option<String> {
    match string(written).ok()? {
        TokenKind::String(bytes) => String::from_utf8(Rc::as_ref(&bytes).to_vec()).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: u64, decimal: bool, suffix: &str) -> Result<TokenKind, Wrong> {
        Ok(TokenKind::Integer { value, decimal, suffix: suffix.into() })
    }

    fn real(text: &str, suffix: &str) -> Result<TokenKind, Wrong> {
        Ok(TokenKind::Float { text: text.into(), suffix: suffix.into() })
    }

    #[test]
    fn integers_have_four_bases_separators_and_six_suffixes() {
        assert_eq!(number("42"), int(42, true, ""));
        assert_eq!(number("0"), int(0, true, ""));
        assert_eq!(number("0x1Fu"), int(31, false, "u"));
        assert_eq!(number("017"), int(15, false, ""));
        assert_eq!(number("0b1010LLU"), int(10, false, "ull"));
        assert_eq!(number("1'000'000l"), int(1_000_000, true, "l"));
        assert_eq!(number("18446744073709551615UL"), int(u64::MAX, true, "ul"));
        assert_eq!(number("0xe"), int(14, false, ""));
    }

    #[test]
    fn floats_are_decimal_or_hexadecimal() {
        assert_eq!(number("1.5f"), real("1.5", "f"));
        assert_eq!(number("1."), real("1.", ""));
        assert_eq!(number(".5e-3L"), real(".5e-3", "l"));
        assert_eq!(number("1E10"), real("1e10", ""));
        assert_eq!(number("0x1.8p3f"), real("0x1.8p3", "f"));
        assert_eq!(number("0x.8p0"), real("0x.8p0", ""));
        assert_eq!(number("01.5"), real("01.5", ""));
    }

    #[test]
    fn numbers_that_are_none_say_why() {
        let why = |text| number(text).unwrap_err().message;
        assert_eq!(
            why("18446744073709551616"),
            "integer constant `18446744073709551616` does not fit in 64 bits"
        );
        assert_eq!(
            why("1f"),
            "invalid suffix `f` on integer constant `1`: only a number with a point or an exponent may end in `f`"
        );
        assert_eq!(why("089"), "invalid digit `8` in constant `089` with base 8");
        assert_eq!(why("1.2.3"), "too many decimal points in number `1.2.3`");
        assert_eq!(why("0x"), "`0x` has no digits");
        assert_eq!(why("0b12"), "invalid digit `2` in constant `0b12` with base 2");
        assert_eq!(why("1e"), "the exponent of `1e` has no digits");
        assert_eq!(why("100ms"), "invalid suffix `ms` in `100ms`");
        assert_eq!(why("0x1.8"), "hexadecimal floating-point constant `0x1.8` has no exponent");
        assert_eq!(why("0x.p1"), "`0x.p1` has no digits");
        assert_eq!(why("1.0f16"), "invalid suffix `f16` on floating-point constant");
    }

    #[test]
    fn characters_are_bytes_with_escapes() {
        assert_eq!(character("'a'"), Ok(TokenKind::Character(97)));
        assert_eq!(character(r"'\n'"), Ok(TokenKind::Character(10)));
        assert_eq!(character(r"'\''"), Ok(TokenKind::Character(39)));
        assert_eq!(character(r"'\377'"), Ok(TokenKind::Character(255)));
        assert_eq!(character(r"'\x41'"), Ok(TokenKind::Character(65)));
        assert!(character("''").is_err());
        assert!(character("'ab'").is_err());
        assert!(character("'é'").is_err());
        assert!(character("L'a'").is_err());
        assert!(character(r"'\400'").is_err());
        assert!(character(r"'\q'").is_err());
    }

    #[test]
    fn strings_are_bytes_with_escapes_or_raw() {
        let bytes = |text: &str| Ok(TokenKind::String(text.as_bytes().into()));
        assert_eq!(string(r#""a\tb\0c\x41""#), bytes("a\tb\0cA"));
        assert_eq!(string(r#""é\u00e9\U0001F600""#), bytes("éé😀"));
        assert_eq!(string(r#"u8"x""#), bytes("x"));
        assert_eq!(string(r#"R"(a\n"b")""#), bytes(r#"a\n"b""#));
        assert_eq!(string(r#"R"--(a)--""#), bytes("a"));
        assert!(string(r#"L"wide""#).is_err());
        assert!(string(r#""\xfff""#).is_err());
        assert!(string(r#""\u12""#).is_err());
    }
}
