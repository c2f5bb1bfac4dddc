//! A module's sections.
//!
//! Enters: a module. Leaves: WebAssembly's bytes, and what its host needs to know of them.

use super::body;
use super::builtin;
use super::layout::{DATA, Layout, PAGE};
use super::site::{Given, Site};
use super::types::{Letters, Signature};
use super::writer::{CALL_SITE, HEAP_END, OPERATIONS, STACK_POINTER, Shared, Unit};
use crate::diagnostic::Diagnostic;
use crate::ir::reach::Reach;
use crate::ir::{Function, FunctionId, Module, Type};
use crate::source::Span;
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, ExportKind, ExportSection,
    FunctionSection, GlobalSection, GlobalType, ImportSection, MemorySection, MemoryType, RefType,
    TableSection, TableType, ValType,
};

/// How much memory a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Bytes that memory may grow to, at most 4 GiB; whole pages of 64 KiB of it are used.
    pub(crate) memory: u64,
    /// Bytes of its stack.
    pub(crate) stack: u64,
}

impl Default for Limits {
    /// All that addresses of 32 bits reach, with a stack as Linux gives it.
    fn default() -> Self {
        Limits { memory: 1 << 32, stack: 8 << 20 }
    }
}

/// A program for an engine of WebAssembly.
///
/// It imports its external functions by their symbols from `env`, there too `fma` and `fmaf` where it needs them, and
/// `fault.fault`, which gets the number of a [`Site`] and an address, and must not return, but for what comes below. It exports the visible functions by
/// their symbols, `memory`, `__indirect_function_table`, in which functions lie at their addresses, and the global variables
/// `__stack_pointer` (32 bits), `__heap_base` and `__heap_end` (64 bits), `__call_site` (32 bits), and `__operations_left`
/// (64 bits), which goes down to below 0, where `fault.fault` is called. Pointers are integers of 64 bits, and addresses of its
/// memory; of integers of fewer than 32 bits, as arguments and results, the bits above say nothing.
///
/// An external function may grow the memory, and sets `__heap_end` to its bytes less [`PAD`](super::layout::PAD) then: what is from
/// there on is not accessed. It may set it to less: then `fault.fault` gets the accesses of a few bytes from there on, and returns
/// from those that are to be made.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// The module.
    pub(crate) bytes: Vec<u8>,
    /// Where the source calls the library, by the number that `__call_site` holds from then on, less 1.
    pub(crate) calls: Vec<Span>,
    /// Variables whose addresses these are given.
    pub(crate) given: Vec<Given>,
    /// Places that may fault, by the number that `fault.fault` gets.
    pub(crate) sites: Vec<Site>,
    /// Functions that it imports from `env`, apart from `fma` and `fmaf`, in their order: some may be there more than once.
    pub(crate) imports: Vec<(String, Letters)>,
    /// Symbols of functions whose address is taken, with that: their numbers in the table, from 1 on.
    pub(crate) functions: Vec<(String, u32)>,
    /// Types of these, in the same order.
    pub(crate) table: Vec<Letters>,
    /// Symbols of variables, with their addresses and sizes in bytes.
    pub(crate) globals: Vec<(String, u64, u64)>,
    /// The first address of data, and the first that may be written.
    pub(crate) data: (u64, u64),
    /// The lowest address of the stack, and that after its highest.
    pub(crate) stack: (u64, u64),
    /// The first address of the heap, and that after the last that it has from the beginning.
    pub(crate) heap: (u64, u64),
    /// The most bytes that memory grows to.
    pub(crate) memory: u64,
}

