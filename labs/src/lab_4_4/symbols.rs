//! Three variables: a constant array, a device variable, a device pointer. Copies to them and from them, with offsets, and
//! kernels that read and change them.

use crate::plan::{
    Allocation, Arg, Attempt, BufferId, Data, Expectation, Finding, Launch, Plan, Probe, Step, Target, Trial,
    Workload, Write,
};
use std::sync::Arc;

/// Floats in the constant array and at the pointer: 1,024 bytes.
pub(super) const COUNT: usize = 256;
const BYTES: u64 = 4 * COUNT as u64;
/// Outputs of the kernel: more than there are values, and not a multiple of a block.
const OUT: usize = 1000;
/// Value of the device variable, as in the source, and the factor that a kernel multiplies it by.
#[allow(clippy::approx_constant)]
const VALUE: f32 = 3.14;
const FACTOR: f32 = 2.0;

const fn symbol(name: &'static str) -> Target {
    Target::Symbol { source: &kernels::SYMBOLS, name }
}

const CONSTANT: Target = symbol("constData");
const VARIABLE: Target = symbol("devData");
const POINTER: Target = symbol("devPointer");

/// Values of the variables.
struct Values {
    constant: Arc<[f32]>,
    pointed: Arc<[f32]>,
}

impl Values {
    /// `out[i] = constData[i % 256] · devData + devPointer[i % 256]`, in double precision.
    fn output(&self, i: usize, variable: f32) -> f64 {
        f64::from(self.constant[i % COUNT]) * f64::from(variable) + f64::from(self.pointed[i % COUNT])
    }
}

/// Adds what is tried with the variables.
pub(super) fn plan(plan: &mut Plan, seed: u64) {
    let values = Arc::new(Values {
        constant: reference::input::uniform(COUNT, seed),
        pointed: reference::input::uniform(COUNT, seed.wrapping_add(1)),
    });
    let pointed = plan.buffer("pointed", Allocation::Linear { bytes: BYTES }, None);
    let out = plan.buffer("out", Allocation::Linear { bytes: 4 * OUT as u64 }, None);
    let set = |target, data| Write { target, offset: 0, data };
    let writes = vec![
        set(CONSTANT, Data::F32(values.constant.clone())),
        set(VARIABLE, Data::F32([VALUE].into())),
        set(POINTER, Data::Pointer { buffer: pointed, offset: 0 }),
        set(Target::Buffer(pointed), Data::F32(values.pointed.clone())),
    ];
    let launch = |kernel, threads: usize, args| {
        Launch::new(&kernels::SYMBOLS, kernel, [(threads as u32).div_ceil(256), 1, 1], [256, 1, 1], args)
    };
    let using =
        launch("use_symbols", OUT, vec![Arg::Buffer { buffer: out, offset: 0 }, Arg::I32(OUT as i32)]);
    let change = launch("change_symbols", COUNT, vec![Arg::F32(FACTOR)]);
    let expected = |id: &str, variable: f32| {
        let values = Arc::clone(&values);
        Expectation {
            id: id.to_owned(),
            what: "every out[i] is constData[i % 256] · devData + devPointer[i % 256], within a rounding of each operation"
                .to_owned(),
            of: Target::Buffer(out),
            judge: Arc::new(move |words| outputs(words, |i| values.output(i, variable))),
        }
    };
    plan.trials.push(Trial {
        writes: writes.clone(),
        work: Workload::Launch(using.clone()),
        check: expected("symbols/kernel-uses-all-three", VALUE),
    });
    // Nothing is written in between.
    plan.trials.push(Trial {
        writes: vec![],
        work: Workload::Steps(vec![Step::Launch(using.clone()), Step::Launch(using.clone())]),
        check: expected("symbols/kept-from-launch-to-launch", VALUE),
    });
    plan.trials.push(Trial {
        writes: writes.clone(),
        work: Workload::Launch(change.clone()),
        check: Expectation {
            id: "symbols/host-reads-what-a-kernel-wrote".to_owned(),
            what: format!("devData is {} after a kernel multiplied it by {FACTOR}", VALUE * FACTOR),
            of: VARIABLE,
            judge: Arc::new(|words| same(words, &[(VALUE * FACTOR).to_bits()])),
        },
    });
    let sums: Vec<u32> =
        values.constant.iter().zip(&*values.pointed).map(|(c, p)| (p + c).to_bits()).collect();
    plan.trials.push(Trial {
        // The buffer is filled before the writes are made.
        writes,
        work: Workload::Launch(change),
        check: Expectation {
            id: "symbols/kernel-writes-through-the-pointer".to_owned(),
            what: "each of the 256 values behind devPointer has grown by its element of constData".to_owned(),
            of: Target::Buffer(pointed),
            judge: Arc::new(move |words| same(words, &sums)),
        },
    });
    from_device_memory(plan, &values);
    plan.attempts.push(offsets(seed));
    plan.attempts.push(pointer(pointed));
}

