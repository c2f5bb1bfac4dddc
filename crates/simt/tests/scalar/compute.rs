//! The result of one instruction for numbers, by its words. Simple and slow on purpose.

/// The NaN of f32 instructions, on an H200.
const NAN32: u32 = 0x7fff_ffff;

/// Kind (`u`, `s`, `f`, `b`) and bits of a type.
pub fn ty(word: &str) -> (char, u32) {
    let kind = word.chars().next().unwrap();
    (kind, word[1..].parse().unwrap_or_else(|_| panic!("type {word}")))
}

pub fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// The value of the low bits, with their sign where the type has one.
pub fn number(value: u64, kind: char, bits: u32) -> i128 {
    let value = value & mask(bits);
    if kind == 's' && value >> (bits - 1) & 1 == 1 {
        i128::from(value) - (1i128 << bits)
    } else {
        i128::from(value)
    }
}

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn of_f32(value: f32) -> u64 {
    u64::from(if value.is_nan() { NAN32 } else { value.to_bits() })
}

/// A NaN of f64 instructions is the first of the operands, made quiet.
fn of_f64(value: f64, operands: &[u64]) -> u64 {
    if !value.is_nan() {
        return value.to_bits();
    }
    let nan = operands.iter().find(|bits| f64::from_bits(**bits).is_nan());
    nan.map_or(0xfff8 << 48, |bits| bits | 1 << 51)
}

/// Whether `a` comes before `b` where -0 does before +0.
fn below(a: f64, b: f64) -> bool {
    a < b || (a == b && a.is_sign_negative() && !b.is_sign_negative())
}

fn float(op: &str, bits: u32, a: &[u64]) -> Option<u64> {
    if bits == 32 {
        let x: Vec<f32> = a.iter().map(|bits| f32_of(*bits)).collect();
        return Some(match op {
            "add" => of_f32(x[0] + x[1]),
            "sub" => of_f32(x[0] - x[1]),
            "mul" => of_f32(x[0] * x[1]),
            "div" => of_f32(x[0] / x[1]),
            "fma" => of_f32(x[0].mul_add(x[1], x[2])),
            "sqrt" => of_f32(x[0].sqrt()),
            "rcp" => of_f32(1.0 / x[0]),
            "neg" => of_f32(-x[0]),
            "abs" => of_f32(x[0].abs()),
            "min" | "max" => of_f32(match (x[0].is_nan(), x[1].is_nan()) {
                (true, _) => x[1],
                (_, true) => x[0],
                _ if below(x[0].into(), x[1].into()) == (op == "min") => x[0],
                _ => x[1],
            }),
            _ => return None,
        });
    }
    let x: Vec<f64> = a.iter().map(|bits| f64::from_bits(*bits)).collect();
    Some(match op {
        "add" => of_f64(x[0] + x[1], a),
        "sub" => of_f64(x[0] - x[1], a),
        "mul" => of_f64(x[0] * x[1], a),
        "div" => of_f64(x[0] / x[1], a),
        "fma" => of_f64(x[0].mul_add(x[1], x[2]), a),
        "sqrt" => of_f64(x[0].sqrt(), a),
        "rcp" => of_f64(1.0 / x[0], a),
        "neg" if !x[0].is_nan() => (-x[0]).to_bits(),
        "abs" if !x[0].is_nan() => x[0].abs().to_bits(),
        "neg" | "abs" => a[0] | 1 << 51,
        "min" | "max" => match (x[0].is_nan(), x[1].is_nan()) {
            (true, true) => a[0] | 1 << 51,
            (true, _) => a[1],
            (_, true) => a[0],
            _ if below(x[0], x[1]) == (op == "min") => a[0],
            _ => a[1],
        },
        _ => return None,
    })
}

