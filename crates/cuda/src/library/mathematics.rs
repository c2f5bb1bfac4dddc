//! The mathematics as the compiler compiles it, before any pass, run by the representation's interpreter and compared with Rust's.
//! (How large the errors are, `library/errors.md` says; here is that what is compiled is what was measured.)

use crate::{compile::Stage, ir, options::Input, options::Options};

/// What a function's own error and that of Rust's may be together, in units of the last place.
const BOUND: f64 = 8.0;

/// Results of expressions in `x` and `y`, each at points of its own, as many for each.
fn results(expressions: &[(&str, Vec<(f64, f64)>)], single: bool) -> Vec<Vec<f64>> {
    let (kind, size) = if single { ("float", 4) } else { ("double", 8) };
    let each = expressions.first().map_or(0, |(_, points)| points.len());
    let loops: String = expressions
        .iter()
        .map(|(expression, _)| {
            format!(
                "for (int i = 0; i < {each}; i++, in += 2, out++) {{ {kind} x = in[0], y = in[1]; *out = {expression}; }}\n"
            )
        })
        .collect();
    let source = format!("extern \"C\" __global__ void k(const {kind} *in, {kind} *out) {{ {loops} }}");
    let input = Input { name: "k.cu", text: &source, include: &|_| None };
    let mut text = String::new();
    let done = crate::compile::compile_watched(&input, &Options::default(), |stage, show| {
        if stage == Stage::Module {
            text = show();
        }
    });
    assert!(done.is_ok(), "{source}: {:?}", done.err().map(|failure| failure.diagnostics));
    let module = ir::parse::parse(&text);
    let bytes = |value: f64| {
        if single { (value as f32).to_le_bytes().to_vec() } else { value.to_le_bytes().to_vec() }
    };
    let mut machine = ir::run::Machine::new(&module);
    let points = expressions.iter().flat_map(|(_, points)| points);
    let given: Vec<u8> = points.flat_map(|(x, y)| [bytes(*x), bytes(*y)].concat()).collect();
    let from = machine.allocate(given.len() as u64, 16);
    let to = machine.allocate(given.len() as u64 / 2, 16);
    machine.write(from, &given).unwrap();
    let kernel = module.functions.iter().position(|function| function.kernel).unwrap();
    machine.call(ir::FunctionId(kernel as u32), &[from, to]).unwrap();
    let found = machine.read(to, given.len() as u64 / 2).unwrap();
    let numbers: Vec<f64> = found
        .chunks(size)
        .map(|one| match one.try_into() {
            Ok(eight) => f64::from_le_bytes(eight),
            Err(_) => f64::from(f32::from_le_bytes(one.try_into().unwrap())),
        })
        .collect();
    numbers.chunks(each).map(<[f64]>::to_vec).collect()
}

/// Whether a result is the reference's within the bound.
fn close(got: f64, want: f64, single: bool) -> bool {
    let (least, digits) = if single { (-126, 23) } else { (-1022, 52) };
    let rounded = if single { f64::from(want as f32) } else { want };
    if want.is_nan() || got.is_nan() || rounded.is_infinite() || got.is_infinite() {
        return want.is_nan() && got.is_nan() || rounded == got;
    }
    let exponent = if want == 0.0 { least } else { (want.abs().log2().floor() as i32).max(least) };
    (got - want).abs() <= BOUND * 2f64.powi(exponent - digits)
}

/// Points that are spread over a range, with some special ones; exact in single precision.
fn points(low: f64, high: f64) -> Vec<(f64, f64)> {
    let at = |k: u32| {
        let part = f64::from(k.wrapping_mul(2_654_435_761)) / 4_294_967_296.0;
        f64::from((low + (high - low) * part) as f32)
    };
    let spread = (0..200).map(|k| (at(2 * k), at(2 * k + 1)));
    let special =
        [0.0, -0.0, 1.0, -1.0, 0.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-30, 100_000.5, 3e30];
    let special = special.map(|x| f64::from(x as f32));
    spread.chain(special.map(|x| (x, 2.0))).chain(special.map(|x| (0.75, x))).collect()
}

