//! PTX's tree to compact programs: symbols get addresses, instructions get numbers, blocks get ends.
//!
//! A module is read as a whole, and its variables get their places, when it is loaded. Its kernels are decoded one by one,
//! when each is asked for, with the functions that it can call: their bodies are read again then, since the tree of a
//! large module takes far more memory than its text.
//!
//! Everything that this device does not execute is refused here, before a thread runs: a kernel, and not its module, with
//! all the reasons. What depends on parameters, immediates and block indices alone is taken out of the warps' code: it
//! runs once a launch or once a block.

mod access;
mod alu;
mod asynchronous;
mod atomic;
mod body;
mod cluster;
mod context;
mod contract;
mod control;
mod declare;
mod decoder;
mod forms;
mod lifetimes;
mod matrix;
mod memory;
mod names;
mod opcodes;
mod outline;
mod special;
mod stack;
mod texture;
mod values;
mod vectors;
mod warp;
mod wmma;

use crate::error::{Error, Place, Refusal};
use crate::hash::{HashMap, HashSet};
use crate::ir::*;
use crate::passes;
use context::{Context, Result};
use decoder::Decoder;
use ptx::At;

/// Constant memory of a module (CUDA C++ Programming Guide, table of compute capabilities): 64 KiB.
pub(crate) const CONSTANT_LIMIT: u64 = 64 << 10;
/// Instructions of all decoded kernels of a module. A kernel holds the functions that it calls, so a short text may be many.
const CODE_LIMIT: usize = 4 << 20;
/// Reasons that are listed for all kernels of a module.
const REASON_LIMIT: usize = 1 << 16;

impl Program {
    /// Reads a module and lays its variables out; `name` is what errors call it.
    ///
    /// # Errors
    /// Text that is not PTX ([`Error::BadPtx`]), or more constant variables than fit ([`Error::ConstantOverflow`]).
    pub fn decode(name: &str, text: &str) -> Result<Program> {
        let module = outline::parse(text).map_err(|error| no_ptx(name, error))?;
        let mut context = Context::new(name, &module);
        let constant_bytes = context.lay_out_symbols()?;
        if constant_bytes > CONSTANT_LIMIT {
            return Err(Error::ConstantOverflow {
                module: name.into(),
                bytes: constant_bytes,
                limit: CONSTANT_LIMIT,
            });
        }
        context.initialise()?;
        let narrow = is_narrow(&context)?;
        let functions = outline::of(&module);
        let mut pointed_at = context.pointed_at;
        pointed_at.extend(outline::taken(&functions));
        Ok(Program {
            name: name.into(),
            text: text.into(),
            files: module.files.iter().map(|(i, f)| (*i, (*f).to_owned())).collect(),
            functions,
            pointed_at,
            kernels: vec![],
            symbols: context.symbols.into_owned(),
            references: context.references,
            statics: context.statics,
            unset: context.unset,
            constant_bytes: constant_bytes as u32,
            narrow,
        })
    }

    /// Decodes a kernel, and those that it can launch, if that is not done yet.
    ///
    /// # Errors
    /// [`Error::MissingKernel`], or the first place of the kernel, or of whatever it can call or launch, that this device
    /// does not execute ([`Error::Unsupported`]) or that contradicts itself ([`Error::BadPtx`]).
    pub fn prepare(&mut self, kernel: &str) -> Result<()> {
        if self.kernel(kernel).is_some() {
            return Ok(());
        }
        let is_it = |f: &Outline| f.is_kernel && f.span.is_some() && f.name == kernel;
        let Some(number) = self.functions.iter().position(is_it) else {
            return Err(self.missing(kernel));
        };
        let mut code: usize = self.kernels.iter().map(|kernel| kernel.listing.len()).sum();
        // All or none: a kernel that is there can launch those that it names.
        let mut decoded: Vec<Kernel> = vec![];
        let (mut wanted, mut seen) = (vec![number], HashSet::from_iter([number]));
        while let Some(number) = wanted.pop() {
            let outline = &self.functions[number];
            if outline.span.is_none() || self.kernel(&outline.name).is_some() {
                continue;
            }
            let (mut kernel, launched) = self.decode_kernel(number, code)?;
            kernel.compiled = self.compiled(&kernel.name, &self.left_out(number).0);
            passes::run(self, &mut kernel, opcodes::cost);
            code += kernel.listing.len();
            decoded.push(kernel);
            wanted.extend(launched.into_iter().filter(|kernel| seen.insert(*kernel)));
        }
        self.kernels.extend(decoded);
        Ok(())
    }

    /// For a kernel and each function that it can call, in the order of [`Kernel::functions`], the names of its registers.
    /// Only those who look at single steps need them, so a kernel does not keep them.
    pub(crate) fn registers(&self, kernel: &str) -> Result<Vec<Vec<Named>>> {
        let is_it = |f: &Outline| f.is_kernel && f.span.is_some() && f.name == kernel;
        let Some(number) = self.functions.iter().position(is_it) else {
            return Err(self.missing(kernel));
        };
        let decoded = self.in_context(&self.left_out(number).0, |context, constant_bytes| {
            let decoder = Decoder { keeps_names: true, ..Decoder::new(context, constant_bytes) };
            decoder.kernel(number)
        })?;
        Ok(decoded.map_err(|mut reasons| reasons.swap_remove(0))?.registers)
    }

