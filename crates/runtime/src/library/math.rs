//! `math.h`, by the crate `libm`: the same bits on every machine.
//!
//! Enters: the bits of numbers. Leaves: bits of results. glibc's may differ in the last one. `errno` is not set, as with glibc's
//! `-fno-math-errno`.

use super::{
    Row,
    memory::{arguments, from_int, int, put_u32},
    row,
};

/// Rows of functions of one number, in both precisions.
macro_rules! unary {
    ($($name:ident $double:expr, $single_name:ident $single:expr;)*) => {
        pub(super) const UNARY: &[Row] = &[$(
            row(stringify!($name), "dd", |_, _, given| {
                let [x] = arguments(given);
                let function: fn(f64) -> f64 = $double;
                Ok(function(f64::from_bits(x)).to_bits())
            }),
            row(stringify!($single_name), "ff", |_, _, given| {
                let [x] = arguments(given);
                let function: fn(f32) -> f32 = $single;
                Ok(u64::from(function(f32::from_bits(x as u32)).to_bits()))
            }),
        )*];
    };
}

/// The same of two numbers.
macro_rules! binary {
    ($($name:ident, $single:ident;)*) => {
        pub(super) const BINARY: &[Row] = &[$(
            row(stringify!($name), "ddd", |_, _, given| {
                let [x, y] = arguments(given).map(f64::from_bits);
                Ok(libm::$name(x, y).to_bits())
            }),
            row(stringify!($single), "fff", |_, _, given| {
                let [x, y] = arguments(given).map(|bits| f32::from_bits(bits as u32));
                Ok(u64::from(libm::$single(x, y).to_bits()))
            }),
        )*];
    };
}

unary! {
    acos libm::acos, acosf libm::acosf;
    asin libm::asin, asinf libm::asinf;
    atan libm::atan, atanf libm::atanf;
    cos libm::cos, cosf libm::cosf;
    sin libm::sin, sinf libm::sinf;
    tan libm::tan, tanf libm::tanf;
    acosh libm::acosh, acoshf libm::acoshf;
    asinh libm::asinh, asinhf libm::asinhf;
    atanh libm::atanh, atanhf libm::atanhf;
    cosh libm::cosh, coshf libm::coshf;
    sinh libm::sinh, sinhf libm::sinhf;
    tanh libm::tanh, tanhf libm::tanhf;
    exp libm::exp, expf libm::expf;
    exp2 libm::exp2, exp2f libm::exp2f;
    exp10 libm::exp10, exp10f libm::exp10f;
    expm1 libm::expm1, expm1f libm::expm1f;
    log libm::log, logf libm::logf;
    log2 libm::log2, log2f libm::log2f;
    log10 libm::log10, log10f libm::log10f;
    log1p libm::log1p, log1pf libm::log1pf;
    logb logb, logbf |x| logb(f64::from(x)) as f32;
    cbrt libm::cbrt, cbrtf libm::cbrtf;
    sqrt libm::sqrt, sqrtf libm::sqrtf;
    erf libm::erf, erff libm::erff;
    erfc libm::erfc, erfcf libm::erfcf;
    lgamma libm::lgamma, lgammaf libm::lgammaf;
    tgamma libm::tgamma, tgammaf libm::tgammaf;
    j0 libm::j0, j0f libm::j0f;
    j1 libm::j1, j1f libm::j1f;
    y0 libm::y0, y0f libm::y0f;
    y1 libm::y1, y1f libm::y1f;
    ceil libm::ceil, ceilf libm::ceilf;
    floor libm::floor, floorf libm::floorf;
    trunc libm::trunc, truncf libm::truncf;
    round libm::round, roundf libm::roundf;
    rint libm::rint, rintf libm::rintf;
    nearbyint libm::rint, nearbyintf libm::rintf;
    fabs libm::fabs, fabsf libm::fabsf;
    rsqrt |x| 1.0 / libm::sqrt(x), rsqrtf |x| 1.0 / libm::sqrtf(x);
    rcbrt |x| 1.0 / libm::cbrt(x), rcbrtf |x| 1.0 / libm::cbrtf(x);
    sinpi sinpi, sinpif |x| sinpi(f64::from(x)) as f32;
    cospi cospi, cospif |x| cospi(f64::from(x)) as f32;
}

