//! A module that runs in wasmi.

use super::super::site::Fault;
use super::super::{Limits, Output, emit};
use crate::ir::Module;
use wasmi::errors::HostError;
use wasmi::{Caller, Engine, Func, FuncType, Instance, Linker, Store, Val, ValType};

/// What a run ends with.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End {
    /// Bits of the results.
    Returned(Vec<u64>),
    /// A fault, with its address and the span of its place.
    Fault(Fault, u64, (u32, u32)),
    /// A trap of the engine.
    Trap(String),
}

#[derive(Debug)]
struct Told(i32, i64);

impl std::fmt::Display for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "fault {} at {:#x}", self.0, self.1)
    }
}

impl HostError for Told {}

/// What an external function does: with the arguments' bits, and the program to call back.
pub(super) type External = fn(&mut Caller<'_, Vec<String>>, &[u64]) -> Vec<u64>;

/// A program that is loaded.
pub(super) struct Program {
    pub(super) output: Output,
    store: Store<Vec<String>>,
    instance: Instance,
}

pub(super) const LIMITS: Limits = Limits { memory: 4 << 20, stack: 256 << 10 };

impl Program {
    /// Loads a module with its external functions.
    pub(super) fn new(module: &Module, externals: &[(&str, External)]) -> Program {
        Program::within(module, externals, LIMITS)
    }

    pub(super) fn within(module: &Module, externals: &[(&str, External)], limits: Limits) -> Program {
        let output = emit(module, limits, &|_| true).unwrap_or_else(|why| panic!("{why:?}\n{module}"));
        let engine = Engine::default();
        let loaded = wasmi::Module::new(&engine, &output.bytes);
        let loaded = loaded.unwrap_or_else(|why| panic!("not valid: {why}\n{module}"));
        let mut store = Store::new(&engine, vec![]);
        let mut linker = Linker::new(&engine);
        linker
            .func_wrap("fault", "fault", |site: i32, address: i64| -> Result<(), wasmi::Error> {
                Err(wasmi::Error::host(Told(site, address)))
            })
            .unwrap();
        linker.func_wrap("env", "fma", f64::mul_add).unwrap();
        linker.func_wrap("env", "fmaf", f32::mul_add).unwrap();
        for import in loaded.imports().filter(|import| import.module() == "env") {
            let Some((name, does)) = externals.iter().find(|(name, _)| *name == import.name()) else {
                continue;
            };
            let ty: FuncType = import.ty().func().unwrap().clone();
            let (does, kinds) = (*does, ty.results().to_vec());
            let func = Func::new(&mut store, ty, move |mut caller, args, results| {
                let args: Vec<u64> = args.iter().map(bits).collect();
                let given = does(&mut caller, &args);
                for ((result, kind), given) in results.iter_mut().zip(&kinds).zip(given) {
                    *result = value(*kind, given);
                }
                Ok(())
            });
            linker.define("env", name, func).unwrap();
        }
        let instance = linker.instantiate_and_start(&mut store, &loaded).unwrap();
        Program { output, store, instance }
    }

    /// Calls a visible function with bits of arguments.
    pub(super) fn call(&mut self, name: &str, args: &[u64]) -> End {
        let func = self.instance.get_func(&self.store, name).unwrap();
        let ty = func.ty(&self.store);
        let args: Vec<Val> = ty.params().iter().zip(args).map(|(kind, bits)| value(*kind, *bits)).collect();
        let mut results: Vec<Val> = ty.results().iter().map(|kind| value(*kind, 0)).collect();
        match func.call(&mut self.store, &args, &mut results) {
            Ok(()) => End::Returned(results.iter().map(bits).collect()),
            Err(error) => match error.downcast_ref::<Told>() {
                Some(Told(site, address)) => {
                    let site = &self.output.sites[*site as usize];
                    End::Fault(site.fault, *address as u64, (site.place.span.lo, site.place.span.hi))
                }
                None => End::Trap(error.to_string()),
            },
        }
    }

    /// The stack's pointer.
    pub(super) fn stack_pointer(&self) -> u64 {
        let global = self.instance.get_global(&self.store, "__stack_pointer").unwrap();
        bits(&global.get(&self.store))
    }

    /// Operations that are left.
    pub(super) fn left(&self) -> i64 {
        bits(&self.instance.get_global(&self.store, "__operations_left").unwrap().get(&self.store)) as i64
    }

    /// Sets how many operations are left.
    pub(super) fn set_left(&mut self, operations: i64) {
        let global = self.instance.get_global(&self.store, "__operations_left").unwrap();
        global.set(&mut self.store, Val::I64(operations)).unwrap();
    }

    /// What external functions noted.
    pub(super) fn notes(&self) -> &[String] {
        self.store.data()
    }
}

pub(super) fn value(kind: ValType, bits: u64) -> Val {
    match kind {
        ValType::I32 => Val::I32(bits as i32),
        ValType::I64 => Val::I64(bits as i64),
        ValType::F32 => Val::F32(f32::from_bits(bits as u32).into()),
        _ => Val::F64(f64::from_bits(bits).into()),
    }
}

pub(super) fn bits(value: &Val) -> u64 {
    match value {
        Val::I32(value) => u64::from(value.cast_unsigned()),
        Val::I64(value) => value.cast_unsigned(),
        Val::F32(value) => u64::from(value.to_bits()),
        Val::F64(value) => value.to_bits(),
        _ => 0,
    }
}
