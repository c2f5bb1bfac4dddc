//! Numbers as `printf` writes them, without signs and padding.
//!
//! Enters: a number and what a conversion says of it. Leaves: digits, correctly rounded to any precision, as glibc has them.

/// Digits after the point beyond which all of a `double` are zeros: the smallest is 2^-1074.
const EXACT: usize = 1074;

/// `%f`: digits, a point and as many digits as the precision says.
pub(super) fn fixed(value: f64, precision: usize, alternate: bool) -> String {
    let exact = precision.min(EXACT);
    let mut text = format!("{:.exact$}", value.abs());
    zeros(&mut text, precision - exact);
    if precision == 0 && alternate {
        text.push('.');
    }
    text
}

/// `%e`: a digit, a point, as many digits as the precision says, and an exponent of two digits at least.
pub(super) fn scientific(value: f64, precision: usize, alternate: bool) -> String {
    let (mut digits, exponent) = parts(value, precision);
    if precision == 0 && alternate {
        digits.push('.');
    }
    format!("{digits}{}", written(exponent))
}

/// Digits of `%e` and the exponent.
fn parts(value: f64, precision: usize) -> (String, i32) {
    let exact = precision.min(EXACT);
    let text = format!("{:.exact$e}", value.abs());
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut digits = digits.to_owned();
    zeros(&mut digits, precision - exact);
    (digits, exponent.parse().unwrap_or(0))
}

/// An exponent after digits.
fn written(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs())
}

/// `%g`: as many significant digits as the precision says, in the form of `%f` or `%e`, without zeros at the end unless the
/// conversion has `#`.
pub(super) fn general(value: f64, precision: usize, alternate: bool) -> String {
    let significant = precision.max(1);
    let (digits, exponent) = parts(value, significant - 1);
    let places = i64::try_from(significant).unwrap_or(i64::MAX) - 1 - i64::from(exponent);
    let (mut digits, rest) = match (-4..).contains(&exponent) && places >= 0 {
        true => (fixed(value, usize::try_from(places).unwrap_or(0), alternate), String::new()),
        false => (digits, written(exponent)),
    };
    if alternate {
        if !digits.contains('.') {
            digits.push('.');
        }
    } else if digits.contains('.') {
        digits.truncate(digits.trim_end_matches('0').trim_end_matches('.').len());
    }
    digits + &rest
}

/// `%a`: hexadecimal digits of the significand and a binary exponent.
pub(super) fn hexadecimal(value: f64, precision: Option<usize>, alternate: bool) -> String {
    const FRACTION: u32 = 52;
    let bits = value.abs().to_bits();
    let (biased, fraction) = (bits >> FRACTION, bits & ((1 << FRACTION) - 1));
    let (mut lead, exponent) = match (biased, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        (biased, _) => (1, biased as i64 - 1023),
    };
    let mut fraction = fraction;
    let kept = precision.unwrap_or(13);
    if kept < 13 {
        // To the nearest, ties to even.
        let shift = FRACTION - 4 * kept as u32;
        let whole = lead << FRACTION | fraction;
        let (quotient, rest, half) = (whole >> shift, whole & ((1 << shift) - 1), 1 << (shift - 1));
        let up = rest > half || rest == half && quotient & 1 == 1;
        let rounded = (quotient + u64::from(up)) << shift;
        (lead, fraction) = (rounded >> FRACTION, rounded & ((1 << FRACTION) - 1));
    }
    let mut digits = format!("{fraction:013x}");
    match precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(precision) => {
            digits.truncate(precision);
            let missing = precision - digits.len();
            zeros(&mut digits, missing);
        }
    }
    let point = if digits.is_empty() && !alternate { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

fn zeros(text: &mut String, count: usize) {
    text.extend(std::iter::repeat_n('0', count));
}
