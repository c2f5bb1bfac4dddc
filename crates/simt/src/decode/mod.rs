//! PTX's tree to compact programs: symbols get addresses, instructions get numbers, blocks get ends.
//!
//! Everything that this device does not execute is refused here, before a thread runs. What depends on parameters,
//! immediates and block indices alone is taken out of the warps' code: it runs once a launch or once a block.

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
mod matrix;
mod memory;
mod names;
mod opcodes;
mod special;
mod stack;
mod values;
mod vectors;
mod warp;
mod wmma;

use crate::error::{Error, Place};
use crate::ir::*;
use crate::passes;
use context::{Context, Result};
use decoder::Decoder;
use ptx::Module;

/// Constant memory of a module (CUDA C++ Programming Guide, table of compute capabilities): 64 KiB.
pub(crate) const CONSTANT_LIMIT: u64 = 64 << 10;
/// Instructions of all kernels of a module. A kernel holds the functions that it calls, so a short text may be many.
const CODE_LIMIT: usize = 4 << 20;
impl Program {
    /// Decodes a module; `name` is what errors call it.
    ///
    /// # Errors
    /// Text that is no PTX ([`Error::BadPtx`]), what this device does not execute ([`Error::Unsupported`]), or more
    /// constant variables than fit ([`Error::ConstantOverflow`]).
    pub fn decode(name: &str, text: &str) -> Result<Program> {
        let mut module = ptx::parse(text).map_err(|e| Error::BadPtx {
            place: Place::in_ptx(name, (e.place.line, e.place.column)),
            message: e.message,
        })?;
        contract::contract(&mut module);
        let parts = vectors::names(&module);
        if parts.is_empty() {
            return Program::decode_module(name, text, &module);
        }
        vectors::split(&mut module, &parts);
        Program::decode_module(name, text, &module)
    }

    fn decode_module(name: &str, text: &str, module: &Module) -> Result<Program> {
        let mut context = Context::new(name, module);
        if module.address_size != 64 {
            let place = Place::in_ptx(name, (1, 1));
            return Err(Error::Unsupported { place, what: format!(".address_size {}", module.address_size) });
        }
        let constant_bytes = context.lay_out_symbols()?;
        if constant_bytes > CONSTANT_LIMIT {
            return Err(Error::ConstantOverflow {
                module: name.into(),
                bytes: constant_bytes,
                limit: CONSTANT_LIMIT,
            });
        }
        context.initialise()?;
        let mut kernels: Vec<Kernel> = vec![];
        let mut code = 0;
        for (n, function) in module.functions.iter().enumerate() {
            if function.is_kernel && function.body.is_some() {
                let kernel = Decoder::new(&context, constant_bytes as u32).kernel(n)?;
                code += kernel.listing.len();
                if code > CODE_LIMIT {
                    let what = format!(
                        "more than {CODE_LIMIT} instructions, those of functions once for each kernel"
                    );
                    return context.unsupported(function.at, what);
                }
                kernels.push(kernel);
            }
        }
        let mut program = Program {
            name: name.into(),
            text: text.into(),
            files: module.files.iter().map(|(i, f)| (*i, (*f).to_owned())).collect(),
            kernels,
            symbols: context.symbols,
            constant_bytes: constant_bytes as u32,
        };
        passes::run(&mut program, opcodes::cost);
        Ok(program)
    }
}
