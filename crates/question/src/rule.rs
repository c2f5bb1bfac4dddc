//! Rules, which say whether a statement about records is true.
//!
//! Enters: a text such as `four >= 2 * one and four < 5 * one`, and values by name. Leaves: whether it holds. This module must
//! never know what the statement is.

use exercise::expression::{Error, Expression};
use serde::Deserialize;

/// Whether two numbers compare so.
type Holds = fn(f64, f64) -> bool;

/// Comparisons, those of two characters first: one of them begins with the other.
const COMPARISONS: [(&str, Holds); 4] =
    [("<=", |a, b| a <= b), (">=", |a, b| a >= b), ("<", |a, b| a < b), (">", |a, b| a > b)];

/// Comparisons of formulas, all of which must hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Rule(Vec<Comparison>);

#[derive(Clone, Debug)]
struct Comparison {
    sides: [Expression; 2],
    holds: Holds,
}

impl TryFrom<String> for Rule {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let one = |part: &str| {
            let found = COMPARISONS.iter().find_map(|(sign, holds)| Some((part.split_once(sign)?, *holds)));
            let ((left, right), holds) =
                found.ok_or_else(|| format!("`{part}` compares nothing: write <, <=, > or >= in it"))?;
            let side = |text: &str| Expression::parse(text).map_err(|error: Error| error.to_string());
            Ok::<_, String>(Comparison { sides: [side(left)?, side(right)?], holds })
        };
        let all: Vec<Comparison> = text.split(" and ").map(one).collect::<Result<_, String>>()?;
        if all.iter().any(|one| one.sides.iter().all(|side| side.names().is_empty())) {
            return Err(format!(
                "`{text}` says nothing of a record: a comparison has a name on one of its sides"
            ));
        }
        Ok(Rule(all))
    }
}

impl Rule {
    /// Whether it holds, with `value` for that of a name.
    ///
    /// # Errors
    /// A name without a value, or a division by zero.
    pub(crate) fn holds(&self, value: &dyn Fn(&str) -> Option<f64>) -> Result<bool, Error> {
        let one = |Comparison { sides: [left, right], holds }: &Comparison| {
            Ok(holds(left.evaluate_real(value)?, right.evaluate_real(value)?))
        };
        Ok(self.0.iter().map(one).collect::<Result<Vec<_>, Error>>()?.into_iter().all(|one| one))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Result<Rule, String> {
        Rule::try_from(text.to_owned())
    }

    #[test]
    fn a_rule_holds_where_all_of_its_comparisons_do() {
        let holds = |text: &str| rule(text).unwrap().holds(&|name| (name == "n").then_some(4.0)).unwrap();
        assert!(holds("n >= 4 and n <= 4 and 2 * n > 7 and n < 5"));
        assert!(!holds("n >= 4 and n > 4"));
        assert!(!holds("n < 4"));
    }

    #[test]
    fn a_rule_that_is_none_or_says_nothing_is_refused() {
        for (text, why) in [
            ("n", "`n` compares nothing"),
            ("n > ", "a number or a name is missing"),
            ("n > 1 and 2 > 1", "says nothing of a record"),
        ] {
            let error = rule(text).expect_err("no rule");
            assert!(error.contains(why), "{text}: {error}");
        }
        assert!(rule("m > 1").unwrap().holds(&|_| None).is_err());
    }
}
