//! Templates that instantiate templates: how far they may go.
//!
//! Enters: arguments for a template. Leaves: whether it is instantiated with them. Instances may be too many, too deep in one
//! another, or of types that grow: one that names another twice is twice as long, and forty such steps are for ever.

use crate::check::names::entity::{Argument, ScopeKind};
use crate::check::{Checker, DEPTH, INSTANCES};
use crate::hir::{RecordId, Type, TypeKind};
use crate::source::Span;

/// Words that the arguments of an instance may have when they are written out.
const WORDS: u32 = 2_000;

impl Checker<'_> {
    /// Whether there may be an instance with these arguments; if not, that is reported.
    pub(crate) fn may_grow(&mut self, arguments: &[Argument], span: Span) -> bool {
        let mut left = WORDS;
        let grown = self.instances.count_grown(!arguments.is_empty());
        let (message, help) = if self.instances.depth() >= DEPTH {
            (
                format!("recursive template instantiation exceeded maximum depth of {DEPTH}"),
                "end the recursion with a specialisation, or with `if constexpr`",
            )
        } else if !self.words_of_all(arguments, &mut left) {
            let message =
                "recursive template instantiation does not seem to end: the types keep growing".to_owned();
            (message, "end the recursion with a specialisation or an overload")
        } else if grown > INSTANCES {
            let message = format!("this source instantiates templates more than {INSTANCES} times");
            (message, "pass as function arguments what need not be known at compile time")
        } else {
            return true;
        };
        self.messages.error_help("template", span, message, help);
        false
    }

    /// Takes the words of arguments off those that are left; whether there were as many.
    fn words_of_all(&self, arguments: &[Argument], left: &mut u32) -> bool {
        arguments.iter().all(|argument| match argument {
            Argument::Type(ty) => self.words(*ty, left),
            Argument::Value(..) | Argument::Functions(..) | Argument::Template(_) => take(left),
            Argument::Pack(all) => self.words_of_all(all, left),
        })
    }

    fn words(&self, ty: Type, left: &mut u32) -> bool {
        take(left)
            && match self.program.kind(ty) {
                TypeKind::Pointer(to) | TypeKind::Reference { to, .. } => self.words(to, left),
                TypeKind::Array(of, _) | TypeKind::UnknownArray(of) => self.words(of, left),
                TypeKind::Function(result, params) => {
                    self.words(result, left) && params.iter().all(|one| self.words(*one, left))
                }
                TypeKind::Member { of, .. } => self.words(of, left),
                TypeKind::Record(record) => self.words_of_record(record, left),
                _ => true,
            }
    }

    /// Those of a class's arguments, and of the arguments of the classes that it lies in.
    fn words_of_record(&self, record: RecordId, left: &mut u32) -> bool {
        let info = &self.classes[record];
        let own = info.template.as_ref().is_none_or(|(_, arguments)| self.words_of_all(arguments, left));
        let mut around = self.scopes[info.scope].parent;
        while let Some(scope) = around {
            let one = &self.scopes[scope];
            if let ScopeKind::Class(outer) = one.kind {
                return own && take(left) && self.words_of_record(outer, left);
            }
            around = one.parent;
        }
        own
    }
}

fn take(left: &mut u32) -> bool {
    *left = left.saturating_sub(1);
    *left > 0
}
