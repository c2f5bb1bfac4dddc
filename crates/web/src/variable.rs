//! Names of variables for what PTX has registers for.
//!
//! Enters: compiled text. Leaves: for lines of the PTX, the variable that the line's result is a value of. PTX has no such
//! names: what is known is the code that each line was made from, and in it what is declared or assigned. A variable that
//! cannot be determined so has none. This module must never know what any value is.

use crate::compile::{Compiled, Language};
use cuda::source::Span;
use std::collections::BTreeMap;

/// Variables by the lines of the PTX that give them a value.
#[derive(Debug, Default)]
pub(crate) struct Variables(BTreeMap<u32, String>);

/// An instruction of the PTX that has a result.
struct Instruction<'p> {
    line: u32,
    opcode: &'p str,
    result: &'p str,
    operands: Vec<&'p str>,
    span: Option<Span>,
    /// Whether it is the last that was made from its code: earlier ones find addresses and the like.
    last: bool,
}

impl Variables {
    /// Those of a compiled text.
    pub(crate) fn of(compiled: &Compiled) -> Self {
        if compiled.source.language == Language::Ptx {
            return Variables::default();
        }
        let mut named = BTreeMap::new();
        let (mut body, mut parameters) = (vec![], vec![]);
        for (line, text) in (1..).zip(compiled.ptx.lines()) {
            if let Some((_, rest)) = text.split_once(".entry ") {
                let name = names::readable(rest.split('(').next().unwrap_or_default());
                let base = name.split(['(', '<']).next().unwrap_or_default();
                let base = base.rsplit([' ', ':']).next().unwrap_or_default();
                parameters = compiled.parameters(base);
            }
            if text == "}" {
                of_function(compiled, &body, &parameters, &mut named);
                body.clear();
            }
            body.extend(Instruction::read(compiled, line, text));
        }
        Variables(named)
    }

    /// The variable that a line gives a value.
    pub(crate) fn at(&self, line: u32) -> Option<&str> {
        self.0.get(&line).map(String::as_str)
    }
}

impl<'p> Instruction<'p> {
    fn read(compiled: &Compiled, line: u32, text: &'p str) -> Option<Self> {
        let text = text.trim().strip_suffix(';')?;
        let text = if text.starts_with('@') { text.split_once(char::is_whitespace)?.1 } else { text };
        let (opcode, rest) = text.trim().split_once(char::is_whitespace)?;
        let mut operands = rest.split(',').map(str::trim);
        let result = operands.next().filter(|result| result.starts_with('%'))?;
        let span = compiled.origins.span(line);
        // Lines that give a place come before each change of it.
        let last = compiled.origins.span(line + 1) != span;
        Some(Instruction { line, opcode, result, operands: operands.collect(), span, last })
    }

    fn is_copy(&self) -> bool {
        ["mov.", "cvta.", "selp."].iter().any(|kind| self.opcode.starts_with(kind))
    }
}

fn of_function(
    compiled: &Compiled,
    body: &[Instruction<'_>],
    parameters: &[String],
    named: &mut BTreeMap<u32, String>,
) {
    for one in body {
        if let Some(name) = declared(compiled, one, parameters) {
            named.insert(one.line, name);
        }
    }
    // What a register holds successively is one variable where only one was named, and a copy is of the same as its source.
    let mut changed = true;
    while changed {
        changed = false;
        let mut of_register: BTreeMap<&str, Option<String>> = BTreeMap::new();
        for one in body {
            if let Some(name) = named.get(&one.line) {
                let known = of_register.entry(one.result).or_insert_with(|| Some(name.clone()));
                if known.as_ref() != Some(name) {
                    *known = None;
                }
            }
        }
        let register = |name: &str| of_register.get(name).cloned().flatten();
        for one in body.iter().filter(|one| one.is_copy()) {
            if named.contains_key(&one.line) {
                continue;
            }
            let sources = || one.operands.iter().filter_map(|operand| register(operand));
            let own = register(one.result);
            let copied = sources().next().filter(|first| sources().all(|other| other == *first));
            if let Some(name) = own.or(copied) {
                named.insert(one.line, name);
                changed = true;
            }
        }
    }
    // Where a condition chooses between values of one variable, the later one was found ahead of it, for all lanes.
    for one in body.iter().filter(|one| one.opcode.starts_with("selp.")) {
        let Some(name) = named.get(&one.line).cloned() else { continue };
        let of = |operand: &&str| {
            body.iter().rev().find(|other| other.result == *operand && other.line < one.line).map(|o| o.line)
        };
        let ahead = one.operands.iter().take(2).filter_map(of).max();
        let both = one.operands.iter().take(2).filter_map(of).all(|line| named.get(&line) == Some(&name));
        if let Some(ahead) = ahead.filter(|_| both) {
            named.remove(&ahead);
        }
    }
}

/// The variable whose declaration or assignment an instruction finishes.
fn declared(compiled: &Compiled, one: &Instruction<'_>, parameters: &[String]) -> Option<String> {
    let span = one.span?;
    let code = compiled.sources.text(span);
    if one.opcode.starts_with("ld.param.") {
        if is_path(code) && code.contains('.') {
            return Some(code.to_owned());
        }
        let number = one.operands.first()?.rsplit_once("_param_")?.1.trim_end_matches(']');
        let parameter = parameters.get(number.parse::<usize>().ok()?)?;
        let name = parameter.split(['[', '=']).next()?.trim_end().rsplit(|c| !is_letter(c)).next()?;
        return (!name.is_empty()).then(|| name.to_owned());
    }
    if one.operands.first().is_some_and(|operand| SPECIAL.iter().any(|name| operand.starts_with(name)))
        && is_path(code)
    {
        return Some(code.to_owned());
    }
    // The address of an element is found by instructions of the same code.
    if !one.last || code.is_empty() || one.result.starts_with("%p") {
        return None;
    }
    assigned(code).or_else(|| {
        let file = compiled.sources.position(span.lo)?.file;
        let (lo, hi) = ((span.lo - file.start) as usize, (span.hi - file.start) as usize);
        let (before, after) = (file.text.get(..lo)?, file.text.get(hi..)?);
        let ends = after.trim_start().starts_with([';', ',']);
        ends.then(|| target(before.trim_end()))?
    })
}

/// What special registers begin with that stand for a variable of CUDA's.
const SPECIAL: [&str; 4] = ["%tid", "%ntid", "%ctaid", "%nctaid"];

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a text is a name, or names of members.
fn is_path(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| is_letter(c) || c == '.')
}

