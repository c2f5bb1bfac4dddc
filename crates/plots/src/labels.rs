//! Positions of the labels at the lines' ends.
//!
//! Enters: sizes and wishes. Leaves: positions without overlap. This module must never know what the labels say.

/// Puts items of the given heights as near as possible to the centres they wish for, in the order of the wishes,
/// without overlap, and inside `low..high` where they fit. Returns the centres in the order given.
pub(super) fn spread(wishes: &[(f64, f64)], low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wishes.len()).collect();
    order.sort_by(|a, b| wishes[*a].0.total_cmp(&wishes[*b].0));

    // Items that would overlap become one group, which is where its members wish it to be on average.
    struct Group {
        items: Vec<usize>,
        height: f64,
        sum: f64, // of the tops that the members wish for the group
    }
    impl Group {
        fn top(&self, low: f64, high: f64) -> f64 {
            (self.sum / self.items.len() as f64).min(high - self.height).max(low)
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    for i in order {
        let (wish, height) = wishes[i];
        let mut group = Group { items: vec![i], height, sum: wish - height / 2.0 };
        while let Some(above) = groups.pop() {
            if above.top(low, high) + above.height <= group.top(low, high) {
                groups.push(above);
                break;
            }
            group = Group {
                sum: above.sum + group.sum - above.height * group.items.len() as f64,
                height: above.height + group.height,
                items: [above.items, group.items].concat(),
            };
        }
        groups.push(group);
    }
    let mut centres = vec![0.0; wishes.len()];
    for group in &groups {
        let mut at = group.top(low, high);
        for i in &group.items {
            centres[*i] = at + wishes[*i].1 / 2.0;
            at += wishes[*i].1;
        }
    }
    centres
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_fit_stay_where_they_are() {
        assert_eq!(spread(&[(50.0, 10.0), (20.0, 10.0)], 0.0, 100.0), [50.0, 20.0]);
    }

    #[test]
    fn labels_that_overlap_part_around_their_middle() {
        assert_eq!(spread(&[(50.0, 10.0), (50.0, 10.0)], 0.0, 100.0), [45.0, 55.0]);
    }

    #[test]
    fn labels_stay_inside() {
        assert_eq!(spread(&[(0.0, 10.0), (1.0, 10.0), (99.0, 10.0)], 0.0, 100.0), [5.0, 15.0, 95.0]);
    }
}
