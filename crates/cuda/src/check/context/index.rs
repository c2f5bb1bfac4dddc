//! Things of contexts by their numbers: `self.scopes[scope]`.

/// Implements indexing of a context by the number of what it has, and by a reference to such a number.
macro_rules! by_number {
    ($context:ty, $($list:ident).+, $id:ty, $of:ty) => {
        impl std::ops::Index<$id> for $context {
            type Output = $of;

            fn index(&self, id: $id) -> &$of {
                &self.$($list).+[id.index()]
            }
        }

        impl std::ops::IndexMut<$id> for $context {
            fn index_mut(&mut self, id: $id) -> &mut $of {
                &mut self.$($list).+[id.index()]
            }
        }
    };
}

pub(crate) use by_number;
