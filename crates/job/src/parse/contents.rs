//! Contents of buffers that hold addresses of others: `values = [{ buffer = "x" }, { null = true }]`, and structs.
//!
//! Each is an argument like a kernel's, and all of them are as the members of a C struct do.

use super::buffer::Late;
use super::reader::Reader;
use crate::error::Error;
use crate::job::{Buffer, BufferId};
use crate::texture::Objects;
use crate::value::Value;
use device::Arg;

impl Reader<'_> {
    /// Gives buffers the contents that were left for when all buffers are known.
    pub(super) fn contents(&self, mut buffers: Vec<Buffer>, late: Vec<Late>) -> Result<Vec<Buffer>, Error> {
        for (n, values) in late {
            let wrong = |reason| {
                self.error(buffers[n].line, format!("buffer `{}`: values: {reason}", buffers[n].name))
            };
            let (members, len, bytes) = self.held(&values, &buffers, &buffers[n]).map_err(wrong)?;
            buffers[n] = Buffer { len, bytes, members: Some(members), ..buffers[n].clone() };
        }
        Ok(buffers)
    }

    /// What a buffer holds, and how many elements and bytes that is.
    fn held(
        &self,
        values: &[Value],
        buffers: &[Buffer],
        of: &Buffer,
    ) -> Result<(Arg<BufferId>, u64, u64), String> {
        let ty = of.ty;
        let mut members = vec![];
        for (n, value) in values.iter().enumerate() {
            let member = self.argument(value, buffers, &Objects::default());
            members.push(member.map_err(|reason| format!("number {n}: {reason}"))?);
        }
        let members = Arg::Struct(members);
        let bytes = members.size() as u64;
        let found = bytes / ty.bytes() as u64;
        if !bytes.is_multiple_of(ty.bytes() as u64) {
            return Err(format!("their {bytes} bytes are not a whole number of {ty}"));
        }
        if of.len != 0 && of.len != found {
            return Err(format!("they are {found} × {ty}, but len is {}", of.len));
        }
        Ok((members, found, bytes))
    }
}
