//! Output: the program as far as it is made.
//!
//! Enters: types, records, functions and variables, as the checker makes them. Leaves: [`Program`]. This module must never know
//! what they are made from.

use std::rc::Rc;

use crate::check::context::index::by_number;
use crate::check::types::basic::Basic;
use crate::hash::{Map, Set};
use crate::hir::{
    Enum, EnumId, Function, FunctionId, Program, Record, RecordId, Type, TypeKind, Variable, VariableId,
};
use crate::side::{HOST, Side};
use crate::sorted::Sorted;
use crate::source::Span;

/// Variable in which the library keeps what was thrown.
pub(crate) const THROWN: &str = "__library_thrown";
/// Ends the program, since nothing catches what was thrown.
pub(crate) const UNCAUGHT: &str = "__library_uncaught";

/// Program so far, with what keeps each thing of it single.
pub(crate) struct Output {
    side: Side,
    program: Program,
    basic: Basic,
    strings: Map<Rc<[u8]>, VariableId>,
    kernels: Vec<FunctionId>,
    /// Functions that other units may call.
    exported: Set<FunctionId>,
    /// Variables of the device that are declared and not defined.
    elsewhere: Vec<VariableId>,
    /// Variables that are declared `extern` and of which this unit has its own, until that is reported.
    alone: Vec<VariableId>,
    /// Variables whose contents are constants.
    constant_variables: Set<VariableId>,
    /// Variables of which each thread of the host has its own.
    thread_locals: Sorted<VariableId, ThreadLocal>,
    /// Functions that start some of them, and the function that calls these once in each thread.
    thread_starts: (Vec<(FunctionId, Span)>, Option<FunctionId>),
    /// Variables in the device's memory.
    device_variables: Set<VariableId>,
    /// `extern __shared__` variables.
    external: Map<(Rc<str>, Type), VariableId>,
    /// Symbols given out.
    symbols: Set<String>,
    /// Number for names that no one writes.
    unique: u32,
}

/// What the copies of a variable begin as of which each thread has its own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ThreadLocal {
    /// Function to be called before its use.
    pub(crate) start: Option<FunctionId>,
    /// Variable with their first bytes; zeros where there is none.
    pub(crate) initial: Option<VariableId>,
}

impl Output {
    pub(crate) fn new(side: Side) -> Self {
        let mut program = Program::default();
        let basic = Basic::new(&mut program.types);
        Self {
            side,
            program,
            basic,
            strings: Map::default(),
            kernels: vec![],
            exported: Default::default(),
            elsewhere: vec![],
            alone: vec![],
            constant_variables: Default::default(),
            thread_locals: Sorted::default(),
            thread_starts: (vec![], None),
            device_variables: Default::default(),
            external: Map::default(),
            symbols: Default::default(),
            unique: 0,
        }
    }
    /// Side that is compiled.
    pub(crate) fn side(&self) -> Side {
        self.side
    }

    pub(crate) fn basic(&self) -> Basic {
        self.basic
    }

    /// Kind of a type.
    pub(crate) fn kind_of(&self, ty: Type) -> &TypeKind {
        self.program.types.kind(ty)
    }

    /// The unqualified type of a kind.
    pub(crate) fn type_of(&mut self, kind: TypeKind) -> Type {
        self.program.types.of(kind)
    }

    /// Bytes and alignment of a complete type.
    pub(crate) fn layout(&self, ty: Type) -> (u64, u32) {
        self.program.layout(ty)
    }

    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// The program, once all is in it.
    pub(crate) fn finish(self) -> Program {
        self.program
    }

    pub(crate) fn functions(&self) -> &[Function] {
        &self.program.functions
    }

    pub(crate) fn next_function(&self) -> FunctionId {
        FunctionId(self.program.functions.len() as u32)
    }

    pub(crate) fn add_function(&mut self, function: Function) {
        self.program.functions.push(function);
    }

    pub(crate) fn variables(&self) -> &[Variable] {
        &self.program.variables
    }

    pub(crate) fn next_variable(&self) -> VariableId {
        VariableId(self.program.variables.len() as u32)
    }

    pub(crate) fn add_variable(&mut self, variable: Variable) {
        self.program.variables.push(variable);
    }

    /// Functions and variables of the end: what is left out goes, and what is kept changes its number.
    pub(crate) fn keep(&mut self, kept: impl FnMut(&mut Function) -> bool, variables: Vec<Variable>) {
        self.program.functions.retain_mut(kept);
        self.program.variables = variables;
    }

    pub(crate) fn enums(&self) -> &[Enum] {
        &self.program.enums
    }

    pub(crate) fn next_enum(&self) -> EnumId {
        EnumId(self.program.enums.len() as u32)
    }

    pub(crate) fn add_enum(&mut self, one: Enum) {
        self.program.enums.push(one);
    }

    pub(crate) fn next_record(&self) -> RecordId {
        RecordId(self.program.records.len() as u32)
    }

    pub(crate) fn add_record(&mut self, record: Record) {
        self.program.records.push(record);
    }

    /// The symbol of a kernel that is `extern "C"`, with the one that would say the types of its parameters.
    pub(crate) fn note_typed(&mut self, symbol: String, mangled: String) {
        self.program.typed.push((symbol, mangled));
    }

    /// An instance of a kernel that a line asks for.
    pub(crate) fn note_asked(&mut self, line: u32, symbol: String) {
        self.program.asked.push((line, symbol));
    }

    pub(crate) fn is_asked(&self, line: u32) -> bool {
        self.program.asked.iter().any(|(made, _)| *made == line)
    }

