//! `ctype.h` in the locale "C".
//!
//! Enters: a byte or `EOF`. Leaves: what glibc returns, the bit of its table for the class, or the other case.

use super::{
    Row,
    memory::{arguments, from_int, int},
    row,
};

/// A row of a class: a function of a byte, and glibc's bit.
macro_rules! class {
    ($name:literal, $bit:literal, $is:expr) => {
        row($name, "ii", |_, _, given| {
            let [byte] = arguments(given);
            let is: fn(&u8) -> bool = $is;
            Ok(if u8::try_from(int(byte)).is_ok_and(|byte| is(&byte)) { $bit } else { 0 })
        })
    };
}

/// A row of a function that is defined for every `int`.
macro_rules! case {
    ($name:literal, $to:expr) => {
        row($name, "ii", |_, _, given| {
            let [byte] = arguments(given);
            let to: fn(&u8) -> u8 = $to;
            Ok(u8::try_from(int(byte)).map_or(from_int(int(byte)), |byte| u64::from(to(&byte))))
        })
    };
}

pub(super) const ROWS: &[Row] = &[
    class!("isupper", 0x100, u8::is_ascii_uppercase),
    class!("islower", 0x200, u8::is_ascii_lowercase),
    class!("isalpha", 0x400, u8::is_ascii_alphabetic),
    class!("isdigit", 0x800, u8::is_ascii_digit),
    class!("isxdigit", 0x1000, u8::is_ascii_hexdigit),
    class!("isspace", 0x2000, |byte| super::number::is_space(*byte)),
    class!("isprint", 0x4000, |byte| (0x20..0x7F).contains(byte)),
    class!("isgraph", 0x8000, u8::is_ascii_graphic),
    class!("isblank", 1, |byte| matches!(byte, b' ' | b'\t')),
    class!("iscntrl", 2, u8::is_ascii_control),
    class!("ispunct", 4, u8::is_ascii_punctuation),
    class!("isalnum", 8, u8::is_ascii_alphanumeric),
    class!("isascii", 1, u8::is_ascii),
    case!("tolower", u8::to_ascii_lowercase),
    case!("toupper", u8::to_ascii_uppercase),
];
