//! Code of the source that lines of the PTX were made from: PTX itself has at most line numbers.

/// Code that a line of the PTX, and those after it up to the next of these, were made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Line of the PTX, from 1.
    pub from: u32,
    /// Source file, as the PTX names it.
    pub file: String,
    /// Line in it at which the code begins, from 1.
    pub line: u32,
    /// The code.
    pub code: String,
}

/// The code that a line of the PTX was made from, where it begins in this line of the source; `origins` rise.
pub fn code<'o>(origins: &'o [Origin], line: u32, (file, at): (&str, u32)) -> Option<&'o str> {
    let after = origins.partition_point(|one| one.from <= line);
    let one = origins.get(after.checked_sub(1)?)?;
    (one.file == file && one.line == at && !one.code.is_empty()).then_some(&one.code)
}
