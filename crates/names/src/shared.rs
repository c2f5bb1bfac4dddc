//! Elements of variables in shared memory as the source writes them: PTX has a symbol and an offset.

/// A variable in shared memory: an array of arrays, or a single element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Name as written.
    pub name: String,
    /// Symbol in PTX.
    pub symbol: String,
    /// Bytes of an element that is not an array.
    pub element: u64,
    /// Lengths of the arrays, the outermost first; that one is 0 if a launch says how many elements there are.
    pub lengths: Vec<u64>,
}

impl Shared {
    /// Whether it is dynamic: an array whose size a launch says.
    pub fn is_dynamic(&self) -> bool {
        self.lengths.first() == Some(&0)
    }

    /// Bytes of an element of the outermost array, which may be an array too.
    pub fn row(&self) -> u64 {
        self.lengths.iter().skip(1).product::<u64>() * self.element
    }

    /// The element this many bytes past its start, such as `tile[1][31]`; a place beyond its end, or before its start, is in
    /// a further row.
    pub fn at(&self, offset: i64) -> String {
        let mut rest = offset.div_euclid(self.element.max(1).cast_signed());
        let mut indices: Vec<i64> = vec![];
        for (number, length) in self.lengths.iter().enumerate().rev() {
            let length = (*length).max(1).cast_signed();
            indices.push(if number == 0 { rest } else { rest.rem_euclid(length) });
            rest = rest.div_euclid(length);
        }
        indices.iter().rev().fold(self.name.clone(), |name, index| format!("{name}[{index}]"))
    }
}
