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
    /// Lengths of the arrays, the outermost first.
    pub lengths: Vec<u64>,
}

impl Shared {
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
