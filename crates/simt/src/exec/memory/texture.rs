//! Textures and surfaces: fetches, surface loads, stores and reductions, and questions about handles, lane by lane.
//!
//! Texels are found by [`crate::semantics::texture`]; this file gives it memory. Reads of texels that have not been written are
//! faults, where that is checked; besides, the trace is shown what a fetch reads.

use crate::error::Bytes;
use crate::error::FaultKind;
use crate::exec::checks::GlobalAccessKind;
use crate::exec::count::TextureUnit;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::Stop;
use crate::exec::launch::Run;
use crate::exec::observers::Observers;
use crate::exec::observers::crossed;
use crate::exec::registers::RegisterFile;
use crate::exec::worker::Worker;
use crate::ir::*;
use crate::lanes::{W, X, lanes};
use crate::memory::Allocation;
use crate::model::access::SECTOR;
use crate::semantics::texture::{
    Coordinates, Dimension, Extent, Footprint, Level, Texel, TexelBytes, pair_of_halves,
};
use crate::texture::{ArrayMemory, TexelMemory, TextureObject, sector_of_array, slices, texel_bytes};
use crate::trace::{Fetch, Fetched, Part, Space};

/// What a fetch or access costs of a budget for each lane beyond the instruction.
const LANE_COST: u64 = 2;

/// A texture with its memory.
struct Bound<'a> {
    object: &'a TextureObject,
    memory: &'a Allocation,
    array: Option<&'a ArrayMemory>,
}

impl Bound<'_> {
    fn offset(&self, texel: Texel) -> u64 {
        match (self.array, self.object.place) {
            (Some(array), TexelMemory::Array { level, .. }) => {
                array.offset(Texel { level: level + texel.level, ..texel })
            }
            (Some(array), TexelMemory::Memory { .. }) => array.offset(texel),
            (None, TexelMemory::Memory { offset, pitch, .. }) => {
                offset + u64::from(texel.y) * pitch + u64::from(texel.x) * self.object.view.format.bytes()
            }
            (None, TexelMemory::Array { .. }) => 0,
        }
    }

    /// A number for the sector that holds a texel.
    fn sector(&self, texel: Texel) -> u64 {
        let bytes = self.object.view.format.bytes();
        match self.array {
            Some(_) => {
                sector_of_array(u64::from(texel.x) * bytes, texel.y.into(), texel.z.into(), texel.level)
            }
            None => self.offset(texel) / SECTOR,
        }
    }

    fn texel(&self, texel: Texel) -> TexelBytes {
        texel_bytes(self.memory, self.offset(texel), self.object.view.format)
    }
}

fn name(geometry: Geometry) -> &'static str {
    match (geometry.dimension, geometry.layered) {
        (Dimension::One, false) => "one dimension",
        (Dimension::One, true) => "one dimension with layers",
        (Dimension::Two, false) => "two dimensions",
        (Dimension::Two, true) => "two dimensions with layers",
        (Dimension::Three, _) => "three dimensions",
        (Dimension::Cube, false) => "a cube",
        (Dimension::Cube, true) => "cubes in layers",
    }
}

fn geometry_of(extent: &Extent) -> Geometry {
    Geometry { dimension: extent.dimension, layered: extent.layers.is_some() }
}

/// A handle that is of nothing the instruction can use.
#[cold]
fn wrong_handle(lane: usize, handle: u64, what: &str) -> Stop {
    let kind = if handle == 0 { FaultKind::NullPointer } else { FaultKind::OutOfBoundsGlobal };
    Stop { message: Some(format!("{what} has the handle {handle:#x}")), ..Stop::at(kind, lane, handle, 0) }
}

/// An object of another arrangement than the instruction names.
#[cold]
fn wrong_geometry(lane: usize, is: Geometry, wants: Geometry) -> Stop {
    let stop = Stop::without_address(FaultKind::UnsupportedInstruction, lane);
    Stop {
        message: Some(format!("the instruction is for {}, but the object has {}", name(wants), name(is))),
        ..stop
    }
}

/// Where the lanes of a fetch read: the operands' values.
struct FetchPlaces {
    at: [W; 3],
    layer: W,
    offset: [W; 3],
    offset_bits: u32,
    sample: W,
    /// Whether the texture has one dimension and no layers.
    flat: bool,
    integers: bool,
    level: FetchLevels,
}

