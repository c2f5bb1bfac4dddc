//! The sources' claims on a chapter's page, by verdict.
//!
//! Enters: a record with its verdicts, and the reader's own. Leaves: HTML, a table for each verdict, of which those are open
//! that contradict a source, wholly or in part. This module must never know how a verdict is found.

use record::{Claim, Record, Verdict};
use render::table;

/// Verdicts that a reader should see first.
const ORDER: [Verdict; 4] = [Verdict::DoesNotHold, Verdict::HoldsInPart, Verdict::Holds, Verdict::NotShown];

/// The claims of a record, next to the verdicts of the reader's own.
pub(crate) fn html(record: &Record, yours: Option<&Record>) -> String {
    ORDER.iter().map(|&verdict| group(record, yours, verdict)).collect()
}

fn group(record: &Record, yours: Option<&Record>, verdict: Verdict) -> String {
    let mut some = record.clone();
    some.claims.retain(|claim| claim.verdict == verdict);
    if some.claims.is_empty() {
        return String::new();
    }
    let own = |claim: &Claim| Some(yours?.claims.iter().find(|own| own.id == claim.id)?.verdict);
    let with =
        |is: &dyn Fn(Verdict) -> bool| some.claims.iter().filter_map(own).filter(|own| is(*own)).count();
    // A run that cannot decide contradicts no claim.
    let undecided = with(&|own| own != verdict && own == Verdict::NotShown);
    let other = with(&|own| own != verdict && own != Verdict::NotShown);
    let (open, sign) = match verdict {
        Verdict::DoesNotHold => (" open", "✗"),
        Verdict::HoldsInPart => (" open", "◐"),
        Verdict::Holds => ("", "✓"),
        Verdict::NotShown => ("", "?"),
    };
    let says = match (verdict, some.claims.len()) {
        (Verdict::DoesNotHold, 1) => "1 claim does not hold".to_owned(),
        (Verdict::DoesNotHold, n) => format!("{n} claims do not hold"),
        (Verdict::HoldsInPart, 1) => "1 claim holds in part".to_owned(),
        (Verdict::HoldsInPart, n) => format!("{n} claims hold in part"),
        (Verdict::Holds, 1) => "1 claim holds".to_owned(),
        (Verdict::Holds, n) => format!("{n} claims hold"),
        (Verdict::NotShown, 1) => "1 claim is not shown".to_owned(),
        (Verdict::NotShown, n) => format!("{n} claims are not shown"),
    };
    let mut yours_too = String::new();
    if other > 0 {
        yours_too += &format!("; your run contradicts {other}");
    }
    if undecided > 0 {
        yours_too += &format!("; your run cannot test {undecided}");
    }
    let table = table::claims(&some, yours).html();
    format!("<details class=\"claims\"{open}><summary>{sign} {says}{yours_too}</summary>{table}</details>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::fixture;

    #[test]
    fn what_contradicts_a_source_is_open_and_the_rest_is_folded() {
        let mut record = fixture::measured();
        let claim = record.claims.first().expect("a claim").clone();
        let of = |verdict, id: &str| Claim { verdict, id: id.into(), ..claim.clone() };
        record.claims = vec![of(Verdict::Holds, "a"), of(Verdict::Holds, "b"), of(Verdict::DoesNotHold, "c")];
        let mut yours = record.clone();
        yours.claims[0].verdict = Verdict::NotShown;
        yours.claims[2].verdict = Verdict::Holds;
        let html = html(&record, Some(&yours));
        let summaries: Vec<&str> = html.split("<details class=\"claims\"").skip(1).collect();
        assert!(
            summaries[0].starts_with(" open><summary>✗ 1 claim does not hold; your run contradicts 1<"),
            "{html}"
        );
        assert!(summaries[1].starts_with("><summary>✓ 2 claims hold; your run cannot test 1<"), "{html}");
        assert_eq!(summaries.len(), 2);
    }
}
