//! Names as most sources have them, demangled by what those need: namespaces, templates, pointers, numbers.
//!
//! Enters: a mangled name. Leaves: what `cpp_demangle` makes of it, or nothing, where the name has more than is known here:
//! types of functions and of arrays, expressions, operators. A page loads this as WebAssembly, and the whole is ten times as
//! long.

/// Nested names that are read.
const DEEPEST: u32 = 32;

/// The name without its parameters, and these in parentheses; a variable has none.
pub(crate) fn demangle(name: &str) -> Option<(String, String)> {
    let rest = name.strip_prefix("_Z")?;
    let mut reader = Reader { rest, known: vec![], arguments: vec![], depth: 0 };
    let found = reader.encoding()?;
    reader.rest.is_empty().then_some(found)
}

struct Reader<'a> {
    rest: &'a str,
    /// Meanings of `S_`, `S0_` and so on.
    known: Vec<String>,
    /// Meanings of `T_`, `T0_` and so on.
    arguments: Vec<String>,
    depth: u32,
}

impl Reader<'_> {
    fn takes(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn word(&mut self, of: impl Fn(char) -> bool) -> &str {
        let (word, rest) = self.rest.split_at(self.rest.find(|c| !of(c)).unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    /// A name with what follows it.
    fn encoding(&mut self) -> Option<(String, String)> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let (base, arguments) = self.name()?;
        let mut parameters = String::new();
        if !self.rest.is_empty() && !self.rest.starts_with(['E', '.']) {
            if let Some(arguments) = arguments {
                self.arguments = arguments;
                self.ty()?; // what it returns
            }
            let mut types = vec![];
            while !self.rest.is_empty() && !self.rest.starts_with(['E', '.']) {
                types.push(self.ty()?);
            }
            if types == ["void"] {
                types.clear();
            }
            parameters = format!("({})", types.join(", "));
        }
        self.depth -= 1;
        Some((base, parameters))
    }

    /// A name, and the template arguments of its last part.
    fn name(&mut self) -> Option<(String, Option<Vec<String>>)> {
        if self.takes("N") {
            return self.nested();
        }
        if self.takes("Z") {
            let (base, parameters) = self.encoding()?;
            if !self.takes("E") {
                return None;
            }
            let name = self.source()?;
            return Some((format!("{base}{parameters}::{name}"), None));
        }
        let base = if self.takes("St") {
            let name = format!("std::{}", self.source()?);
            if self.rest.starts_with('I') {
                self.known.push(name.clone());
            }
            name
        } else if self.rest.starts_with('S') {
            self.substitution()?
        } else {
            let name = self.source()?;
            if !self.rest.starts_with('I') {
                return Some((name, None));
            }
            self.known.push(name.clone());
            name
        };
        if !self.rest.starts_with('I') {
            return Some((base, None));
        }
        let arguments = self.template()?;
        Some((base + &listed(&arguments), Some(arguments)))
    }

    fn nested(&mut self) -> Option<(String, Option<Vec<String>>)> {
        let (mut path, mut arguments) = (String::new(), None);
        while !self.takes("E") {
            if self.rest.starts_with('I') && !path.is_empty() {
                let list = self.template()?;
                path += &listed(&list);
                arguments = Some(list);
            } else if self.rest.starts_with('S') && path.is_empty() {
                path = if self.takes("St") { "std".to_owned() } else { self.substitution()? };
                continue; // it is known already
            } else {
                let part = self.source()?;
                path = if path.is_empty() { part } else { format!("{path}::{part}") };
                arguments = None;
            }
            if !self.rest.starts_with('E') {
                self.known.push(path.clone());
            }
        }
        (!path.is_empty()).then_some((path, arguments))
    }

    fn source(&mut self) -> Option<String> {
        self.takes("L");
        if self.rest.starts_with('0') {
            return None;
        }
        let length: usize = self.word(|c| c.is_ascii_digit()).parse().ok()?;
        let (name, rest) = (self.rest.get(..length)?, self.rest.get(length..)?);
        self.rest = rest;
        if name.is_empty() {
            return None;
        }
        let anonymous = name.starts_with("_GLOBAL_") && name[8..].starts_with(['_', '.', '$']);
        Some(if anonymous && name[9..].starts_with('N') {
            "(anonymous namespace)".to_owned()
        } else {
            name.to_owned()
        })
    }

    /// A number between a letter and `_`: nothing is 0, and every other number is one more than it says.
    fn place(&mut self, base: u32) -> Option<usize> {
        let digits = self.word(|c| c.is_digit(base) && !c.is_ascii_lowercase());
        let number =
            if digits.is_empty() { 0 } else { usize::from_str_radix(digits, base).ok()?.checked_add(1)? };
        self.takes("_").then_some(number)
    }

    fn substitution(&mut self) -> Option<String> {
        if !self.takes("S") {
            return None;
        }
        let at = self.place(36)?;
        self.known.get(at).cloned()
    }

    fn template(&mut self) -> Option<Vec<String>> {
        self.depth += 1;
        if self.depth > DEEPEST || !self.takes("I") {
            return None;
        }
        let mut arguments = vec![];
        while !self.takes("E") {
            arguments.push(if self.takes("L") { self.literal()? } else { self.ty()? });
        }
        self.depth -= 1;
        (!arguments.is_empty()).then_some(arguments)
    }

    fn literal(&mut self) -> Option<String> {
        let is_bool = self.takes("b");
        if !(is_bool || self.takes("i") || self.takes("j") || self.takes("l") || self.takes("m")) {
            return None;
        }
        let minus = if self.takes("n") { "-" } else { "" };
        let digits = self.word(|c| c.is_ascii_digit()).to_owned();
        if digits.is_empty() || !self.takes("E") {
            return None;
        }
        Some(match (is_bool, digits.as_str()) {
            (true, "0") => "false".to_owned(),
            (true, "1") => "true".to_owned(),
            (true, _) => return None,
            (false, _) => format!("{minus}{digits}"),
        })
    }

    fn ty(&mut self) -> Option<String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let ty = self.unbounded()?;
        self.depth -= 1;
        Some(ty)
    }

    fn unbounded(&mut self) -> Option<String> {
        let first = self.rest.chars().next()?;
        let new = match first {
            'P' | 'R' | 'O' | 'K' => {
                self.rest = &self.rest[1..];
                let behind = match first {
                    'P' => "*",
                    'R' => "&",
                    'O' => "&&",
                    _ => " const",
                };
                let of = self.ty()?;
                // References to references collapse, and constants of constants are one: rare, and left to others.
                if of.ends_with('&') || first == 'K' && of.ends_with(" const") {
                    return None;
                }
                of + behind
            }
            'T' => {
                self.rest = &self.rest[1..];
                let at = self.place(10)?;
                self.arguments.get(at)?.clone()
            }
            'S' if !self.rest.starts_with("St") => {
                let known = self.substitution()?;
                if !self.rest.starts_with('I') {
                    return Some(known);
                }
                known + &listed(&self.template()?)
            }
            'S' | 'N' | '0'..='9' => self.name()?.0,
            _ => {
                let builtin = BUILTIN.iter().find(|(letter, _)| *letter == first)?.1;
                self.rest = &self.rest[1..];
                return Some(builtin.to_owned());
            }
        };
        self.known.push(new.clone());
        Some(new)
    }
}

