//! What a run is compared with: the same kernel of another text, or with other parameters.
//!
//! Enters: what is to run. Leaves: what it gave, kept so that it need not run again for each change. This module must never
//! know how anything is shown.

use crate::compile::Source;
use crate::trial::Trial;
use checker::Case;
use checker::bench::{After, Ran};
use counters::Counters;
use exercise::live::Live;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A text with all that it is to run on.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) source: Source,
    pub(crate) live: Live,
    pub(crate) case: Case,
    /// Contents of all buffers before it.
    pub(crate) contents: Vec<Vec<u8>>,
}

impl Asked {
    /// Whether another one would run in the same way.
    fn is(&self, other: &Asked) -> bool {
        let text = |live| serde_json::to_string(live).ok();
        self.source == other.source
            && self.case.sizes == other.case.sizes
            && self.contents == other.contents
            && text(&self.live) == text(&other.live)
    }

    fn of(trial: &Trial) -> Self {
        let Trial { compiled, live, case, contents, .. } = trial;
        Asked {
            source: compiled.source.clone(),
            live: live.clone(),
            case: case.clone(),
            contents: contents.clone(),
        }
    }
}

/// What a text gave.
#[derive(Debug)]
pub(crate) struct Baseline {
    asked: Asked,
    pub(crate) buffers: Vec<After>,
    pub(crate) counters: Counters,
    pub(crate) modelled_ns: f64,
    /// The counts of each line.
    pub(crate) lines: BTreeMap<u32, Counters>,
}

/// Those of the last run.
#[derive(Debug, Default)]
pub(crate) struct Baselines(Vec<Rc<Baseline>>);

impl Baselines {
    /// What each of these gives, beside a trial that has ended; nothing of one that does not end. All others are forgotten.
    pub(crate) fn put<const N: usize>(
        &mut self,
        all: [Option<Asked>; N],
        (trial, ran): (&Trial, &Ran),
    ) -> [Option<Rc<Baseline>>; N] {
        let before = std::mem::take(&mut self.0);
        all.map(|asked| {
            let asked = asked?;
            let known = self.0.iter().chain(&before).find(|known| known.asked.is(&asked)).map(Rc::clone);
            let found = match known {
                Some(known) => known,
                None => Rc::new(Baseline::new(asked, trial, ran)?),
            };
            self.0.push(Rc::clone(&found));
            Some(found)
        })
    }
}

impl Baseline {
    fn new(asked: Asked, trial: &Trial, ran: &Ran) -> Option<Self> {
        if asked.is(&Asked::of(trial)) {
            return Some(Self::of(asked, trial, ran));
        }
        let compiled = asked.source.compile().ok()?;
        let Asked { live, case, contents, .. } = asked.clone();
        let other = Trial { compiled, live, case, contents, buffers: vec![], budget: trial.budget };
        let (ran, _) = other.profiled().ok()?;
        Some(Self::of(asked, &other, &ran))
    }

    fn of(asked: Asked, trial: &Trial, ran: &Ran) -> Self {
        Baseline {
            asked,
            buffers: ran.buffers.clone(),
            counters: ran.counters,
            modelled_ns: modelled_ns(ran),
            lines: trial.lines(ran),
        }
    }

    /// Its text.
    pub(crate) fn text(&self) -> &str {
        &self.asked.source.text
    }
}

/// How long the launches would take, as the labs' model has it.
pub(crate) fn modelled_ns(ran: &Ran) -> f64 {
    ran.outcomes.iter().map(|(outcome, _)| outcome.modelled_ns).sum()
}
