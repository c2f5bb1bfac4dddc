//! What the crate finds against what ptxas made (`scripts/ptxas-facts`), by kinds of machine instructions.

use ptxas::{Access, Around, Made, Unknown, What};
use std::collections::BTreeMap;
use std::path::Path;

type Error = Box<dyn std::error::Error>;
type Counts = BTreeMap<String, u64>;

fn read(name: &str) -> Result<String, Error> {
    Ok(std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name))?)
}

/// The machine instructions that the crate expects of a kernel's memory instructions.
fn expected(module: &ptx::Module<'_>, name: &str) -> Result<Counts, Error> {
    let kernel = ptxas::kernel(module, name).ok_or("no kernel")?;
    let mut counts = Counts::new();
    let mut add = |kind: &str, predicated: bool, n: u64| {
        if n > 0 {
            *counts.entry(format!("{kind}{}", if predicated { "@" } else { "" })).or_default() += n;
        }
    };
    for (at, Made { what, access, predicated, around, .. }) in &kernel.instructions {
        let under = predicated.is_some();
        let width = match access {
            Access::Gone => continue,
            Access::Wide { bytes, .. } => format!(".{}", 8 * bytes),
            Access::Kept | Access::WithResult | Access::OneLane | Access::OneLaneIfAllAreThere => {
                String::new()
            }
        };
        let memory = match what {
            What::SharedLoad => format!("LDS{width}"),
            What::SharedStore => format!("STS{width}"),
            // Words, however wide the instruction is.
            What::LocalLoad => "LDL".to_owned(),
            What::LocalStore => "STL".to_owned(),
            _ => String::new(),
        };
        match what {
            What::LocalLoad | What::LocalStore if kernel.unknown.contains(&Unknown::Variables) => {}
            What::LocalLoad | What::LocalStore => add(&memory, under, 1),
            What::SharedLoad | What::SharedStore => match around {
                // Four copies of a round, and three for the last ones.
                Some(Around { predicated, .. }) => {
                    add(&memory, under, 4);
                    add(&memory, *predicated, 3);
                }
                None => add(&memory, under, 1),
            },
            What::SharedAtomic | What::Other => {
                let text = opcode(module, name, *at)?;
                let kind = match (what, text.starts_with("atom")) {
                    (What::SharedAtomic, _) => "ATOMS",
                    (_, true) => "ATOMG",
                    (_, false) => "REDG",
                };
                let (lanes, one) = match access {
                    Access::OneLane => (0, 1),
                    Access::OneLaneIfAllAreThere => (0, 2),
                    Access::Kept | Access::WithResult | Access::Gone | Access::Wide { .. } => (1, 0),
                };
                add(kind, under, lanes);
                add(kind, true, one);
            }
            What::GlobalLoad
            | What::GlobalStore
            | What::ConstantLoad
            | What::GenericLoad
            | What::GenericStore => {}
        }
    }
    add("BRX", false, u64::from(kernel.unknown.contains(&Unknown::Tables)));
    Ok(counts)
}

/// The opcode of the instruction at a byte of the text.
fn opcode(module: &ptx::Module<'_>, kernel: &str, at: u32) -> Result<String, Error> {
    let function = module.functions.iter().find(|f| f.name == kernel).ok_or("no kernel")?;
    let found = function.body.iter().flatten().find_map(|statement| match statement {
        ptx::Statement::Instruction(i) if i.at.0 == at => Some(i.opcode.to_owned()),
        _ => None,
    });
    Ok(found.ok_or("no instruction")?)
}

/// `{"kernel": {"kind": number, …}, …}`, a kernel a line.
fn facts(text: &str) -> Result<BTreeMap<String, Counts>, Error> {
    let mut facts = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with('"')) {
        let (name, counts) = line.split_once(": {").ok_or("no counts")?;
        let mut of = Counts::new();
        for part in counts.trim_end_matches([',', '}']).split(", ").filter(|part| !part.is_empty()) {
            let (kind, n) = part.split_once(": ").ok_or("no number")?;
            of.insert(kind.trim_matches('"').to_owned(), n.parse()?);
        }
        facts.insert(name.trim_matches('"').to_owned(), of);
    }
    Ok(facts)
}

#[test]
fn the_machine_instructions_of_each_kernel_are_those_that_ptxas_made() -> Result<(), Error> {
    let text = read("facts.ptx")?;
    let module = ptx::parse(&text).map_err(|e| e.message)?;
    let facts = facts(&read("facts.json")?)?;
    assert!(facts.len() > 110, "{} kernels", facts.len());
    let mut wrong = vec![];
    let mut unsure = vec![];
    for (name, made) in &facts {
        let mut made = made.clone();
        if ptxas::kernel(&module, name).is_some_and(|k| k.unknown.contains(&Unknown::Variables)) {
            made.retain(|kind, _| !matches!(kind.as_str(), "LDL" | "STL"));
            unsure.push(name.as_str());
        }
        let expected = expected(&module, name)?;
        if expected != made {
            wrong.push(format!("{name}: {expected:?}, and ptxas made {made:?}"));
        }
    }
    // At the balance between registers and memory.
    assert_eq!(unsure, ["local_25_8_1_0"]);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), facts.len(), wrong.join("\n"));
    Ok(())
}

#[test]
fn nothing_is_reported_of_a_kernel_that_is_compiled_for_a_debugger_or_calls_what_the_driver_adds()
-> Result<(), Error> {
    let body = ".visible .entry k(.param .u64 a) { .reg .b32 %r<3>; call.uni (%r1), vprintf, (%r2); ret; }";
    let of = |target: &str| -> Result<_, Error> {
        let text = format!(".version 8.0\n.target {target}\n.address_size 64\n{body}");
        let module = ptx::parse(&text).map_err(|e| e.message)?;
        Ok(ptxas::kernel(&module, "k").ok_or("no kernel")?.unknown)
    };
    assert!(of("sm_75, debug")?.contains(&Unknown::Debugger));
    assert!(of("sm_75")?.contains(&Unknown::System));
    Ok(())
}
