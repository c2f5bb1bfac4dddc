//! Whole numbers by formula: `ceil(n, 256)`, `4 * global_load_requests`.
//!
//! Enters: a text of the manifest, and values by name. Leaves: a value. Sizes, launch shapes and limits are written so,
//! since they follow from an exercise's parameters and from what a launch counted.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A formula, read once and evaluated for each case.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    root: Node,
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Number(i64),
    Name(String),
    Binary(Operator, Box<[Node; 2]>),
    Call(Function, Box<[Node; 2]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Operator {
    /// The value; `None` where there is none of 64 bits.
    fn of(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Operator::Add => a.checked_add(b),
            Operator::Subtract => a.checked_sub(b),
            Operator::Multiply => a.checked_mul(b),
            Operator::Divide => a.checked_div_euclid(b),
            Operator::Remainder => a.checked_rem_euclid(b),
        }
    }
}

/// Functions of two numbers, by their names.
const FUNCTIONS: [(&str, Function); 4] =
    [("ceil", Function::Ceil), ("up", Function::Up), ("min", Function::Min), ("max", Function::Max)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    /// Quotient, rounded up.
    Ceil,
    /// The next multiple.
    Up,
    Min,
    Max,
}

impl Function {
    /// The value; `None` where there is none of 64 bits.
    fn of(self, a: i64, b: i64) -> Option<i64> {
        let quotient = || a.checked_add(b.checked_sub(1)?)?.checked_div_euclid(b);
        match self {
            Function::Ceil => quotient(),
            Function::Up => quotient().and_then(|q| q.checked_mul(b)),
            Function::Min => Some(a.min(b)),
            Function::Max => Some(a.max(b)),
        }
    }
}

/// The reason why a formula has no value, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: {why}")]
pub struct Error {
    text: String,
    why: String,
}

impl Expression {
    /// The formula of a number.
    pub fn number(n: i64) -> Self {
        Expression { text: n.to_string(), root: Node::Number(n) }
    }

    /// A formula from its text.
    ///
    /// # Errors
    /// A text that is not a formula, and where.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut reader = Reader { text, rest: text, depth: 0 };
        let root = reader.sum()?;
        reader.space();
        if !reader.rest.is_empty() {
            return Err(reader.error(format!("unexpected `{}`", reader.rest)));
        }
        Ok(Expression { text: text.to_owned(), root })
    }

    /// The value, with `value` for that of a name.
    ///
    /// # Errors
    /// A name without a value, a division by zero, or a number beyond 64 bits.
    pub fn evaluate(&self, value: &dyn Fn(&str) -> Option<i64>) -> Result<i64, Error> {
        self.root.evaluate(value).map_err(|why| Error { text: self.text.clone(), why })
    }

    /// The values for 0, 1, 2 and so on up to `count`, under the name `each`, with `value` for that of another name.
    ///
    /// # Errors
    /// Those of [`Expression::evaluate`], for the first number that has one.
    pub fn evaluate_each(
        &self,
        each: &str,
        count: i64,
        value: &dyn Fn(&str) -> Option<i64>,
    ) -> Result<Vec<i64>, Error> {
        // Many numbers at a time, so that the formula is not walked for each.
        const MANY: i64 = 1024;
        let mut values = vec![];
        for from in (0..count).step_by(MANY as usize) {
            let numbers: Vec<i64> = (from..count.min(from + MANY)).collect();
            match self.root.column(each, &numbers, value) {
                Some(column) => values.extend(column),
                None => {
                    for number in numbers {
                        let one = |name: &str| if name == each { Some(number) } else { value(name) };
                        values.push(self.evaluate(&one)?);
                    }
                }
            }
        }
        Ok(values)
    }

    /// The value in real numbers, whose quotients are rounded only by `ceil` and `up`.
    ///
    /// # Errors
    /// A name without a value, or a division by zero.
    pub fn evaluate_real(&self, value: &dyn Fn(&str) -> Option<f64>) -> Result<f64, Error> {
        self.root.evaluate_real(value).map_err(|why| Error { text: self.text.clone(), why })
    }

    /// Names that it uses.
    pub fn names(&self) -> Vec<&str> {
        let mut names = vec![];
        self.root.names(&mut names);
        names
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A number, or its text: a text has no signs of numbers.
impl Serialize for Expression {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.root {
            Node::Number(n) => serializer.serialize_i64(n),
            _ => serializer.serialize_str(&self.text),
        }
    }
}

/// A number or a text in TOML.
impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a whole number, or a formula in quotes")]
        enum Written {
            Number(i64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(n) => Ok(Expression::number(n)),
            Written::Text(text) => Expression::parse(&text).map_err(serde::de::Error::custom),
        }
    }
}

const TOO_LARGE: &str = "it divides by zero, or is too large";