/// Copies from device memory to a part of the constant array, and from another part of it to device memory.
fn from_device_memory(plan: &mut Plan, values: &Arc<Values>) {
    let data = Data::F32(values.pointed.clone());
    let source = plan.buffer("new values", Allocation::Linear { bytes: BYTES }, Some(data));
    let copied = plan.buffer("copied", Allocation::Linear { bytes: BYTES }, None);
    // 64 values from the source's 32nd on become elements 100 to 163; then all of it is looked at.
    let (module, name) = (&kernels::SYMBOLS, "constData".to_owned());
    let steps = vec![
        Step::ToSymbol {
            module,
            name: name.clone(),
            offset: 400,
            from: source,
            from_offset: 128,
            bytes: 256,
        },
        Step::FromSymbol { module, name, offset: 0, to: copied, to_offset: 0, bytes: BYTES },
    ];
    let mut expected: Vec<u32> = values.constant.iter().map(|v| v.to_bits()).collect();
    for (to, from) in expected[100..164].iter_mut().zip(&values.pointed[32..96]) {
        *to = from.to_bits();
    }
    plan.trials.push(Trial {
        writes: vec![Write { target: CONSTANT, offset: 0, data: Data::F32(values.constant.clone()) }],
        work: Workload::Steps(steps),
        check: Expectation {
            id: "symbols/offsets-on-the-device".to_owned(),
            what: "64 of constData's 256 elements come from a buffer, the others are as before, without the host".to_owned(),
            of: Target::Buffer(copied),
            judge: Arc::new(move |words| same(words, &expected)),
        },
    });
}

/// The host writes all of the array, then eight elements of it, and reads all and then five.
fn offsets(seed: u64) -> Attempt {
    let make = move |probe: &mut Probe<'_>| {
        let mut values = reference::input::uniform(COUNT, seed.wrapping_add(2)).to_vec();
        let part = reference::input::uniform(8, seed.wrapping_add(3));
        let module = probe.module(&kernels::SYMBOLS)?;
        let (mut all, mut five) = (vec![0.0f32; COUNT], [0.0f32; 5]);
        probe.device.write_symbol(module, "constData", 0, bytemuck::cast_slice(&values))?;
        probe.device.write_symbol(module, "constData", 4 * 40, bytemuck::cast_slice(&part))?;
        probe.device.read_symbol(module, "constData", 0, bytemuck::cast_slice_mut(&mut all))?;
        probe.device.read_symbol(module, "constData", 4 * 251, bytemuck::cast_slice_mut(&mut five))?;
        values[40..48].copy_from_slice(&part);
        Ok(if all != values {
            Finding::bad("the array is not what was written to it")
        } else if five != values[251..] {
            Finding::bad("the last five elements are not what was written")
        } else {
            Finding::good("all 256 elements are what was written last, and so are the last 5, read alone")
        })
    };
    Attempt::new(
        "symbols/offsets-from-the-host",
        "256 elements are written, 8 of them again from element 40 on; all are read back, and the last 5",
        make,
    )
}

/// Checks that a pointer variable holds an address of the device.
fn pointer(pointed: BufferId) -> Attempt {
    let make = move |probe: &mut Probe<'_>| {
        let mut held = [0u8; 8];
        let expected = probe.device.address(probe.buffer(pointed)?)?;
        let module = probe.module(&kernels::SYMBOLS)?;
        probe.device.read_symbol(module, "devPointer", 0, &mut held)?;
        Ok(match u64::from_le_bytes(held) {
            found if found == expected => Finding::good("8 bytes, the buffer's address"),
            found => Finding::bad(format!("{found:#x} is not the buffer's address")),
        })
    };
    Attempt::new(
        "symbols/pointer-read-back",
        "devPointer holds the address of the buffer that the host allocated",
        make,
    )
}

/// Bit for bit.
fn same(words: &[u32], expected: &[u32]) -> Finding {
    if words.len() != expected.len() {
        return Finding::bad(format!("{} words instead of {}", words.len(), expected.len()));
    }
    match words.iter().zip(expected).position(|(a, b)| a != b) {
        None => Finding::good(format!("{0} of {0} bit for bit", words.len())),
        Some(at) => {
            let [found, expected] = [words[at], expected[at]].map(f32::from_bits);
            Finding::bad(format!("element {at} is {found} and not {expected}"))
        }
    }
}

/// Error bound of a product and a sum, fused or not, each rounded by at most 2⁻²⁴: values within 1, times 6.28, plus 1.
fn outputs(words: &[u32], expected: impl Fn(usize) -> f64) -> Finding {
    const BOUND: f64 = 2.0 * 7.3 / (1 << 24) as f64;
    let off = |(i, &word): (usize, &u32)| {
        let off = (f64::from(f32::from_bits(word)) - expected(i)).abs();
        (if off.is_nan() { f64::INFINITY } else { off }, i)
    };
    let (off, at) = words.iter().enumerate().map(off).fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a });
    if off <= BOUND {
        return Finding::good(format!("{0} of {0} match, largest error {off:.1e}", words.len()));
    }
    Finding::bad(format!("out[{at}] is {} and not {:.6}", f32::from_bits(words[at]), expected(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_made_of_an_old_value_is_found() {
        let values = Values { constant: [0.5; COUNT].into(), pointed: [0.25; COUNT].into() };
        let words = |variable: f32| vec![0.5f32.mul_add(variable, 0.25).to_bits(); OUT];
        assert!(outputs(&words(VALUE), |i| values.output(i, VALUE)).passed);
        let finding = outputs(&words(3.0), |i| values.output(i, VALUE));
        assert_eq!(finding, Finding::bad("out[0] is 1.75 and not 1.820000"));
        assert!(!outputs(&[crate::plan::POISON; OUT], |i| values.output(i, VALUE)).passed);
    }

    #[test]
    fn the_first_element_that_differs_is_named() {
        let [one, two] = [1.0f32, 2.0].map(f32::to_bits);
        assert!(same(&[one, two], &[one, two]).passed);
        assert_eq!(same(&[one, one], &[one, two]), Finding::bad("element 1 is 1 and not 2"));
        assert!(!same(&[one], &[one, two]).passed);
    }
}
