//! The common part of a run of small sizes or few points and a whole one, from which alone conclusions are drawn.
//!
//! Enters: a lab and a record. Leaves: the record, without experiments that a whole run makes with other launches or at other
//! points: what small sizes show need not hold at large ones. This module must never know what is said of them.

use crate::lab::{HOST_SPEED, Host, Lab};
use crate::plan::{self, Experiment};
use crate::request::Request;
use anyhow::Result;
use record::{Device, Record, TimeSource};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The record with those experiments alone that are a whole run's too; all of a whole run's, or of a larger one.
pub(crate) fn in_common<'r>(lab: &Lab, record: &'r Record) -> Cow<'r, Record> {
    // A record that cannot be planned again, such as one of another program, has nothing in common.
    let whole = same(lab, record).unwrap_or_else(|_| Some(vec![]));
    let Some(whole) = whole else { return Cow::Borrowed(record) };
    let mut record = record.clone();
    for experiment in record.experiments.iter_mut().filter(|one| !whole.contains(&one.id.as_str())) {
        experiment.series.iter_mut().for_each(|series| series.points.clear());
    }
    let of_the_run = record.facts.remove_entry(HOST_SPEED);
    record.facts = (lab.facts)(&record);
    record.facts.extend(of_the_run);
    Cow::Owned(record)
}

/// Ids of the experiments that a whole run makes alike; nothing for a run that is whole itself.
fn same(lab: &Lab, record: &Record) -> Result<Option<Vec<&'static str>>> {
    let (Device::Gpu { multiprocessors, .. } | Device::Simt { multiprocessors, .. }) = record.device;
    let host = Host { multiprocessors, measured: record.device.source() == TimeSource::Measured };
    let request = Request::from_parameters(lab.sizes, &record.parameters, None)?;
    let scope = lab.scope(false, false, host.measured);
    let whole = Request::new(lab.sizes, &BTreeMap::new(), request.seed, scope, host.measured)?;
    let large = lab.sizes.iter().all(|size| request.size(size.name) >= whole.size(size.name));
    if !request.is_quick() && large {
        return Ok(None);
    }
    alike(lab, &request, host, &[request.whole(lab.sizes, false), request.whole(lab.sizes, true)]).map(Some)
}

/// Ids of a request's experiments that all of these make alike. A plan of a GPU's sizes has gigabytes of input: with all points,
/// and whatever the size, an experiment is the same as with any.
fn alike(lab: &Lab, request: &Request, host: Host, others: &[Request]) -> Result<Vec<&'static str>> {
    let here = lab.planned(request, host)?;
    let mut ids: Vec<&str> = here.experiments.iter().map(|one| one.id).collect();
    for other in others {
        let there = lab.planned(other, host)?;
        ids.retain(|id| {
            let of = |plan: &plan::Plan| plan.experiments.iter().position(|one| one.id == *id);
            let both = of(&here).zip(of(&there));
            both.is_some_and(|(at, to)| is_same(&here.experiments[at], &there.experiments[to]))
        });
    }
    Ok(ids)
}

/// Whether an experiment has the series of another, each from the same point to the same, and every point's work.
fn is_same(one: &Experiment, whole: &Experiment) -> bool {
    let ends = |series: &plan::Series| [series.points.first(), series.points.last()].map(|p| p.map(|p| p.x));
    one.series.len() == whole.series.len()
        && one.series.iter().zip(&whole.series).all(|(a, b)| {
            let same = |point: &plan::Point| {
                b.points.iter().any(|there| there.x == point.x && there.work == point.work)
            };
            a.id == b.id && ends(a) == ends(b) && a.points.iter().all(same)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ALL;
    use crate::request::Scope;

    #[test]
    fn what_does_not_change_with_twice_the_size_is_the_same_at_the_full_size() -> Result<()> {
        let host = Host { multiprocessors: 132, measured: false };
        let mut all = 0;
        for lab in ALL {
            let request = |scope| Request::new(lab.sizes, &BTreeMap::new(), 5, scope, false);
            let quick = request(Scope::Quick)?;
            let doubled = [quick.whole(lab.sizes, false), quick.whole(lab.sizes, true)];
            let found = alike(lab, &quick, host, &doubled)?;
            all += found.len();
            assert_eq!(found, alike(lab, &quick, host, &[request(Scope::Full)?])?, "{}", lab.name);
        }
        assert!(all > 0, "nothing is alike");
        Ok(())
    }
}
