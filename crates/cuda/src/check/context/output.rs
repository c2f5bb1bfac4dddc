//! Output: the program as far as it is made.
//!
//! Enters: types, records, functions and variables, as the checker makes them. Leaves: [`Program`]. This module must never know
//! what they are made from.

use std::rc::Rc;

use crate::check::types::kind::Basic;
use crate::hash::{Map, Set};
use crate::hir::{FunctionId, Program, Type, VariableId};

/// Program so far, with what keeps each thing of it single.
pub(crate) struct Output {
    pub(crate) program: Program,
    pub(crate) basic: Basic,
    pub(crate) strings: Map<Rc<[u8]>, VariableId>,
    pub(crate) kernels: Vec<FunctionId>,
    /// Variables of the device that are declared and not defined.
    pub(crate) elsewhere: Vec<VariableId>,
    /// Variables whose contents are constants.
    pub(crate) constant_variables: Set<VariableId>,
    /// Variables in the device's memory.
    pub(crate) device_variables: Set<VariableId>,
    /// `extern __shared__` variables.
    pub(crate) external: Map<(Rc<str>, Type), VariableId>,
    /// Symbols given out.
    pub(crate) symbols: Set<String>,
    /// Number for names that no one writes.
    pub(crate) unique: u32,
}

impl Output {
    pub(crate) fn new() -> Self {
        let mut program = Program::default();
        let basic = Basic::new(&mut program.types);
        Self {
            program,
            basic,
            strings: Map::default(),
            kernels: vec![],
            elsewhere: vec![],
            constant_variables: Default::default(),
            device_variables: Default::default(),
            external: Map::default(),
            symbols: Default::default(),
            unique: 0,
        }
    }
}
