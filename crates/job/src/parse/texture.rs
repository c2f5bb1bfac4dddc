//! `[[array]]`, `[[texture]]` and `[[surface]]`.

use super::buffer::{file_name, find};
use super::raw::RawJob;
use super::reader::Reader;
use crate::error::Error;
use crate::job::Buffer;
use crate::source;
use crate::texture::{self, Objects};

impl Reader<'_> {
    /// Arrays, textures and surfaces; their sections are taken from the file's.
    pub(super) fn objects(&self, raw: &mut RawJob, buffers: &[Buffer]) -> Result<Objects, Error> {
        let mut objects = Objects::default();
        for spanned in std::mem::take(&mut raw.array) {
            let line = self.line(spanned.span().start);
            let raw = spanned.into_inner();
            let name = raw.name.clone();
            let error = |message: String| self.error(line, format!("array `{name}`: {message}"));
            file_name(&name).map_err(|reason| error(format!("name: {reason}")))?;
            let mut entry = texture::array(line, raw).map_err(error)?;
            if objects.array(&name).is_ok() || find(buffers, &name).is_ok() {
                return Err(error("another array or buffer has the same name".into()));
            }
            if let Some(file) = &entry.file {
                let file = self.input(file);
                let found = source::size(&file).map_err(|reason| error(format!("file: {reason}")))?;
                if found != entry.bytes {
                    let (path, bytes) = (file.display(), entry.bytes);
                    return Err(error(format!(
                        "file: {path} has {found} bytes, and the texels take {bytes}"
                    )));
                }
                entry.file = Some(file);
            }
            objects.arrays.push(entry);
        }
        for spanned in std::mem::take(&mut raw.texture) {
            let line = self.line(spanned.span().start);
            let raw = spanned.into_inner();
            let name = raw.name.clone();
            objects
                .add_texture(line, raw, |name| find(buffers, name))
                .map_err(|reason| self.error(line, format!("texture `{name}`: {reason}")))?;
        }
        for spanned in std::mem::take(&mut raw.surface) {
            let line = self.line(spanned.span().start);
            let raw = spanned.into_inner();
            let name = raw.name.clone();
            objects
                .add_surface(line, raw)
                .map_err(|reason| self.error(line, format!("surface `{name}`: {reason}")))?;
        }
        Ok(objects)
    }
}
