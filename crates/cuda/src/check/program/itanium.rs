//! Mangled names from their pieces, with the substitutions of the Itanium ABI.
//!
//! Enters: the pieces of a name. Leaves: its text. This module must never know what the pieces were made from.

use std::borrow::Cow;
use std::rc::Rc;

use crate::ast::OverloadedOperator;
use crate::hir::{Integer, TypeKind};

/// Code, nearly always one of a few.
pub(crate) type Text = Cow<'static, str>;

/// Piece of a mangled name; equal pieces are written once. Many are remembered, so that a copy is to cost nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// Code without parts, such as `f`.
    Code(Text),
    /// Code before a part: pointers, references, qualifiers, arrays.
    Before(Text, Rc<Node>),
    /// Pointer to a member: its class, and what it is.
    Member(Rc<Node>, Rc<Node>),
    /// Names around, and the last name.
    Nested(Vec<Node>, Rc<Node>),
    /// Word with its length.
    Word(String),
    /// Template and arguments.
    Instance(Rc<Node>, Vec<Node>),
    /// Parameter of the template, by its number.
    Param(usize),
    /// Several in `J … E`.
    Pack(Vec<Node>),
    /// Constant: `L` type value `E`.
    Literal(Rc<Node>, String),
    /// Function type.
    Function(Vec<Node>),
    /// Expression, in `X … E`.
    Expression(Rc<Node>),
    /// Operator and its two operands, within an expression.
    Binary(&'static str, Rc<Node>, Rc<Node>),
    /// Function as an argument: its name and types.
    Address(Rc<Encoding>),
}

/// A function's name and the types that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Encoding {
    pub(crate) name: Node,
    /// Whether it is a method of what may not be changed.
    pub(crate) constant: bool,
    pub(crate) types: Vec<Node>,
}

impl Node {
    /// What is written for it alone.
    pub(crate) fn code(&self) -> String {
        let mut mangler = Mangler { text: String::new(), known: vec![] };
        mangler.node(self);
        mangler.text
    }

    /// The symbol of what has this name and no types.
    pub(crate) fn symbol(&self) -> String {
        let mut mangler = Mangler { text: "_Z".to_owned(), known: vec![] };
        mangler.name(self, false);
        mangler.text
    }
}

impl Encoding {
    /// The symbol.
    pub(crate) fn text(&self) -> String {
        let mut mangler = Mangler { text: "_Z".to_owned(), known: vec![] };
        mangler.encoding(self);
        mangler.text
    }
}

/// What has been written, for substitutions.
struct Mangler {
    text: String,
    known: Vec<Node>,
}

impl Mangler {
    fn substitution(&mut self, node: &Node) -> bool {
        let Some(at) = self.known.iter().position(|one| one == node) else { return false };
        match at {
            0 => self.text.push_str("S_"),
            at => {
                let mut number = at - 1;
                let mut digits = vec![];
                loop {
                    digits
                        .push(char::from_digit((number % 36) as u32, 36).unwrap_or('0').to_ascii_uppercase());
                    number /= 36;
                    if number == 0 {
                        break;
                    }
                }
                self.text.push('S');
                self.text.extend(digits.iter().rev());
                self.text.push('_');
            }
        }
        true
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Code(code) => self.text.push_str(code),
            Node::Word(word) => self.word(word),
            Node::Literal(ty, value) => {
                self.text.push('L');
                self.node(ty);
                self.text.push_str(value);
                self.text.push('E');
            }
            Node::Pack(all) => {
                self.text.push('J');
                all.iter().for_each(|one| self.node(one));
                self.text.push('E');
            }
            Node::Expression(inner) => {
                self.text.push('X');
                self.expression(inner);
                self.text.push('E');
            }
            Node::Binary(..) => self.expression(node),
            Node::Address(encoding) => {
                self.text.push_str("XadL_Z");
                self.encoding(encoding);
                self.text.push_str("EE");
            }
            Node::Before(code, inner) => {
                if self.substitution(node) {
                    return;
                }
                self.text.push_str(code);
                self.node(inner);
                self.known.push(node.clone());
            }
            Node::Member(class, of) => {
                if self.substitution(node) {
                    return;
                }
                self.text.push('M');
                self.node(class);
                self.node(of);
                self.known.push(node.clone());
            }
            Node::Param(number) => {
                if self.substitution(node) {
                    return;
                }
                self.param(*number);
                self.known.push(node.clone());
            }
            Node::Function(all) => {
                if self.substitution(node) {
                    return;
                }
                self.text.push('F');
                all.iter().for_each(|one| self.node(one));
                self.text.push('E');
                self.known.push(node.clone());
            }
            Node::Nested(..) | Node::Instance(..) => self.name(node, true),
        }
    }

    fn param(&mut self, number: usize) {
        self.text.push_str(&parameter_code(number));
    }

    /// Parameters in expressions are written in full each time.
    fn expression(&mut self, node: &Node) {
        match node {
            Node::Param(number) => self.param(*number),
            Node::Expression(inner) => self.expression(inner),
            Node::Binary(code, left, right) => {
                self.text.push_str(code);
                self.expression(left);
                self.expression(right);
            }
            other => self.node(other),
        }
    }

    fn encoding(&mut self, encoding: &Encoding) {
        let begin = self.text.len();
        self.name(&encoding.name, false);
        if encoding.constant && self.text[begin..].starts_with('N') {
            self.text.insert(begin + 1, 'K');
        }
        encoding.types.iter().for_each(|one| self.node(one));
    }

    fn word(&mut self, word: &str) {
        if let Some(operator) = word.strip_prefix('\0') {
            self.text.push_str(operator);
            return;
        }
        self.text.push_str(&word.len().to_string());
        self.text.push_str(word);
    }

    /// A class's or function's name. `substitutes`: whether the whole may be written again shortly.
    fn name(&mut self, node: &Node, substitutes: bool) {
        if substitutes && self.substitution(node) {
            return;
        }
        match node {
            Node::Nested(prefix, last) if is_short(prefix) => {
                if !prefix.is_empty() {
                    self.text.push_str(STD);
                }
                self.node(last);
            }
            Node::Nested(..) => {
                self.text.push('N');
                self.prefix(node, substitutes);
                self.text.push('E');
                return;
            }
            Node::Instance(template, arguments) => {
                if matches!(&**template, Node::Nested(prefix, _) if !is_short(prefix)) {
                    self.text.push('N');
                    self.prefix(node, substitutes);
                    self.text.push('E');
                    return;
                }
                self.name(template, true);
                self.arguments(arguments);
            }
            // A template parameter notes itself.
            Node::Param(_) => return self.node(node),
            other => self.node(other),
        }
        if substitutes {
            self.known.push(node.clone());
        }
    }

    fn arguments(&mut self, arguments: &[Node]) {
        self.text.push('I');
        arguments.iter().for_each(|one| self.node(one));
        self.text.push('E');
    }

    /// What is between `N` and `E`.
    fn prefix(&mut self, node: &Node, substitutes: bool) {
        if matches!(node, Node::Nested(around, last) if around.is_empty() && is_std(last)) {
            self.text.push_str(STD);
            return;
        }
        if substitutes && self.substitution(node) {
            return;
        }
        match node {
            Node::Param(number) => self.param(*number),
            Node::Nested(prefix, last) => {
                if let Some((inner, before)) = prefix.split_last() {
                    let around = match inner {
                        Node::Param(number) => Node::Param(*number),
                        Node::Instance(template, arguments) => {
                            let template = Node::Nested(before.to_vec(), template.clone());
                            Node::Instance(Rc::new(template), arguments.clone())
                        }
                        word => Node::Nested(before.to_vec(), Rc::new(word.clone())),
                    };
                    self.prefix(&around, true);
                }
                self.node(last);
            }
            Node::Instance(template, arguments) => {
                self.prefix(template, true);
                self.arguments(arguments);
            }
            other => self.node(other),
        }
        if substitutes {
            self.known.push(node.clone());
        }
    }
}

