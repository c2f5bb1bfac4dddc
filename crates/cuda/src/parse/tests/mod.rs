//! What the parser makes of sources, reported by small ones.

mod corpus;
mod declarations;
mod errors;
mod expressions;
mod random;
mod statements;

use super::{Tree, parse};
use crate::ast::BodyId;
use crate::diagnostic::Diagnostics;
use crate::preprocess::{Environment, preprocess};
use crate::source::Sources;

/// A source through preprocessor and parser, with the bodies of all functions parsed.
pub(super) struct Parsed {
    pub tree: Tree,
    pub sources: Sources,
    pub sink: Diagnostics,
}

pub(super) fn parsed_with(text: &str, loader: &dyn Fn(&str) -> Option<crate::Header>) -> Parsed {
    let mut sources = Sources::default();
    let mut sink = Diagnostics::default();
    assert!(sources.add("x.cu", text.to_owned(), false).is_some());
    let environment = Environment {
        arch: crate::Arch { number: 90, suffix: None },
        side: crate::side::Side::Device,
        fast_math: false,
        defines: &[],
        loader,
        language: crate::Language::Cuda,
        before: &[],
        behind: None,
    };
    let tokens = preprocess(&mut sources, 0, &environment, &mut sink);
    let tree = parse(tokens, &sources, &mut sink);
    Parsed { tree, sources, sink }
}

pub(super) fn parsed(text: &str) -> Parsed {
    parsed_with(text, &|_| None)
}

impl Parsed {
    /// Parses what was put off, too.
    pub(super) fn all_bodies(&mut self) {
        let count = self.tree.parser.borrow().bodies.len();
        for id in 0..count {
            self.tree.body(BodyId(id as u32), &mut self.sink);
        }
    }

    /// Errors as `line:column: message`.
    pub(super) fn errors(&self) -> Vec<String> {
        self.sink.list.iter().map(|one| self.line(one)).collect()
    }

    pub(super) fn line(&self, one: &crate::diagnostic::Diagnostic) -> String {
        match self.sources.position(one.span.lo) {
            Some(at) if at.index == 0 => format!("{}:{}: {}", at.line, at.column(), one.message),
            Some(at) => format!("{}:{}:{}: {}", at.file.name, at.line, at.column(), one.message),
            None => one.message.clone(),
        }
    }
}

/// A source that has no errors, printed.
pub(super) fn unit(text: &str) -> String {
    let mut parsed = parsed(text);
    parsed.all_bodies();
    assert_eq!(parsed.errors(), Vec::<String>::new(), "{text}");
    super::print::unit(&parsed.tree, &parsed.sources)
}

/// Statements, in a kernel, printed.
pub(super) fn in_kernel(text: &str) -> String {
    in_kernel_with("", text)
}

/// Statements, in a kernel after some declarations, printed.
pub(super) fn in_kernel_with(before: &str, text: &str) -> String {
    let all = unit(&format!("{before} __global__ void kernel_of_test() {{ {text} }}"));
    let marker = "(function kernel_of_test __global__ (fn void) (block ";
    let start = all.find(marker).unwrap() + marker.len();
    all[start..all.len() - 2].to_owned()
}
