//! Registers that are several: vectors (`.reg .v4 .f32 r`, of which `r.x` is one) and `.b128`. Before anything is decoded
//! they become registers of their own, so that nothing else has to know of them: `r` is written `{x.r, y.r, z.r, w.r}`,
//! and a `.b128` the two of 64 bits that it consists of.

use crate::hash::HashSet;
use ptx::{Function, Instruction, Module, Operand, Statement, Variable};

/// Components of a vector, by either of their two names (PTX ISA 5.4.2), lowest first.
const COMPONENTS: [[&str; 2]; 4] = [["x", "r"], ["y", "g"], ["z", "b"], ["w", "a"]];
const HALVES: [&str; 2] = ["lo", "hi"];

/// Registers that are several.
#[derive(Clone, Copy)]
struct Several<'a> {
    /// A register's name, or what a range of them begins with.
    name: &'a str,
    /// How many registers the range has.
    range: Option<u32>,
    /// Components of the vector; two halves of a `.b128` if there is no vector.
    vector: u32,
    wide: bool,
}

impl Several<'_> {
    fn is(&self, name: &str) -> bool {
        match (self.range, name.strip_prefix(self.name)) {
            (None, Some(rest)) => rest.is_empty(),
            (Some(count), Some(number)) => number.parse::<u32>().is_ok_and(|number| number < count),
            (_, None) => false,
        }
    }

    fn parts(&self) -> Vec<&'static str> {
        if self.wide {
            return HALVES.to_vec();
        }
        COMPONENTS.iter().take(self.vector as usize).map(|[name, _]| *name).collect()
    }
}

/// The registers that a statement declares, if each of them is several. A vector of `.b128` is left to be refused.
fn declared<'a>(statement: &Statement<'a>) -> Option<Several<'a>> {
    match statement {
        Statement::Registers { vector, ty, prefix, count, .. } => several(prefix, Some(*count), *vector, ty),
        Statement::Variable(variable) => declared_by(variable),
        _ => None,
    }
}

/// The register that a variable or parameter is, if it is several.
fn declared_by<'a>(variable: &Variable<'a>) -> Option<Several<'a>> {
    if variable.space != "reg" {
        return None;
    }
    several(variable.name, None, variable.vector, variable.ty)
}

fn several<'a>(name: &'a str, range: Option<u32>, vector: u32, ty: &str) -> Option<Several<'a>> {
    let wide = ty == "b128";
    (wide != (vector > 1)).then_some(Several { name, range, vector, wide })
}

/// A function's parameters and results that are several.
fn parameters<'a>(function: &Function<'a>) -> Vec<Several<'a>> {
    function.parameters.iter().chain(&function.returns).filter_map(declared_by).collect()
}

/// The names of the parts of each of them that occurs, which [`split`] puts in their place.
pub(super) fn names(module: &Module) -> HashSet<String> {
    let mut names = HashSet::default();
    for function in &module.functions {
        let mut known = parameters(function);
        for several in &known {
            names.extend(several.parts().iter().map(|part| format!("{part}.{}", several.name)));
        }
        look(function.body.as_deref().unwrap_or_default(), &mut known, &mut names);
    }
    names
}

fn look<'a>(body: &[Statement<'a>], known: &mut Vec<Several<'a>>, names: &mut HashSet<String>) {
    let outer = known.len();
    known.extend(body.iter().filter_map(declared));
    for several in &known[outer..] {
        names.extend(several.parts().iter().map(|part| format!("{part}.{}", several.name)));
    }
    if known.is_empty() && !body.iter().any(|statement| matches!(statement, Statement::Block(_))) {
        return;
    }
    for statement in body {
        match statement {
            Statement::Block(inner) => look(inner, known, names),
            Statement::Instruction(i) => i.operands.iter().for_each(|operand| look_at(operand, known, names)),
            _ => {}
        }
    }
    known.truncate(outer);
}

fn look_at(operand: &Operand, known: &[Several], names: &mut HashSet<String>) {
    match operand {
        Operand::Name(name, _) => {
            if let Some(several) = known.iter().rev().find(|several| several.is(name)) {
                names.extend(several.parts().iter().map(|part| format!("{part}.{name}")));
            }
        }
        Operand::Vector(list)
        | Operand::List(list)
        | Operand::Access(list)
        | Operand::VectorPair(list, _) => list.iter().for_each(|o| look_at(o, known, names)),
        _ => {}
    }
}

/// Puts registers of their own in the place of those that are several.
pub(super) fn split<'a>(module: &mut Module<'a>, names: &'a HashSet<String>) {
    for function in &mut module.functions {
        let mut split = Split { names, known: parameters(function) };
        split.variables(&mut function.parameters);
        split.variables(&mut function.returns);
        if let Some(body) = &mut function.body {
            split.block(body);
        }
    }
}

