//! Textures: from lanes to the texels that they read, in the sectors of 32 bytes that hold them.
//!
//! A sector holds texels of a row or, in an array, of two rows. Sectors are drawn where a lane reads of them, as a grid of
//! their texels; where some between them are left out, there is a gap. A disc is where a lane's coordinates are.

use super::lanes::{BOX, FALL, LANES, LEFT};
use super::sheet::{SMALL, Sheet};
use super::words::{Refusal, bytes, counter};
use crate::drawing::{At, Form, Line, Paint, sparse, width};
use crate::format::plural;
use crate::{Error, format};
use plotters_backend::FontStyle;
use plotters_backend::text_anchor::HPos;
use record::{Access, Fetch, Fetched};

/// Slices, layers, faces and levels that are drawn at the most.
const SLICES: usize = 4;
/// Rows from which on texels are only as large as their numbers need, and that size.
const MANY: u32 = 12;
const SNUG: f64 = 17.0;
/// Greatest side of a texel, least height, and height of a texel where there is but one row.
const LARGEST: f64 = 22.0;
const LOWEST: f64 = 6.0;
const ALONE: f64 = 26.0;
/// Distance between sectors that are not neighbours, and the greatest share of the row for such gaps.
const FAR: f64 = 14.0;
const GAPS: f64 = 0.2;
/// Radius of a disc with a lane's number, of one without, and the least side of a texel for numbers.
const DISC: f64 = 7.5;
const DOT: f64 = 2.4;
/// Distance up to which discs hide each other's numbers.
const NEAR: f64 = 13.0;
const ROOMY: f64 = 15.0;
/// Size of a number in a disc.
const TINY: f64 = 9.5;
const READ: Paint = Paint::Series(0);
const MOVED: Paint = Paint::Tint(0);
const LANE: Paint = Paint::Series(1);

/// A texel or a sector: level, z, row, column.
type TexelIndex = [u32; 4];

fn distinct(mut places: Vec<TexelIndex>) -> Vec<TexelIndex> {
    places.sort_unstable();
    places.dedup();
    places
}

/// Texels of a sector in x and y.
fn tile(access: &Access, fetch: &Fetch) -> [u32; 2] {
    [(fetch.sector[0] / access.bytes.max(1)).max(1), fetch.sector[1].max(1)]
}

fn texels(lanes: &[Fetched]) -> Vec<TexelIndex> {
    distinct(lanes.iter().flat_map(|one| &one.texels).map(|[x, y, z, level]| [*level, *z, *y, *x]).collect())
}

fn sectors(texels: &[TexelIndex], [wide, high]: [u32; 2]) -> Vec<TexelIndex> {
    distinct(texels.iter().map(|[level, z, y, x]| [*level, *z, y / high, x / wide]).collect())
}

/// Sectors of each group of lanes that are looked up together, by the number of the group.
fn looked_up(fetch: &Fetch, tile: [u32; 2]) -> Vec<(u32, u64)> {
    let groups = fetch.lanes.chunk_by(|a, b| a.lane / fetch.together == b.lane / fetch.together);
    let found = groups.map(|lanes| {
        let sectors = sectors(&texels(lanes), tile).len() as u64;
        (lanes[0].lane / fetch.together, sectors * u64::from(fetch.passes))
    });
    found.collect()
}

pub(super) fn draw(sheet: &mut Sheet<'_>, access: &Access) -> Result<(), Refusal> {
    let fetch = of(access)?;
    let tile = tile(access, fetch);
    let words = in_words(access)?;
    let texels = texels(&fetch.lanes);
    let all = sectors(&texels, tile);
    let slices: Vec<&[TexelIndex]> = all.chunk_by(|a, b| a[..2] == b[..2]).collect();
    if slices.len() > SLICES {
        let what = format!("its texels are in {} slices, and {SLICES} can be drawn", slices.len());
        return Err(Refusal::Unexplained(what));
    }
    sheet.lanes(fetch.lanes.iter().map(|one| one.lane))?;
    groups(sheet, fetch, tile)?;
    let flat = fetch.size[1] == 1 && slices.len() == 1;
    for slice in &slices {
        let grid = Grid::new(sheet.form, fetch, tile, slice, flat);
        sheet.y += if flat { 0.0 } else { 8.0 };
        if slices.len() > 1 || grid.slice != [0, 0] {
            let [level, z] = grid.slice;
            let level = if level > 0 { format!("level {level}, ") } else { String::new() };
            sheet.say(&format!("{level}z = {z}"), Paint::Muted, FontStyle::Normal)?;
        }
        if flat {
            for one in &fetch.lanes {
                if let Some((x, _)) = grid.disc(one) {
                    sheet.lead(one.lane, x, Paint::Muted)?;
                }
            }
            sheet.y += FALL;
        }
        grid.draw(sheet, &texels, flat)?;
    }
    if !all.is_empty() {
        sheet.explain(READ, READ, "a texel that a lane reads");
        if all.len() as u32 * tile[0] * tile[1] > texels.len() as u32 {
            sheet.explain(MOVED, Paint::Muted, "a texel of the same sector");
        }
        sheet.explain(LANE, LANE, "coordinates of a lane");
        sheet.note("A box around texels is a sector of 32 bytes.");
    }
    sheet.y += if all.is_empty() { 5.0 } else { 0.0 };
    sheet.say(&words, Paint::Text, FontStyle::Normal)?;
    Ok(())
}

