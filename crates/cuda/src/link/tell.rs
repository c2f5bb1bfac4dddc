//! What is wrong with the names of a program, in the words of ld and nvlink, with the lines that name them.
//!
//! Enters: units, and what was found. Leaves: errors and warnings. This module must never know how names are resolved.

use super::resolve::{Place, Resolved};
use super::{Rules, Unit};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Function, Linkage, Op, Space, Symbol};
use crate::source::{Sources, Span};

/// Reports what was found.
pub(super) fn tell(
    units: &[Unit],
    resolved: &Resolved,
    rules: Rules<'_>,
    sources: &Sources,
    sink: &mut Diagnostics,
) {
    let teller = Teller { units, sources };
    for (first, second) in &resolved.of_functions.twice {
        sink.push(teller.function_twice(*first, *second));
    }
    for (first, second) in &resolved.of_globals.twice {
        sink.push(teller.variable_twice(*first, *second));
    }
    for place in &resolved.of_functions.undefined {
        sink.push(teller.undefined_function(*place));
    }
    for place in &resolved.of_globals.undefined {
        sink.push(teller.undefined_variable(*place));
    }
    for (declared, defined) in &resolved.of_functions.unlike {
        sink.push(teller.unlike_function(*declared, *defined));
    }
    for (declared, defined) in &resolved.of_globals.unlike {
        sink.push(teller.unlike_variable(*declared, *defined, rules.sizes));
    }
    for (first, second) in &resolved.of_functions.different {
        sink.list.extend(teller.different(*first, *second));
    }
}

struct Teller<'a> {
    units: &'a [Unit],
    sources: &'a Sources,
}

