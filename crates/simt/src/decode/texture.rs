//! Textures and surfaces: `tex`, `tld4`, `txq`, `suld`, `sust`, `sured`, `suq`, `istypep`.
//!
//! Not supported: textures of several samples, samplers apart from their textures, offsets, depth comparison and the
//! predicate of residency, none of which CUDA C makes of an ordinary fetch.

use super::access::one_or_more;
use super::context::{Result, type_bytes};
use super::decoder::Decoder;
use crate::ir::*;
use crate::semantics::atomic::Update;
use crate::semantics::texture::Dimension;
use ptx::{Instruction, Operand};

/// The geometry of a modifier.
fn geometry(word: &str) -> Option<Geometry> {
    let (dimension, layered) = match word {
        "1d" => (Dimension::One, false),
        "2d" => (Dimension::Two, false),
        "3d" => (Dimension::Three, false),
        "cube" => (Dimension::Cube, false),
        "a1d" => (Dimension::One, true),
        "a2d" => (Dimension::Two, true),
        "acube" => (Dimension::Cube, true),
        _ => return None,
    };
    Some(Geometry { dimension, layered })
}

/// Coordinates of a geometry besides the layer.
fn coordinates_of(dimension: Dimension) -> usize {
    match dimension {
        Dimension::One => 1,
        Dimension::Two => 2,
        Dimension::Three | Dimension::Cube => 3,
    }
}

/// Handle, coordinates and layer.
type Where = (Register, [OptionalRegister; 3], OptionalRegister);