    /// Where the functions are that a kernel cannot reach, and the numbers of the kernels that it can launch.
    fn left_out(&self, number: usize) -> (Vec<std::ops::Range<u32>>, Vec<usize>) {
        let (reached, launched) = outline::reached(&self.functions, number, &self.pointed_at);
        let left_out = self.functions.iter().zip(reached).filter(|(_, reached)| !reached);
        (left_out.filter_map(|(function, _)| function.span.clone()).collect(), launched)
    }

    /// A kernel, in addition to `code` instructions of others, and the numbers of those that it can launch.
    fn decode_kernel(&self, number: usize, code: usize) -> Result<(Kernel, Vec<usize>)> {
        let (left_out, launched) = self.left_out(number);
        let decoded = self.in_context(&left_out, |context, constant_bytes| {
            let kernel = Decoder::new(context, constant_bytes).kernel(number);
            kernel.and_then(|kernel| within_limit(context, number, code, kernel))
        })?;
        let kernel = decoded.map_err(|mut reasons| reasons.swap_remove(0))?;
        Ok((kernel, launched))
    }

    /// The kernels that this device refuses, each with all the reasons in the order of the text: its own, and those of
    /// the kernels that it can launch. (In a module of very many, only as many as fit some ten megabytes.)
    ///
    /// # Errors
    /// None that [`Program::decode`] of the same text has not given.
    pub fn refusals(&self) -> Result<Vec<Refusal>> {
        let kernels = self.functions.iter().enumerate().filter(|(_, f)| f.is_kernel && f.span.is_some());
        let kernels: Vec<(usize, &str)> = kernels.map(|(n, f)| (n, f.name.as_str())).collect();
        let own: HashMap<usize, Vec<Error>> = self.in_context(&[], |context, constant_bytes| {
            let (mut refused, mut code, mut listed) = (HashMap::default(), 0, 0);
            for &(number, _) in &kernels {
                let decoded = Decoder::new(context, constant_bytes).kernel(number);
                match decoded.and_then(|kernel| within_limit(context, number, code, kernel)) {
                    Ok(kernel) => code += kernel.listing.len(),
                    Err(reasons) => {
                        listed += reasons.len();
                        refused.insert(number, reasons);
                    }
                }
                if listed > REASON_LIMIT || code > CODE_LIMIT {
                    break;
                }
            }
            refused
        })?;
        if own.is_empty() {
            return Ok(vec![]);
        }
        let launched = |number: usize| outline::reached(&self.functions, number, &self.pointed_at).1;
        let mut refusals = vec![];
        for (number, kernel) in kernels {
            let (mut reasons, mut next, mut seen) = (vec![], vec![number], HashSet::from_iter([number]));
            while let Some(number) = next.pop() {
                reasons.extend(own.get(&number).into_iter().flatten().cloned());
                next.extend(launched(number).into_iter().filter(|kernel| seen.insert(*kernel)));
            }
            reasons.sort_by_key(Error::at);
            reasons.dedup();
            if !reasons.is_empty() {
                refusals.push(Refusal { kernel: kernel.to_owned(), reasons });
            }
        }
        Ok(refusals)
    }

    /// Hands over what is shared by all kernels while they are decoded, and the bytes of constant memory. Bodies that are left
    /// out are empty in it.
    fn in_context<T>(
        &self,
        left_out: &[std::ops::Range<u32>],
        run: impl FnOnce(&Context, u32) -> T,
    ) -> Result<T> {
        let mut module =
            ptx::parse_without(&self.text, left_out).map_err(|error| no_ptx(&self.name, error))?;
        forms::rewrite(&mut module);
        contract::contract(&mut module);
        let parts = vectors::names(&module);
        if !parts.is_empty() {
            vectors::split(&mut module, &parts);
        }
        let context = Context::of_program(self, &module)?;
        Ok(run(&context, self.constant_bytes))
    }
}

/// Whether addresses have 32 bits. Where a module does not say, its registers do: both kinds can be used.
fn is_narrow(context: &Context) -> Result<bool> {
    match context.module.address_size {
        32 => Ok(true),
        64 => Ok(false),
        size => context.bad(At(0), format!("`.address_size {size}`: an address has 32 or 64 bits")),
    }
}

fn no_ptx(name: &str, error: ptx::Error) -> Error {
    let place = Place::in_ptx(name, (error.place.line, error.place.column));
    Error::BadPtx { place: place.into(), message: error.message }
}

/// A kernel, unless it is too large for what the `code` that there is leaves.
fn within_limit(
    context: &Context,
    number: usize,
    code: usize,
    kernel: Kernel,
) -> std::result::Result<Kernel, Vec<Error>> {
    if code + kernel.listing.len() <= CODE_LIMIT {
        return Ok(kernel);
    }
    let what = format!("more than {CODE_LIMIT} instructions, those of functions once for each kernel");
    let error: Result<Kernel> = context.unsupported(context.module.functions[number].at, what);
    error.map_err(|error| vec![error])
}
