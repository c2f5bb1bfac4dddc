//! Hash maps and sets with one hash for the whole crate: what is hashed is small and not from outside, so that the standard
//! library's guard against chosen keys would cost a tenth of a small launch, and each kind of map its build time.

use foldhash::fast::RandomState;

/// A hash map.
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;
/// A hash set.
pub(crate) type HashSet<K> = std::collections::HashSet<K, RandomState>;
