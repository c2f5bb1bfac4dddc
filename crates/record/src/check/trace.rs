//! Conditions on the traces of a record beyond their types.

use super::rules::{names_hold, unique, wrong};
use crate::error::Result;
use crate::trace::{Access, Draw, Fetch, HIGHEST, Matrix, Space, Trace, WARP};

/// Most accesses of one trace.
const MOST: usize = 1 << 16;
/// Most elements of a grid's row, and most rows of a grid.
const MOST_CELLS: u64 = 1 << 12;

/// Checks the conditions on traces that their types cannot express.
///
/// # Errors
/// The first field that breaks a rule.
pub(super) fn hold(traces: &[Trace]) -> Result {
    unique("traces", traces.iter().map(|t| t.id.as_str()))?;
    for (i, trace) in traces.iter().enumerate() {
        let at = format!("traces[{i}]");
        if trace.panels.is_empty() {
            return wrong(format!("{at}.panels"), "has no panels");
        }
        if trace.panels.iter().map(|p| p.accesses.len()).sum::<usize>() > MOST {
            return wrong(format!("{at}.panels"), format!("more than {MOST} accesses"));
        }
        let space = match &trace.draw {
            Draw::Sectors => Some(Space::Global),
            Draw::Banks => Some(Space::Shared),
            Draw::Constant => Some(Space::Constant),
            Draw::Texels => Some(Space::Texture),
            Draw::Grid { matrices, .. } => {
                if matrices.is_empty() {
                    return wrong(format!("{at}.draw.matrices"), "has no matrices");
                }
                for (j, matrix) in matrices.iter().enumerate() {
                    matrix_holds(matrix, &format!("{at}.draw.matrices[{j}]"))?;
                }
                None
            }
        };
        for (j, panel) in trace.panels.iter().enumerate() {
            let at = format!("{at}.panels[{j}]");
            for (name, size) in [("grid", panel.launch.grid), ("block", panel.launch.block)] {
                if size.contains(&0) {
                    return wrong(format!("{at}.launch.{name}"), format!("{size:?} has a zero"));
                }
            }
            if panel.block.iter().zip(panel.launch.grid).any(|(n, grid)| *n >= grid) {
                return wrong(format!("{at}.block"), "is not in the launch's grid");
            }
            match (space, panel.accesses.len()) {
                (_, 0) => return wrong(format!("{at}.accesses"), "has no accesses"),
                (Some(_), 2..) => {
                    return wrong(format!("{at}.accesses"), "this figure shows one access a panel");
                }
                _ => {}
            }
            for (k, access) in panel.accesses.iter().enumerate() {
                access_holds(access, trace.groups.len(), space, &format!("{at}.accesses[{k}]"))?;
            }
        }
    }
    Ok(())
}

fn matrix_holds(matrix: &Matrix, at: &str) -> Result {
    let Matrix { row_bytes, used_bytes, rows, element_bytes, offset, halo, columns, .. } = matrix;
    if !matches!(element_bytes, 1 | 2 | 4 | 8 | 16) {
        return wrong(format!("{at}.element_bytes"), format!("{element_bytes} is not 1, 2, 4, 8 or 16"));
    }
    let bytes = u64::from(*element_bytes);
    if *row_bytes == 0 || !row_bytes.is_multiple_of(bytes) || row_bytes / bytes > MOST_CELLS {
        return wrong(
            format!("{at}.row_bytes"),
            format!("{row_bytes} bytes are not 1 to {MOST_CELLS} elements"),
        );
    }
    if *used_bytes == 0 || used_bytes > row_bytes || !used_bytes.is_multiple_of(bytes) {
        return wrong(
            format!("{at}.used_bytes"),
            format!("{used_bytes} bytes are not whole elements of a row of {row_bytes}"),
        );
    }
    if !columns.is_empty() && columns.len() as u64 != used_bytes / bytes {
        return wrong(
            format!("{at}.columns"),
            format!("{} names for {} elements", columns.len(), used_bytes / bytes),
        );
    }
    if *rows == 0 || u64::from(*rows) > MOST_CELLS {
        return wrong(format!("{at}.rows"), format!("{rows} is not 1 to {MOST_CELLS}"));
    }
    if *offset >= HIGHEST || !offset.is_multiple_of(bytes) {
        return wrong(format!("{at}.offset"), format!("{offset} is not the place of an element"));
    }
    if *halo > MOST_CELLS || 2 * halo * bytes > *used_bytes {
        return wrong(format!("{at}.halo"), format!("{halo} elements on both sides are more than a row"));
    }
    Ok(())
}

fn access_holds(access: &Access, groups: usize, space: Option<Space>, at: &str) -> Result {
    if access.warp >= WARP {
        return wrong(format!("{at}.warp"), format!("a block has no warp {}", access.warp));
    }
    if !matches!(access.bytes, 1 | 2 | 4 | 8 | 16) {
        return wrong(format!("{at}.bytes"), format!("{} is not 1, 2, 4, 8 or 16", access.bytes));
    }
    if space.is_some_and(|space| space != access.space) {
        return wrong(format!("{at}.space"), "this figure is of another memory");
    }
    if access.group > 0 && access.group >= groups as u64 {
        return wrong(format!("{at}.group"), format!("there are {groups} groups"));
    }
    if access.fetch.is_some() != (access.space == Space::Texture) {
        return wrong(format!("{at}.fetch"), "a fetch, and nothing else, reads texels");
    }
    if let Some(fetch) = &access.fetch {
        fetch_holds(fetch, access.bytes, &format!("{at}.fetch"))?;
    }
    if access.lanes.is_empty() {
        return wrong(format!("{at}.lanes"), "no lane takes part");
    }
    let mut seen = 0u32;
    for (memory, lanes) in &access.lanes {
        for (lane, _) in lanes.iter() {
            if seen >> lane & 1 != 0 {
                return wrong(format!("{at}.lanes.{memory}"), format!("lane {lane} occurs twice"));
            }
            seen |= 1 << lane;
        }
    }
    names_hold(&access.cost, &format!("{at}.cost"))
}

fn fetch_holds(fetch: &Fetch, bytes: u32, at: &str) -> Result {
    let Fetch { size, sector: [row, rows], request, together, passes, lanes } = fetch;
    if row.checked_mul(*rows) != Some(32) || bytes > *row {
        return wrong(
            format!("{at}.sector"),
            format!("{row} bytes of {rows} rows are not a sector of 32 bytes"),
        );
    }
    let divides = |n: &u32| *n > 0 && WARP.is_multiple_of(*n);
    if !divides(request) || !divides(together) || !(1..=2).contains(passes) {
        return wrong(at.to_owned(), "no texture unit groups lanes like this");
    }
    for (n, one) in lanes.iter().enumerate() {
        let at = format!("{at}.lanes[{n}]");
        if one.lane >= WARP || n > 0 && lanes[n - 1].lane >= one.lane {
            return wrong(format!("{at}.lane"), format!("lane {} is out of order", one.lane));
        }
        let inside = |texel: &[u32; 4]| texel.iter().zip(size).all(|(n, size)| n < size) && texel[3] < WARP;
        // Two slices of two levels, of four texels each.
        if one.texels.len() > 16 || !one.texels.iter().all(inside) {
            return wrong(format!("{at}.texels"), "are not those of one fetch of this texture");
        }
    }
    Ok(())
}