fn of(access: &Access) -> Result<&Fetch, Refusal> {
    let fetch = access.fetch.as_ref().filter(|fetch| fetch.together > 0 && fetch.request > 0);
    fetch.ok_or_else(|| Refusal::Unexplained("its texels are not known".to_owned()))
}

/// A box below each group of lanes, with the sectors that are looked up for it. Moves the sheet below them.
fn groups(sheet: &mut Sheet<'_>, fetch: &Fetch, tile: [u32; 2]) -> Result<(), Error> {
    sheet.y += 3.0;
    sheet.row_label("sectors", sheet.y + BOX / 2.0)?;
    for (group, sectors) in looked_up(fetch, tile) {
        let first = (group * fetch.together) as usize;
        let last = (first + fetch.together as usize - 1).min(LANES - 1);
        let [(left, top), _] = sheet.form.in_column(first, sheet.y, BOX);
        let [_, end] = sheet.form.in_column(last, sheet.y, BOX);
        sheet.canvas.frame([(left, top), end], Paint::Muted, 0.6)?;
        let middle = ((left + end.0) / 2.0, sheet.y + BOX / 2.0);
        sheet.small(&sectors.to_string(), middle, Paint::Text, HPos::Center)?;
    }
    sheet.y += BOX;
    Ok(())
}

/// The sectors of a slice, laid out.
struct Grid<'a> {
    /// Level and z.
    slice: [u32; 2],
    /// Texels of the slice in x and y.
    size: [u32; 2],
    tile: [u32; 2],
    sectors: &'a [TexelIndex],
    lanes: &'a [Fetched],
    /// Columns and rows of sectors, each with its left or upper end.
    columns: Vec<(u32, f64)>,
    rows: Vec<(u32, f64)>,
    /// A texel's width and height.
    texel: At,
}

/// Ends of the numbers' sectors, which are so long, and of the last of them; neighbours without a gap.
fn spread(numbers: &[u32], length: f64, gap: f64) -> (Vec<(u32, f64)>, f64) {
    let (mut at, mut before) = (0.0, None);
    let places = numbers.iter().map(|n| {
        at += if before.is_some_and(|before| before + 1 != *n) { gap } else { 0.0 };
        before = Some(*n);
        at += length;
        (*n, at - length)
    });
    (places.collect(), at)
}

impl<'a> Grid<'a> {
    fn new(form: Form, fetch: &'a Fetch, tile: [u32; 2], sectors: &'a [TexelIndex], flat: bool) -> Self {
        // As places: a sort of another type would be as much code again.
        let numbers = |axis: usize| -> Vec<u32> {
            let places = distinct(sectors.iter().map(|sector| [0, 0, 0, sector[axis]]).collect());
            places.iter().map(|place| place[3]).collect()
        };
        let (columns, rows) = (numbers(3), numbers(2));
        let room = form.width() - LEFT - 2.0;
        let gaps = columns.windows(2).filter(|pair| pair[0] + 1 != pair[1]).count() as f64;
        let gap = if gaps > 0.0 { FAR.min(GAPS * room / gaps) } else { 0.0 };
        let largest = if rows.len() as u32 * tile[1] > MANY { SNUG } else { LARGEST };
        let side = ((room - gaps * gap) / f64::from(columns.len() as u32 * tile[0])).min(largest);
        let texel = (side, if flat { ALONE } else { side.max(LOWEST) });
        let [level, z] = sectors.first().map_or([0; 2], |sector| [sector[0], sector[1]]);
        let half = |n: u32| (n >> level.min(31)).max(1);
        let (mut columns, _) = spread(&columns, side * f64::from(tile[0]), gap);
        columns.iter_mut().for_each(|(_, x)| *x += LEFT);
        let (rows, _) = spread(&rows, texel.1 * f64::from(tile[1]), FAR / 2.0);
        let size = [half(fetch.size[0]), half(fetch.size[1])];
        Grid { slice: [level, z], size, tile, sectors, lanes: &fetch.lanes, columns, rows, texel }
    }

