//! Operands of instructions on textures and surfaces.

use super::{File, OptionalRegister, Register, Use, file_of};
use crate::semantics::atomic::Update;
use crate::semantics::texture::Dimension;

/// The arrangement of texels that an instruction names: `.a2d` is one of layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) dimension: Dimension,
    pub(crate) layered: bool,
}

/// Sizes that can be asked of a texture or a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Width,
    Height,
    Depth,
}

/// Objects that a handle can be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    Texture,
    Sampler,
    Surface,
}

/// How a fetch names a level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LevelOperands {
    None,
    /// `.level`: a float, or with integer coordinates an integer.
    Level(OptionalRegister),
    /// `.grad`: changes of the coordinates in two directions.
    Gradients([[OptionalRegister; 3]; 2]),
}

impl LevelOperands {
    fn registers(&self) -> impl Iterator<Item = OptionalRegister> {
        let (level, [x, y]) = match *self {
            LevelOperands::None => (OptionalRegister::NONE, [[OptionalRegister::NONE; 3]; 2]),
            LevelOperands::Level(level) => (level, [[OptionalRegister::NONE; 3]; 2]),
            LevelOperands::Gradients(changes) => (OptionalRegister::NONE, changes),
        };
        [level].into_iter().chain(x).chain(y)
    }
}

/// Instructions that read a texture, or say something about a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextureOperation {
    /// `tex`.
    Fetch {
        geometry: Geometry,
        /// Whether coordinates are integers.
        integers: bool,
        level: LevelOperands,
        /// Of a geometry of several samples: which. An object has one, number 0.
        sample: OptionalRegister,
        /// Whether results are pairs of f16 (`.f16x2`).
        halves: bool,
    },
    /// `tld4`: a channel of four texels.
    Gather { geometry: Geometry, channel: u8 },
    /// `txq` and `suq`.
    Size { of: Object, size: Size, level: OptionalRegister },
    /// `istypep`.
    Is(Object),
}

/// `tex`, `tld4`, `txq`, `suq` and `istypep`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextureOperands {
    pub(crate) operation: TextureOperation,
    /// In `X`.
    pub(crate) handle: Register,
    /// In `W`.
    pub(crate) coordinates: [OptionalRegister; 3],
    pub(crate) layer: OptionalRegister,
    /// Texels to add to the coordinates, in `W`.
    pub(crate) offset: [OptionalRegister; 3],
    /// In `W`; of `istypep` in `P`.
    pub(crate) d: [OptionalRegister; 4],
    /// In `P`: whether the texels are resident, which they are.
    pub(crate) resident: OptionalRegister,
}

impl TextureOperands {
    pub(super) fn operands(&self, each: &mut dyn FnMut(Use, File, Register)) {
        each(Use::Read, File::X, self.handle);
        for register in self.coordinates.iter().chain([&self.layer]).chain(&self.offset) {
            register.used(Use::Read, File::W, each);
        }
        match self.operation {
            TextureOperation::Fetch { level, sample, .. } => {
                level.registers().chain([sample]).for_each(|r| r.used(Use::Read, File::W, each));
            }
            TextureOperation::Size { level, .. } => level.used(Use::Read, File::W, each),
            TextureOperation::Gather { .. } | TextureOperation::Is(_) => {}
        }
    }

    pub(super) fn results(&self, each: &mut dyn FnMut(Use, File, Register)) {
        let file = match self.operation {
            TextureOperation::Is(_) => File::P,
            TextureOperation::Fetch { .. }
            | TextureOperation::Gather { .. }
            | TextureOperation::Size { .. } => File::W,
        };
        for register in &self.d {
            register.used(Use::Write, file, each);
        }
        self.resident.used(Use::Write, File::P, each);
    }
}

/// What an access outside of a surface does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    Trap,
    /// The nearest place inside.
    Clamp,
    /// Zeros are read, and nothing is written.
    Zero,
}

/// Instructions on surfaces.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SurfaceOperation {
    Load,
    Store,
    /// `sust.p`: registers of 32 bits, converted to the surface's format.
    StoreFormatted,
    /// `sured`; `formatted` is `sured.p`, whose coordinates count texels.
    Reduce {
        update: Update,
        formatted: bool,
    },
}

/// `suld`, `sust` and `sured`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceOperands {
    pub(crate) operation: SurfaceOperation,
    pub(crate) geometry: Geometry,
    pub(crate) beyond: Beyond,
    /// In `X`.
    pub(crate) handle: Register,
    /// In `W`.
    pub(crate) coordinates: [OptionalRegister; 3],
    pub(crate) layer: OptionalRegister,
    /// Bytes an element: 1, 2, 4 or 8, and elements.
    pub(crate) bytes: u8,
    pub(crate) count: u8,
    /// What is loaded or stored.
    pub(crate) registers: [OptionalRegister; 4],
}

impl SurfaceOperands {
    /// Whether elements are in `X`.
    pub(crate) fn wide(&self) -> bool {
        self.bytes == 8
    }

    fn elements(&self, what: Use, each: &mut dyn FnMut(Use, File, Register)) {
        for register in &self.registers {
            register.used(what, file_of(self.wide()), each);
        }
    }

    pub(super) fn operands(&self, each: &mut dyn FnMut(Use, File, Register)) {
        each(Use::Read, File::X, self.handle);
        for register in self.coordinates.iter().chain([&self.layer]) {
            register.used(Use::Read, File::W, each);
        }
        match self.operation {
            SurfaceOperation::Load => {}
            SurfaceOperation::Store | SurfaceOperation::StoreFormatted | SurfaceOperation::Reduce { .. } => {
                self.elements(Use::Read, each);
            }
        }
    }

    pub(super) fn results(&self, each: &mut dyn FnMut(Use, File, Register)) {
        match self.operation {
            SurfaceOperation::Load => self.elements(Use::Write, each),
            SurfaceOperation::Store | SurfaceOperation::StoreFormatted | SurfaceOperation::Reduce { .. } => {}
        }
    }
}
