//! Management of passes: none runs where it would find nothing.
//!
//! Enters: a function. Leaves: it changed by the passes that were asked for, except by those that found nothing before and
//! that nothing has changed for since. Which pass follows which is not said here.

use super::{Context, cfg, compact, dce, dse, forward, gvn, hoist, loops, simplify, spaces, sroa};
use crate::ir::Function;
use crate::ir::cfg::Cfg;

/// Pass that is known to find nothing in what it left, or will say so when it is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Simplify,
    Cfg,
    Gvn,
    Hoist,
    Dce,
    Spaces,
    Sroa,
    Forward,
    Dse,
    Rotate,
    Licm,
    Delete,
}

/// Function with what is known of the passes over it.
pub(super) struct Manager<'a> {
    pub(super) function: &'a mut Function,
    pub(super) context: &'a Context<'a>,
    /// Passes that find nothing in the function as it is, a bit each.
    settled: u16,
    /// The function when it was simple last, if its numbers are still the same.
    simple: Option<simplify::Simple>,
    /// The graph, if it is still the same.
    graph: Option<Cfg>,
}

impl<'a> Manager<'a> {
    /// A function of which nothing is known.
    pub(super) fn new(function: &'a mut Function, context: &'a Context<'a>) -> Self {
        Manager { function, context, settled: 0, simple: None, graph: None }
    }

    /// Runs a pass, unless it is known to find nothing; whether anything changed.
    pub(super) fn run(&mut self, pass: Pass) -> bool {
        if self.settled & bit(pass) != 0 {
            return false;
        }
        let (function, context) = (&mut *self.function, self.context);
        debug_assert!(
            self.graph.as_ref().is_none_or(|graph| *graph == Cfg::new(function)),
            "before {pass:?}"
        );
        let graph = self.graph.get_or_insert_with(|| Cfg::new(function));
        let changed = match pass {
            Pass::Simplify => simplify::run_since(function, context, graph, &mut self.simple),
            Pass::Cfg => cfg::run_within(function, &mut self.graph),
            Pass::Gvn => gvn::run_within(function, graph),
            Pass::Hoist => hoist::run_within(function, context, graph),
            Pass::Dce => dce::sweep(function, graph).0,
            Pass::Spaces => spaces::run_within(function, graph),
            Pass::Sroa => sroa::run_within(function, context, graph),
            Pass::Dse => dse::run_within(function, context, graph),
            Pass::Forward => forward::run(function, context),
            Pass::Rotate => loops::rotate::run(function),
            Pass::Licm => loops::licm::run(function, context),
            Pass::Delete => loops::delete::run(function),
        };
        // These bring loops into form, or split edges.
        if matches!(pass, Pass::Forward | Pass::Rotate | Pass::Licm | Pass::Delete) {
            self.graph = None;
        }
        // These go on until they find nothing, or see all that a value is made of before it; simplification leaves nothing that is
        // dead.
        let settles = match pass {
            Pass::Simplify => bit(Pass::Simplify) | bit(Pass::Dce),
            Pass::Cfg | Pass::Gvn => bit(pass),
            _ => 0,
        };
        if changed {
            self.settled = settles;
        } else {
            self.settled |= settles | bit(pass);
        }
        changed
    }

    /// Runs another pass, of which is known only whether it changed anything.
    pub(super) fn run_once(&mut self, pass: impl FnOnce(&mut Function) -> bool) -> bool {
        let changed = pass(self.function);
        self.graph = None;
        if changed {
            self.settled = 0;
        }
        changed
    }

    /// Removes what is dead from the function's arenas, which changes nothing.
    pub(super) fn compact(&mut self) {
        compact::run(self.function);
        (self.simple, self.graph) = (None, None);
    }

    /// The same where less than half of the arenas is alive.
    pub(super) fn compact_if_sparse(&mut self) {
        let live = self.function.size();
        if self.function.insts.len() > 2 * live {
            self.compact();
        }
    }

    /// What makes a function simpler wherever it is in the order.
    pub(super) fn clean(&mut self) -> bool {
        let mut changed = self.run(Pass::Simplify);
        changed |= self.run(Pass::Cfg);
        if self.run(Pass::Hoist) | self.run(Pass::Gvn) {
            changed |= self.run(Pass::Simplify);
            changed |= self.run(Pass::Cfg);
        }
        changed
    }
}

fn bit(pass: Pass) -> u16 {
    1 << pass as u16
}
