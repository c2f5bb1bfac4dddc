//! Which architecture an instruction needs.
//!
//! Enters: text of instructions. Leaves: the first one that the target does not have, with the architecture that has it. The PTX
//! ISA says so under each instruction ("Target ISA Notes"). This module must never know where the text comes from.

/// Beginnings of instructions, with words that must follow among the modifiers, and the least architecture.
const NEEDS: &[(&str, &[&str], u32)] = &[
    ("atom", &["b128"], 90),
    ("atom", &["bf16"], 90),
    ("atom", &["bf16x2"], 90),
    ("atom", &["v2"], 90),
    ("atom", &["v4"], 90),
    ("atom", &["f16"], 70),
    ("atom", &["f16x2"], 60),
    ("atom", &["acquire"], 70),
    ("atom", &["release"], 70),
    ("atom", &["acq_rel"], 70),
    ("atom", &["relaxed"], 70),
    ("atom", &["cta"], 60),
    ("atom", &["sys"], 60),
    ("atom", &["add", "f64"], 60),
    ("red", &["async"], 90),
    ("red", &["bf16"], 90),
    ("red", &["bf16x2"], 90),
    ("red", &["f16"], 70),
    ("red", &["f16x2"], 60),
    ("red", &["release"], 70),
    ("red", &["relaxed"], 70),
    ("red", &["cta"], 60),
    ("red", &["sys"], 60),
    ("red", &["add", "f64"], 60),
    ("ld", &["acquire"], 70),
    ("ld", &["relaxed"], 70),
    ("st", &["release"], 70),
    ("st", &["relaxed"], 70),
    ("st", &["async"], 90),
    ("fence", &["acq_rel"], 70),
    ("fence", &["sc"], 70),
    ("fence", &["proxy"], 70),
    ("fence", &["mbarrier_init"], 90),
    ("match", &[], 70),
    ("redux", &["f32"], 100),
    ("redux", &[], 80),
    ("elect", &[], 90),
    ("nanosleep", &[], 70),
    ("dp4a", &[], 61),
    ("dp2a", &[], 61),
    ("tanh", &["bf16"], 90),
    ("tanh", &["bf16x2"], 90),
    ("tanh", &[], 75),
    ("ex2", &["f16"], 75),
    ("ex2", &["f16x2"], 75),
    ("ex2", &["bf16"], 90),
    ("wmma", &[], 70),
    ("ldmatrix", &[], 75),
    ("stmatrix", &[], 90),
    ("movmatrix", &[], 75),
    ("mma", &["sp"], 80),
    ("mma", &["m8n8k4"], 70),
    ("mma", &["m16n8k8", "f16"], 75),
    ("mma", &["m8n8k16"], 75),
    ("mma", &[], 80),
    ("wgmma", &[], 90),
    ("cp", &["bulk"], 90),
    ("cp", &["reduce"], 90),
    ("cp", &["async"], 80),
    ("mbarrier", &["expect_tx"], 90),
    ("mbarrier", &["try_wait"], 90),
    ("mbarrier", &[], 80),
    ("createpolicy", &[], 80),
    ("discard", &[], 80),
    ("applypriority", &[], 80),
    ("mapa", &[], 90),
    ("getctarank", &[], 90),
    ("griddepcontrol", &[], 90),
    ("setmaxnreg", &[], 90),
    ("barrier", &["cluster"], 90),
];

/// The first instruction of a text that an architecture does not have, and the architecture that has it.
pub(super) fn missing(text: &str, arch: u32) -> Option<(&str, u32)> {
    if arch >= 100 {
        return None;
    }
    let first = |instruction| {
        let mut words = str::split_whitespace(instruction).filter(|word| !word.starts_with('@'));
        words.find(|word| !word.ends_with(':'))
    };
    text.split([';', '{', '}', '\n']).filter_map(first).find_map(|instruction| {
        let (name, modifiers) = instruction.split_once('.')?;
        let needs = NEEDS.iter().filter(|(of, words, _)| {
            *of == name && words.iter().all(|word| modifiers.split('.').any(|one| one == *word))
        });
        // The first row that fits an instruction says it: rows of fewer words come later.
        let least = needs.map(|(.., least)| *least).next()?;
        (least > arch).then_some((instruction, least))
    })
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn an_instruction_needs_what_the_isa_says() {
        for (text, arch, least) in [
            ("redux.sync.add.s32 %r1, %r2, -1;", 70, Some(80)),
            ("redux.sync.add.s32 %r1, %r2, -1;", 80, None),
            ("atom.global.add.f64 %d, [%rd1], %d;", 52, Some(60)),
            ("atom.global.add.f32 %f, [%rd1], %f;", 52, None),
            ("{ .reg .pred p; @p match.any.sync.b32 %r, %r, -1; }", 60, Some(70)),
            ("L1: tanh.approx.f32 %f1, %f1;", 70, Some(75)),
            ("ex2.approx.ftz.f32 %f1, %f1;", 52, None),
            ("add.f32 %f1, %f1, %f1;\n\tdp4a.s32.s32 %r1, %r1, %r1, %r1;", 60, Some(61)),
            ("cp.async.ca.shared.global [%r1], [%rd1], 16;", 75, Some(80)),
            ("mbarrier.init.shared.b64 [%r1], 1;", 90, None),
            ("ld.global.f32 %f1, [%rd1];", 52, None),
        ] {
            assert_eq!(missing(text, arch).map(|(_, least)| least), least, "{text}");
        }
    }
}