/// The level of detail that the lanes of a fetch name.
enum FetchLevels {
    First,
    Of(W),
    Gradients(Box<[[W; 3]; 2]>),
}

impl FetchPlaces {
    fn of(&self, lane: usize) -> Coordinates {
        let unused = 32 - self.offset_bits;
        let cut = |n: usize| (self.offset[n].0[lane] << unused) as i32 >> unused;
        let mut offset = [0, 1, 2].map(cut);
        if self.flat {
            // ptxas hands the register on as it is, and to the chip the next bits are an offset in y.
            offset[1] = (self.offset[0].0[lane] << 24) as i32 >> 28;
        }
        Coordinates {
            at: [0, 1, 2].map(|n| self.at[n].0[lane]),
            layer: self.layer.0[lane],
            integers: self.integers,
            offset,
            level: match &self.level {
                FetchLevels::First => Level::First,
                FetchLevels::Of(level) => Level::Of(level.0[lane]),
                FetchLevels::Gradients(changes) => {
                    Level::Gradients([0, 1].map(|d| [0, 1, 2].map(|n| changes[d][n].0[lane])))
                }
            },
        }
    }
}

impl RegisterFile {
    /// A register of up to 32 bits of all lanes; zeros without one.
    #[inline]
    fn optional_word(&self, register: OptionalRegister) -> W {
        register.get().map_or(W::ZERO, |r| self.w[self.wi(r)])
    }

    #[inline]
    fn write_optional(&mut self, register: OptionalRegister, values: &W, mask: u32) {
        if let Some(register) = register.get() {
            self.write_word(register, values, mask);
        }
    }

    #[inline]
    fn write_optional_predicate(&mut self, register: OptionalRegister, found: u32, mask: u32) {
        if let Some(register) = register.get() {
            let p = &mut self.p[self.p_base + register.offset()];
            *p = *p & !mask | found;
        }
    }

    /// Where the lanes of a fetch read.
    #[inline]
    fn fetch_places(&self, of: &TextureOperands) -> FetchPlaces {
        let words = |registers: [OptionalRegister; 3]| registers.map(|r| self.optional_word(r));
        let (integers, level, sample) = match of.operation {
            TextureOperation::Fetch { integers, level, sample, .. } => (integers, level, sample),
            TextureOperation::Gather { .. } | TextureOperation::Size { .. } | TextureOperation::Is(_) => {
                (false, LevelOperands::None, OptionalRegister::NONE)
            }
        };
        let level = match level {
            LevelOperands::None => FetchLevels::First,
            LevelOperands::Level(level) => FetchLevels::Of(self.optional_word(level)),
            LevelOperands::Gradients(changes) => FetchLevels::Gradients(Box::new(changes.map(words))),
        };
        FetchPlaces {
            at: words(of.coordinates),
            layer: self.optional_word(of.layer),
            offset: words(of.offset),
            // Bits of an offset that ptxas hands on.
            offset_bits: if matches!(of.operation, TextureOperation::Gather { .. }) { 6 } else { 4 },
            sample: self.optional_word(sample),
            flat: of.coordinates[1].get().is_none() && of.layer.get().is_none(),
            integers,
            level,
        }
    }

    #[inline]
    fn write_fetched(&mut self, of: &TextureOperands, results: &[W; 4], mask: u32) {
        if let TextureOperation::Fetch { halves: true, .. } = of.operation {
            for (register, pair) in of.d.iter().zip(results.chunks_exact(2)) {
                let mut packed = W::ZERO;
                for l in lanes(mask) {
                    packed.0[l] = pair_of_halves(pair[0].0[l], pair[1].0[l]);
                }
                self.write_optional(*register, &packed, mask);
            }
        } else {
            for (register, values) in of.d.iter().zip(results) {
                self.write_optional(*register, values, mask);
            }
        }
        self.write_optional_predicate(of.resident, mask, mask);
    }

    #[inline]
    fn optional_element(&self, register: OptionalRegister, wide: bool) -> X {
        match register.get() {
            Some(register) if wide => self.x[self.xi(register)],
            Some(register) => self.w[self.wi(register)].widened(),
            None => X::ZERO,
        }
    }
}