    /// Upper left corner of a texel, the height from the grid's first row on.
    fn corner(&self, x: u32, y: u32) -> Option<At> {
        let find = |places: &[(u32, f64)], n: u32, tile: u32, length: f64| {
            let (_, start) = places.iter().find(|(sector, _)| *sector == n / tile)?;
            Some(start + f64::from(n % tile) * length)
        };
        let left = find(&self.columns, x, self.tile[0], self.texel.0)?;
        Some((left, find(&self.rows, y, self.tile[1], self.texel.1)?))
    }

    /// Where a lane's coordinates are; the middle of its first texel, where they are outside what is drawn.
    fn disc(&self, one: &Fetched) -> Option<At> {
        let [x, y, ..] = *one.texels.iter().find(|texel| [texel[3], texel[2]] == self.slice)?;
        let level = 0.5f32.powi(self.slice[0].min(31) as i32);
        let within = |n: usize| Some(one.at[n] * level).filter(|at| *at >= 0.0 && *at < self.size[n] as f32);
        let exact = within(0).zip(within(1)).and_then(|(u, v)| {
            let (left, top) = self.corner(u as u32, v as u32)?;
            let share = |at: f32| f64::from(at - at.floor());
            Some((left + share(u) * self.texel.0, top + share(v) * self.texel.1))
        });
        exact.or_else(|| {
            self.corner(x, y).map(|(left, top)| (left + self.texel.0 / 2.0, top + self.texel.1 / 2.0))
        })
    }

    fn draw(&self, sheet: &mut Sheet<'_>, texels: &[TexelIndex], flat: bool) -> Result<(), Error> {
        if !flat {
            self.numbers(sheet)?;
        }
        let top = sheet.y;
        let (wide, high) = self.texel;
        for [_, _, row, column] in self.sectors {
            let [x, y] = [column * self.tile[0], row * self.tile[1]];
            let Some((left, upper)) = self.corner(x, y) else { continue };
            // The last sector of a row has bytes that no texel has.
            let [columns, rows] =
                [(x, 0), (y, 1)].map(|(n, axis)| self.size[axis].saturating_sub(n).min(self.tile[axis]));
            let end = (left + f64::from(columns) * wide, top + upper + f64::from(rows) * high);
            let area = [(left, top + upper), end];
            sheet.canvas.area(area, MOVED)?;
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let place = [self.slice[0], self.slice[1], y + row, x + column];
                if texels.binary_search(&place).is_ok() {
                    let from = (left + f64::from(column) * wide, top + upper + f64::from(row) * high);
                    sheet.canvas.area([from, (from.0 + wide, from.1 + high)], READ)?;
                }
            }
            if wide >= LOWEST {
                for column in 1..columns {
                    let x = left + f64::from(column) * wide;
                    sheet.canvas.line(&[(x, top + upper), (x, end.1)], Paint::Ground, Line::Solid, 0.7)?;
                }
                for row in 1..rows {
                    let y = top + upper + f64::from(row) * high;
                    sheet.canvas.line(&[(left, y), (end.0, y)], Paint::Ground, Line::Solid, 0.7)?;
                }
            }
            sheet.canvas.frame(area, Paint::Text, if wide >= LOWEST { 1.1 } else { 0.6 })?;
        }
        // A lane whose number would be on that of a lower one has a dot.
        let mut numbered: Vec<(u32, At)> = vec![];
        for one in self.lanes {
            let Some((x, y)) = self.disc(one) else { continue };
            let far = |other: &At| (other.0 - x).abs() > NEAR || (other.1 - top - y).abs() > NEAR;
            if wide >= ROOMY && numbered.iter().all(|(_, other)| far(other)) {
                numbered.push((one.lane, (x, top + y)));
            } else {
                sheet.canvas.disc((x, top + y), DOT + 0.8, Paint::Ground)?;
                sheet.canvas.disc((x, top + y), DOT, LANE)?;
            }
        }
        for (lane, at) in numbered {
            sheet.canvas.disc(at, DISC + 0.8, Paint::Ground)?;
            sheet.canvas.disc(at, DISC, LANE)?;
            sheet.canvas.text(&lane.to_string(), at, TINY, Paint::On(1), FontStyle::Normal, HPos::Center)?;
        }
        let last = self.rows.last().map_or(0.0, |(_, start)| start + f64::from(self.tile[1]) * high);
        sheet.y += last + 4.0;
        if flat { self.numbers(sheet) } else { Ok(()) }
    }

    /// Numbers of the sectors' first columns, in a row, and of their first rows below it, as there is room. Moves the sheet
    /// below the former.
    fn numbers(&self, sheet: &mut Sheet<'_>) -> Result<(), Error> {
        let column = |n: usize| {
            let x = format::count(u64::from(self.columns[n].0 * self.tile[0]));
            if n == 0 { format!("x = {x}") } else { x }
        };
        let spans: Vec<_> = (0..self.columns.len())
            .map(|n| (self.columns[n].1, self.columns[n].1 + width(&column(n), SMALL)))
            .collect();
        for n in (0..spans.len()).step_by(sparse(&spans, 6.0)) {
            if spans[n].1 <= sheet.form.width() {
                sheet.small(&column(n), (spans[n].0, sheet.y + 8.0), Paint::Muted, HPos::Left)?;
            }
        }
        sheet.y += 17.0;
        if self.size[1] == 1 {
            return Ok(());
        }
        let spans: Vec<_> = self.rows.iter().map(|(_, y)| (*y, y + SMALL)).collect();
        for (row, y) in self.rows.iter().step_by(sparse(&spans, 1.0)) {
            let middle = sheet.y + y + (self.texel.1 / 2.0).max(SMALL / 2.0);
            let text = format!("y = {}", format::count(u64::from(row * self.tile[1])));
            sheet.small(&text, (LEFT - 6.0, middle), Paint::Muted, HPos::Right)?;
        }
        Ok(())
    }
}

