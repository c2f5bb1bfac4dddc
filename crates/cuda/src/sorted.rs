//! Map in a sorted list: for few keys, or keys that come in order. A tree or a hash table is several kilobytes of code for
//! each pair of types.

/// Map whose keys are in order; as a set, where nothing is kept of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sorted<K, V>(Vec<(K, V)>);

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Self {
        Self(vec![])
    }
}

impl<K: Ord, V> Sorted<K, V> {
    fn place(&self, key: &K) -> Result<usize, usize> {
        // Keys are numbered as they come, so that most are after all others.
        match self.0.last() {
            Some((last, _)) if last < key => Err(self.0.len()),
            _ => self.0.binary_search_by(|(one, _)| one.cmp(key)),
        }
    }

    /// Value of a key.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.place(key).ok().and_then(|at| self.0.get(at)).map(|(_, value)| value)
    }

    /// Value of a key, to be changed.
    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.place(key).ok().and_then(|at| self.0.get_mut(at)).map(|(_, value)| value)
    }

    /// Whether there is a key.
    pub(crate) fn contains_key(&self, key: &K) -> bool {
        self.place(key).is_ok()
    }

    /// Gives a key a value; the one that it had is returned.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => self.0.get_mut(at).map(|(_, old)| std::mem::replace(old, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// Value of a key, made where there is none.
    pub(crate) fn or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let at = self.place(&key).unwrap_or_else(|at| {
            self.0.insert(at, (key, make()));
            at
        });
        &mut self.0[at].1 // it was found there, or put there
    }

    /// Keys of a range with their values, in order.
    pub(crate) fn range(&self, keys: std::ops::Range<K>) -> &[(K, V)] {
        let first = self.0.partition_point(|(key, _)| *key < keys.start);
        let all = self.0.get(first..).unwrap_or_default();
        let count = all.partition_point(|(key, _)| *key < keys.end);
        all.get(..count).unwrap_or_default()
    }

    /// Takes a key away, with its value.
    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        let at = self.place(key).ok()?;
        Some(self.0.remove(at).1)
    }
}

impl<K: Ord> Sorted<K, ()> {
    /// Adds a key to a set; whether it was not there.
    pub(crate) fn add(&mut self, key: K) -> bool {
        self.insert(key, ()).is_none()
    }
}

impl<K, V> Sorted<K, V> {
    /// Keys with their values, in the order of the keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Keys in order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// How many keys there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps what fulfils a condition.
    pub(crate) fn retain(&mut self, keep: impl Fn(&K, &V) -> bool) {
        self.0.retain(|(key, value)| keep(key, value));
    }

    /// Values, in the order of their keys, to be changed.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Values, in the order of their keys.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for Sorted<K, V> {
    fn from(pairs: [(K, V); N]) -> Self {
        let mut map = Self::default();
        for (key, value) in pairs {
            map.insert(key, value);
        }
        map
    }
}

impl<'a, K, V> IntoIterator for &'a Sorted<K, V> {
    type Item = &'a (K, V);
    type IntoIter = std::slice::Iter<'a, (K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<K, V> IntoIterator for Sorted<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Sorted;

    #[test]
    fn keys_are_in_order_whatever_order_they_come_in() {
        let mut map = Sorted::default();
        for key in [3, 9, 1, 7, 3] {
            map.insert(key, key * 10);
        }
        assert_eq!(map.insert(7, 0), Some(70));
        *map.or_insert_with(5, || 1) += 1;
        assert_eq!(map.remove(&9), Some(90));
        assert_eq!(map.remove(&9), None);
        assert_eq!(
            map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>(),
            [(1, 10), (3, 30), (5, 2), (7, 0)]
        );
        assert_eq!((map.range(2..5), map.range(5..8)), (&[(3, 30)][..], &[(5, 2), (7, 0)][..]));
        assert_eq!((map.range(8..99), map.range(4..5)), (&[][..], &[][..]));
        assert!(map.contains_key(&1) && map.get(&2).is_none());
    }
}
