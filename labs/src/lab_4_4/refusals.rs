//! Requests that a device must refuse: copies past a variable's end, unknown names, more constants than there is room for,
//! stores to constants.

use super::symbols::COUNT;
use crate::device_error::{self, has_driver};
use crate::plan::{Attempt, Finding, Plan, Probe};
use anyhow::{Context as _, Result};

/// A module with four bytes of constants too many; `scripts/overflow` makes it, and the compiler's message with it.
pub(super) const OVERFLOW: &str = include_str!("overflow.ptx");

/// A kernel that stores to a constant: PTX has no such instruction.
const STORE: &str = "\
.version 8.0
.target sm_52
.address_size 64
.const .align 4 .b8 table[64];
.visible .entry store()
{
	.reg .b32 %r<2>;
	mov.u32 %r1, 1;
	st.const.u32 [table], %r1;
	ret;
}
";

/// A module whose only variable is in shared memory.
const ON_CHIP: &str = "\
.version 8.0
.target sm_52
.address_size 64
.shared .align 4 .b8 tile[128];
.visible .entry keep()
{
	.reg .b32 %r<2>;
	ld.shared.u32 %r1, [tile];
	st.shared.u32 [tile+4], %r1;
	ret;
}
";

const LAST: u64 = 4 * COUNT as u64;

/// Adds what is tried.
pub(super) fn plan(plan: &mut Plan) {
    plan.attempts.extend([
        attempt(
            "past-the-end",
            "copies that begin in constData and end behind it are refused, and leave it as it was",
            past,
        ),
        attempt("missing-symbol", "a copy to `constdata` is refused", |probe| {
            let driver = has_driver(probe);
            let module = probe.module(&kernels::SYMBOLS)?;
            Ok(refused(driver, probe.device.write_symbol(module, "constdata", 0, &[0; 4]), &["constdata"]))
        }),
        attempt(
            "too-many-constants",
            "a module with 65,540 bytes of constants is refused, where one with 65,536 is loaded",
            // As a number, or as the compiler has it.
            |probe| {
                let loaded = probe.device.load("overflow.ptx", OVERFLOW).map(drop);
                Ok(refused(has_driver(probe), loaded, &["65540", "0x10004"]))
            },
        ),
        attempt("store-to-a-constant", "PTX with st.const is refused", |probe| {
            let driver = has_driver(probe);
            // A GPU's driver refuses the module, the embedded device its kernel.
            let loaded = probe.device.load("store.ptx", STORE);
            let answer = loaded.and_then(|module| probe.device.check_kernel(module, "store"));
            Ok(refused(driver, answer, &["st.const", "instruction 'st'"]))
        }),
        attempt("shared-variable", "a copy to it is refused: the host knows no such symbol", |probe| {
            let driver = has_driver(probe);
            let module = probe.device.load("tile.ptx", ON_CHIP).context("the module was not loaded")?;
            Ok(refused(driver, probe.device.write_symbol(module, "tile", 0, &[0; 4]), &["tile"]))
        }),
    ]);
}

fn attempt(
    id: &str,
    what: &str,
    make: impl Fn(&mut Probe<'_>) -> Result<Finding> + Send + Sync + 'static,
) -> Attempt {
    Attempt::new(&format!("refused/{id}"), what, make)
}

/// An answer that must be an error with one of these words in it: any error will not do.
fn refused(has_driver: bool, answer: device::Result<()>, words: &[&str]) -> Finding {
    match answer {
        Ok(()) => Finding::bad("it was not refused"),
        Err(error) => {
            let said = device_error::words(&error, has_driver);
            Finding { passed: words.iter().any(|word| said.contains(word)), found: said }
        }
    }
}

fn past(probe: &mut Probe<'_>) -> Result<Finding> {
    let driver = has_driver(probe);
    let module = probe.module(&kernels::SYMBOLS)?;
    let (mut before, mut after) = (vec![0; LAST as usize], vec![0; LAST as usize]);
    probe.device.read_symbol(module, "constData", 0, &mut before)?;
    for (offset, bytes) in [(LAST - 4, 8), (LAST, 4), (0, LAST as usize + 4), (u64::MAX - 3, 8)] {
        let answer = probe.device.write_symbol(module, "constData", offset, &vec![0xff; bytes]);
        let finding = refused(driver, answer, &["1024"]);
        if !finding.passed {
            return Ok(Finding::bad(format!("{bytes} bytes from byte {offset} on: {}", finding.found)));
        }
    }
    probe.device.read_symbol(module, "constData", 0, &mut after)?;
    if before != after {
        return Ok(Finding::bad("a copy that was refused has written"));
    }
    Ok(refused(driver, probe.device.write_symbol(module, "constData", LAST - 4, &[0xff; 8]), &["1024"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_expected_error_is_a_refusal() {
        let error = || device::Error::BadShape { message: "no bytes\n are copied".to_owned() };
        assert_eq!(refused(false, Err(error()), &["copied"]), Finding::good("no bytes are copied"));
        assert!(!refused(false, Err(error()), &["tile"]).passed && !refused(false, Ok(()), &["tile"]).passed);
    }

    #[test]
    fn the_compilers_words_are_of_this_source_and_the_device_says_the_same() {
        let said = include_str!("overflow.txt");
        assert!(said.contains(&kernels::sha256(include_str!("overflow.cu"))), "stale: run scripts/overflow");
        use device::Device as _;
        let mut device = device::Embedded::new("h200").unwrap();
        let Err(device::Error::Simt(simt_error)) = device.load("overflow.ptx", OVERFLOW) else {
            panic!("it was loaded")
        };
        assert_eq!(simt_error.kind(), Some("constant-overflow"));
        let device::SimtError::ConstantOverflow { bytes, limit, .. } = simt_error else { unreachable!() };
        let words = format!("too much global constant data ({bytes:#x} bytes, {limit:#x} max)");
        assert_eq!(said.matches(&words).count(), 3, "nvcc, ptxas and NVRTC");
    }
}
