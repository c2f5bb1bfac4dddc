//! The programs that this binary is.
//!
//! Enters: nothing. Leaves: each with its name, what it is about, and its start.

use labs::Lab;
use program::{Called, Calls};
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::OnceLock;

/// One of them.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    main: Main,
}

enum Main {
    Lab(&'static Lab),
    Other(fn() -> ExitCode),
}

/// Those that are not labs.
const OTHERS: [Program; 6] = [
    other("workbook", "exercises, checked whenever you save", workbook::main),
    other("book", "the book, with your own runs in it", mdbook_labs::main),
    other("cudarun", "whole CUDA programs, `main` too", cudarun::main),
    other("launch", "any kernel, from a job file", job::main),
    other("compile", "CUDA C to PTX", compile::main),
    other("grade", "a course's submissions to points, with reasons", grade::main),
];

const fn other(name: &'static str, about: &'static str, main: fn() -> ExitCode) -> Program {
    Program { name, about, main: Main::Other(main) }
}

/// All of them, the labs first.
pub(crate) fn all() -> &'static [Program] {
    static ALL: OnceLock<Vec<Program>> = OnceLock::new();
    ALL.get_or_init(|| {
        let labs = labs::ALL.iter().map(|lab| Program {
            name: lab.name,
            about: lab.subject(),
            main: Main::Lab(lab),
        });
        labs.chain(OTHERS).collect()
    })
}

impl Program {
    /// Runs it with these arguments.
    pub(crate) fn start(&self, words: Vec<OsString>, calls: Calls) -> ExitCode {
        program::begin(Called { name: self.name, words, calls });
        match self.main {
            // The compiler of edited kernels is a part of this binary.
            Main::Lab(lab) => labs::main_with(lab, compile::own),
            Main::Other(main) => main(),
        }
    }
}
