//! Sorting in little code: the standard library's is made again, at several kilobytes, for each type and key.
//!
//! Enters: a list. Leaves: the same in order; what is equal stays as it was.

/// Sorts by a key, stably.
pub(crate) fn by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    let mut places = order(list.len(), &|a, b| key(&list[a]) <= key(&list[b]));
    // Circle by circle, each element goes to its place.
    for start in 0..places.len() {
        let mut at = start;
        loop {
            let next = std::mem::replace(&mut places[at], at);
            if next == start || next == at {
                break;
            }
            list.swap(at, next);
            at = next;
        }
    }
}

/// For each place of the sorted list, where its element is now; none where everything is in place. Merges runs of twice the
/// length from iteration to iteration.
fn order(count: usize, in_order: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    if (1..count).all(|at| in_order(at - 1, at)) {
        return vec![];
    }
    let mut from: Vec<usize> = (0..count).collect();
    let mut to = from.clone();
    let mut width = 1;
    while width < count {
        for start in (0..count).step_by(2 * width) {
            let (middle, end) = ((start + width).min(count), (start + 2 * width).min(count));
            let (mut left, mut right) = (start, middle);
            for place in &mut to[start..end] {
                let first = left < middle && (right >= end || in_order(from[left], from[right]));
                let next = if first { &mut left } else { &mut right };
                *place = from[*next];
                *next += 1;
            }
        }
        std::mem::swap(&mut from, &mut to);
        width *= 2;
    }
    from
}

#[cfg(test)]
mod tests {
    #[test]
    fn lists_of_any_length_are_sorted_and_what_is_equal_stays() {
        let mut seed = 1u32;
        for length in 0..200 {
            let mut list: Vec<(u32, usize)> = (0..length)
                .map(|at| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (seed >> 28, at)
                })
                .collect();
            let mut wanted = list.clone();
            wanted.sort();
            super::by_key(&mut list, |one| one.0);
            assert_eq!(list, wanted);
        }
    }
}
