//! Textures and surfaces: `tex`, `tld4`, `txq`, `suld`, `sust`, `sured`, `suq`, `istypep`.
//!
//! Not supported: samplers apart from their textures, and questions that are not for a size. Drivers since CUDA 12 load modules
//! with `txq.filter_mode` and its like, but do not launch their kernels, and do not load those with `suq` of formats.

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

/// `[handle, {coordinates}]`.
struct TexturePlace {
    handle: Register,
    coordinates: [OptionalRegister; 3],
    layer: OptionalRegister,
    sample: OptionalRegister,
}

impl<'m> Decoder<'m, '_> {
    fn refuse_texture<T>(&self, i: &Instruction<'m>) -> Result<T> {
        self.context.unsupported(i.at, format!("`{}`", i.mnemonic()))
    }

    fn bad_texture<T>(&self, i: &Instruction<'m>, what: &str) -> Result<T> {
        self.context.bad(i.at, format!("`{}` {what}", i.mnemonic()))
    }

    /// `[handle, {sample, layer, coordinates}]`.
    fn texture_place(
        &mut self,
        i: &'m Instruction<'m>,
        operand: &'m Operand<'m>,
        geometry: Geometry,
        samples: bool,
    ) -> Result<TexturePlace> {
        let Operand::Access(parts) = operand else {
            return self.bad_texture(i, "takes a handle and coordinates in brackets");
        };
        let [handle, coordinates] = &parts[..] else {
            return self.context.unsupported(i.at, format!("`{}` with a separate sampler", i.mnemonic()));
        };
        let handle = self.texture_handle(i, handle)?;
        let mut given = one_or_more(coordinates).iter();
        let mut next = |decoder: &mut Self| match given.next() {
            Some(register) => Ok(decoder.source(i.at, register, File::W)?.0.into()),
            None => decoder.bad_texture(i, "with too few coordinates"),
        };
        let sample = if samples { next(self)? } else { OptionalRegister::NONE };
        let layer = if geometry.layered { next(self)? } else { OptionalRegister::NONE };
        let mut places = [OptionalRegister::NONE; 3];
        for place in &mut places[..coordinates_of(geometry.dimension)] {
            *place = next(self)?;
        }
        Ok(TexturePlace { handle, coordinates: places, layer, sample })
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

    /// `tex`.
    pub(super) fn texture(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let (named, words) = match &i.modifiers[..] {
            [named @ ("base" | "level" | "grad"), rest @ ..] => (*named, rest),
            rest => ("base", rest),
        };
        let (shape, ty, coordinates) = match words {
            [shape, "v4", ty @ ("f32" | "u32" | "s32"), coordinates @ ("f32" | "s32")]
            | [shape, "v2", ty @ "f16x2", coordinates @ ("f32" | "s32")] => (*shape, *ty, *coordinates),
            _ => return self.refuse_texture(i),
        };
        let samples = shape.ends_with("ms");
        let Some(geometry) = geometry(shape.trim_end_matches("ms")) else { return self.refuse_texture(i) };
        let integers = coordinates == "s32";
        let wrong = if samples {
            named != "base" || !integers || geometry.dimension != Dimension::Two
        } else {
            integers && geometry.dimension == Dimension::Cube
        };
        let [results, place, rest @ ..] = &i.operands[..] else {
            return self.bad_texture(i, "takes registers, and a handle with coordinates in brackets");
        };
        if wrong {
            return self.refuse_texture(i);
        }
        let place = self.texture_place(i, place, geometry, samples)?;
        let (level, rest) = self.level(i, named, geometry, rest)?;
        let offset = self.offset_and_depth(i, geometry, rest)?;
        let halves = ty == "f16x2";
        let (d, resident) = self.texture_results(i, results, if halves { 2 } else { 4 })?;
        // ptxas takes integer coordinates of a fetch with gradients for the bits of floats.
        let integers = integers && named != "grad";
        let operation = TextureOperation::Fetch { geometry, integers, level, sample: place.sample, halves };
        let TexturePlace { handle, coordinates, layer, .. } = place;
        let operands = TextureOperands { operation, handle, coordinates, layer, offset, d, resident };
        let texture = self.enter(i.at, operands)?;
        self.emit(Inst { guard, op: Op::Texture { texture } });
        Ok(())
    }

    /// `tld4`.
    pub(super) fn gather(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let [channel, shape, "v4", "f32" | "u32" | "s32", "f32"] = i.modifiers[..] else {
            return self.refuse_texture(i);
        };
        let channel = ["r", "g", "b", "a"].iter().position(|c| *c == channel);
        let (Some(channel), Some(geometry)) = (channel, geometry(shape)) else {
            return self.refuse_texture(i);
        };
        match geometry.dimension {
            Dimension::Two | Dimension::Cube => {}
            Dimension::One | Dimension::Three => return self.refuse_texture(i),
        }
        let [results, place, rest @ ..] = &i.operands[..] else {
            return self.bad_texture(i, "takes registers, and a handle with coordinates in brackets");
        };
        let TexturePlace { handle, coordinates, layer, .. } =
            self.texture_place(i, place, geometry, false)?;
        let offset = self.offset_and_depth(i, geometry, rest)?;
        let (d, resident) = self.texture_results(i, results, 4)?;
        let operation = TextureOperation::Gather { geometry, channel: channel as u8 };
        let operands = TextureOperands { operation, handle, coordinates, layer, offset, d, resident };
        let texture = self.enter(i.at, operands)?;
        self.emit(Inst { guard, op: Op::Texture { texture } });
        Ok(())
    }

    /// The level of detail that a fetch names, and the operands after it.
    fn level(
        &mut self,
        i: &'m Instruction<'m>,
        named: &str,
        geometry: Geometry,
        operands: &'m [Operand<'m>],
    ) -> Result<(LevelOperands, &'m [Operand<'m>])> {
        match (named, operands) {
            ("base", rest) => Ok((LevelOperands::None, rest)),
            ("level", [level, rest @ ..]) => {
                let level = self.source(i.at, level, File::W)?.0;
                Ok((LevelOperands::Level(level.into()), rest))
            }
            ("grad", [x, y, rest @ ..]) => {
                let changes = [self.texture_vector(i, x, geometry)?, self.texture_vector(i, y, geometry)?];
                Ok((LevelOperands::Gradients(changes), rest))
            }
            _ => self.bad_texture(i, "takes a level, or gradients in two directions"),
        }
    }

    /// A vector with a component for each coordinate; of three, a fourth means nothing.
    fn texture_vector(
        &mut self,
        i: &'m Instruction<'m>,
        vector: &'m Operand<'m>,
        geometry: Geometry,
    ) -> Result<[OptionalRegister; 3]> {
        let wanted = coordinates_of(geometry.dimension);
        let mut found = [OptionalRegister::NONE; 3];
        match vector {
            Operand::Vector(given) if given.len() >= wanted => {
                for (found, given) in found.iter_mut().zip(&given[..wanted]) {
                    *found = self.source(i.at, given, File::W)?.0.into();
                }
                Ok(found)
            }
            _ => self.bad_texture(i, &format!("takes vectors of {wanted} components")),
        }
    }

    /// Operands after coordinates and level: a vector of texels to add, and a depth to compare with. The depth is read and
    /// has no effect: no array that CUDA makes has a depth format, and an H200 gives the texel itself.
    fn offset_and_depth(
        &mut self,
        i: &'m Instruction<'m>,
        geometry: Geometry,
        operands: &'m [Operand<'m>],
    ) -> Result<[OptionalRegister; 3]> {
        let (offset, depth) = match operands {
            [] => (None, None),
            [offset @ Operand::Vector(_)] => (Some(offset), None),
            [depth] => (None, Some(depth)),
            [offset @ Operand::Vector(_), depth] => (Some(offset), Some(depth)),
            _ => return self.bad_texture(i, "with operands after an offset and a depth"),
        };
        if let Some(depth) = depth {
            if geometry.dimension == Dimension::Three {
                return self.refuse_texture(i);
            }
            self.source(i.at, depth, File::W)?;
        }
        match offset {
            None => Ok([OptionalRegister::NONE; 3]),
            Some(_) if geometry.dimension == Dimension::Cube => self.refuse_texture(i),
            Some(offset) => self.texture_vector(i, offset, geometry),
        }
    }

    /// Registers for a fetch's results, and the predicate of residency.
    fn texture_results(
        &mut self,
        i: &'m Instruction<'m>,
        results: &'m Operand<'m>,
        wanted: usize,
    ) -> Result<([OptionalRegister; 4], OptionalRegister)> {
        let (results, resident) = match results {
            Operand::Vector(results) => (results, OptionalRegister::NONE),
            Operand::VectorPair(results, resident) => (results, self.result(i.at, resident, File::P)?.into()),
            _ => return self.bad_texture(i, &format!("takes {wanted} registers in braces")),
        };
        if results.len() != wanted {
            return self.bad_texture(i, &format!("with {} results", results.len()));
        }
        let mut d = [OptionalRegister::NONE; 4];
        for (d, result) in d.iter_mut().zip(results) {
            *d = self.element(i, result, 4, true)?.0;
        }
        Ok((d, resident))
    }

    /// `txq` and `suq`.
    pub(super) fn texture_query(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let of = if i.opcode == "suq" { Object::Surface } else { Object::Texture };
        let (words, operands, level) = match (&i.modifiers[..], &i.operands[..]) {
            (["level", words @ ..], [result, handle, level]) if of == Object::Texture => {
                (words, [result, handle], self.source(i.at, level, File::W)?.0.into())
            }
            (words, [result, handle]) => (words, [result, handle], OptionalRegister::NONE),
            _ => return self.bad_texture(i, "takes a result and a handle"),
        };
        let size = match words {
            ["width", "b32"] => Size::Width,
            ["height", "b32"] => Size::Height,
            ["depth", "b32"] => Size::Depth,
            _ => return self.refuse_texture(i),
        };
        self.about_handle(i, guard, TextureOperation::Size { of, size, level }, operands)
    }

    /// `istypep`.
    pub(super) fn is_texture(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let of = match &i.modifiers[..] {
            ["texref"] => Object::Texture,
            ["samplerref"] => Object::Sampler,
            ["surfref"] => Object::Surface,
            _ => return self.refuse_texture(i),
        };
        let [result, handle] = &i.operands[..] else {
            return self.bad_texture(i, "takes a result and a handle");
        };
        self.about_handle(i, guard, TextureOperation::Is(of), [result, handle])
    }

    fn about_handle(
        &mut self,
        i: &'m Instruction<'m>,
        guard: Guard,
        operation: TextureOperation,
        [result, handle]: [&'m Operand<'m>; 2],
    ) -> Result<()> {
        let Operand::Name(result, None) = result else {
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
        let (coordinates, offset) = ([none; 3], [none; 3]);
        let operands =
            TextureOperands { operation, handle, coordinates, layer: none, offset, d, resident: none };
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
        let TexturePlace { handle, coordinates, layer, .. } =
            self.texture_place(i, place, geometry, false)?;
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