/// What is written for the namespace `std`, each time.
const STD: &str = "St";

fn is_std(node: &Node) -> bool {
    matches!(node, Node::Word(word) if word == "std")
}

/// Whether what is in these is written without `N … E`.
fn is_short(prefix: &[Node]) -> bool {
    prefix.is_empty() || matches!(prefix, [one] if is_std(one))
}

pub(crate) fn parameter_code(number: usize) -> String {
    match number.checked_sub(1) {
        Some(number) => format!("T{number}_"),
        None => "T_".to_owned(),
    }
}

pub(crate) fn builtin(kind: &TypeKind) -> Option<&'static str> {
    Some(match kind {
        TypeKind::Void => "v",
        TypeKind::Bool => "b",
        TypeKind::Float => "f",
        TypeKind::Double => "d",
        TypeKind::NullPointer => "Dn",
        TypeKind::Integer(integer) => match integer {
            Integer::Char => "c",
            Integer::SChar => "a",
            Integer::UChar => "h",
            Integer::Short => "s",
            Integer::UShort => "t",
            Integer::Int => "i",
            Integer::UInt => "j",
            Integer::Long => "l",
            Integer::ULong => "m",
            Integer::LongLong => "x",
            Integer::ULongLong => "y",
        },
        _ => return None,
    })
}

/// For operators that have no code here.
pub(crate) const UNKNOWN_OPERATOR: &str = "xx";

pub(crate) fn operator_code(operator: OverloadedOperator, unary: bool) -> &'static str {
    match operator {
        OverloadedOperator::Call => "cl",
        OverloadedOperator::Index => "ix",
        OverloadedOperator::Allocation("new[]") => "na",
        OverloadedOperator::Allocation("delete") => "dl",
        OverloadedOperator::Allocation("delete[]") => "da",
        OverloadedOperator::Allocation(_) => "nw",
        OverloadedOperator::Symbol(text) => match (text, unary) {
            ("+", false) => "pl",
            ("+", true) => "ps",
            ("-", false) => "mi",
            ("-", true) => "ng",
            ("*", false) => "ml",
            ("*", true) => "de",
            ("&", false) => "an",
            ("&", true) => "ad",
            ("/", _) => "dv",
            ("%", _) => "rm",
            ("|", _) => "or",
            ("^", _) => "eo",
            ("~", _) => "co",
            ("=", _) => "aS",
            ("+=", _) => "pL",
            ("-=", _) => "mI",
            ("*=", _) => "mL",
            ("/=", _) => "dV",
            ("%=", _) => "rM",
            ("&=", _) => "aN",
            ("|=", _) => "oR",
            ("^=", _) => "eO",
            ("<<", _) => "ls",
            (">>", _) => "rs",
            ("<<=", _) => "lS",
            (">>=", _) => "rS",
            ("==", _) => "eq",
            ("!=", _) => "ne",
            ("<", _) => "lt",
            (">", _) => "gt",
            ("<=", _) => "le",
            (">=", _) => "ge",
            ("!", _) => "nt",
            ("&&", _) => "aa",
            ("||", _) => "oo",
            ("++", _) => "pp",
            ("--", _) => "mm",
            (",", _) => "cm",
            ("->*", _) => "pm",
            ("->", _) => "pt",
            _ => UNKNOWN_OPERATOR,
        },
    }
}
