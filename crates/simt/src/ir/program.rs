//! A module: its variables, laid out, and those of its kernels that were decoded so far.

use super::{CallSite, Kernel, Origin};
use crate::error::{Error, Place};
use crate::hash::HashMap;
use std::ops::Range;

/// A module. Its kernels are decoded one by one, when each is asked for.
#[derive(Clone, Debug)]
pub struct Program {
    /// The name that errors call it by.
    pub(crate) name: String,
    /// The PTX.
    pub(crate) text: String,
    pub(crate) files: Vec<(u32, String)>,
    /// Functions and kernels in the order of the text, declarations included.
    pub(crate) functions: Vec<Outline>,
    /// Functions that an indirect call may reach: their addresses are in variables, or are taken by a function.
    pub(crate) pointed_at: Vec<usize>,
    /// The kernels that were decoded so far.
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) symbols: Vec<Symbol>,
    /// Names of texture and surface references.
    pub(crate) references: Vec<String>,
    /// Variables that functions declare, as numbers of symbols, by the place of the declaration in the text.
    pub(crate) statics: HashMap<u32, u32>,
    /// Variables whose initial values the device does not have, by their numbers: the reasons for refusing anything that names them.
    pub(crate) unset: HashMap<u32, Error>,
    /// Bytes of constant memory in use.
    pub(crate) constant_bytes: u32,
    /// Whether its addresses may have 32 bits.
    pub(crate) narrow: bool,
}

impl Program {
    /// Names of the kernels, in the order of the text.
    pub fn kernel_names(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().filter(|f| f.is_kernel && f.span.is_some()).map(|f| f.name.as_str())
    }

    /// The error of asking for a kernel that is not there.
    pub(crate) fn missing(&self, kernel: &str) -> Error {
        Error::MissingKernel {
            kernel: kernel.into(),
            module: self.name.clone(),
            there: self.kernel_names().map(str::to_owned).collect(),
        }
    }

    /// What ptxas makes of a kernel; `left_out` are the functions that it cannot reach.
    pub(crate) fn compiled(&self, kernel: &str, left_out: &[Range<u32>]) -> ptxas::Kernel {
        let module = ptx::parse_without(&self.text, left_out).ok();
        let found = module.and_then(|module| ptxas::kernel(&module, kernel));
        found.unwrap_or_else(ptxas::Kernel::unknown)
    }

    /// A kernel that was decoded.
    pub(crate) fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// The words of the instruction at a place, without its guard and operands.
    pub(crate) fn mnemonic(&self, origin: Origin) -> String {
        self.words(origin).into()
    }

    /// [`Program::mnemonic`] as it is in the text.
    pub(crate) fn words(&self, origin: Origin) -> &str {
        let rest = self.text.get(origin.at as usize..).unwrap_or_default();
        let rest = match rest.strip_prefix('@') {
            Some(guard) => {
                let guard = after_space(guard);
                let register = after_space(guard.strip_prefix('!').unwrap_or(guard));
                after_space(register.trim_start_matches(|c: char| !c.is_whitespace() && c != '/'))
            }
            None => rest,
        };
        rest.split(|c: char| c.is_whitespace() || c == ';').next().unwrap_or_default()
    }

    /// The instruction at a place, as it is in the text, on one line.
    pub(crate) fn instruction(&self, origin: Origin) -> String {
        let rest = self.text.get(origin.at as usize..).unwrap_or_default();
        let end = rest.find(';').map_or(rest.len(), |at| at + 1);
        rest[..end].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The place of an instruction of a kernel.
    pub(crate) fn place(&self, kernel: &Kernel, origin: Origin) -> Place {
        let name = |index: u32| {
            let file = self.files.iter().find(|(number, _)| *number == index);
            file.map_or_else(|| format!("file {index}"), |(_, name)| name.clone())
        };
        source_place(&self.name, name, &kernel.call_sites, origin)
    }
}

/// The place of an origin in the PTX `ptx`; `name` gives the files of a line table their names.
pub(crate) fn source_place(
    ptx: &str,
    name: impl Fn(u32) -> String,
    call_sites: &[CallSite],
    origin: Origin,
) -> Place {
    let mut place = Place::in_ptx(ptx, (origin.line, origin.column));
    if origin.source_line > 0 {
        place.source = Some((name(origin.file), origin.source_line));
        let site = |at: u32| call_sites.get((at as usize).checked_sub(1)?);
        let stack = std::iter::successors(site(origin.inlined_at), |call| site(call.inlined_at));
        place.inlined_at = stack.map(|call| (name(call.file), call.line)).collect();
    }
    place
}

/// The text after white space and comments.
fn after_space(text: &str) -> &str {
    let mut text = text.trim_start();
    loop {
        let comment = match text.get(..2) {
            Some("//") => text.split_once('\n'),
            Some("/*") => text[2..].split_once("*/"),
            _ => None,
        };
        match comment {
            Some((_, rest)) => text = rest.trim_start(),
            None => return text,
        }
    }
}

/// A function or kernel of a module, by which its body is found again.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    pub(crate) name: String,
    pub(crate) is_kernel: bool,
    /// Bytes of its body in the text; none for a declaration.
    pub(crate) span: Option<Range<u32>>,
    /// Functions that its body names, by their number: it calls them, or takes their addresses.
    pub(crate) names: Vec<u32>,
    /// Those of them whose addresses it takes.
    pub(crate) takes: Vec<u32>,
}

/// A variable in constant or global memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    /// Type of the PTX without its dot; of an array, that of an element.
    pub(crate) ty: String,
    pub(crate) bytes: u64,
    pub(crate) align: u64,
    /// Its address in constant memory; for a global variable, nothing.
    pub(crate) constant: Option<u32>,
    pub(crate) initial: Vec<u8>,
    /// Addresses among the initial values.
    pub(crate) relocations: Vec<Relocation>,
}

/// An address that is written into a variable when its module is loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Relocation {
    /// Where in the variable.
    pub(crate) at: u32,
    /// How many bytes of it, from the lowest.
    pub(crate) bytes: u8,
    /// Those bits of the address that are written, moved down to bit 0.
    pub(crate) mask: u64,
    /// Of what: a symbol of the module by number, or a known number.
    pub(crate) symbol: Option<u32>,
    /// Bytes past it, or the number.
    pub(crate) offset: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_an_instruction_come_after_its_guard() {
        for text in [
            "add.s32 %r1, 2;",
            "@%p1 add.s32\t%r1;",
            "@ !%p1 /* so */ // it is\n add.s32;",
            "@!%p1/**/add.s32 x",
        ] {
            let program = Program {
                name: String::new(),
                text: text.into(),
                files: vec![],
                functions: vec![],
                pointed_at: vec![],
                kernels: vec![],
                symbols: vec![],
                references: vec![],
                statics: HashMap::default(),
                unset: HashMap::default(),
                constant_bytes: 0,
                narrow: false,
            };
            assert_eq!(program.words(Origin::default()), "add.s32", "{text}");
        }
    }
}