impl<'m> Decoder<'m, '_> {
    fn refuse_texture<T>(&self, i: &Instruction<'m>) -> Result<T> {
        self.context.unsupported(i.at, format!("`{}`", i.mnemonic()))
    }

    fn bad_texture<T>(&self, i: &Instruction<'m>, what: &str) -> Result<T> {
        self.context.bad(i.at, format!("`{}` {what}", i.mnemonic()))
    }

    /// `[handle, {coordinates}]`.
    fn texture_place(
        &mut self,
        i: &'m Instruction<'m>,
        operand: &'m Operand<'m>,
        geometry: Geometry,
    ) -> Result<Where> {
        let Operand::Access(parts) = operand else {
            return self.bad_texture(i, "takes a handle and coordinates in brackets");
        };
        let [handle, coordinates] = &parts[..] else {
            return self.context.unsupported(i.at, format!("`{}` with a sampler of its own", i.mnemonic()));
        };
        let handle = self.texture_handle(i, handle)?;
        let mut given = one_or_more(coordinates).iter();
        let mut next = |decoder: &mut Self| match given.next() {
            Some(register) => Ok(decoder.source(i.at, register, File::W)?.0.into()),
            None => decoder.bad_texture(i, "with too few coordinates"),
        };
        let layer = if geometry.layered { next(self)? } else { OptionalRegister::NONE };
        let mut places = [OptionalRegister::NONE; 3];
        for place in &mut places[..coordinates_of(geometry.dimension)] {
            *place = next(self)?;
        }
        Ok((handle, places, layer))
    }

    /// A register with a handle, or the name of a reference.
    fn texture_handle(&mut self, i: &'m Instruction<'m>, operand: &'m Operand<'m>) -> Result<Register> {
        match operand {
            Operand::Name(name, None) | Operand::Address { base: Some(name), offset: 0 } => {
                Ok(self.source(i.at, &Operand::Name(name, None), File::X)?.0)
            }
            _ => self.bad_texture(i, "takes a handle: a register or the name of a reference"),
        }
    }

    /// `tex` and `tld4`.
    pub(super) fn texture(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let mut words = &i.modifiers[..];
        let mut extra = 0;
        let mut gathers = None;
        match (i.opcode, words) {
            ("tld4", [channel, rest @ ..]) => {
                let Some(channel) = ["r", "g", "b", "a"].iter().position(|c| c == channel) else {
                    return self.refuse_texture(i);
                };
                (gathers, words) = (Some(channel as u8), rest);
            }
            // A texture has one level, so that any level is that one.
            (_, ["base", rest @ ..]) => words = rest,
            (_, ["level", rest @ ..]) => (extra, words) = (1, rest),
            (_, ["grad", rest @ ..]) => (extra, words) = (2, rest),
            _ => {}
        }
        let [shape, "v4", "f32" | "u32" | "s32", coordinates @ ("f32" | "s32")] = words else {
            return self.refuse_texture(i);
        };
        let Some(geometry) = geometry(shape) else { return self.refuse_texture(i) };
        let integers = *coordinates == "s32";
        let two = Geometry { dimension: Dimension::Two, layered: false };
        let operation = match gathers {
            Some(channel) if geometry == two && !integers => TextureOperation::Gather { channel },
            Some(_) => return self.refuse_texture(i),
            None if integers && geometry.dimension == Dimension::Cube => return self.refuse_texture(i),
            None => TextureOperation::Fetch { geometry, integers },
        };
        let [results, place, rest @ ..] = &i.operands[..] else {
            return self.bad_texture(i, "takes four registers, and a handle with coordinates in brackets");
        };
        if rest.len() != extra {
            let what = format!("`{}` with an offset, a depth to compare with or another level", i.mnemonic());
            return self.context.unsupported(i.at, what);
        }
        let Operand::Vector(results) = results else {
            return self
                .context
                .unsupported(i.at, format!("`{}` with a predicate of residency", i.mnemonic()));
        };
        let (handle, coordinates, layer) = self.texture_place(i, place, geometry)?;
        let d = self.texture_results(i, results, 4)?;
        let texture = self.enter(i.at, TextureOperands { operation, handle, coordinates, layer, d })?;
        self.emit(Inst { guard, op: Op::Texture { texture } });
        Ok(())
    }

    fn texture_results(
        &mut self,
        i: &'m Instruction<'m>,
        results: &'m [Operand<'m>],
        wanted: usize,
    ) -> Result<[OptionalRegister; 4]> {
        if results.len() != wanted {
            return self.bad_texture(i, &format!("with {} results", results.len()));
        }
        let mut d = [OptionalRegister::NONE; 4];
        for (d, result) in d.iter_mut().zip(results) {
            *d = self.element(i, result, 4, true)?.0;
        }
        Ok(d)
    }

    /// `txq` and `suq`.
    pub(super) fn texture_query(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let size = match &i.modifiers[..] {
            ["width", "b32"] => Size::Width,
            ["height", "b32"] => Size::Height,
            ["depth", "b32"] => Size::Depth,
            // Of a texture object the rest is in no header: drivers since CUDA 12 do not load modules that ask for it.
            _ => return self.refuse_texture(i),
        };
        let of = if i.opcode == "suq" { Object::Surface } else { Object::Texture };
        self.about_handle(i, guard, TextureOperation::Size { of, size })
    }

    /// `istypep`.
    pub(super) fn is_texture(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let of = match &i.modifiers[..] {
            ["texref"] => Object::Texture,
            ["samplerref"] => Object::Sampler,
            ["surfref"] => Object::Surface,
            _ => return self.refuse_texture(i),
        };
        self.about_handle(i, guard, TextureOperation::Is(of))
    }

    fn about_handle(
        &mut self,
        i: &'m Instruction<'m>,
        guard: Guard,
        operation: TextureOperation,
    ) -> Result<()> {
        let [Operand::Name(result, None), handle] = &i.operands[..] else {
            return self.bad_texture(i, "takes a result and a handle");
        };
        let handle = self.texture_handle(i, handle)?;
        let file = match operation {
            TextureOperation::Is(_) => File::P,
            TextureOperation::Fetch { .. }
            | TextureOperation::Gather { .. }
            | TextureOperation::Size { .. } => File::W,
        };
        let none = OptionalRegister::NONE;
        let d = [self.result(i.at, result, file)?.into(), none, none, none];
        let operands = TextureOperands { operation, handle, coordinates: [none; 3], layer: none, d };
        let texture = self.enter(i.at, operands)?;
        self.emit(Inst { guard, op: Op::Texture { texture } });
        Ok(())
    }

    /// `suld`, `sust`, `sured`.
    pub(super) fn surface(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        // How it is cached changes nothing here.
        let cached = |word: &&&str| !matches!(**word, "ca" | "cg" | "cs" | "cv" | "wb" | "wt");
        let words: Vec<&str> = i.modifiers.iter().filter(cached).copied().collect();
        let formatted = words.first() == Some(&"p");
        if !formatted && words.first() != Some(&"b") || formatted && i.opcode == "suld" {
            return self.refuse_texture(i);
        }
        let (operation, words) = match (i.opcode, &words[1..]) {
            ("suld", rest) => (SurfaceOperation::Load, rest),
            ("sust", rest) if formatted => (SurfaceOperation::StoreFormatted, rest),
            ("sust", rest) => (SurfaceOperation::Store, rest),
            (_, [operation, rest @ ..]) => {
                let ty = if formatted { "u32" } else { rest.get(1).copied().unwrap_or_default() };
                match Update::parse(operation, ty, false) {
                    Some(update) => (SurfaceOperation::Reduce { update, formatted }, rest),
                    None => return self.refuse_texture(i),
                }
            }
            _ => return self.refuse_texture(i),
        };
        let (shape, count, ty, beyond) = match words {
            [shape, "v2", ty, beyond] => (*shape, 2u8, *ty, *beyond),
            [shape, "v4", ty, beyond] => (*shape, 4, *ty, *beyond),
            [shape, ty, beyond] => (*shape, 1, *ty, *beyond),
            _ => return self.refuse_texture(i),
        };
        let beyond = match beyond {
            "trap" => Beyond::Trap,
            "clamp" => Beyond::Clamp,
            "zero" => Beyond::Zero,
            _ => return self.refuse_texture(i),
        };
        let (Some(geometry), Some(bytes)) = (geometry(shape), type_bytes(ty)) else {
            return self.refuse_texture(i);
        };
        if geometry.dimension == Dimension::Cube || u64::from(count) * bytes > 16 || formatted && bytes != 4 {
            return self.refuse_texture(i);
        }
        let loads = i.opcode == "suld";
        let (place, values) = match &i.operands[..] {
            [value, place] if loads => (place, value),
            [place, value] if !loads => (place, value),
            _ => return self.bad_texture(i, "takes registers, and a handle with coordinates in brackets"),
        };
        let (handle, coordinates, layer) = self.texture_place(i, place, geometry)?;
        let values = one_or_more(values);
        if values.len() != usize::from(count) {
            return self.bad_texture(i, &format!("with {} values", values.len()));
        }
        let mut registers = [OptionalRegister::NONE; 4];
        for (register, value) in registers.iter_mut().zip(values) {
            let (found, wide) = self.element(i, value, bytes as u8, loads)?;
            if wide != (bytes == 8) {
                return self.bad_texture(i, &format!("with a register that does not hold {bytes} bytes"));
            }
            *register = found;
        }
        let operands = SurfaceOperands {
            operation,
            geometry,
            beyond,
            handle,
            coordinates,
            layer,
            bytes: bytes as u8,
            count,
            registers,
        };
        let surface = self.enter(i.at, operands)?;
        self.emit(Inst { guard, op: Op::Surface { surface } });
        Ok(())
    }
}
