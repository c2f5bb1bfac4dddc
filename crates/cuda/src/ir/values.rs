//! Short lists of values.
//!
//! Operands and results of instructions: nearly all have three or fewer, which lie in the instruction itself; memory is
//! asked for only beyond that. To be read and changed as a slice.

use std::ops::{Deref, DerefMut};

use super::Value;

/// Values that lie in place.
const FEW: usize = 3;

/// List of values, as operands and results are.
#[derive(Clone)]
pub(crate) struct Values(Lies);

#[derive(Clone)]
#[expect(clippy::box_collection, reason = "a thin pointer: an instruction is a line of the cache")]
enum Lies {
    Here(u8, [Value; FEW]),
    There(Box<Vec<Value>>),
}

impl Values {
    /// Adds a value at the end.
    pub(crate) fn push(&mut self, value: Value) {
        match &mut self.0 {
            Lies::Here(count, values) => match values.get_mut(usize::from(*count)) {
                Some(place) => {
                    *place = value;
                    *count += 1;
                }
                None => {
                    let mut all = values.to_vec();
                    all.push(value);
                    self.0 = Lies::There(Box::new(all));
                }
            },
            Lies::There(values) => values.push(value),
        }
    }

    /// All of them.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[Value] {
        self
    }

    /// Removes all.
    pub(crate) fn clear(&mut self) {
        *self = Values::default();
    }
}

impl Default for Values {
    fn default() -> Values {
        Values(Lies::Here(0, [Value(0); FEW]))
    }
}

impl Deref for Values {
    type Target = [Value];

    #[inline]
    fn deref(&self) -> &[Value] {
        match &self.0 {
            Lies::Here(count, values) => values.get(..usize::from(*count)).unwrap_or_default(),
            Lies::There(values) => values,
        }
    }
}

impl DerefMut for Values {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Value] {
        match &mut self.0 {
            Lies::Here(count, values) => values.get_mut(..usize::from(*count)).unwrap_or_default(),
            Lies::There(values) => values,
        }
    }
}

impl From<&[Value]> for Values {
    #[inline]
    fn from(values: &[Value]) -> Values {
        let mut few = [Value(0); FEW];
        match few.get_mut(..values.len()) {
            Some(here) => {
                here.copy_from_slice(values);
                Values(Lies::Here(values.len() as u8, few))
            }
            None => Values(Lies::There(Box::new(values.to_vec()))),
        }
    }
}

impl<const N: usize> From<[Value; N]> for Values {
    #[inline]
    fn from(values: [Value; N]) -> Values {
        Values::from(values.as_slice())
    }
}

impl From<Vec<Value>> for Values {
    fn from(values: Vec<Value>) -> Values {
        if values.len() > FEW {
            Values(Lies::There(Box::new(values)))
        } else {
            Values::from(values.as_slice())
        }
    }
}

impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Values {
        let mut all = Values::default();
        values.into_iter().for_each(|value| all.push(value));
        all
    }
}

impl<'a> IntoIterator for &'a Values {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Values {
    type Item = &'a mut Value;
    type IntoIter = std::slice::IterMut<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Values) -> bool {
        **self == **other
    }
}

impl std::fmt::Debug for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_grows_beyond_its_place() {
        let mut list = Values::default();
        let all: Vec<Value> = (0..7).map(Value).collect();
        for (n, value) in all.iter().enumerate() {
            list.push(*value);
            assert_eq!(*list, all[..=n]);
            assert_eq!(list, Values::from(&all[..=n]));
        }
    }

    #[test]
    fn an_instruction_and_a_value_take_few_bytes() {
        assert_eq!(size_of::<Values>(), 16);
        assert_eq!(size_of::<crate::ir::ValueData>(), 16);
        assert!(size_of::<crate::ir::InstData>() <= 64);
    }
}
