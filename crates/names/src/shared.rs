//! Elements of variables in shared memory as the source writes them: PTX has a symbol and an offset.

/// A variable in shared memory: an array of arrays, or a single element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Name as written.
    pub name: String,
    /// Symbol in PTX.
    pub symbol: String,
    /// Bytes of an element that is no array.
    pub element: u64,
    /// Lengths of the arrays, the outermost first.
    pub lengths: Vec<u64>,
}

impl Shared {
    /// The element at so many bytes past its start, such as `tile[1][31]`; what lies beyond its end is in a further row.
    pub fn at(&self, offset: u64) -> String {
        let mut rest = offset / self.element.max(1);
        let mut indices: Vec<u64> = vec![];
        for (number, length) in self.lengths.iter().enumerate().rev() {
            let length = (*length).max(1);
            indices.push(if number == 0 { rest } else { rest % length });
            rest /= length;
        }
        indices.iter().rev().fold(self.name.clone(), |name, index| format!("{name}[{index}]"))
    }
}

/// The element at so many bytes past the start of a symbol, as the source writes it; nothing where it is none of these variables.
pub fn element(shared: &[Shared], symbol: &str, offset: i64) -> Option<String> {
    let variable = shared.iter().find(|variable| variable.symbol == symbol)?;
    Some(variable.at(u64::try_from(offset).ok()?))
}
