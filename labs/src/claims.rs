//! The sources' claims with a run's verdicts.
//!
//! Enters: `labs/claims.toml`, a lab's rules, a record with its facts. Leaves: the claims of the record. A verdict is
//! always a rule's: there is no other place to put one.

use crate::lab::Lab;
use crate::rules;
use record::claims::Catalogue;
use record::{Claim, Record};
use std::sync::OnceLock;

/// The sources' claims, from the file that the book shows too.
pub(crate) fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| {
        // A test reads it, so that a damaged file is never built into a lab.
        Catalogue::from_toml(include_str!("../claims.toml"))
            .unwrap_or_else(|e| panic!("labs/claims.toml: {e}"))
    })
}

/// The verdicts on all claims that the lab tests, in the file's order.
pub(crate) fn judged(lab: &Lab, record: &Record) -> Vec<Claim> {
    let judged = catalogue().of_lab(lab.name).filter_map(|statement| {
        // A test holds claims and rules together.
        let (_, rule) = lab.rules.iter().find(|(id, _)| *id == statement.id)?;
        let (verdict, why) = rules::decide(statement, *rule, record);
        Some(Claim {
            id: statement.id.clone(),
            claim: statement.claim.clone(),
            source: catalogue().cited(statement),
            verdict,
            why,
        })
    });
    judged.collect()
}

/// The verdict on one claim of a lab, as a record of it would hold it.
#[cfg(test)]
pub(crate) fn verdict(lab: &Lab, record: &Record, id: &str) -> (record::Verdict, String) {
    let rule = lab.rules.iter().find(|(of, _)| *of == id).map(|(_, rule)| *rule);
    match (catalogue().claims.iter().find(|claim| claim.id == id), rule) {
        (Some(claim), Some(rule)) => rules::decide(claim, rule, record),
        _ => panic!("{}: no claim `{id}` with a rule", lab.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_claim_has_a_rule_and_every_rule_a_claim() {
        for lab in crate::ALL {
            let stated: BTreeSet<&str> = catalogue().of_lab(lab.name).map(|s| s.id.as_str()).collect();
            let ruled: BTreeSet<&str> = lab.rules.iter().map(|(id, _)| *id).collect();
            assert_eq!(stated, ruled, "{}", lab.name);
        }
        for statement in &catalogue().claims {
            assert!(
                crate::ALL.iter().any(|lab| lab.name == statement.lab),
                "{}: {}",
                statement.id,
                statement.lab
            );
        }
    }
}