/// Expression, range of the arguments, and what it is.
type Case = (&'static str, f64, f64, fn(f64, f64) -> f64);

/// Compares a function with Rust's, and that of single precision, which is called the same with an `f`.
#[track_caller]
fn check(cases: &[Case]) {
    for single in [false, true] {
        let suffix = if single { "f" } else { "" };
        let named: Vec<String> =
            cases.iter().map(|case| case.0.replacen('(', &format!("{suffix}("), 1)).collect();
        let given: Vec<_> =
            named.iter().zip(cases).map(|(name, case)| (name.as_str(), points(case.1, case.2))).collect();
        for (((name, points), found), case) in given.iter().zip(results(&given, single)).zip(cases) {
            for ((x, y), got) in points.iter().zip(found) {
                let want = case.3(*x, *y);
                assert!(close(got, want, single), "{name} of {x:e}, {y:e}: {got:e}, not {want:e}");
            }
        }
    }
}

#[test]
fn exponentials_and_logarithms_are_what_they_are() {
    check(&[
        ("exp(x)", -100.0, 100.0, |x, _| x.exp()),
        ("exp2(x)", -100.0, 100.0, |x, _| x.exp2()),
        ("expm1(x)", -2.0, 2.0, |x, _| x.exp_m1()),
        ("log(x)", 0.0, 10.0, |x, _| x.ln()),
        ("log2(x)", 0.0, 10.0, |x, _| x.log2()),
        ("log10(x)", 0.0, 10.0, |x, _| x.log10()),
        ("log1p(x)", -1.0, 3.0, |x, _| x.ln_1p()),
        ("pow(x, y)", 0.0, 9.0, |x, y| x.powf(y)),
    ]);
}

#[test]
fn angles_are_what_they_are() {
    check(&[
        ("sin(x)", -1000.0, 1000.0, |x, _| x.sin()),
        ("cos(x)", -1000.0, 1000.0, |x, _| x.cos()),
        ("tan(x)", -1000.0, 1000.0, |x, _| x.tan()),
        ("asin(x)", -1.0, 1.0, |x, _| x.asin()),
        ("acos(x)", -1.0, 1.0, |x, _| x.acos()),
        ("atan(x)", -3.0, 3.0, |x, _| x.atan()),
        ("atan2(x, y)", -3.0, 3.0, |x, y| x.atan2(y)),
    ]);
}

#[test]
fn hyperbolic_functions_and_roots_are_what_they_are() {
    check(&[
        ("sinh(x)", -5.0, 5.0, |x, _| x.sinh()),
        ("cosh(x)", -5.0, 5.0, |x, _| x.cosh()),
        ("tanh(x)", -5.0, 5.0, |x, _| x.tanh()),
        ("cbrt(x)", -5.0, 5.0, |x, _| x.cbrt()),
        ("hypot(x, y)", -5.0, 5.0, |x, y| x.hypot(y)),
        ("fmod(x, y)", -50.0, 5.0, |x, y| x % y),
        ("round(x)", -5.0, 5.0, |x, _| x.round()),
    ]);
}

#[test]
fn special_functions_have_the_values_of_tables() {
    // Abramowitz and Stegun.
    let known = [
        ("erf(x)", 0.5, 0.520_499_877_813_046_5),
        ("erfc(x)", 2.0, 0.004_677_734_981_047_266),
        ("erfcx(x)", 3.0, 0.179_001_151_181_389_95),
        ("erfinv(x)", 0.5, 0.476_936_276_204_469_9),
        ("normcdf(x)", 1.0, 0.841_344_746_068_542_9),
        ("tgamma(x)", 4.5, 11.631_728_396_567_448),
        ("lgamma(x)", 0.5, 0.572_364_942_924_700_1),
        ("j0(x)", 1.0, 0.765_197_686_557_966_6),
        ("j1(x)", 1.0, 0.440_050_585_744_933_5),
        ("y0(x)", 1.0, 0.088_256_964_215_676_96),
        ("y1(x)", 1.0, -0.781_212_821_300_288_7),
        ("jn(2, x)", 1.0, 0.114_903_484_931_900_48),
        ("cyl_bessel_i0(x)", 1.0, 1.266_065_877_752_008_4),
        ("cyl_bessel_i1(x)", 1.0, 0.565_159_103_992_485),
    ];
    let given: Vec<_> = known.iter().map(|(expression, x, _)| (*expression, vec![(*x, 0.0)])).collect();
    for ((expression, x, want), got) in known.iter().zip(results(&given, false)) {
        assert!(close(got[0], *want, false), "{expression} of {x}: {got:?}, not {want}");
    }
}