struct Split<'a> {
    names: &'a HashSet<String>,
    known: Vec<Several<'a>>,
}

impl<'a> Split<'a> {
    fn block(&mut self, body: &mut Vec<Statement<'a>>) {
        let outer = self.known.len();
        self.known.extend(body.iter().filter_map(declared));
        let mut done = Vec::with_capacity(body.len());
        for mut statement in std::mem::take(body) {
            if let Some(several) = declared(&statement) {
                done.extend(several.parts().iter().map(|part| self.declaration(part, &statement)));
                continue;
            }
            match &mut statement {
                Statement::Block(inner) => self.block(inner),
                Statement::Instruction(i) if !self.known.is_empty() => {
                    if i.opcode == "mov" && i.modifiers == ["b128"] {
                        done.extend(self.moves(i));
                        continue;
                    }
                    i.operands.iter_mut().for_each(|operand| self.operand(operand));
                    if matches!(i.opcode, "ld" | "ldu" | "st") {
                        // One access of 16 bytes, as a vector's is.
                        let wide = i.modifiers.iter().position(|modifier| *modifier == "b128");
                        if let Some(at) = wide {
                            i.modifiers.splice(at..=at, ["v2", "b64"]);
                        }
                    }
                }
                _ => {}
            }
            done.push(statement);
        }
        *body = done;
        self.known.truncate(outer);
    }

    fn spelled(&self, part: &str, name: &str) -> &'a str {
        // All that are asked for were looked for before.
        self.names.get(&format!("{part}.{name}")).map_or("", String::as_str)
    }

    fn declaration(&self, part: &str, statement: &Statement<'a>) -> Statement<'a> {
        let mut one = statement.clone();
        match &mut one {
            Statement::Registers { vector, ty, prefix, .. } => {
                (*vector, *ty, *prefix) = (1, narrow(ty), self.spelled(part, prefix));
            }
            Statement::Variable(v) => **v = self.part(part, v),
            _ => {}
        }
        one
    }

    fn find(&self, name: &str) -> Option<Several<'a>> {
        self.known.iter().rev().find(|several| several.is(name)).copied()
    }

    fn operand(&self, operand: &mut Operand<'a>) {
        match operand {
            Operand::Name(name, component) => {
                let Some(several) = self.find(name) else { return };
                if let Some(component) = component {
                    let place =
                        COMPONENTS.iter().take(several.vector as usize).find(|c| c.contains(component));
                    if let (Some([part, _]), false) = (place, several.wide) {
                        *operand = Operand::Name(self.spelled(part, name), None);
                    }
                    return;
                }
                let parts = several.parts();
                let all = parts.iter().map(|part| Operand::Name(self.spelled(part, name), None));
                *operand = Operand::Vector(all.collect());
            }
            Operand::Vector(list) | Operand::Access(list) | Operand::VectorPair(list, _) => {
                list.iter_mut().for_each(|o| self.operand(o));
            }
            Operand::List(list) => {
                // A call hands over the parts.
                for mut operand in std::mem::take(list) {
                    self.operand(&mut operand);
                    match operand {
                        Operand::Vector(parts) => list.extend(parts),
                        one => list.push(one),
                    }
                }
            }
            _ => {}
        }
    }

    fn variables(&self, variables: &mut Vec<Variable<'a>>) {
        for variable in std::mem::take(variables) {
            match declared_by(&variable) {
                Some(several) => {
                    variables.extend(several.parts().iter().map(|part| self.part(part, &variable)))
                }
                None => variables.push(variable),
            }
        }
    }

    fn part(&self, part: &str, variable: &Variable<'a>) -> Variable<'a> {
        let (ty, name) = (narrow(variable.ty), self.spelled(part, variable.name));
        Variable { vector: 1, ty, name, ..variable.clone() }
    }

    /// `mov.b128`: two of 64 bits.
    fn moves(&self, i: &Instruction<'a>) -> Vec<Statement<'a>> {
        let mut i = i.clone();
        i.operands.iter_mut().for_each(|operand| self.operand(operand));
        let [Operand::Vector(to), Operand::Vector(from)] = &i.operands[..] else {
            return vec![Statement::Instruction(i)];
        };
        if to.len() != 2 || from.len() != 2 {
            return vec![Statement::Instruction(i)];
        }
        let halves = to.iter().zip(from).filter(|(to, _)| !matches!(to, Operand::Name("_", None)));
        let one = |(to, from): (&Operand<'a>, &Operand<'a>)| {
            let operands = vec![to.clone(), from.clone()];
            Statement::Instruction(Instruction { modifiers: vec!["b64"], operands, ..i.clone() })
        };
        halves.map(one).collect()
    }
}

fn narrow(ty: &str) -> &str {
    if ty == "b128" { "b64" } else { ty }
}
