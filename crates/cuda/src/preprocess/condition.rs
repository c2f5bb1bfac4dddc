//! Conditions of `#if` and `#elif`.
//!
//! Enters: the tokens of such a line. Leaves: whether it holds. Arithmetic has 64 bits, as C++ demands. This module must
//! never know what depends on the condition.

use crate::{
    diagnostic::Diagnostic,
    lex::{Raw, RawKind},
    source::Span,
    token::TokenKind,
};

use super::{
    Frame, Preprocessor, alternative,
    intern::{PUNCTUATIONS, known, punctuation},
    literal,
};

const MOST_DEPTH: u32 = 100;

/// Value in a condition.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Value {
    bits: u64,
    unsigned: bool,
}

const ZERO: Value = Value { bits: 0, unsigned: false };

fn truth(holds: bool) -> Value {
    Value { bits: u64::from(holds), unsigned: false }
}

/// Binary operators that C++ has in conditions, with how strongly they bind.
fn precedence(operator: &str) -> Option<u32> {
    Some(match operator {
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" => 8,
        "<" | ">" | "<=" | ">=" => 7,
        "==" | "!=" => 6,
        "&" => 5,
        "^" => 4,
        "|" => 3,
        "&&" => 2,
        "||" => 1,
        _ => return None,
    })
}

/// What is wrong with a condition, and where.
type Problem = (Span, String);

impl Preprocessor<'_> {
    /// Whether a condition holds; after an error it does not.
    pub(super) fn evaluate(&mut self, directive: Raw, line: Vec<Raw>) -> bool {
        if line.is_empty() {
            let message = format!("`#{}` with no condition", self.spelling(directive));
            self.error("condition", directive.span, message);
            return false;
        }
        let Some(tokens) = self.expand_condition(line) else { return false };
        let mut reader = Reader { preprocessor: self, tokens, at: 0, end: directive.span, depth: 0 };
        let value = reader.ternary(true).and_then(|value| match reader.peek() {
            None => Ok(value),
            Some(token) => {
                let text = reader.preprocessor.spelling(token);
                let message = if token.kind == RawKind::Punctuation && text == "(" {
                    "the name before this `(` is not a macro with parameters".to_owned()
                } else {
                    format!("unexpected `{text}`")
                };
                Err((token.span, message))
            }
        });
        match value {
            Ok(value) => value.bits != 0,
            Err((span, message)) => {
                self.sink.push(
                    Diagnostic::error("condition", span, message)
                        .related(directive.span, "in the condition of this directive"),
                );
                false
            }
        }
    }

    /// Expands all macros but those whose definition is asked for; questions become `0` or `1`.
    fn expand_condition(&mut self, line: Vec<Raw>) -> Option<Vec<Raw>> {
        self.frames.push(Frame { tokens: line, at: 0, of: None, barrier: true });
        self.collecting += 1;
        let mut tokens = vec![];
        let mut failed = false;
        loop {
            let token = self.pull();
            if token.kind == RawKind::End {
                break;
            }
            let question = match token.symbol {
                _ if token.kind != RawKind::Word => None,
                known::DEFINED => Some(self.defined(token)),
                known::HAS_INCLUDE => Some(self.has_include(token)),
                known::HAS_CPP_ATTRIBUTE => Some(self.has_attribute(token)),
                _ => None,
            };
            match question {
                Some(Some(holds)) => {
                    let symbol = self.interner.intern(if holds { "1" } else { "0" });
                    tokens.push(Raw { kind: RawKind::Number, symbol, ..token });
                    continue;
                }
                Some(None) => {
                    failed = true;
                    break;
                }
                None => {}
            }
            if token.kind == RawKind::Word
                && !token.painted
                && let Some(found) = self.macro_of(token.symbol).cloned()
                && self.enter(token, &found)
            {
                continue;
            }
            tokens.push(token);
        }
        // The barrier, and what is left above it after an error.
        while let Some(frame) = self.frames.last() {
            let barrier = frame.barrier;
            self.pop_frame();
            if barrier {
                break;
            }
        }
        self.collecting -= 1;
        (!failed).then_some(tokens)
    }

    fn defined(&mut self, operator: Raw) -> Option<bool> {
        let mut name = self.pull();
        let parenthesis = name.is(const { punctuation("(") });
        if parenthesis {
            name = self.pull();
        }
        if name.kind != RawKind::Word {
            self.error("condition", operator.span, "`defined` requires the name of a macro");
            return None;
        }
        if parenthesis && !self.pull().is(const { punctuation(")") }) {
            self.error("condition", name.span.after(), "missing `)` after `defined`");
            return None;
        }
        Some(self.is_known(name))
    }

    fn has_include(&mut self, operator: Raw) -> Option<bool> {
        let mut tokens = vec![];
        let open = self.pull();
        let mut closed = false;
        while open.is(const { punctuation("(") }) && !closed {
            let token = self.pull();
            closed = token.is(const { punctuation(")") });
            if token.kind == RawKind::End {
                break;
            }
            tokens.push(token);
        }
        tokens.pop_if(|last| last.is(const { punctuation(")") }));
        let named = if closed { self.header_of(&tokens) } else { None };
        let Some((name, angled)) = named else {
            self.error(
                "condition",
                operator.span,
                "`__has_include` requires `(<name>)` or `(\"name\")` after it",
            );
            return None;
        };
        Some(self.has_header(&name, angled))
    }

    fn has_attribute(&mut self, operator: Raw) -> Option<bool> {
        if !self.pull().is(const { punctuation("(") }) {
            self.error("condition", operator.span, "`__has_cpp_attribute` requires parentheses after it");
            return None;
        }
        loop {
            let token = self.pull();
            if token.is(const { punctuation(")") }) {
                return Some(false);
            }
            if token.kind == RawKind::End {
                self.error("condition", operator.span, "missing `)` after `__has_cpp_attribute`");
                return None;
            }
        }
    }
}

