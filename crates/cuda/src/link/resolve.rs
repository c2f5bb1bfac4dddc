//! Names: which definition each means.
//!
//! Enters: units. Leaves: by function and variable the one that takes its place, and what is wrong with names. This module must never
//! know how anything is reported.

use super::{Rules, Unit};
use crate::hash::Map;
use crate::ir::{Function, Global, Linkage, Space, Type};
use crate::source::{Sources, Span};

/// A function or variable: its unit, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) unit: usize,
    pub(super) at: usize,
}

/// What is wrong with the names of functions or variables.
#[derive(Debug, Default)]
pub(super) struct Problems {
    /// Two definitions of one name.
    pub(super) twice: Vec<(Place, Place)>,
    /// Declarations without a definition, one a name.
    pub(super) undefined: Vec<Place>,
    /// A declaration, and the definition of its name, which is of another type.
    pub(super) unlike: Vec<(Place, Place)>,
    /// Two definitions of one name, of which each may be linked several times and should be the same: each unit has its own.
    pub(super) different: Vec<(Place, Place)>,
}

/// What each name means.
pub(super) struct Resolved {
    pub(super) functions: Vec<Vec<Place>>,
    pub(super) globals: Vec<Vec<Place>>,
    pub(super) of_functions: Problems,
    pub(super) of_globals: Problems,
}

impl Resolved {
    pub(super) fn new(units: &[Unit], rules: Rules<'_>, sources: &Sources) -> Self {
        let functions: Vec<&[Function]> = units.iter().map(|unit| &*unit.module.functions).collect();
        let globals: Vec<&[Global]> = units.iter().map(|unit| &*unit.module.globals).collect();
        let (functions, of_functions) = resolve(&functions, rules.whole, sources);
        let (globals, of_globals) = resolve(&globals, rules.whole, sources);
        Resolved { functions, globals, of_functions, of_globals }
    }
}

/// What functions and variables have in common.
pub(super) trait Item {
    fn name(&self) -> &str;
    fn linkage(&self) -> Linkage;
    fn external(&self) -> bool;
    /// Whether it has no definition in any unit: the launch or the runtime has it.
    fn outside(&self) -> bool;
    /// Whether one may take the other's place as far as types are known.
    fn is_like(&self, other: &Self) -> bool;
    /// Where it is defined, if two of one name may differ in what they do.
    fn extent(&self) -> Option<Span>;
}

impl Item for Function {
    fn name(&self) -> &str {
        &self.name
    }

    fn linkage(&self) -> Linkage {
        self.linkage
    }

    fn external(&self) -> bool {
        self.external
    }

    fn outside(&self) -> bool {
        self.external && self.linkage != Linkage::Visible
    }

    fn is_like(&self, other: &Self) -> bool {
        let types = |of: &Function| -> Vec<(Type, Option<u64>)> {
            let record = |param: &crate::ir::Param| param.record.as_ref().map(|record| record.size);
            of.params.iter().map(|param| (of.ty(param.value), record(param))).collect()
        };
        let result = |of: &Function| of.record.as_ref().map(|record| record.size);
        self.results == other.results && result(self) == result(other) && types(self) == types(other)
    }

    fn extent(&self) -> Option<Span> {
        Some(if self.span.lo <= self.end.hi { self.span.to(self.end) } else { self.end })
    }
}

impl Item for Global {
    fn name(&self) -> &str {
        &self.name
    }

    fn linkage(&self) -> Linkage {
        self.linkage
    }

    fn external(&self) -> bool {
        self.external
    }

    fn outside(&self) -> bool {
        self.external && self.space == Space::Shared
    }

    fn is_like(&self, other: &Self) -> bool {
        // `extern T name[]` says no size.
        let sized = self.size == other.size || self.size == 0;
        self.space == other.space && sized && self.element == other.element
    }

    fn extent(&self) -> Option<Span> {
        None
    }
}

/// Definitions by their names.
#[derive(Default)]
struct Known<'a> {
    /// Those of which a program has one.
    strong: Map<&'a str, Place>,
    /// The first of those that any unit may have.
    weak: Map<&'a str, Place>,
    /// Declarations of what no unit defines.
    outside: Map<&'a str, Vec<Place>>,
}