/// Writes a module.
///
/// `written` says of a place whether it is in the source, and not in the library.
///
/// # Errors
///
/// What WebAssembly has no words for, or memory no room.
pub(crate) fn emit(
    module: &Module,
    limits: Limits,
    written: &dyn Fn(Span) -> bool,
) -> Result<Output, Box<Diagnostic>> {
    let reach = Reach::new(&module.functions, &module.globals);
    let mut shared = Shared::default();
    let fault_type = shared.types.number(Signature::new([Type::I32, Type::I64].into_iter(), [].into_iter()));
    let layout = Layout::new(module, &reach, &mut shared.types, limits.memory, limits.stack);
    let Some(layout) = layout else {
        let message = format!("the program's variables and stack need more than {} bytes", limits.memory);
        return Err(Box::new(Diagnostic::error("memory", Span::default(), message)));
    };
    let mut imports = ImportSection::new();
    imports.import("fault", "fault", EntityType::Function(fault_type));
    let (mut functions, mut count) = (vec![None; module.functions.len()], 1);
    for (at, function) in module.functions.iter().enumerate() {
        if reach.functions[at] && function.external {
            let ty = shared.types.number(Signature::of(function));
            imports.import("env", &function.name, EntityType::Function(ty));
            functions[at] = Some(count);
            count += 1;
        }
    }
    let mut fused = [None; 2];
    for (number, (ty, name)) in [(Type::F32, "fmaf"), (Type::F64, "fma")].into_iter().enumerate() {
        let external = |one: &Function| one.external && one.name == name;
        if let Some(at) = module.functions.iter().position(external)
            && let Some(function) = functions[at]
        {
            fused[number] = Some(function);
        } else if needs_fused(module, &reach, ty) {
            let signature = shared.types.number(Signature::new([ty; 3].into_iter(), [ty].into_iter()));
            imports.import("env", name, EntityType::Function(signature));
            fused[number] = Some(count);
            count += 1;
        }
    }
    let bodies: Vec<FunctionId> = (0..module.functions.len())
        .filter(|at| reach.functions[*at] && !module.functions[*at].external)
        .map(|at| FunctionId(at as u32))
        .collect();
    let mut declared = FunctionSection::new();
    for id in &bodies {
        functions[id.index()] = Some(count);
        count += 1;
        declared.function(shared.types.number(Signature::of(&module.functions[id.index()])));
    }
    let unit = Unit { module, layout: &layout, functions, fault: 0, fused, written };
    let mut code = CodeSection::new();
    for id in &bodies {
        code.raw(&body::write(&unit, &mut shared, *id));
    }
    if let Some(refused) = shared.refused {
        return Err(refused);
    }
    let bytes = sections(&unit, &shared, &imports, &declared, &code);
    let globals = module.globals.iter().zip(&layout.globals);
    let table = (1..).zip(&layout.table);
    let imported =
        module.functions.iter().zip(&reach.functions).filter(|(one, reached)| **reached && one.external);
    let imported = imported.map(|(one, _)| one).filter(|one| !matches!(&*one.name, "fma" | "fmaf"));
    Ok(Output {
        bytes,
        calls: shared.calls,
        given: shared.given,
        sites: shared.sites,
        imports: imported.map(|one| (one.name.clone(), Letters::of(one))).collect(),
        table: layout.table.iter().map(|id| Letters::of(&module.functions[id.index()])).collect(),
        functions: table.map(|(at, id)| (module.functions[id.index()].name.clone(), at)).collect(),
        globals: globals.filter_map(|(one, at)| Some((one.name.clone(), (*at)?, one.size))).collect(),
        data: (DATA, layout.writable),
        stack: layout.stack,
        heap: layout.heap,
        memory: layout.memory.1,
    })
}

/// Whether what is reached computes products and sums that are rounded once.
fn needs_fused(module: &Module, reach: &Reach, ty: Type) -> bool {
    let reached = module.functions.iter().zip(&reach.functions).filter(|(_, reached)| **reached);
    reached.map(|(function, _)| function).any(|function| {
        let insts = function.blocks.iter().flat_map(|block| &block.insts);
        insts.map(|inst| &function.insts[inst.index()]).any(|data| {
            let result = data.results.first().map(|result| function.ty(*result));
            result == Some(ty) && builtin::fused(&data.op, ty)
        })
    })
}

fn sections(
    unit: &Unit<'_>,
    shared: &Shared,
    imports: &ImportSection,
    declared: &FunctionSection,
    code: &CodeSection,
) -> Vec<u8> {
    let layout = unit.layout;
    let mut tables = TableSection::new();
    let entries = layout.table.len() as u64 + 1;
    tables.table(TableType {
        element_type: RefType::FUNCREF,
        table64: false,
        minimum: entries,
        maximum: Some(entries),
        shared: false,
    });
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: layout.memory.0 / PAGE,
        maximum: Some(layout.memory.1 / PAGE),
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut globals = GlobalSection::new();
    let ty = |val_type, mutable| GlobalType { val_type, mutable, shared: false };
    globals.global(ty(ValType::I32, true), &ConstExpr::i32_const(layout.stack.1 as u32 as i32));
    globals.global(ty(ValType::I64, true), &ConstExpr::i64_const(layout.heap.1 as i64));
    globals.global(ty(ValType::I64, false), &ConstExpr::i64_const(layout.heap.0 as i64));
    globals.global(ty(ValType::I32, true), &ConstExpr::i32_const(0));
    // As many as there are, until somebody says how many.
    globals.global(ty(ValType::I64, true), &ConstExpr::i64_const(i64::MAX));
    let mut exports = ExportSection::new();
    exports.export("memory", ExportKind::Memory, 0);
    exports.export("__indirect_function_table", ExportKind::Table, 0);
    for (name, number) in [
        ("__stack_pointer", STACK_POINTER),
        ("__heap_end", HEAP_END),
        ("__heap_base", 2),
        ("__call_site", CALL_SITE),
        ("__operations_left", OPERATIONS),
    ] {
        exports.export(name, ExportKind::Global, number);
    }
    for (function, number) in unit.module.functions.iter().zip(&unit.functions) {
        if let Some(number) = number.filter(|_| function.visible && !function.external) {
            exports.export(&function.name, ExportKind::Func, number);
        }
    }
    let mut elements = ElementSection::new();
    let in_table = layout.table.iter().filter_map(|id| unit.functions[id.index()]);
    let in_table: Vec<u32> = in_table.collect();
    elements.active(None, &ConstExpr::i32_const(1), Elements::Functions(in_table.as_slice().into()));
    let mut data = DataSection::new();
    if !layout.image.is_empty() {
        data.active(0, &ConstExpr::i32_const(DATA as i32), layout.image.iter().copied());
    }
    let mut out = wasm_encoder::Module::new();
    out.section(shared.types.section()).section(imports).section(declared).section(&tables);
    out.section(&memories)
        .section(&globals)
        .section(&exports)
        .section(&elements)
        .section(code)
        .section(&data);
    out.finish()
}