binary! {
    atan2, atan2f;
    pow, powf;
    hypot, hypotf;
    fmod, fmodf;
    remainder, remainderf;
    copysign, copysignf;
    nextafter, nextafterf;
    fdim, fdimf;
    fmax, fmaxf;
    fmin, fminf;
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn from_single(value: f32) -> u64 {
    u64::from(value.to_bits())
}

/// Functions with integers or results in memory.
pub(super) const OTHERS: &[Row] = &[
    row("fma", "dddd", |_, _, given| {
        let [x, y, z] = arguments(given).map(double);
        Ok(libm::fma(x, y, z).to_bits())
    }),
    row("fmaf", "ffff", |_, _, given| {
        let [x, y, z] = arguments(given).map(single);
        Ok(from_single(libm::fmaf(x, y, z)))
    }),
    row("ldexp", "ddi", |_, _, given| Ok(libm::scalbn(first(given), second(given)).to_bits())),
    row("ldexpf", "ffi", |_, _, given| Ok(from_single(libm::scalbnf(first_single(given), second(given))))),
    row("scalbn", "ddi", |_, _, given| Ok(libm::scalbn(first(given), second(given)).to_bits())),
    row("scalbnf", "ffi", |_, _, given| Ok(from_single(libm::scalbnf(first_single(given), second(given))))),
    row("scalbln", "ddl", |_, _, given| Ok(libm::scalbn(first(given), clamped(given)).to_bits())),
    row("scalblnf", "ffl", |_, _, given| Ok(from_single(libm::scalbnf(first_single(given), clamped(given))))),
    row("frexp", "ddp", |_, guest, given| {
        let (fraction, exponent) = frexp(first(given));
        put_u32(guest, arguments::<2>(given)[1], exponent.cast_unsigned())?;
        Ok(fraction.to_bits())
    }),
    row("frexpf", "ffp", |_, guest, given| {
        let (fraction, exponent) = frexp(f64::from(first_single(given)));
        put_u32(guest, arguments::<2>(given)[1], exponent.cast_unsigned())?;
        Ok(from_single(fraction as f32))
    }),
    row("modf", "ddp", |_, guest, given| {
        let (fraction, whole) = parts(first(given));
        guest.write(arguments::<2>(given)[1], &whole.to_le_bytes())?;
        Ok(fraction.to_bits())
    }),
    row("modff", "ffp", |_, guest, given| {
        let (fraction, whole) = parts(f64::from(first_single(given)));
        guest.write(arguments::<2>(given)[1], &(whole as f32).to_le_bytes())?;
        Ok(from_single(fraction as f32))
    }),
    row("remquo", "dddp", |_, guest, given| {
        let [x, y, place] = arguments(given);
        let (rest, quotient) = libm::remquo(double(x), double(y));
        put_u32(guest, place, quotient.cast_unsigned())?;
        Ok(rest.to_bits())
    }),
    row("remquof", "fffp", |_, guest, given| {
        let [x, y, place] = arguments(given);
        let (rest, quotient) = libm::remquof(single(x), single(y));
        put_u32(guest, place, quotient.cast_unsigned())?;
        Ok(from_single(rest))
    }),
    row("sincos", "vdpp", |_, guest, given| {
        let [x, sine, cosine] = arguments(given);
        guest.write(sine, &libm::sin(double(x)).to_le_bytes())?;
        guest.write(cosine, &libm::cos(double(x)).to_le_bytes())?;
        Ok(0)
    }),
    row("sincosf", "vfpp", |_, guest, given| {
        let [x, sine, cosine] = arguments(given);
        guest.write(sine, &libm::sinf(single(x)).to_le_bytes())?;
        guest.write(cosine, &libm::cosf(single(x)).to_le_bytes())?;
        Ok(0)
    }),
    row("jn", "did", |_, _, given| {
        let [order, x] = arguments(given);
        Ok(libm::jn(within(order), double(x)).to_bits())
    }),
    row("yn", "did", |_, _, given| {
        let [order, x] = arguments(given);
        Ok(libm::yn(within(order), double(x)).to_bits())
    }),
    row("nan", "dp", |_, guest, given| {
        guest.read_text(arguments::<1>(given)[0])?;
        Ok(f64::NAN.to_bits())
    }),
    row("nanf", "fp", |_, guest, given| {
        guest.read_text(arguments::<1>(given)[0])?;
        Ok(from_single(f32::NAN))
    }),
    row("ilogb", "id", |_, _, given| Ok(from_int(ilogb(first(given))))),
    row("ilogbf", "if", |_, _, given| Ok(from_int(ilogb(f64::from(first_single(given)))))),
    row("lround", "ld", |_, _, given| Ok(whole(libm::round(first(given))))),
    row("lroundf", "lf", |_, _, given| Ok(whole(libm::round(f64::from(first_single(given)))))),
    row("llround", "ld", |_, _, given| Ok(whole(libm::round(first(given))))),
    row("llroundf", "lf", |_, _, given| Ok(whole(libm::round(f64::from(first_single(given)))))),
    row("lrint", "ld", |_, _, given| Ok(whole(libm::rint(first(given))))),
    row("lrintf", "lf", |_, _, given| Ok(whole(libm::rint(f64::from(first_single(given)))))),
    row("llrint", "ld", |_, _, given| Ok(whole(libm::rint(first(given))))),
    row("llrintf", "lf", |_, _, given| Ok(whole(libm::rint(f64::from(first_single(given)))))),
];

fn first(given: &[u64]) -> f64 {
    double(arguments::<1>(given)[0])
}

fn first_single(given: &[u64]) -> f32 {
    single(arguments::<1>(given)[0])
}

fn second(given: &[u64]) -> i32 {
    int(arguments::<2>(given)[1])
}

/// A `long` as a power of two, beyond which nothing changes.
fn clamped(given: &[u64]) -> i32 {
    arguments::<2>(given)[1].cast_signed().clamp(-10_000, 10_000) as i32
}

/// Orders of Bessel functions beyond which the recurrence, a step an order, takes longer than anyone waits.
fn within(order: u64) -> i32 {
    int(order).clamp(-1_000_000, 1_000_000)
}

/// A whole number as a `long`; what does not fit is the least one, as the processor makes it.
fn whole(value: f64) -> u64 {
    let fits = value.abs() < 9_223_372_036_854_775_808.0;
    if fits { value as i64 } else { i64::MIN }.cast_unsigned()
}

/// Exponent of two; glibc's values for what has none.
fn ilogb(value: f64) -> i32 {
    if value.is_infinite() {
        return i32::MAX;
    }
    if value == 0.0 || value.is_nan() {
        return i32::MIN;
    }
    frexp(value).1 - 1
}

fn logb(value: f64) -> f64 {
    match value {
        _ if value.is_nan() => value,
        _ if value.is_infinite() => f64::INFINITY,
        0.0 => f64::NEG_INFINITY,
        _ => f64::from(ilogb(value)),
    }
}

fn frexp(value: f64) -> (f64, i32) {
    if value == 0.0 || !value.is_finite() { (value, 0) } else { libm::frexp(value) }
}

/// Fraction and whole part, both with the number's sign.
fn parts(value: f64) -> (f64, f64) {
    let whole = libm::trunc(value);
    let fraction = if value.is_infinite() { 0.0 } else { value - whole };
    (libm::copysign(fraction, value), whole)
}

/// The sine of π times a number: exact at its zeros.
fn sinpi(value: f64) -> f64 {
    let rest = libm::fmod(value, 2.0);
    let magnitude = rest.abs();
    let sine = match magnitude {
        _ if magnitude == 0.0 || magnitude == 1.0 => 0.0,
        _ if magnitude < 0.25 => libm::sin(magnitude * std::f64::consts::PI),
        _ if magnitude < 0.75 => libm::cos((0.5 - magnitude) * std::f64::consts::PI),
        _ if magnitude < 1.25 => libm::sin((1.0 - magnitude) * std::f64::consts::PI),
        _ if magnitude < 1.75 => -libm::cos((magnitude - 1.5) * std::f64::consts::PI),
        _ => libm::sin((magnitude - 2.0) * std::f64::consts::PI),
    };
    if value.is_nan() || value.is_infinite() {
        return f64::NAN;
    }
    if rest.is_sign_negative() { -sine } else { sine }
}

/// The cosine of π times a number: exact at its zeros.
fn cospi(value: f64) -> f64 {
    if !value.is_finite() {
        return f64::NAN;
    }
    let rest = libm::fmod(value.abs(), 2.0);
    if rest == 0.5 || rest == 1.5 { 0.0 } else { sinpi(rest + 0.5) }
}