impl CurrentBlock<'_> {
    /// Shows a fetch to the trace. Its texels are found once more: nothing else keeps them by their places.
    #[cold]
    #[inline(never)]
    fn show_fetch(
        &mut self,
        observers: &mut Observers,
        (geometry, gathers): (Geometry, bool),
        places: &FetchPlaces,
        handles: &X,
        mask: u32,
        unit: TextureUnit,
    ) -> Result<(), Stop> {
        let (mut parts, mut bytes): (Vec<Part>, u64) = (vec![], 0);
        let mut fetch: Option<Fetch> = None;
        for l in lanes(mask) {
            let bound = self.run.bound(handles.0[l], geometry, l)?;
            let view = &bound.object.view;
            bytes = view.format.bytes();
            let place = places.of(l);
            let texels: Vec<Texel> = match gathers {
                true => view.gathered(&place).into_iter().flatten().collect(),
                false if places.sample.0[l] == 0 => view.footprint(&place).reached().collect(),
                false => vec![],
            };
            let (name, size) = (&bound.memory.name, bound.memory.bytes);
            let at = parts.iter().position(|part| part.memory == *name).unwrap_or_else(|| {
                parts.push(Part { space: Space::Texture, memory: name.clone(), size, lanes: vec![] });
                parts.len() - 1
            });
            parts[at].lanes.extend(texels.first().map(|texel| (l as u32, bound.offset(*texel))));
            let extent = &view.extent;
            let fetch = fetch.get_or_insert_with(|| Fetch {
                size: [extent.size[0], extent.size[1], slices(extent) as u32],
                sector: if bound.array.is_some() { [16, 2] } else { [SECTOR as u32, 1] },
                request: unit.lanes.into(),
                together: unit.together.into(),
                passes: unit.passes,
                lanes: vec![],
            });
            let at = match texels.first() {
                Some(texel) if extent.dimension == Dimension::Cube => {
                    [texel.x, texel.y].map(|n| n as f32 + 0.5)
                }
                _ => view.in_texels_of_first(&place),
            };
            let texels = texels.iter().map(|t| [t.x, t.y, t.z, t.level]).collect();
            fetch.lanes.push(Fetched { lane: l as u32, at, texels });
        }
        let one = lanes(mask).all(|l| handles.0[l] == handles.0[mask.trailing_zeros() as usize]);
        observers.trace_fetch(self, bytes as u32, parts, fetch.filter(|_| one));
        Ok(())
    }

    /// A lane's access at an offset into an array.
    #[inline]
    fn at_surface(
        &mut self,
        array: &ArrayMemory,
        of: &SurfaceOperands,
        offset: Offset,
        (values, stored): (&mut [X; 4], &[u8]),
        lane: usize,
    ) -> Result<(), Stop> {
        let memory = &array.memory;
        let size = u64::from(of.bytes);
        match of.operation {
            SurfaceOperation::Load => {
                if self.block.observers.checks.is_some() && memory.written.nothing(offset.at, offset.bytes) {
                    return Err(unwritten(lane, memory, offset.at, offset.bytes));
                }
                let mut bytes = [0; 16];
                memory.read(offset.at, &mut bytes[..offset.bytes as usize]);
                for (e, values) in values.iter_mut().enumerate().take(usize::from(of.count)) {
                    let mut element = [0; 8];
                    let from = e * size as usize;
                    element[..size as usize].copy_from_slice(&bytes[from..from + size as usize]);
                    values.0[lane] = u64::from_le_bytes(element);
                }
            }
            SurfaceOperation::Store | SurfaceOperation::StoreFormatted => memory.write(offset.at, stored),
            SurfaceOperation::Reduce { update, .. } => {
                let change = |before| update.apply(before, values[0].0[lane], 0);
                self.run.global.update(memory, offset.at, of.bytes, change);
                memory.written.mark(offset.at, size);
            }
        }
        Ok(())
    }
}

