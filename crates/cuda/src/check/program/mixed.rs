//! Variables of the device that code of the host reads or writes as if they were its own.
//!
//! Enters: checked functions. Leaves: warnings. nvcc warns of them too, as what the host then has is a variable of its own. This module
//! must never know what such code is for.

use std::rc::Rc;

use crate::check::Checker;
use crate::diagnostic::Diagnostic;
use crate::hir::{FunctionId, PlaceKind, VariableId};
use crate::source::Span;
use crate::walk::{Node, Use, Walk};

impl Checker<'_> {
    /// Warns where functions of the host alone access variables of the device.
    pub(crate) fn check_variables_of_device(&mut self) {
        let mut all: Vec<(VariableId, Use, Span)> = vec![];
        for at in 0..self.program.functions().len() {
            let id = FunctionId(at as u32);
            let decl = self.instances[id].decl;
            let function = &self.program[id];
            if !self.declarations[decl].ast.specifiers.is_host_alone() || self.messages.ours(function.span) {
                continue;
            }
            let mut see = |node: Node<'_>| {
                if let Node::Place(place, used @ (Use::Read | Use::Write)) = node
                    && let PlaceKind::Variable(id) = place.kind
                {
                    all.push((id, used, place.span));
                }
            };
            Walk { see: &mut see }.stmts(&function.body);
        }
        for (id, used, span) in all {
            let variable = &self.program[id];
            // What is constant and known is the same on both sides.
            let of_device = variable.visible && !variable.managed && !self.is_all_constant(variable.ty);
            if of_device && !self.messages.ours(span) {
                let name = Rc::clone(&variable.name);
                self.warn_of_own(&name, used, span);
            }
        }
    }

    fn warn_of_own(&mut self, name: &str, used: Use, span: Span) {
        let (does, missed, instead) = match used {
            Use::Write => {
                ("writes to", "reads", format!("cudaMemcpyToSymbol({name}, &value, sizeof(value))"))
            }
            _ => ("reads", "writes", format!("cudaMemcpyFromSymbol(&value, {name}, sizeof(value))")),
        };
        let text = format!(
            "the host {does} its own `{name}` here, which no kernel {missed}: the variable is the device's"
        );
        let warning = Diagnostic::warning("device-variable", span, text);
        self.messages.report(warning.help(format!("copy it: `{instead};`")));
    }
}
