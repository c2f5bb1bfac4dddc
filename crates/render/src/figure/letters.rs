//! A single access as text: a letter for each lane, by what it shares with other lanes, and a row for each letter.
//!
//! Enters: an access. Leaves: lines for a terminal, at most 80 columns wide. The groups and the counted sentence are those
//! of the drawing of the same memory.

use super::lanes::{LANES, addresses};
use super::{banks, constant, sectors, texels};
use crate::format;
use crate::format::plural;
use record::{Access, Space};
use std::fmt::Write as _;

/// Rows that are listed; further ones are counted.
const ROWS: usize = 6;

/// Names of groups; an access of 32 lanes has no more.
const LETTERS: &[u8; LANES] = b"abcdefghijklmnopqrstuvwxyzABCDEF";

/// What lanes share: an address, a sector, a bank.
struct Group {
    name: String,
    lanes: Vec<u32>,
}

/// An access of global, shared or constant memory or of a texture as text, drawn as what `counter` counts of it: wavefronts of L1's data by
/// banks, all else of global and local memory by sectors. Nothing where its addresses do not explain its costs.
pub fn access_as_text(access: &Access, counter: &str) -> Option<String> {
    let (groups, counted) = match access.space {
        Space::Global if counter.ends_with("_data_wavefronts") => of_l1(access, counter),
        Space::Constant => of_constant(access),
        Space::Global | Space::Local => of_sectors(access),
        Space::Shared => of_shared(access),
        Space::Texture => of_texture(access),
    }?;
    let mut text = String::from("lane ");
    for first in (0..LANES).step_by(8) {
        let _ = write!(text, "{first:<9}");
    }
    text.truncate(text.trim_end().len());
    text += "\n     ";
    for lane in 0..LANES as u32 {
        let group = groups.iter().position(|group| group.lanes.contains(&lane));
        let letter = group.and_then(|at| LETTERS.get(at)).map_or('.', |letter| char::from(*letter));
        text.push(letter);
        text.push_str(if lane % 8 == 7 && lane < 31 { " " } else { "" });
    }
    text.push('\n');
    let widest = groups.iter().take(ROWS).map(|group| group.name.chars().count()).max().unwrap_or(0);
    for (group, letter) in groups.iter().zip(LETTERS).take(ROWS) {
        let name = &group.name;
        let _ = writeln!(text, "   {} {name:<widest$}  {}", char::from(*letter), lanes(&group.lanes));
    }
    if groups.len() > ROWS {
        let _ = writeln!(text, "   … and {} more", groups.len() - ROWS);
    }
    text += &counted.replace('\u{a0}', " ");
    Some(text)
}

fn of_constant(access: &Access) -> Option<(Vec<Group>, String)> {
    let groups = grouped(addresses(access), |memory, at| format!("{memory} + {}", format::count(at)));
    let counted = constant::counted(access, groups.len() as u64).ok()?;
    Some((groups, counted))
}

fn of_sectors(access: &Access) -> Option<(Vec<Group>, String)> {
    let groups = grouped(sectors::pieces(access).0, |memory, at| {
        format!("sector at {memory} + {}", format::count(at / sectors::SECTOR * sectors::SECTOR))
    });
    Some((groups, sectors::in_words(access).ok()?))
}

/// Texels by what a lane reads of them.
fn of_texture(access: &Access) -> Option<(Vec<Group>, String)> {
    let fetch = access.fetch.as_ref()?;
    let mut groups: Vec<Group> = vec![];
    for one in &fetch.lanes {
        add(&mut groups, texels::name(fetch, one), one.lane);
    }
    Some((groups, texels::in_words(access).ok()?))
}

/// L1's data, which are in banks as shared memory does.
fn of_l1(access: &Access, counter: &str) -> Option<(Vec<Group>, String)> {
    let wavefronts = access.cost.get(counter).copied()?;
    let lanes: usize = access.lanes.values().map(|lanes| lanes.iter().count()).sum();
    let groups = of_banks(access);
    let most = groups.iter().map(|(_, words)| *words).max().unwrap_or(0);
    let why = match (access.bytes, most) {
        (..=4, n) if n as u64 == wavefronts && n > 1 => {
            format!(": a bank must give {n} different words, one a wavefront")
        }
        (..=4, _) if wavefronts == 1 => {
            format!(": no bank must give more than one word for {}", plural(lanes as u64, "lane"))
        }
        _ => String::new(),
    };
    let counted = format!("Counted: {} of L1's data{why}.", plural(wavefronts, "wavefront"));
    Some((groups.into_iter().map(|(group, _)| group).collect(), counted))
}

/// The banks that must give more than one word; where there is none, all words as one group.
fn of_shared(access: &Access) -> Option<(Vec<Group>, String)> {
    let counted = banks::in_words(access).ok()?;
    Some((of_banks(access).into_iter().map(|(group, _)| group).collect(), counted))
}

