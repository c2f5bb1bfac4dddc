//! Many short lists in one: a vector of vectors asks for memory as often as it has lists.
//!
//! Enters: elements, each with the number of its list. Leaves: the lists, by number. This module must never know what they hold.

/// Lists by number.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// Where each list begins among all, and where the last one ends.
    starts: Vec<u32>,
    all: Vec<T>,
}

impl<T: Copy> Lists<T> {
    /// That many lists, of elements in the order in which they are given.
    pub(crate) fn new(count: usize, elements: &[(u32, T)]) -> Self {
        let mut starts = vec![0u32; count + 1];
        elements.iter().for_each(|(list, _)| starts[*list as usize + 1] += 1);
        for at in 1..=count {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut all: Vec<T> = elements.iter().map(|(_, element)| *element).collect();
        for (list, element) in elements {
            let at = &mut next[*list as usize];
            all[*at as usize] = *element;
            *at += 1;
        }
        Lists { starts, all }
    }

    /// The list of a number.
    pub(crate) fn of(&self, list: usize) -> &[T] {
        &self.all[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Lists;

    #[test]
    fn elements_are_in_their_lists_in_their_order() {
        let lists = Lists::new(3, &[(2, 'a'), (0, 'b'), (2, 'c')]);
        assert_eq!([0, 1, 2].map(|list| lists.of(list).to_vec()), [vec!['b'], vec![], vec!['a', 'c']]);
    }
}
