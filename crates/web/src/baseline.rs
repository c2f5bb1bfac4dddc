//! What a run is compared with: the same kernel of another text, or with other parameters.
//!
//! Enters: what is to run. Leaves: what it gave, kept so that it need not run again for each change. This module must never
//! know how anything is shown.

use crate::compile::SourceText;
use crate::execution::Execution;
use checker::Case;
use checker::bench::{Ran, Readback};
use counters::Counters;
use exercise::live::Live;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A text with all that it is to run on.
#[derive(Clone, Debug)]
pub(crate) struct RunRequest {
    pub(crate) source: SourceText,
    pub(crate) live: Live,
    pub(crate) case: Case,
    /// Contents of all buffers before it.
    pub(crate) contents: Vec<Vec<u8>>,
}

impl RunRequest {
    /// Whether another one would run in the same way.
    fn is(&self, other: &RunRequest) -> bool {
        self.is_with(&other.source, &other.live, &other.case, &other.contents)
    }

    /// Whether a trial runs it.
    fn is_of(&self, trial: &Execution) -> bool {
        let Execution { compiled, live, case, contents, .. } = trial;
        self.is_with(&compiled.source, live, case, contents)
    }

    fn is_with(&self, source: &SourceText, live: &Live, case: &Case, contents: &[Vec<u8>]) -> bool {
        let text = |live| serde_json::to_string(live).ok();
        self.source == *source
            && self.case.sizes == case.sizes
            && self.contents == contents
            && text(&self.live) == text(live)
    }
}

/// What a text gave.
#[derive(Debug)]
pub(crate) struct Baseline {
    asked: RunRequest,
    pub(crate) buffers: Rc<Vec<Readback>>,
    pub(crate) counters: Counters,
    pub(crate) modelled_ns: f64,
    /// The counts of each line.
    pub(crate) lines: BTreeMap<u32, Counters>,
}

/// Those of the last run.
#[derive(Debug, Default)]
pub(crate) struct Baselines(Vec<Rc<Baseline>>);

impl Baselines {
    /// What each of these gives, next to a trial that has ended; nothing of one that does not end. All others are forgotten.
    pub(crate) fn put<const N: usize>(
        &mut self,
        all: [Option<RunRequest>; N],
        (trial, ran, buffers): (&Execution, &Ran, &Rc<Vec<Readback>>),
    ) -> [Option<Rc<Baseline>>; N] {
        let before = std::mem::take(&mut self.0);
        all.map(|asked| {
            let asked = asked?;
            let known = self.0.iter().chain(&before).find(|known| known.asked.is(&asked)).map(Rc::clone);
            let found = match known {
                Some(known) => known,
                None if asked.is_of(trial) => Rc::new(Baseline::of(asked, trial, ran, Rc::clone(buffers))),
                None => Rc::new(Baseline::new(asked, trial.budget)?),
            };
            self.0.push(Rc::clone(&found));
            Some(found)
        })
    }
}

impl Baseline {
    /// Of what no trial has run yet.
    fn new(asked: RunRequest, budget: u64) -> Option<Self> {
        let compiled = asked.source.compile().ok()?;
        let RunRequest { source, live, case, contents } = asked;
        let mut other = Execution { compiled, live, case, contents, buffers: Rc::default(), budget };
        let mut ran = other.profiled(None).ok()?.ran;
        let (buffers, contents) =
            (Rc::new(std::mem::take(&mut ran.buffers)), std::mem::take(&mut other.contents));
        let asked = RunRequest { source, live: other.live.clone(), case: other.case.clone(), contents };
        Some(Self::of(asked, &other, &ran, buffers))
    }

    fn of(asked: RunRequest, trial: &Execution, ran: &Ran, buffers: Rc<Vec<Readback>>) -> Self {
        Baseline {
            asked,
            buffers,
            counters: ran.counters,
            modelled_ns: ran.modelled_ns(),
            lines: trial.lines(ran),
        }
    }

    /// Its text.
    pub(crate) fn text(&self) -> &str {
        &self.asked.source.text
    }
}