impl Worker<'_> {
    fn fetch(
        &mut self,
        texture: Id<TextureOperands>,
        geometry: Geometry,
        gathers: Option<u8>,
        handles: &X,
        mask: u32,
    ) -> Result<(), Stop> {
        let of = &self.current.run.kernel[texture];
        self.current.charge(LANE_COST * u64::from(mask.count_ones()));
        let places = self.current.block.registers.fetch_places(of);
        let mut watched = vec![];
        let mut results = [W::ZERO; 4];
        let mut touched = vec![];
        let mut unit = TextureUnit { lanes: 4, together: 4, passes: 1 };
        for l in lanes(mask) {
            let bound = self.current.run.bound(handles.0[l], geometry, l)?;
            let view = &bound.object.view;
            let place = places.of(l);
            let bytes = view.format.bytes();
            let mut reach = |texel: Texel| {
                touched.push((l as u8, bound.sector(texel)));
                let offset = bound.offset(texel);
                if self.current.run.options.checks.unread {
                    bound.memory.reads.mark(offset, bytes);
                }
                if bound.memory.touched.is_some() {
                    watched.push((l, crossed::key(bound.memory), offset..offset + bytes));
                }
                let unwritten = self.current.block.observers.checks.is_some()
                    && bound.memory.written.nothing(offset, bytes);
                if unwritten { Err(self::unwritten(l, bound.memory, offset, bytes)) } else { Ok(()) }
            };
            let values = match gathers {
                Some(channel) => {
                    let texels = view.gathered(&place);
                    texels.iter().flatten().try_for_each(|t| reach(*t))?;
                    texels.map(|t| view.point(t.map(|t| bound.texel(t)).as_ref(), usize::from(channel)))
                }
                None => {
                    let footprint =
                        if places.sample.0[l] == 0 { view.footprint(&place) } else { Footprint::NOTHING };
                    footprint.reached().try_for_each(&mut reach)?;
                    if footprint.is_trilinear() || footprint.is_linear() && bytes == 16 {
                        unit.together = 2;
                    }
                    if footprint.is_linear() && bytes == 16 {
                        unit.passes = 2;
                    }
                    view.sample(&footprint, |t| bound.texel(t))
                }
            };
            if places.integers && bytes < 16 {
                (unit.lanes, unit.together) = (8, 8);
            }
            for (result, value) in results.iter_mut().zip(values) {
                result.0[l] = value;
            }
        }
        for (l, key, bytes) in watched {
            if let Some(memory) = crossed::allocation(self.current.run, key) {
                let number = self.current.run.kernel.texture_access(texture);
                self.current.touch_bytes(memory, (number, l), GlobalAccessKind::ReadOnly, bytes, &[])?;
            }
        }
        if self.observers.note_accesses() {
            self.current.show_fetch(
                &mut self.observers,
                (geometry, gathers.is_some()),
                &places,
                handles,
                mask,
                unit,
            )?;
        }
        self.counts.count_texture(mask, &touched, unit);
        self.current.block.registers.write_fetched(of, &results, mask);
        Ok(())
    }

    #[inline(never)]
    pub(in crate::exec) fn texture(&mut self, texture: Id<TextureOperands>, mask: u32) -> Result<(), Stop> {
        let of = self.current.run.kernel[texture];
        let handles = self.current.block.registers.x[self.current.block.registers.xi(of.handle)];
        match of.operation {
            TextureOperation::Fetch { geometry, .. } => self.fetch(texture, geometry, None, &handles, mask),
            TextureOperation::Gather { geometry, channel } => {
                self.fetch(texture, geometry, Some(channel), &handles, mask)
            }
            TextureOperation::Size { of: object, size, level } => {
                let levels = self.current.block.registers.optional_word(level);
                let mut sizes = W::ZERO;
                for l in lanes(mask) {
                    sizes.0[l] = self.current.run.size_of(object, size, levels.0[l], handles.0[l], l)?;
                }
                self.current.block.registers.write_optional(of.d[0], &sizes, mask);
                Ok(())
            }
            TextureOperation::Is(object) => {
                let textures = self.current.run.textures;
                let is = |handle: u64| match object {
                    Object::Texture => textures.texture_of(handle).is_some(),
                    Object::Surface => textures.surface_of(handle).is_some(),
                    // A texture object has its sampler in itself.
                    Object::Sampler => false,
                };
                let found = lanes(mask).filter(|l| is(handles.0[*l])).fold(0, |found, l| found | 1 << l);
                self.current.block.registers.write_optional_predicate(of.d[0], found, mask);
                Ok(())
            }
        }
    }

    #[inline(never)]
    pub(in crate::exec) fn surface(&mut self, surface: Id<SurfaceOperands>, mask: u32) -> Result<(), Stop> {
        let of = self.current.run.kernel[surface];
        self.current.charge(LANE_COST * u64::from(mask.count_ones()));
        let handles = self.current.block.registers.x[self.current.block.registers.xi(of.handle)];
        let at = of.coordinates.map(|c| self.current.block.registers.optional_word(c));
        let layers = self.current.block.registers.optional_word(of.layer);
        let mut values: [X; 4] =
            of.registers.map(|r| self.current.block.registers.optional_element(r, of.wide()));
        let run = self.current.run;
        let mut touched = vec![];
        for l in lanes(mask) {
            let handle = handles.0[l];
            let (array, level) =
                run.textures.surface_of(handle).ok_or_else(|| wrong_handle(l, handle, "no surface"))?;
            let place = [0, 1, 2].map(|n| at[n].0[l] as i32);
            let Some(offset) = surface_offset((array, level), &of, place, layers.0[l], l)? else {
                if matches!(of.operation, SurfaceOperation::Load) {
                    values.iter_mut().for_each(|v| v.0[l] = 0);
                }
                continue;
            };
            // An access of up to 16 bytes, aligned as it must be, lies in one sector.
            touched.push((l as u8, offset.sector, offset.at));
            let doing = match of.operation {
                SurfaceOperation::Load => GlobalAccessKind::Read,
                SurfaceOperation::Store | SurfaceOperation::StoreFormatted => GlobalAccessKind::Write,
                SurfaceOperation::Reduce { .. } => GlobalAccessKind::Atomic,
            };
            let stored = stored(array, &of, &values, l);
            let stored = &stored[..offset.bytes as usize];
            if array.memory.touched.is_some() {
                let number = run.kernel.surface_access(surface);
                let bytes = offset.at..offset.at + offset.bytes;
                self.current.touch_bytes(&array.memory, (number, l), doing, bytes, stored)?;
            }
            self.current.at_surface(array, &of, offset, (&mut values, stored), l)?;
        }
        self.counts.count_surface(&of, mask, &touched);
        match of.operation {
            SurfaceOperation::Load => {
                for (register, values) in of.registers.iter().zip(&values) {
                    let Some(register) = register.get() else { continue };
                    if of.wide() {
                        let d = self.current.block.registers.xi(register);
                        self.current.block.registers.x[d].set(values, mask);
                    } else {
                        self.current.block.registers.write_word(register, &values.narrowed(), mask);
                    }
                }
                self.current.cursor.looked = true;
            }
            SurfaceOperation::Store | SurfaceOperation::StoreFormatted | SurfaceOperation::Reduce { .. } => {
                self.current.cursor.did = true;
            }
        }
        Ok(())
    }
}

