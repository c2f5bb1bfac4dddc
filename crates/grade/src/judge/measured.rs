//! Plausibility of times that a GPU measured, which cannot be recomputed.
//!
//! Enters: a record of a GPU, and the re-run of its launches. Leaves: the number of points with plausible times, and
//! the rule that each of the others breaks. Each rule's numbers are in `[plausible]` of the rules.

use super::{Case, Finding, Outcome, beside, tallied};
use crate::compare::{Pair, Tally, close, most_common_ratio, pairs};
use crate::confined::rerun::Answer;
use crate::rules::Plausible;
use labs::Relation;
use record::{Point, Timing};

pub(super) fn times(case: &Case<'_>, ours: &Answer) -> Finding {
    let plausible = &case.rules.plausible;
    let mut tally = Tally::default();
    let (mut timed, mut still) = (0usize, 0usize);
    let mut ratios = Vec::new();
    // The re-run's points come first, so that each meets its relation.
    let relations = ours.relations.iter().copied().map(Some).chain(std::iter::repeat(None));
    for (Pair { place, theirs, ours }, relation) in
        pairs(case.record, &ours.record).into_iter().zip(relations)
    {
        let (Some(theirs), Some(ours), Some(relation)) = (theirs, ours, relation) else { continue };
        if let Some(time) = &theirs.time {
            timed += 1;
            still += usize::from(time.min_ns == time.max_ns);
            ratios.extend(ours.time.as_ref().map(|model| time.median_ns / model.median_ns));
        }
        let wrong = impossible(plausible, theirs, ours, relation, case.rules.tolerance.computed);
        tally.add(wrong.map(|wrong| format!("{}: {wrong}", place.code())));
    }
    let spoiled = |why: String| Finding { outcome: Outcome::Part(0, tally.of), why };
    if timed > 1 && still as f64 > plausible.most_without_spread * timed as f64 {
        return spoiled(format!("{still} of {timed} points repeat to the nanosecond, which no GPU does"));
    }
    if let Some((ratio, alike)) = most_common_ratio(&ratios)
        && alike >= plausible.least_alike
        && alike as f64 > plausible.most_of_one_ratio * ratios.len() as f64
    {
        return spoiled(format!("{alike} of {} times are the model's times {ratio:.4}", ratios.len()));
    }
    if tally.of == 0 {
        return beside("nothing was timed");
    }
    tallied(&tally, "points have times that a GPU can have")
}

/// The first rule that a point breaks.
fn impossible(
    plausible: &Plausible,
    theirs: &Point,
    ours: &Point,
    relation: Relation,
    tolerance: f64,
) -> Option<String> {
    let values = [theirs.y_min, theirs.y, theirs.y_max];
    let Some(time) = &theirs.time else {
        return match relation {
            Relation::Answered if values != [theirs.y; 3] || theirs.y <= 0.0 => {
                Some("a device gives a single answer".to_owned())
            }
            Relation::Answered => None,
            _ => Some("it has no time".to_owned()),
        };
    };
    if relation == Relation::Answered {
        return Some("a time where nothing is timed".to_owned());
    }
    let expected = match relation {
        // Where the re-run has no counters, the record's are compared with none either.
        Relation::Counted => Some([ours.y_min, ours.y, ours.y_max]),
        relation => relation.expected(theirs),
    };
    let follows = |(a, b): (f64, f64)| {
        // A difference of two times is only as accurate as the times are.
        close(a, b, tolerance) || (a - b).abs() <= tolerance * time.max_ns
    };
    if expected.is_some_and(|expected| !values.into_iter().zip(expected).all(follows)) {
        return Some(match relation {
            Relation::Counted => format!("{} does not follow from its counters", theirs.y),
            _ => format!("{} ({} to {}) does not follow from its time", theirs.y, theirs.y_min, theirs.y_max),
        });
    }
    if !relation.implies_a_time(theirs) {
        return Some(format!("{} takes a launch that took no time", theirs.y));
    }
    implausible(plausible, time, ours.time.as_ref(), theirs.launch.is_some())
}

fn implausible(
    plausible: &Plausible,
    time: &Timing,
    model: Option<&Timing>,
    is_launch: bool,
) -> Option<String> {
    let Timing { is: _, calls, median_ns, mean_ns, min_ns, max_ns, iqr_ns } = *time;
    if is_launch && min_ns < plausible.least_ns {
        return Some(format!("{min_ns} ns is shorter than any launch"));
    }
    let batch = labs::BATCH_OF_CALLS;
    if calls == 0 || !calls.is_multiple_of(batch) || calls as usize > labs::MOST_CALLS {
        return Some(format!(
            "{calls} calls: a lab makes a multiple of {batch}, at most {}",
            labs::MOST_CALLS
        ));
    }
    if iqr_ns > max_ns - min_ns {
        return Some("half of the times are further apart than all of them".to_owned());
    }
    // Half of the calls, rounded up, are on either side of the median or at it.
    let (n, half) = (f64::from(calls), f64::from(calls.div_ceil(2)));
    let (least, most) =
        ((half * median_ns + (n - half) * min_ns) / n, (half * median_ns + (n - half) * max_ns) / n);
    let slack = 1e-9 * max_ns;
    if mean_ns < least - slack || mean_ns > most + slack {
        return Some("its mean cannot be, with such a median, minimum and maximum".to_owned());
    }
    let model = model.map(|model| model.median_ns).filter(|ns| *ns > 0.0 && is_launch)?;
    let faster = model / median_ns;
    if faster > plausible.most_times_faster {
        return Some(format!("{median_ns} ns is {faster:.0} times as fast as the modelled chip"));
    }
    if 1.0 / faster > plausible.most_times_slower {
        return Some(format!("{median_ns} ns is {:.0} times as slow as the modelled chip", 1.0 / faster));
    }
    None
}