impl Teller<'_> {
    fn function(&self, place: Place) -> &Function {
        &self.units[place.unit].module.functions[place.at]
    }

    fn file(&self, place: Place) -> &str {
        &self.units[place.unit].file
    }

    fn name(&self, place: Place) -> String {
        let unit = &self.units[place.unit];
        let written = unit.names.get(place.at).filter(|name| !name.is_empty());
        written.map_or_else(|| unit.module.globals[place.at].name.clone(), |name| name.to_string())
    }

    fn variable_span(&self, place: Place) -> Span {
        self.units[place.unit].module.globals[place.at].span
    }

    /// Whether two places are one of a header that two units include.
    fn in_header(&self, first: Span, second: Span) -> bool {
        let at = |span: Span| self.sources.position(span.lo).map(|at| (&*at.file.name, at.line));
        at(first).is_some() && at(first) == at(second)
    }

    fn twice(&self, what: &str, (first, second): (Place, Place), spans: (Span, Span)) -> Diagnostic {
        let (a, b) = (self.file(first), self.file(second));
        let message = format!("multiple definition of `{what}`: in `{a}` and in `{b}`");
        let error = Diagnostic::error("multiple-definition", spans.1, message);
        if self.in_header(spans.0, spans.1) {
            return error.label("in a header that both include");
        }
        error.related(spans.0, "first defined here")
    }

    fn function_twice(&self, first: Place, second: Place) -> Diagnostic {
        let (one, other) = (self.function(first), self.function(second));
        let spans = (one.span, other.span);
        let told = self.twice(&one.source_name, (first, second), spans);
        told.help(match &*one.name {
            "main" => {
                "a program has one `main`: leave one of the files out, or rename the function".to_owned()
            }
            _ if self.in_header(spans.0, spans.1) => {
                "write `inline` before it, or leave its declaration in the header and define it in one file"
                    .to_owned()
            }
            _ => "rename one of them, or write `static` before one that only its own file uses".to_owned(),
        })
    }

    fn variable_twice(&self, first: Place, second: Place) -> Diagnostic {
        let spans = (self.variable_span(first), self.variable_span(second));
        let what = self.name(first);
        let told = self.twice(&what, (first, second), spans);
        told.help(match self.in_header(spans.0, spans.1) {
            true => "leave `extern` with its type in the header, and define it in one file".to_owned(),
            false => format!(
                "declare it `extern` in one of the files, if they mean the same `{what}`; otherwise write `static` before both"
            ),
        })
    }

    fn undefined(&self, what: &str, place: Place, declared: Span, used: Option<Span>) -> Diagnostic {
        let span = used.unwrap_or(declared);
        let of = self.file(place);
        let message = match self.units {
            [_] => format!("undefined reference to `{what}`: `{of}` declares it, and does not define it"),
            _ => format!("undefined reference to `{what}`: `{of}` uses it, and no file defines it"),
        };
        let error = Diagnostic::error("undefined-reference", span, message);
        if used.is_some() { error.related(declared, "declared here") } else { error }
    }

    fn undefined_function(&self, place: Place) -> Diagnostic {
        let one = self.function(place);
        let used =
            self.used(place, |op| matches!(op, Op::Call(id) | Op::Function(id) if id.index() == place.at));
        let error = self.undefined(&one.source_name, place, one.span, used);
        for (unit, of) in self.units.iter().enumerate() {
            for (at, other) in of.module.functions.iter().enumerate() {
                if other.external
                    || other.source_name != one.source_name
                    || other.name == one.name && other.linkage != Linkage::Internal
                {
                    continue;
                }
                let file = self.file(Place { unit, at });
                let c = |of: &Function| of.name == of.source_name;
                let (words, help) = match (other.linkage, c(one), c(other)) {
                    (Linkage::Internal, ..) => (
                        "this one is its file's own",
                        format!("remove `static`, or the namespace without a name, in `{file}`"),
                    ),
                    (_, false, true) => (
                        "this one has the linkage of C",
                        format!("declare it `extern \"C\"`, as `{file}` defines it"),
                    ),
                    (_, true, false) => (
                        "this one has the linkage of C++",
                        format!("define it `extern \"C\"` in `{file}`, or declare it without"),
                    ),
                    _ => (
                        "this one has other parameters",
                        format!("declare it with the parameters that it has in `{file}`"),
                    ),
                };
                return error.related(other.span, words).help(help);
            }
        }
        let template = one.source_name.ends_with('>');
        error.help(match template {
            true => "define the template in the header, or instantiate it for these arguments where it is defined: `template …;`".to_owned(),
            false => self.name_the_file(),
        })
    }

    fn undefined_variable(&self, place: Place) -> Diagnostic {
        let used = self.used(place, |op| matches!(op, Op::Global(id) if id.index() == place.at));
        let what = self.name(place);
        let error = self.undefined(&what, place, self.variable_span(place), used);
        for (unit, of) in self.units.iter().enumerate() {
            for (at, other) in of.module.globals.iter().enumerate() {
                let other_place = Place { unit, at };
                if !other.external
                    && other.linkage == Linkage::Internal
                    && unit != place.unit
                    && self.name(other_place) == what
                    && !other.name.starts_with("_ZZ")
                {
                    let file = self.file(other_place);
                    let help = format!(
                        "remove what makes it its file's own in `{file}`: `static`, or `const` without `extern`"
                    );
                    return error.related(other.span, "this one is its file's own").help(help);
                }
            }
        }
        error.help(self.name_the_file())
    }

    fn name_the_file(&self) -> String {
        let files: Vec<&str> = self.units.iter().map(|unit| &*unit.file).collect();
        format!("name the file that defines it, too: `cudarun {} FILE.cu`", files.join(" "))
    }

    /// Where a unit's own code first does something.
    fn used(&self, place: Place, does: impl Fn(&Op) -> bool) -> Option<Span> {
        let module = &self.units[place.unit].module;
        let written = |span: Span| self.sources.position(span.lo).is_some_and(|at| !at.file.ours);
        let insts = module.functions.iter().filter(|function| !function.external).flat_map(|function| {
            let insts = function.blocks.iter().flat_map(|block| &block.insts);
            insts.map(|inst| &function.insts[inst.index()])
        });
        let mut used = insts.filter(|data| does(&data.op)).map(|data| data.place.span);
        used.find(|span| written(*span)).or_else(|| {
            let names = |of: &Symbol| match of {
                Symbol::Function(id) => does(&Op::Function(*id)),
                Symbol::Global(id) => does(&Op::Global(*id)),
            };
            let mut all = module.globals.iter().filter(|one| {
                one.initial.iter().flat_map(|(_, addresses)| addresses).any(|(_, of, _)| names(of))
            });
            all.find(|one| written(one.span)).map(|one| one.span)
        })
    }

    fn unlike_function(&self, declared: Place, defined: Place) -> Diagnostic {
        let one = self.function(declared);
        let (a, b) = (self.file(declared), self.file(defined));
        let name = &one.source_name;
        let message = format!("`{name}` has other types where `{a}` declares it than where `{b}` defines it");
        Diagnostic::error("different-types", one.span, message)
            .related(self.function(defined).span, "defined here")
            .help("declare it once, in a header that both files include: its result, its parameters and their classes are the same then")
    }

    fn unlike_variable(&self, declared: Place, defined: Place, sizes: bool) -> Diagnostic {
        let global = |place: Place| &self.units[place.unit].module.globals[place.at];
        let (one, other) = (global(declared), global(defined));
        let (a, b) = (self.file(declared), self.file(defined));
        let what = self.name(declared);
        let space = |space: Space| match space {
            Space::Constant => "__constant__",
            Space::Shared => "__shared__",
            _ => "__device__",
        };
        let (message, error) = if one.space != other.space {
            let (from, to) = (space(one.space), space(other.space));
            (format!("`{what}` is declared `{from}` in `{a}`, and defined `{to}` in `{b}`"), true)
        } else if one.size != other.size && one.size != 0 {
            let (from, to) = (one.size, other.size);
            let message =
                format!("`{what}` has {from} bytes where `{a}` declares it, and {to} where `{b}` defines it");
            (message, sizes)
        } else {
            (
                format!("`{what}` is of another type where `{a}` declares it than where `{b}` defines it"),
                false,
            )
        };
        let told = match error {
            true => Diagnostic::error("different-types", one.span, message),
            false => Diagnostic::warning("different-types", one.span, message),
        };
        told.related(other.span, "defined here").help("declare it once, in a header that both files include")
    }

    /// Two functions that should be the same. (Which template an instance is of, a symbol does not always tell.)
    fn different(&self, first: Place, second: Place) -> Option<Diagnostic> {
        let (one, other) = (self.function(first), self.function(second));
        let ours = |span: Span| self.sources.position(span.lo).is_none_or(|at| at.file.ours);
        if one.source_name.contains('<') || ours(one.span) || ours(other.span) {
            return None;
        }
        let (a, b) = (self.file(first), self.file(second));
        let message = format!("`{}` is not the same in `{a}` and in `{b}`", one.source_name);
        let warning = Diagnostic::warning("one-definition-rule", other.span, message)
            .related(one.span, "the other one is here")
            .help("give one of them another name: each file has its own here, and g++ takes one of them for both");
        Some(warning)
    }
}
