//! The sources' claims on a chapter's page, by verdict.
//!
//! Enters: a record with its verdicts, and the reader's own. Leaves: HTML, one line with the number of each verdict, which unfolds
//! to a table for each. This module must never know how a verdict is found.

use record::{Claim, Record, Verdict};
use render::table;

/// Verdicts in the order of the line and of the tables.
const ORDER: [Verdict; 4] = [Verdict::Holds, Verdict::HoldsInPart, Verdict::DoesNotHold, Verdict::NotShown];

/// The claims of a record, next to the verdicts of the reader's own.
pub(crate) fn html(record: &Record, yours: Option<&Record>) -> String {
    let with = |is: Verdict| record.claims.iter().filter(|claim| claim.verdict == is).count();
    let mut line: Vec<String> =
        ORDER.into_iter().filter(|&is| with(is) > 0).map(|is| says(is, with(is))).collect();
    // The first number says what is counted.
    if let Some(first) = line.first_mut() {
        let claims = if record.claims.len() == 1 { "claim" } else { "claims" };
        *first = format!("Of {} {claims}, {first}", record.claims.len());
    }
    let mut line = line.join(", ");
    if let Some(yours) = yours {
        line += &against(record, yours);
    }
    let tables: String = ORDER.into_iter().map(|verdict| group(record, verdict, yours)).collect();
    format!("<details class=\"claims\"><summary>{line}</summary>{tables}</details>")
}

fn says(verdict: Verdict, n: usize) -> String {
    let one = n == 1;
    match verdict {
        Verdict::Holds => format!("✓ {n} {}", if one { "holds" } else { "hold" }),
        Verdict::HoldsInPart => format!("◐ {n} in part"),
        Verdict::DoesNotHold => format!("✗ {n} {}", if one { "does not" } else { "do not" }),
        Verdict::NotShown => format!("? {n} {}", if one { "is not shown" } else { "are not shown" }),
    }
}

/// What the reader's own run says otherwise. A run that cannot decide contradicts no claim.
fn against(record: &Record, yours: &Record) -> String {
    let own = |claim: &Claim| yours.claims.iter().find(|own| own.id == claim.id).map(|own| own.verdict);
    let other = record.claims.iter().filter_map(|claim| own(claim).filter(|own| *own != claim.verdict));
    let (undecided, other): (Vec<_>, Vec<_>) = other.partition(|own| *own == Verdict::NotShown);
    let mut line = String::new();
    if !other.is_empty() {
        line += &format!("; your run contradicts {}", other.len());
    }
    if !undecided.is_empty() {
        line += &format!("; your run cannot test {}", undecided.len());
    }
    line
}

/// Table of the claims with a verdict.
fn group(record: &Record, verdict: Verdict, yours: Option<&Record>) -> String {
    let mut some = record.clone();
    some.claims.retain(|claim| claim.verdict == verdict);
    if some.claims.is_empty() { String::new() } else { table::claims(&some, yours).html() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::fixture;

    #[test]
    fn one_line_counts_the_verdicts_and_unfolds_to_them() {
        let mut record = fixture::measured();
        let claim = record.claims.first().expect("a claim").clone();
        let of = |verdict, id: &str| Claim { verdict, id: id.into(), ..claim.clone() };
        record.claims = vec![of(Verdict::DoesNotHold, "c"), of(Verdict::Holds, "a"), of(Verdict::Holds, "b")];
        let mut yours = record.clone();
        yours.claims[0].verdict = Verdict::Holds;
        yours.claims[1].verdict = Verdict::NotShown;
        let line = |yours: Option<&Record>| {
            let html = html(&record, yours);
            let (line, tables) = html.split_once("</summary>").expect("a summary");
            assert_eq!(tables.matches("<table").count(), 2, "{tables}");
            assert!(tables.find("✓ holds") < tables.find("✗ does not hold"), "{tables}");
            line.split_once("<summary>").expect("a summary").1.to_owned()
        };
        assert_eq!(line(None), "Of 3 claims, ✓ 2 hold, ✗ 1 does not");
        assert_eq!(
            line(Some(&yours)),
            "Of 3 claims, ✓ 2 hold, ✗ 1 does not; your run contradicts 1; your run cannot test 1"
        );
    }
}