/// Arithmetic, by opcode and modifiers; the last modifier is the type.
pub fn arithmetic(op: &str, modifiers: &[&str], a: &[u64]) -> u64 {
    let (kind, bits) = ty(modifiers.last().unwrap());
    if kind == 'f' {
        return float(op, bits, a).unwrap_or_else(|| panic!("{op} {modifiers:?}"));
    }
    let x: Vec<i128> = a.iter().map(|value| number(*value, kind, bits)).collect();
    let by = |n: usize| (a[n] & 0xffff_ffff) as u32;
    let half = modifiers[0];
    let wide = |product: i128| match half {
        "hi" => product >> bits,
        _ => product,
    };
    let value: i128 = match op {
        "add" => x[0] + x[1],
        "sub" => x[0] - x[1],
        // Of the product of two u64 the highest bit is lost, which no result has.
        "mul" => wide(x[0].wrapping_mul(x[1])),
        // The third operand of `mad.wide` is as wide as the result.
        "mad" if half == "wide" => x[0] * x[1] + number(a[2], kind, 2 * bits),
        "mad" => wide(x[0].wrapping_mul(x[1])).wrapping_add(x[2]),
        "sad" => (x[0] - x[1]).abs() + x[2],
        "div" if x[1] == 0 => -1,
        "rem" if x[1] == 0 => -1,
        "div" => x[0] / x[1],
        "rem" => x[0] % x[1],
        "min" => x[0].min(x[1]),
        "max" => x[0].max(x[1]),
        "neg" => -x[0],
        "abs" => x[0].abs(),
        "and" => x[0] & x[1],
        "or" => x[0] | x[1],
        "xor" => x[0] ^ x[1],
        "not" => !x[0],
        "cnot" => i128::from(x[0] == 0),
        "shl" => {
            if by(1) >= bits {
                0
            } else {
                x[0] << by(1)
            }
        }
        "shr" => x[0] >> by(1).min(bits),
        _ => bits_of(op, modifiers, a),
    };
    // Everything but `.wide` keeps as many bits as went in; some give 32 of any.
    let out = match op {
        "popc" | "clz" => 32,
        _ if half == "wide" => 2 * bits,
        _ => bits,
    };
    value as u64 & mask(out)
}

/// Operations on single bits and on bytes: counts, fields, permutations, funnel shifts.
fn bits_of(op: &str, modifiers: &[&str], a: &[u64]) -> i128 {
    let (kind, bits) = ty(modifiers.last().unwrap());
    let by = |n: usize| (a[n] & 0xffff_ffff) as u32;
    match op {
        "popc" => i128::from((a[0] & mask(bits)).count_ones()),
        "clz" => i128::from((a[0] & mask(bits)).leading_zeros() - (64 - bits)),
        "brev" => i128::from((a[0] & mask(bits)).reverse_bits() >> (64 - bits)),
        "bfe" => {
            let (from, length) = (by(1) & 0xff, by(2) & 0xff);
            let top = (bits - 1).min((from + length).saturating_sub(1));
            let sign = if kind == 'u' || length == 0 { 0 } else { a[0] >> top & 1 };
            (0..bits).fold(0, |out, i| {
                let bit = if i < length && from + i < bits { a[0] >> (from + i) & 1 } else { sign };
                out | i128::from(bit) << i
            })
        }
        "bfi" => {
            let (from, length) = (by(2) & 0xff, by(3) & 0xff);
            (0..bits).fold(0, |out, i| {
                let inside = i >= from && i < from + length;
                let bit = if inside { a[0] >> (i - from) & 1 } else { a[1] >> i & 1 };
                out | i128::from(bit) << i
            })
        }
        "lop3" => (0..bits).fold(0, |out, i| {
            let row = (a[0] >> i & 1) << 2 | (a[1] >> i & 1) << 1 | a[2] >> i & 1;
            out | i128::from(a[3] >> row & 1) << i
        }),
        "prmt" => (0..4).fold(0, |out, i| {
            let pick = a[2] >> (4 * i) & 15;
            let source = (a[1] & 0xffff_ffff) << 32 | a[0] & 0xffff_ffff;
            let byte = source >> (8 * (pick & 7)) & 0xff;
            let byte = if pick & 8 == 0 {
                byte
            } else if byte >> 7 == 1 {
                0xff
            } else {
                0
            };
            out | i128::from(byte) << (8 * i)
        }),
        "shf" => {
            let both = i128::from(a[1] & 0xffff_ffff) << 32 | i128::from(a[0] & 0xffff_ffff);
            let by = if modifiers[1] == "wrap" { by(2) & 31 } else { by(2).min(32) };
            if modifiers[0] == "l" { both << by >> 32 } else { both >> by }
        }
        _ => panic!("{op} {modifiers:?}"),
    }
}

