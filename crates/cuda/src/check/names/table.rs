//! Names of a scope: few of most, which are compared one by one; from some more on, found by their hash.
//!
//! Enters: names with what they stand for. Leaves: the same by name, and all of them as they were declared. This module must
//! never know what may be declared next to what.

use crate::ast::Symbol;
use crate::hash::Map;

/// Most names that are compared one by one.
const FEW: usize = 8;

/// Names of a scope; several entries where a class and a function share one.
#[derive(Clone, Debug)]
pub(crate) struct Names<E> {
    list: Vec<(Symbol, Vec<E>)>,
    /// Places in the list; empty while there are few.
    index: Map<Symbol, u32>,
}

impl<E> Default for Names<E> {
    fn default() -> Self {
        Names { list: Vec::new(), index: Map::default() }
    }
}

impl<E> Names<E> {
    fn place(&self, symbol: &str) -> Option<usize> {
        if self.list.len() > FEW {
            return self.index.get(symbol).map(|at| *at as usize);
        }
        self.list.iter().position(|(one, _)| **one == *symbol)
    }

    /// What a name stands for.
    pub(crate) fn get(&self, symbol: &str) -> Option<&[E]> {
        self.place(symbol).and_then(|at| self.list.get(at)).map(|(_, entries)| entries.as_slice())
    }

    /// Whether there is a name.
    pub(crate) fn contains_key(&self, symbol: &str) -> bool {
        self.place(symbol).is_some()
    }

    /// What a name stands for, to be added to; nothing yet of a new one.
    pub(crate) fn of(&mut self, symbol: &Symbol) -> &mut Vec<E> {
        let at = self.place(symbol).unwrap_or_else(|| {
            self.list.push((symbol.clone(), Vec::with_capacity(1)));
            if self.list.len() > FEW {
                let known = self.index.len();
                let places = (known as u32..).zip(self.list.iter().skip(known));
                self.index.extend(places.map(|(at, (symbol, _))| (symbol.clone(), at)));
            }
            self.list.len() - 1
        });
        &mut self.list[at].1 // it was found there, or put there
    }

    /// Lets a name stand for one thing alone.
    pub(crate) fn set(&mut self, symbol: &Symbol, entry: E) {
        let entries = self.of(symbol);
        entries.clear();
        entries.push(entry);
    }

    /// All names with what they stand for, in the order of their first declarations.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Symbol, &[E])> {
        self.list.iter().map(|(symbol, entries)| (symbol, entries.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::names::entity::{Entity, Entry};
    use crate::source::Span;

    #[test]
    fn few_names_and_many_are_found() {
        let mut names = Names::<Entry>::default();
        for count in 0..40 {
            for at in 0..count {
                let entries = names.get(&format!("name{at}"));
                assert_eq!(entries.and_then(|all| all.first()).map(|one| one.order), Some(at), "of {count}");
            }
            let symbol = Symbol::from(format!("name{count}").as_str());
            assert!(!names.contains_key(&symbol));
            let entry = Entry { entity: Entity::Error, order: count, span: Span::default() };
            names.of(&symbol).push(entry.clone());
            names.of(&symbol).push(entry);
            assert_eq!(names.get(&symbol).map(<[Entry]>::len), Some(2));
        }
        let order: Vec<u32> = names.iter().filter_map(|(_, all)| Some(all.first()?.order)).collect();
        assert_eq!(order, (0..40).collect::<Vec<_>>());
        let symbol = Symbol::from("name20");
        names.set(&symbol, Entry { entity: Entity::Error, order: 7, span: Span::default() });
        assert_eq!(names.get(&symbol).map(<[Entry]>::len), Some(1));
    }
}