/// Reader of a condition.
struct Reader<'a, 'b> {
    preprocessor: &'a Preprocessor<'b>,
    tokens: Vec<Raw>,
    at: usize,
    end: Span,
    depth: u32,
}

impl Reader<'_, '_> {
    fn peek(&self) -> Option<Raw> {
        self.tokens.get(self.at).copied()
    }

    /// The operator that comes next.
    fn operator(&self) -> Option<&'static str> {
        let token = self.peek()?;
        match token.kind {
            RawKind::Punctuation => PUNCTUATIONS.get(token.symbol.0 as usize).copied(),
            RawKind::Word => alternative(self.preprocessor.spelling(token)),
            _ => None,
        }
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.operator() == Some(text);
        self.at += usize::from(found);
        found
    }

    fn place(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        self.peek().map_or(before.map_or(self.end, |token| token.span.after()), |token| token.span)
    }

    /// Conditional expression. What is not `live` is read, but its value does not count.
    fn ternary(&mut self, live: bool) -> Result<Value, Problem> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err((self.place(), "the condition is nested more than 100 deep".to_owned()));
        }
        let condition = self.binary(1, live)?;
        let value = if self.take("?") {
            let holds = condition.bits != 0;
            let left = self.ternary(live && holds)?;
            if !self.take(":") {
                return Err((self.place(), "expected `:` to match `?`".to_owned()));
            }
            let right = self.ternary(live && !holds)?;
            let chosen = if holds { left } else { right };
            Value { unsigned: left.unsigned || right.unsigned, ..chosen }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u32, live: bool) -> Result<Value, Problem> {
        let mut left = self.unary(live)?;
        while let Some(operator) = self.operator() {
            let Some(strength) = precedence(operator).filter(|strength| *strength >= least) else { break };
            let span = self.place();
            self.at += 1;
            let right_live = match operator {
                "&&" => live && left.bits != 0,
                "||" => live && left.bits == 0,
                _ => live,
            };
            let right = self.binary(strength + 1, right_live)?;
            left = match compute(operator, left, right) {
                Some(value) => value,
                None if right_live => return Err((span, "division by zero".to_owned())),
                None => ZERO,
            };
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Result<Value, Problem> {
        let mut operators = vec![];
        while let Some(operator @ ("+" | "-" | "!" | "~")) = self.operator() {
            operators.push(operator);
            self.at += 1;
        }
        let mut value = self.primary(live)?;
        for operator in operators.into_iter().rev() {
            value = match operator {
                "-" => Value { bits: value.bits.wrapping_neg(), ..value },
                "!" => truth(value.bits == 0),
                "~" => Value { bits: !value.bits, ..value },
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self, live: bool) -> Result<Value, Problem> {
        let Some(token) = self.peek() else {
            return Err((self.place(), "expected a value at the end of the condition".to_owned()));
        };
        self.at += 1;
        let text = self.preprocessor.spelling(token);
        match token.kind {
            RawKind::Number | RawKind::Character => {
                let parsed = if token.kind == RawKind::Number {
                    literal::number(text)
                } else {
                    literal::character(text)
                };
                match parsed {
                    Ok(TokenKind::Integer { value, decimal, suffix }) => {
                        let unsigned = suffix.starts_with('u') || value > i64::MAX as u64 && !decimal;
                        Ok(Value { bits: value, unsigned })
                    }
                    // `char` is signed.
                    Ok(TokenKind::Character(value)) => {
                        Ok(Value { bits: i64::from(value as u8 as i8) as u64, unsigned: false })
                    }
                    Ok(_) => {
                        Err((token.span, format!("`{text}` is not an integer, which a condition requires")))
                    }
                    Err(wrong) => Err((token.span, wrong.message)),
                }
            }
            RawKind::Punctuation if text == "(" => {
                let value = self.ternary(live)?;
                if !self.take(")") {
                    return Err((self.place(), "expected `)`".to_owned()));
                }
                Ok(value)
            }
            // Names that are no macros are 0, but for these.
            RawKind::Word => Ok(truth(token.symbol == known::TRUE)),
            _ => Err((token.span, format!("`{text}` is not allowed in a condition"))),
        }
    }
}

/// Result of an operator; `None` for a division by zero.
fn compute(operator: &str, left: Value, right: Value) -> Option<Value> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (signed_a, signed_b) = (a as i64, b as i64);
    let bits = match operator {
        "*" => a.wrapping_mul(b),
        "/" | "%" if b == 0 => return None,
        "/" if unsigned => a / b,
        "/" => signed_a.wrapping_div(signed_b) as u64,
        "%" if unsigned => a % b,
        "%" => signed_a.wrapping_rem(signed_b) as u64,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "<<" | ">>" => return Some(shift(operator == "<<", left, right)),
        "<" => return Some(truth(if unsigned { a < b } else { signed_a < signed_b })),
        ">" => return Some(truth(if unsigned { a > b } else { signed_a > signed_b })),
        "<=" => return Some(truth(if unsigned { a <= b } else { signed_a <= signed_b })),
        ">=" => return Some(truth(if unsigned { a >= b } else { signed_a >= signed_b })),
        "==" => return Some(truth(a == b)),
        "!=" => return Some(truth(a != b)),
        "&" => a & b,
        "^" => a ^ b,
        "|" => a | b,
        "&&" => return Some(truth(a != 0 && b != 0)),
        _ => return Some(truth(a != 0 || b != 0)),
    };
    Some(Value { bits, unsigned })
}

/// Shift; by a negative number it goes the other way, and by 64 or more nothing is left but the sign.
fn shift(left: bool, value: Value, by: Value) -> Value {
    let negative = !by.unsigned && (by.bits as i64) < 0;
    let distance = if negative { by.bits.wrapping_neg() } else { by.bits };
    let bits = if left != negative {
        if distance > 63 { 0 } else { value.bits << distance }
    } else if value.unsigned {
        if distance > 63 { 0 } else { value.bits >> distance }
    } else {
        ((value.bits as i64) >> distance.min(63)) as u64
    };
    Value { bits, ..value }
}