impl Run<'_> {
    fn size_of(&self, object: Object, size: Size, level: u32, handle: u64, lane: usize) -> Result<u32, Stop> {
        let textures = self.textures;
        // As an H200 answers: a texture of one dimension over an array has a height, over linear memory and a surface none.
        let (extent, one) = match object {
            Object::Surface => match textures.surface_of(handle) {
                Some((array, level)) => (array.extent.level(level), 0),
                None => return Err(wrong_handle(lane, handle, "no surface")),
            },
            Object::Texture | Object::Sampler => match textures.texture_of(handle) {
                Some(texture) => (texture.view.extent, u32::from(!texture.view.linear_memory)),
                None => return Err(wrong_handle(lane, handle, "no texture")),
            },
        };
        if level >= extent.levels.unwrap_or(1) {
            return Ok(0);
        }
        let [w, h, d] = extent.level(level).size;
        let layers = extent.layers.unwrap_or(0);
        Ok(match (size, extent.dimension) {
            (Size::Width, _) => w,
            (Size::Height, Dimension::One) => {
                if extent.layers.is_some() {
                    layers
                } else {
                    one
                }
            }
            (Size::Height, _) => h,
            (Size::Depth, Dimension::One) => 0,
            (Size::Depth, Dimension::Three) => d,
            (Size::Depth, Dimension::Two | Dimension::Cube) => layers,
        })
    }

    /// The texture of a handle and its memory.
    #[inline]
    fn bound(&self, handle: u64, geometry: Geometry, lane: usize) -> Result<Bound<'_>, Stop> {
        let run = self;
        let object =
            run.textures.texture_of(handle).ok_or_else(|| wrong_handle(lane, handle, "no texture"))?;
        let is = geometry_of(&object.view.extent);
        if is != geometry {
            return Err(wrong_geometry(lane, is, geometry));
        }
        let (memory, array) = match object.place {
            TexelMemory::Array { array, .. } => {
                let array = run.textures.memory_of(array);
                (array.map(|a| &a.memory), array)
            }
            TexelMemory::Memory { buffer, .. } => (run.global.by_id(buffer), None),
        };
        let Some(memory) = memory else {
            return Err(wrong_handle(lane, handle, "a texture whose memory was freed"));
        };
        Ok(Bound { object, memory, array })
    }
}