    pub(crate) fn set_host_functions(&mut self, names: Vec<String>) {
        self.program.host = names;
    }

    /// Stubs whose functions are kept, by their new numbers.
    pub(crate) fn renumber_stubs(&mut self, numbers: &Sorted<u32, u32>) {
        let kept = std::mem::take(&mut self.program.stubs).into_iter();
        let kept = kept.filter_map(|(id, symbol)| Some((FunctionId(*numbers.get(&id.0)?), symbol)));
        self.program.stubs = kept.collect();
    }

    /// Whether each thread has its own of a variable, and what these begin as.
    pub(crate) fn thread_local(&self, id: VariableId) -> Option<ThreadLocal> {
        self.thread_locals.get(&id).copied()
    }

    pub(crate) fn note_thread_local(&mut self, id: VariableId, one: ThreadLocal) {
        self.thread_locals.insert(id, one);
    }

    pub(crate) fn thread_starts(&mut self) -> &mut (Vec<(FunctionId, Span)>, Option<FunctionId>) {
        &mut self.thread_starts
    }

    /// Finds the variable in which the library keeps what was thrown, and the function that ends a program which catches nothing.
    pub(crate) fn find_thrown(&mut self) {
        if !HOST {
            return;
        }
        let uncaught = self.program.functions.iter().position(|one| one.symbol == UNCAUGHT);
        self.program.uncaught = uncaught.map(|at| FunctionId(at as u32));
        let thrown = self.program.variables.iter().position(|one| &*one.name == THROWN);
        self.program.thrown = thrown.map(|at| VariableId(at as u32));
    }

    /// The function that launches a kernel, by the kernel's symbol.
    pub(crate) fn note_stub(&mut self, id: FunctionId, symbol: String) {
        self.program.stubs.push((id, symbol));
    }

    pub(crate) fn is_constant_variable(&self, id: &VariableId) -> bool {
        self.constant_variables.contains(id)
    }

    pub(crate) fn note_constant_variable(&mut self, id: VariableId) {
        self.constant_variables.insert(id);
    }

    pub(crate) fn is_device_variable(&self, id: &VariableId) -> bool {
        self.device_variables.contains(id)
    }

    pub(crate) fn note_device_variable(&mut self, id: VariableId) {
        self.device_variables.insert(id);
    }

    pub(crate) fn note_alone(&mut self, id: VariableId) {
        self.alone.push(id);
    }

    /// Whether it is still to be reported that a unit has a variable of its own.
    pub(crate) fn take_alone(&mut self, id: VariableId) -> bool {
        let found = self.alone.iter().position(|one| *one == id);
        found.map(|at| self.alone.swap_remove(at)).is_some()
    }

    pub(crate) fn note_elsewhere(&mut self, id: VariableId) {
        self.elsewhere.push(id);
    }

    pub(crate) fn take_elsewhere(&mut self) -> Vec<VariableId> {
        std::mem::take(&mut self.elsewhere)
    }

    /// A function that other units may call.
    pub(crate) fn note_exported(&mut self, id: FunctionId) {
        self.exported.insert(id);
    }

    pub(crate) fn is_exported(&self, id: FunctionId) -> bool {
        self.exported.contains(&id)
    }

    pub(crate) fn set_linked(&mut self, linked: bool) {
        self.program.linked = linked;
    }

    pub(crate) fn is_kernel(&self, id: &FunctionId) -> bool {
        self.kernels.contains(id)
    }

    pub(crate) fn note_kernel(&mut self, id: FunctionId) {
        self.kernels.push(id);
    }

    pub(crate) fn forget_kernel(&mut self, id: FunctionId) {
        self.kernels.retain(|one| *one != id);
    }

    /// A string literal's variable, if there is one with these bytes.
    pub(crate) fn string(&self, text: &[u8]) -> Option<VariableId> {
        self.strings.get(text).copied()
    }

    /// Whether a variable holds a string literal.
    pub(crate) fn is_string(&self, id: VariableId) -> bool {
        self.strings.values().any(|string| *string == id)
    }

    /// How many string literals there are.
    pub(crate) fn strings(&self) -> usize {
        self.strings.len()
    }

    pub(crate) fn note_string(&mut self, text: Rc<[u8]>, id: VariableId) {
        self.strings.insert(text, id);
    }

    /// The `extern __shared__` variable of a name and type.
    pub(crate) fn external(&self, place: &(Rc<str>, Type)) -> Option<VariableId> {
        self.external.get(place).copied()
    }

    /// An `extern __shared__` variable of a name, with its type.
    pub(crate) fn external_named(&self, name: &str) -> Option<(Type, VariableId)> {
        self.external.iter().find(|((other, _), _)| **other == *name).map(|((_, ty), id)| (*ty, *id))
    }

    pub(crate) fn note_external(&mut self, place: (Rc<str>, Type), id: VariableId) {
        self.external.insert(place, id);
    }

    /// A number for a name that the source does not have.
    pub(crate) fn number(&mut self) -> u32 {
        self.unique += 1;
        self.unique
    }

    /// A symbol that no other function has.
    pub(crate) fn unique_symbol(&mut self, text: String) -> String {
        if self.symbols.insert(text.clone()) {
            return text;
        }
        let other = format!("{text}${}", self.number());
        self.symbols.insert(other.clone());
        other
    }
}

by_number!(Output, program.records, RecordId, Record);
by_number!(Output, program.enums, EnumId, Enum);
by_number!(Output, program.functions, FunctionId, Function);
by_number!(Output, program.variables, VariableId, Variable);