/// `setp`'s comparison.
pub fn holds(comparison: &str, word: &str, a: u64, b: u64) -> bool {
    let (kind, bits) = ty(word);
    let order = if kind == 'f' {
        let x = |v: u64| if bits == 32 { f64::from(f32_of(v)) } else { f64::from_bits(v) };
        x(a).partial_cmp(&x(b))
    } else {
        Some(number(a, kind, bits).cmp(&number(b, kind, bits)))
    };
    match comparison {
        "num" => return order.is_some(),
        "nan" => return order.is_none(),
        _ => {}
    }
    let (word, unordered) = match comparison.strip_suffix('u') {
        Some(word) if kind == 'f' => (word, true),
        _ => (comparison, false),
    };
    match (order, word) {
        (None, _) => unordered,
        (Some(o), "eq") => o.is_eq(),
        (Some(o), "ne") => o.is_ne(),
        (Some(o), "lt" | "lo") => o.is_lt(),
        (Some(o), "le" | "ls") => o.is_le(),
        (Some(o), "gt" | "hi") => o.is_gt(),
        (Some(o), "ge" | "hs") => o.is_ge(),
        _ => panic!("{comparison}"),
    }
}

/// `cvt`, to one type from another.
pub fn convert(modifiers: &[&str], a: u64) -> u64 {
    let [rounding @ .., to, from] = modifiers else { panic!("cvt") };
    let ((to_kind, to_bits), (from_kind, from_bits)) = (ty(to), ty(from));
    match (to_kind, from_kind) {
        ('f', 'f') => match (to_bits, from_bits) {
            (64, 32) => {
                let x = f32_of(a);
                f64::from(x).to_bits() | u64::from(x.is_nan()) << 51
            }
            (32, 64) => {
                let x = f64::from_bits(a);
                u64::from((x as f32).to_bits() | u32::from(x.is_nan()) << 22)
            }
            _ => panic!("{modifiers:?}"),
        },
        ('f', _) => {
            let x = number(a, from_kind, from_bits);
            if to_bits == 32 { u64::from((x as f32).to_bits()) } else { (x as f64).to_bits() }
        }
        (_, 'f') => {
            let x = if from_bits == 32 { f64::from(f32_of(a)) } else { f64::from_bits(a) };
            if x.is_nan() {
                let top = to_bits == 64 || from_bits == 64;
                return if top { 1 << (to_bits - 1) } else { 0 };
            }
            let whole = match rounding[0] {
                "rzi" => x.trunc(),
                "rni" => x.round_ties_even(),
                "rmi" => x.floor(),
                _ => x.ceil(),
            };
            let (least, most) = range(to_kind, to_bits);
            (whole as i128).clamp(least, most) as u64 & mask(to_bits)
        }
        _ => {
            let x = number(a, from_kind, from_bits);
            let (least, most) = range(to_kind, to_bits);
            let x = if rounding.contains(&"sat") { x.clamp(least, most) } else { x };
            // A result narrower than its register is extended as its type says.
            let x = number(x as u64, to_kind, to_bits);
            x as u64
        }
    }
}

fn range(kind: char, bits: u32) -> (i128, i128) {
    if kind == 's' { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}