fn resolve<T: Item>(units: &[&[T]], whole: bool, sources: &Sources) -> (Vec<Vec<Place>>, Problems) {
    let (mut problems, mut known) = (Problems::default(), Known::default());
    let mut places: Vec<Vec<Place>> = vec![];
    for (unit, of) in units.iter().enumerate() {
        let all = 0..of.len();
        places.push(all.map(|at| known.enter(units, Place { unit, at }, sources, &mut problems)).collect());
    }
    if whole {
        problems.different.clear();
        for (unit, of) in units.iter().enumerate() {
            for (at, _) in of.iter().enumerate().filter(|(_, one)| !one.outside()) {
                places[unit][at] = Place { unit, at };
            }
        }
        return (places, problems);
    }
    known.find(units, &mut places, &mut problems);
    (places, problems)
}

impl<'a> Known<'a> {
    /// Enters a function or variable: what takes its place as far as the units up to its own say.
    fn enter<T: Item>(
        &mut self,
        units: &[&'a [T]],
        place: Place,
        sources: &Sources,
        problems: &mut Problems,
    ) -> Place {
        let item = |place: Place| &units[place.unit][place.at];
        let one = item(place);
        match one.linkage() {
            _ if one.outside() => {
                let known = self.outside.entry(one.name()).or_default();
                let same = known.iter().find(|other| item(**other).is_like(one)).copied();
                if same.is_none() {
                    known.push(place);
                }
                same.unwrap_or(place)
            }
            Linkage::Internal => place,
            _ if one.external() => place,
            Linkage::Copied => {
                self.weak.entry(one.name()).or_insert(place);
                place
            }
            Linkage::Visible => {
                let first = *self.strong.entry(one.name()).or_insert(place);
                if first != place {
                    problems.twice.push((first, place));
                }
                place
            }
            Linkage::Weak => {
                let first = *self.weak.entry(one.name()).or_insert(place);
                if first == place || is_same(item(first), one, sources) {
                    return first;
                }
                problems.different.push((first, place));
                place
            }
        }
    }

    /// Finds what is declared, once all that is defined is known. What is defined once for all goes before what any unit may define.
    fn find<T: Item>(&self, units: &[&'a [T]], places: &mut [Vec<Place>], problems: &mut Problems) {
        let item = |place: Place| &units[place.unit][place.at];
        let mut undefined: Map<&str, Place> = Map::default();
        for (unit, of) in units.iter().enumerate() {
            for (at, one) in of.iter().enumerate() {
                let place = Place { unit, at };
                let found = self.strong.get(one.name()).copied();
                match (one.external(), one.outside(), one.linkage()) {
                    (false, _, Linkage::Weak) | (true, true, _) => {
                        if let Some(found) = found.filter(|found| one.is_like(item(*found))) {
                            places[unit][at] = found;
                        }
                    }
                    (true, false, _) => match found.or_else(|| self.weak.get(one.name()).copied()) {
                        Some(found) => {
                            if !one.is_like(item(found)) {
                                problems.unlike.push((place, found));
                            }
                            places[unit][at] = found;
                        }
                        None => {
                            let first = *undefined.entry(one.name()).or_insert(place);
                            if first == place {
                                problems.undefined.push(place);
                            }
                            places[unit][at] = first;
                        }
                    },
                    (false, _, Linkage::Visible | Linkage::Copied | Linkage::Internal) => {}
                }
            }
        }
    }
}

/// Whether two definitions are the same: one place of a header that two units include, or the same text.
fn is_same<T: Item>(one: &T, other: &T, sources: &Sources) -> bool {
    let (Some(first), Some(second)) = (one.extent(), other.extent()) else { return one.is_like(other) };
    let place = |span: Span| sources.position(span.hi).map(|at| (&*at.file.name, span.hi - at.file.start));
    let text = sources.text(first);
    one.is_like(other)
        && (place(first) == place(second) || (!text.is_empty() && text == sources.text(second)))
}