/// The same, each with its number of words.
fn of_banks(access: &Access) -> Vec<(Group, usize)> {
    let wanted = banks::wanted(access);
    let mut groups: Vec<(Group, usize)> = vec![];
    for bank in 0..LANES as u64 {
        let here = wanted.iter().filter(|(_, at)| at / 4 % LANES as u64 == bank);
        let mut words: Vec<u64> = here.clone().map(|(_, at)| at / 4).collect();
        words.sort_unstable();
        words.dedup();
        if words.len() > 1 {
            let name = format!("bank {bank}: {}", plural(words.len() as u64, "word").replace('\u{a0}', " "));
            groups.push((Group { name, lanes: here.map(|(lane, _)| *lane).collect() }, words.len()));
        }
    }
    if groups.is_empty() {
        let lanes = wanted.iter().map(|(lane, _)| *lane).collect();
        groups.push((Group { name: "at most one word a bank".to_owned(), lanes }, 1));
    }
    groups
}

/// Lanes by the name of what each one's address belongs to, in the order of the lowest lane.
fn grouped(mut wanted: Vec<(u32, &str, u64)>, name: impl Fn(&str, u64) -> String) -> Vec<Group> {
    wanted.sort_unstable();
    let mut groups: Vec<Group> = vec![];
    for (lane, memory, at) in wanted {
        add(&mut groups, name(memory, at), lane);
    }
    groups
}

fn add(groups: &mut Vec<Group>, name: String, lane: u32) {
    match groups.iter_mut().find(|group| group.name == name) {
        Some(group) => group.lanes.push(lane),
        None => groups.push(Group { name, lanes: vec![lane] }),
    }
}

/// `lanes 0-15, 20`, with at most six runs.
fn lanes(lanes: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = vec![];
    for lane in lanes {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *lane => *last = *lane,
            _ => runs.push((*lane, *lane)),
        }
    }
    let shown = runs.iter().take(6).map(|(first, last)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    });
    let one = if lanes.len() == 1 { "lane" } else { "lanes" };
    let more = if runs.len() > 6 { ", …" } else { "" };
    format!("{one} {}{more}", shown.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{AccessKind, Lanes};
    use std::collections::BTreeMap;

    fn access(space: Space, at: impl Fn(u64) -> u64, cost: &[(&str, u64)]) -> Access {
        let lanes = (0..32u32).map(|lane| (lane, at(lane.into()))).collect();
        Access {
            warp: 0,
            file: "a.cu".into(),
            line: 1,
            instruction: "ld".into(),
            kind: AccessKind::Load,
            space,
            bytes: 4,
            group: 0,
            lanes: BTreeMap::from([("m".to_owned(), Lanes::new(lanes).expect("32 lanes"))]),
            fetch: None,
            cost: cost.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect(),
        }
    }

    #[test]
    fn constant_addresses_have_a_letter_each() {
        let cost = [("const_instructions", 1), ("const_replays", 1)];
        let text =
            access_as_text(&access(Space::Constant, |lane| lane / 16 * 4, &cost), "").expect("explained");
        assert_eq!(
            text,
            "lane 0        8        16       24
     aaaaaaaa aaaaaaaa bbbbbbbb bbbbbbbb
   a m + 0  lanes 0-15
   b m + 4  lanes 16-31
Counted: 1 instruction and 1 replay: 2 broadcasts for 2 different addresses."
        );
    }

    #[test]
    fn sectors_are_listed_by_where_they_begin() {
        let cost = [("global_load_requests", 1), ("global_load_sectors", 32)];
        let text = access_as_text(&access(Space::Global, |lane| lane * 32, &cost), "").expect("explained");
        assert!(
            text.contains("   b sector at m + 32   lane 1\n") && text.contains("… and 26 more"),
            "{text}"
        );
        assert!(text.contains("abcdefgh ijklmnop qrstuvwx yzABCDEF"), "{text}");
    }

    #[test]
    fn banks_are_listed_where_they_conflict() {
        let cost = [("shared_load_wavefronts", 2), ("shared_load_bank_conflicts", 1)];
        let text = access_as_text(&access(Space::Shared, |lane| lane * 8, &cost), "").expect("explained");
        assert!(text.contains("   a bank 0: 2 words   lanes 0, 16\n"), "{text}");
        assert!(text.contains("abcdefgh ijklmnop abcdefgh ijklmnop"), "{text}");
    }

    #[test]
    fn turns_of_l1_s_data_are_drawn_by_banks() {
        let cost =
            [("global_load_requests", 1), ("global_load_sectors", 32), ("global_load_data_wavefronts", 16)];
        let read = access(Space::Global, |lane| lane * 64, &cost);
        let text = access_as_text(&read, "global_load_data_wavefronts").expect("explained");
        assert!(text.contains("   a bank 0: 16 words   lanes 0, 2, 4, 6, 8, 10, …\n"), "{text}");
        assert!(
            text.ends_with(
                "Counted: 16 wavefronts of L1's data: a bank must give 16 different words, one a wavefront."
            ),
            "{text}"
        );
        let sectors = access_as_text(&read, "global_load_sectors").expect("explained");
        assert!(sectors.contains("sector at m + 0"), "{sectors}");
    }

    #[test]
    fn a_broadcast_from_shared_memory_has_no_conflict() {
        let cost = [("shared_load_wavefronts", 1)];
        let text = access_as_text(&access(Space::Shared, |_| 64, &cost), "").expect("explained");
        assert!(text.contains("   a at most one word a bank  lanes 0-31\n"), "{text}");
    }

    #[test]
    fn a_cost_that_the_addresses_do_not_explain_is_not_drawn() {
        assert_eq!(access_as_text(&access(Space::Constant, |_| 0, &[("const_replays", 3)]), ""), None);
    }
}
