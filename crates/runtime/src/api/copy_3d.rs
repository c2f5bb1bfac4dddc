//! `cudaMemcpy3D`.

use super::copy::Returns;
use super::judge::{Asked, Corner};
use super::work::Work;
use super::{Answer, Call, Status};
use device::Extent;

/// Words of a `cudaMemcpy3DParms`, of 8 bytes each, and where its parts begin.
const WORDS: usize = 20;
const FROM: usize = 0;
const TO: usize = 8;

impl Call<'_> {
    fn copy_3d(&mut self, parameters: u64, returns: Returns) -> Answer {
        let at = self.pointer(parameters, "p")?;
        match self.work_of_3d(at)? {
            Work::Copy { to, from, extent, kind } => self.copy(to, from, extent, kind, returns),
            Work::ArrayCopy { array, corner, other, extent, kind, to_array } => {
                self.copy_array(array, corner, other, extent, (kind, to_array, returns))
            }
            _ => Ok(0),
        }
    }

    /// The copy that a `cudaMemcpy3DParms` asks for.
    pub(super) fn work_of_3d(&mut self, at: u64) -> Answer<Work> {
        let words: [u64; WORDS] = self.words(at)?;
        let extent = Extent { width: words[16], height: words[17], depth: words[18] };
        let kind = words[19] as u32;
        let linear = |first: usize| {
            let [x, y, z] = [words[first + 1], words[first + 2], words[first + 3]];
            let [address, pitch, _, height] =
                [words[first + 4], words[first + 5], words[first + 6], words[first + 7]];
            let skipped = z.wrapping_mul(height).wrapping_add(y).wrapping_mul(pitch).wrapping_add(x);
            Asked { address: address.wrapping_add(skipped), pitch, height, pitched: true }
        };
        let corner = |first: usize, texel: u64| Corner {
            x: words[first + 1].wrapping_mul(texel),
            y: words[first + 2],
            z: words[first + 3],
        };
        match (words[TO], words[FROM]) {
            (0, 0) => Ok(Work::Copy { to: linear(TO), from: linear(FROM), extent, kind }),
            (0, handle) | (handle, 0) => {
                let to_array = words[FROM] == 0;
                let (of_array, other) = if to_array { (TO, FROM) } else { (FROM, TO) };
                let at = self.array(handle)?;
                // With an array, extents are counted in its texels.
                let texel = self.texel_bytes(at);
                let width = extent.width.saturating_mul(texel);
                let extent = Extent { width, ..extent };
                let corner = corner(of_array, texel);
                Ok(Work::ArrayCopy { array: handle, corner, other: linear(other), extent, kind, to_array })
            }
            (..) => self.refuse(Status::NOT_SUPPORTED, "p", "copies from array to array are not supported"),
        }
    }
}

/// `cudaMemcpy3D(p)`.
pub(super) fn memcpy_3d(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.copy_3d(a[0], Returns::Done)
}

/// `cudaMemcpy3DAsync(p, stream)`.
pub(super) fn memcpy_3d_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.copy_3d(a[0], Returns::AtOnce(a[1]))
}