fn no_value(name: &str) -> String {
    format!("`{name}` has no value")
}

impl Node {
    fn evaluate(&self, value: &dyn Fn(&str) -> Option<i64>) -> Result<i64, String> {
        let both = |pair: &[Node; 2]| Ok::<_, String>((pair[0].evaluate(value)?, pair[1].evaluate(value)?));
        let result = match self {
            Node::Number(n) => Some(*n),
            Node::Name(name) => return value(name).ok_or_else(|| no_value(name)),
            Node::Binary(operator, pair) => {
                let (a, b) = both(pair)?;
                operator.of(a, b)
            }
            Node::Call(function, pair) => {
                let (a, b) = both(pair)?;
                function.of(a, b)
            }
        };
        result.ok_or_else(|| TOO_LARGE.to_owned())
    }

    /// The values where `each` is each of the numbers; `None` if there is one that has none.
    fn column(&self, each: &str, numbers: &[i64], value: &dyn Fn(&str) -> Option<i64>) -> Option<Vec<i64>> {
        let pairs = |pair: &[Node; 2], of: &dyn Fn(i64, i64) -> Option<i64>| {
            let (a, b) = (pair[0].column(each, numbers, value)?, pair[1].column(each, numbers, value)?);
            a.into_iter().zip(b).map(|(a, b)| of(a, b)).collect()
        };
        match self {
            Node::Number(n) => Some(vec![*n; numbers.len()]),
            Node::Name(name) if name == each => Some(numbers.to_vec()),
            Node::Name(name) => Some(vec![value(name)?; numbers.len()]),
            Node::Binary(operator, pair) => pairs(pair, &|a, b| operator.of(a, b)),
            Node::Call(function, pair) => pairs(pair, &|a, b| function.of(a, b)),
        }
    }

    fn evaluate_real(&self, value: &dyn Fn(&str) -> Option<f64>) -> Result<f64, String> {
        let both = |pair: &[Node; 2]| {
            Ok::<_, String>((pair[0].evaluate_real(value)?, pair[1].evaluate_real(value)?))
        };
        let result = match self {
            Node::Number(n) => *n as f64,
            Node::Name(name) => return value(name).ok_or_else(|| no_value(name)),
            Node::Binary(operator, pair) => {
                let (a, b) = both(pair)?;
                match operator {
                    Operator::Add => a + b,
                    Operator::Subtract => a - b,
                    Operator::Multiply => a * b,
                    Operator::Divide => a / b,
                    Operator::Remainder => a.rem_euclid(b),
                }
            }
            Node::Call(function, pair) => {
                let (a, b) = both(pair)?;
                match function {
                    Function::Ceil => (a / b).ceil(),
                    Function::Up => (a / b).ceil() * b,
                    Function::Min => a.min(b),
                    Function::Max => a.max(b),
                }
            }
        };
        if result.is_finite() { Ok(result) } else { Err(TOO_LARGE.to_owned()) }
    }

    fn names<'a>(&'a self, into: &mut Vec<&'a str>) {
        match self {
            Node::Number(_) => {}
            Node::Name(name) => into.push(name),
            Node::Binary(_, pair) | Node::Call(_, pair) => pair.iter().for_each(|node| node.names(into)),
        }
    }
}

/// Depth to which brackets may be nested.
const DEEPEST: u32 = 32;

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    depth: u32,
}