const BUILTIN: [(char, &str); 16] = [
    ('v', "void"),
    ('b', "bool"),
    ('c', "char"),
    ('a', "signed char"),
    ('h', "unsigned char"),
    ('s', "short"),
    ('t', "unsigned short"),
    ('i', "int"),
    ('j', "unsigned int"),
    ('l', "long"),
    ('m', "unsigned long"),
    ('x', "long long"),
    ('y', "unsigned long long"),
    ('f', "float"),
    ('d', "double"),
    ('w', "wchar_t"),
];

/// Template arguments in angle brackets.
fn listed(arguments: &[String]) -> String {
    let list = arguments.join(", ");
    // As before C++11, where `>>` was one token.
    let space = if list.ends_with('>') { " " } else { "" };
    format!("<{list}{space}>")
}

#[cfg(all(test, feature = "all"))]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_whole_demangler() {
        let mut read = 0;
        for name in [
            "_Z5saxpyIfEviT_PKS0_PS0_",
            "_ZN2ns6kernelEPi",
            "_ZN2ns2tkIfLi3EEEvPT_",
            "_ZN2ns4coefE",
            "_Z5countj",
            "_Z1kv",
            "_Z3addPKfS0_Pfi",
            "_Z7productK6MatrixS_S_",
            "_Z7product6MatrixS_S_",
            "_ZZ1kPfE4tile",
            "_ZZN2ns1kEvE4tile",
            "_ZZ5tiledILi16EEv6MatrixS0_S0_E4left",
            "_Z5tiledILi16ELb1EEv6MatrixS0_S0_",
            "_Z1kI4PairIifELin3ELj7EEvT_RKS1_",
            "_Z1kIN2ns4PairIiNS0_1AEEEEvT_PS3_",
            "_Z1kPN2ns1AERKNS_1BES3_",
            "_Z1kP6float4PKS_m",
            "_Z1kPPKcPVi",
            "_ZL6hiddenPi",
            "_ZN29_GLOBAL__N__e3549149_4_p_cu_k6hiddenEPi",
            "_ZN12_GLOBAL__N_11kEPi",
            "_Z1kPA4_f",
            "_Z1kPFviE",
            "_ZSt4swapIiEvRT_S1_",
            "_Z1kSt4pairIiPfE",
            "_Z1kSt4pairIiPfES_IS0_iE",
            "_Z2k6St5thingSt3vecIS_EPS_PS0_IiE",
            "_ZNSt6vectorIiE4sizeEv",
            "_ZNK2ns1AclEi",
            "_Z1kIiEvT_OS0_",
            "_Z1kIRiEvOT_",
            "_Z1kDv4_f",
            "_Z1kIJifEEvDpT_",
            "_ZN1AC1Ev",
            "_Z1kIXadL_Z1fvEEEvv",
            "_Z1kILN2ns1EE1EEvv",
            "_Z1kILm5ELl6ELb0EEvv",
            "_Z",
            "_Z5k",
            "_Z99k",
            "_ZNE",
            "_Z1kS_",
            "_Z1kT_",
            "_Z1kI",
            "_Z0v",
        ] {
            if let Some((base, parameters)) = demangle(name) {
                read += 1;
                assert_eq!(crate::whole(name), Some((base, parameters)), "{name}");
            }
        }
        assert!(read >= 24, "{read}");
    }

    #[test]
    fn what_the_kernels_of_the_book_may_have_is_read() {
        for (name, read) in [
            ("_Z3addPKfS0_Pfi", Some(("add", "(float const*, float const*, float*, int)"))),
            ("_ZZ5tiledILi16EEv6MatrixS0_S0_E4left", Some(("tiled<16>(Matrix, Matrix, Matrix)::left", ""))),
            ("_Z1kPA4_f", None),
        ] {
            let read = read.map(|(base, parameters)| (base.to_owned(), parameters.to_owned()));
            assert_eq!(demangle(name), read, "{name}");
        }
        assert_eq!(demangle(&format!("_Z1k{}i", "P".repeat(100_000))), None);
    }

    proptest::proptest! {
        #[test]
        fn any_name_is_that_of_the_whole_demangler_or_none(name in "_Z(N|Z|L)?[1-3]?[a-cE]{0,3}[ILEPKRSTNDi0-9_a-fv]{0,14}") {
            if let Some(read) = demangle(&name) {
                proptest::prop_assert_eq!(crate::whole(&name), Some(read), "{}", name);
            }
        }
    }
}