/// The variable that code assigns to: `sum += x`, `n--`.
fn assigned(code: &str) -> Option<String> {
    let bare = code.trim_start_matches("++").trim_start_matches("--");
    let end = bare.find(|c| !is_letter(c)).unwrap_or(bare.len());
    let (name, rest) = bare.split_at(end);
    let rest = rest.trim_start();
    let counted = rest == "++" || rest == "--" || (bare.len() < code.len() && rest.is_empty());
    let operator = rest.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
    let assigns = operator.starts_with('=') && !operator.starts_with("==");
    let compares = rest.starts_with("<=") || rest.starts_with(">=");
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_name && (counted || (assigns && !compares))).then(|| name.to_owned())
}

/// The variable before the sign of an assignment that a text ends with.
fn target(before: &str) -> Option<String> {
    let left = before.strip_suffix('=')?;
    // What another operator takes part in is only an operand.
    if left.ends_with(['=', '!', '<', '>', '+', '-', '*', '/', '%', '&', '|', '^']) {
        return None;
    }
    let left = left.trim_end();
    let start = left
        .rfind(|c| !is_letter(c))
        .map_or(0, |at| at + left[at..].chars().next().map_or(1, char::len_utf8));
    let name = &left[start..];
    let member = left[..start].ends_with(['.', '>']);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_name && !member).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::SourceText;

    /// The variables of the results of a kernel's lines, in their order.
    fn of(body: &str) -> Vec<(String, String)> {
        let text = format!(
            "struct P {{ float a; }};\n__global__ void k(const float *in, float *out, int n, P p) {{\n{body}\n}}"
        );
        let (language, defines) = (Language::Cuda, vec![]);
        let source =
            SourceText { name: "a.cu".into(), text, language, defines, launched: None, instances: vec![] };
        let compiled = source.compile().expect("compiles");
        let variables = Variables::of(&compiled);
        let lines = (1..).zip(compiled.ptx.lines());
        let reported = lines.filter_map(|(line, text)| {
            let name = variables.at(line)?;
            Some((text.split_whitespace().next()?.to_owned(), name.to_owned()))
        });
        reported.collect()
    }

    fn has(all: &[(String, String)], opcode: &str, name: &str) -> bool {
        all.iter().any(|(there, of)| there == opcode && of == name)
    }

    #[test]
    fn what_is_declared_or_assigned_has_its_name() {
        let all =
            of("int i = blockIdx.x * blockDim.x + threadIdx.x; float x = in[i]; x *= n; out[i] = p.a / x;");
        for (opcode, name) in [
            ("ld.param.u64", "in"),
            ("ld.param.u32", "n"),
            ("mov.u32", "blockIdx.x"),
            ("mad.lo.s32", "i"),
            ("ld.global.f32", "x"),
            ("mul.f32", "x"),
            ("ld.param.f32", "p.a"),
        ] {
            assert!(has(&all, opcode, name), "{opcode} {name}: {all:?}");
        }
        assert!(
            !all.iter().any(|(opcode, _)| opcode.starts_with("mul.wide") || opcode.starts_with("cvt.")),
            "{all:?}"
        );
    }

    #[test]
    fn a_loop_s_variables_have_their_names_from_the_start() {
        let all = of(
            "float sum = 0; \n#pragma unroll 1\nfor (int k = 0; k < n; k += 2) sum += in[k];\nout[0] = sum;",
        );
        assert!(has(&all, "add.s32", "k") && has(&all, "add.f32", "sum"), "{all:?}");
        assert!(has(&all, "mov.u32", "k") && has(&all, "mov.f32", "sum"), "{all:?}");
    }

    #[test]
    fn what_was_computed_ahead_of_a_condition_is_not_a_value_of_the_variable_yet() {
        let all =
            of("int i = threadIdx.x; float x = in[i]; int w = n >> 3; if (x > 0.5f) w += i; out[i] = w;");
        assert!(has(&all, "selp.b32", "w") && has(&all, "shr.s32", "w"), "{all:?}");
        assert!(!has(&all, "add.s32", "w"), "{all:?}");
    }

    #[test]
    fn names_are_read_from_assignments_alone() {
        for (code, name) in
            [("n--", Some("n")), ("++n", Some("n")), ("a <<= 2", Some("a")), ("a = b", Some("a"))]
        {
            assert_eq!(assigned(code).as_deref(), name, "{code}");
        }
        for code in ["a == b", "a <= b", "a >= b", "a[i] = b", "a.x = b", "a", "1 = 2", "", "*a = 2"] {
            assert_eq!(assigned(code), None, "{code}");
        }
        for (before, name) in [("int a =", Some("a")), ("float *é =", Some("é"))] {
            assert_eq!(target(before).as_deref(), name, "{before}");
        }
        for before in ["a ==", "a +=", "a <<=", "a <=", "a[i] =", "a.x =", "a->x =", "return", "=", ""] {
            assert_eq!(target(before), None, "{before}");
        }
    }
}