impl<'a> Reader<'a> {
    fn error(&self, why: String) -> Error {
        Error { text: self.text.to_owned(), why }
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn takes(&mut self, one: char) -> bool {
        self.space();
        let rest = self.rest.strip_prefix(one);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn demand(&mut self, one: char) -> Result<(), Error> {
        if self.takes(one) { Ok(()) } else { Err(self.error(format!("a `{one}` is missing"))) }
    }

    fn word(&mut self, of: impl Fn(char) -> bool) -> &'a str {
        self.space();
        let end = self.rest.find(|c| !of(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn sum(&mut self) -> Result<Node, Error> {
        let mut left = self.product()?;
        loop {
            let operator = match () {
                () if self.takes('+') => Operator::Add,
                () if self.takes('-') => Operator::Subtract,
                () => return Ok(left),
            };
            left = Node::Binary(operator, Box::new([left, self.product()?]));
        }
    }

    fn product(&mut self) -> Result<Node, Error> {
        let mut left = self.one()?;
        loop {
            let operator = match () {
                () if self.takes('*') => Operator::Multiply,
                () if self.takes('/') => Operator::Divide,
                () if self.takes('%') => Operator::Remainder,
                () => return Ok(left),
            };
            left = Node::Binary(operator, Box::new([left, self.one()?]));
        }
    }

    fn one(&mut self) -> Result<Node, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("it has too many brackets".to_owned()));
        }
        let node = self.unnested()?;
        self.depth -= 1;
        Ok(node)
    }

    fn unnested(&mut self) -> Result<Node, Error> {
        if self.takes('(') {
            let inner = self.sum()?;
            self.demand(')')?;
            return Ok(inner);
        }
        let digits = self.word(|c| c.is_ascii_digit() || c == '_');
        if digits.starts_with(|c: char| c.is_ascii_digit()) {
            let number = digits.replace('_', "").parse();
            return number.map(Node::Number).map_err(|_| self.error(format!("`{digits}` is too large")));
        }
        let rest = self.word(|c| c.is_ascii_alphanumeric() || c == '_');
        let name = format!("{digits}{rest}");
        if name.is_empty() {
            return Err(self.error("a number or a name is missing".to_owned()));
        }
        if !self.takes('(') {
            return Ok(Node::Name(name));
        }
        let Some((_, function)) = FUNCTIONS.iter().find(|(word, _)| *word == name) else {
            let there = FUNCTIONS.map(|(word, _)| word).join(", ");
            return Err(self.error(format!("no function `{name}(…)`; there are {there}")));
        };
        let first = self.sum()?;
        self.demand(',')?;
        let second = self.sum()?;
        self.demand(')')?;
        Ok(Node::Call(*function, Box::new([first, second])))
    }
}

/// Whether a name consists of letters, digits and `_`, as formulas can have it.
pub(crate) fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<i64, String> {
        let names = |name: &str| (name == "n").then_some(1000);
        Expression::parse(text).and_then(|e| e.evaluate(&names)).map_err(|e| e.to_string())
    }

    #[test]
    fn products_bind_closer_than_sums() {
        assert_eq!(value("2 + 3 * n"), Ok(3002));
        assert_eq!(value("(2 + 3) * 4 - 1_000 / 8 % 7"), Ok(14));
    }

    #[test]
    fn quotients_and_multiples_round_up() {
        assert_eq!(value("ceil(n, 256)"), Ok(4));
        assert_eq!(value("up(n, 256) + min(n, 3) + max(1, 2)"), Ok(1029));
        assert_eq!(value("ceil(0, 256)"), Ok(0));
    }

    #[test]
    fn values_of_many_numbers_are_those_of_each() {
        let formula = Expression::parse("max(i % 7, n / 300) * i - ceil(i, n)").unwrap();
        let names = |name: &str| (name == "n").then_some(1000);
        let one = |i: i64| formula.evaluate(&|name| if name == "i" { Some(i) } else { names(name) });
        let all: Result<Vec<i64>, Error> = (0..3000).map(one).collect();
        assert_eq!(formula.evaluate_each("i", 3000, &names), all);
    }

    #[test]
    fn the_first_number_without_a_value_says_why() {
        let names = |_: &str| None;
        let error = |text: &str| {
            Expression::parse(text)
                .and_then(|e| e.evaluate_each("i", 3000, &names))
                .map_err(|e| e.to_string())
        };
        assert_eq!(
            error("1 / (i - 2000) + 0 * i").unwrap_err(),
            "`1 / (i - 2000) + 0 * i`: it divides by zero, or is too large"
        );
        assert_eq!(error("1 / (i - 5) + m").unwrap_err(), "`1 / (i - 5) + m`: `m` has no value");
    }

    #[test]
    fn real_quotients_are_not_rounded() {
        let real = |text: &str| Expression::parse(text).and_then(|e| e.evaluate_real(&|_| Some(1000.0)));
        assert_eq!(real("n / 16 + ceil(n, 256)"), Ok(66.5));
        assert!(real("n / (n - n)").is_err());
    }

    #[test]
    fn what_has_no_value_says_why() {
        for (text, why) in [
            ("", "a number or a name is missing"),
            ("n +", "a number or a name is missing"),
            ("(n", "a `)` is missing"),
            ("n n", "unexpected `n`"),
            ("floor(n, 2)", "no function `floor(…)`; there are ceil, up, min, max"),
            ("ceil(n)", "a `,` is missing"),
            ("m", "`m` has no value"),
            ("n / 0", "it divides by zero, or is too large"),
            ("ceil(n, 0)", "it divides by zero, or is too large"),
            ("9223372036854775807 + n", "it divides by zero, or is too large"),
            ("9223372036854775808", "`9223372036854775808` is too large"),
        ] {
            assert_eq!(value(text), Err(format!("`{text}`: {why}")));
        }
        assert!(value(&"(".repeat(100_000)).is_err_and(|e| e.contains("too many brackets")));
    }

    #[test]
    fn names_are_listed_for_the_manifest_s_check() {
        assert_eq!(Expression::parse("a + ceil(b, 2) * a").map(|e| e.names().join(" ")), Ok("a b a".into()));
    }
}