/// The counts in words, if they agree with the sectors in which the texels are.
pub(super) fn in_words(access: &Access) -> Result<String, Refusal> {
    let fetch = of(access)?;
    let tile = tile(access, fetch);
    let (requests, counted) =
        (counter(&access.cost, "texture_requests"), counter(&access.cost, "texture_sectors"));
    let found: u64 = looked_up(fetch, tile).iter().map(|(_, sectors)| sectors).sum();
    let of_lanes =
        fetch.lanes.chunk_by(|a, b| a.lane / fetch.request == b.lane / fetch.request).count() as u64;
    if (found, of_lanes) != (counted, requests) {
        return Err(Refusal::Unexplained(format!(
            "the texels are in {} of {}, and {} of {} were counted",
            plural(found, "sector"),
            plural(of_lanes, "request"),
            plural(counted, "sector"),
            plural(requests, "request")
        )));
    }
    let texels = texels(&fetch.lanes);
    let outside = fetch.lanes.iter().filter(|one| one.texels.is_empty()).count() as u64;
    let border = match outside {
        0 => "",
        1 => " 1\u{a0}lane gets the border.",
        n => &format!(" {} get the border.", plural(n, "lane")),
    };
    let read = match texels.len() as u64 {
        0 => String::new(),
        n => format!(
            " {} read {} of {}, in {}.",
            plural(fetch.lanes.len() as u64 - outside, "lane"),
            plural(n, if n == 1 { "texel" } else { "different texel" }),
            bytes(u64::from(access.bytes)),
            plural(sectors(&texels, tile).len() as u64, "sector")
        ),
    };
    Ok(format!(
        "Counted: {} of up to {}; {}, looked up for {} at a time{}.{read}{border}",
        plural(requests, "request"),
        plural(u64::from(fetch.request), "lane"),
        plural(counted, "sector"),
        plural(u64::from(fetch.together), "lane"),
        if fetch.passes > 1 { ", twice" } else { "" },
    ))
}

/// What a lane reads, in words.
pub(super) fn name(fetch: &Fetch, one: &Fetched) -> String {
    let place = |[x, y, z, level]: [u32; 4]| {
        let level = if level > 0 { format!(" of level {level}") } else { String::new() };
        match fetch.size {
            [_, 1, 1] => format!("{x}{level}"),
            [_, _, 1] => format!("({x}, {y}){level}"),
            _ => format!("({x}, {y}, {z}){level}"),
        }
    };
    match one.texels[..] {
        [] => "the border".to_owned(),
        [texel] => format!("texel {}", place(texel)),
        [first, .., last] => format!("texels {} to {}", place(first), place(last)),
    }
}