/// What a lane stores to a surface: zeros where it does not.
fn stored(array: &ArrayMemory, of: &SurfaceOperands, values: &[X; 4], lane: usize) -> [u8; 16] {
    let mut bytes = [0; 16];
    let (size, count, channel) = match of.operation {
        SurfaceOperation::Store => (usize::from(of.bytes), of.count, None),
        SurfaceOperation::StoreFormatted => {
            let crate::texture::Format { channel, channels } = array.format;
            (channel.bytes() as usize, channels, Some(channel))
        }
        SurfaceOperation::Load | SurfaceOperation::Reduce { .. } => return bytes,
    };
    for (into, values) in bytes.chunks_exact_mut(size).zip(values).take(count.into()) {
        let value = values.0[lane];
        let value = channel.map_or(value, |channel| u64::from(channel.stored(value as u32)));
        into.copy_from_slice(&value.to_le_bytes()[..size]);
    }
    bytes
}

#[cold]
fn unwritten(lane: usize, memory: &Allocation, offset: u64, bytes: u64) -> Stop {
    let message =
        format!("read of {} that nothing has written, {} into {}", Bytes(bytes), Bytes(offset), memory.name);
    Stop { message: Some(message), ..Stop::at(FaultKind::UninitialisedRead, lane, offset, bytes) }
}

/// A lane's bytes of an array.
#[derive(Clone, Copy)]
struct Offset {
    at: u64,
    /// What of the access lies in the row: the rest reads as zero and is not written.
    bytes: u64,
    /// A number for the sector.
    sector: u64,
}

/// Where a lane accesses an array; nothing where it does nothing there.
fn surface_offset(
    (array, level): (&ArrayMemory, u32),
    of: &SurfaceOperands,
    [x, y, z]: [i32; 3],
    layer: u32,
    lane: usize,
) -> Result<Option<Offset>, Stop> {
    let extent = &array.extent.level(level);
    let is = geometry_of(extent);
    // A surface shows the faces of cubes as layers.
    let as_layers = Geometry { dimension: Dimension::Two, layered: true };
    let fits = is == of.geometry || is.dimension == Dimension::Cube && of.geometry == as_layers;
    if !fits {
        return Err(wrong_geometry(lane, is, of.geometry));
    }
    let texel = array.format.bytes();
    let formatted = match of.operation {
        SurfaceOperation::StoreFormatted => true,
        SurfaceOperation::Reduce { formatted, .. } => formatted,
        SurfaceOperation::Load | SurfaceOperation::Store => false,
    };
    let [width, height, _] = extent.size.map(i64::from);
    let row = width * texel as i64;
    let bytes = if formatted { texel as i64 } else { i64::from(of.bytes) * i64::from(of.count) };
    let (x, y) = (i64::from(x) * if formatted { texel as i64 } else { 1 }, i64::from(y));
    if x % bytes != 0 {
        return Err(Stop::at(FaultKind::MisalignedAddress, lane, x as u64, bytes as u64));
    }
    // Layers count from zero without a sign: one before the first is far past the last.
    let z = if of.geometry.layered { i64::from(layer) } else { i64::from(z) };
    let all = slices(extent) as i64;
    let inside = x >= 0 && x + bytes <= row && (0..height).contains(&y) && (0..all).contains(&z);
    let (x, y, z) = match of.beyond {
        _ if inside => (x, y, z),
        Beyond::Zero => return Ok(None),
        Beyond::Clamp => {
            // To the last place at which a whole access fits.
            let last = (row - bytes).max(0) / bytes * bytes;
            (x.clamp(0, last), y.clamp(0, height - 1), z.clamp(0, all - 1))
        }
        Beyond::Trap => {
            let message = format!(
                "access of {} at x = {x} bytes, y = {y}, z = {z}, outside a surface of {row} bytes by \
                 {height} rows by {all}",
                Bytes(bytes as u64)
            );
            let stop = Stop::without_address(FaultKind::OutOfBoundsGlobal, lane);
            return Err(Stop { message: Some(message), ..stop });
        }
    };
    let at = array.level_offset(level) + ((z * height + y) * row + x) as u64;
    let sector = sector_of_array(x as u64, y as u64, z as u64, level);
    Ok(Some(Offset { at, bytes: bytes.min(row - x) as u64, sector }))
}
