//! Texture objects of a case.
//!
//! Enters: what a setup says of one, its buffer's type and contents, a device. Leaves: the object's handle. What CUDA has a
//! number for is one here too. This module must never know what is fetched.

use crate::error::Error;
use device::texture::{AddressMode, Channel, Dimension, Extent, Format, Mipmap, Sampling};
use device::{Arg, Buffer, Device, Resource};
use exercise::expression::{self, Expression};
use exercise::manifest::{Texture, Type};

/// Value of a formula.
type Values<'a> = &'a dyn Fn(&Expression) -> Result<i64, expression::Error>;

/// A texture object, over the buffer or over an array with its contents, as the argument that a kernel gets.
///
/// # Errors
/// Numbers that are of no texture, more texels than there are elements, and what the device refuses.
pub(crate) fn create<D: Device + ?Sized>(
    device: &mut D,
    texture: &Texture,
    (ty, contents, buffer): (Type, &[u8], Buffer),
    value: Values<'_>,
) -> Result<Arg, Error> {
    let Described { format, sampling, width, height, pitch, texels, array } =
        describe(texture, ty, contents, value)?;
    let resource = if array {
        let dimension = if height.is_some() { Dimension::Two } else { Dimension::One };
        let size = [width, height.unwrap_or(1), 1];
        let array = device.allocate_array(Extent { dimension, size, layers: None, levels: None }, format)?;
        device.write_array(array, texels)?;
        Resource::Array(array)
    } else {
        match height {
            None => Resource::Linear { buffer, offset: 0, width },
            Some(height) => Resource::Pitched { buffer, offset: 0, width, height, pitch },
        }
    };
    Ok(Arg::U64(device.create_texture(&resource, format, sampling)?.handle()))
}

/// What a device is told of a texture, with its texels.
struct Described<'a> {
    format: Format,
    sampling: Sampling,
    width: u32,
    height: Option<u32>,
    /// Bytes of a row.
    pitch: u64,
    texels: &'a [u8],
    /// Whether they are in an array.
    array: bool,
}

/// A texture's numbers.
fn describe<'a>(
    texture: &Texture,
    ty: Type,
    contents: &'a [u8],
    value: Values<'_>,
) -> Result<Described<'a>, Error> {
    let name = &texture.name;
    let channel = match ty {
        Type::U8 => Channel::U8,
        Type::I32 => Channel::I32,
        Type::U32 => Channel::U32,
        Type::F32 => Channel::F32,
        Type::F64 => return Err(Error::Shape(format!("texture `{name}`: texels are not of f64"))),
    };
    // One of so many, in the order of CUDA's enumerators.
    let one_of = |what: &str, formula: &Expression, most: u32| -> Result<u32, Error> {
        let found = value(formula)?;
        u32::try_from(found).ok().filter(|n| *n <= most).ok_or_else(|| {
            Error::Shape(format!("texture `{name}`: {what} is {found}, and it is 0 to {most}"))
        })
    };
    let channels = one_of("channels", &texture.channels, 4)? as u8;
    let format = Format { channel, channels };
    let width = one_of("width", &texture.width, 1 << 28)?;
    let height = texture.height.as_ref().map(|height| one_of("height", height, 1 << 16)).transpose()?;
    let modes = [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border];
    let sampling = Sampling {
        address: [modes[one_of("address_mode", &texture.address_mode, 3)? as usize]; 3],
        linear: one_of("filter_mode", &texture.filter_mode, 1)? == 1,
        normalised_coordinates: one_of("normalized_coords", &texture.normalized_coords, 1)? == 1,
        normalised_float: one_of("read_mode", &texture.read_mode, 1)? == 1,
        border: [0; 4],
        mipmap: Mipmap::NEAREST,
    };
    let pitch = u64::from(width) * u64::from(channels) * ty.bytes() as u64;
    let bytes = pitch * u64::from(height.unwrap_or(1));
    let texels = usize::try_from(bytes).ok().and_then(|bytes| contents.get(..bytes)).ok_or_else(|| {
        Error::Shape(format!(
            "texture `{name}`: it has {bytes} bytes of texels, and its buffer {}",
            contents.len()
        ))
    })?;
    let array = one_of("array", &texture.array, 1)? == 1;
    Ok(Described { format, sampling, width, height, pitch, texels, array })
}
