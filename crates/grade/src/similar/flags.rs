//! Flags and the table of work that students have in common.
//!
//! Enters: each source's and each answer's own parts. Leaves: a flag for each student of a pair, and `alike.csv`, which
//! shows a person what two sources have in common. Both are hints to look, never verdicts, and no student's report has them.

use crate::similar::overlap::{self, Bounds, OwnParts};
use crate::similar::pairwise::{Class, Common, Pair};
use crate::text::{cell, long_cell};
use std::collections::BTreeMap;

/// Name of the table.
pub(crate) const NAME: &str = "alike.csv";
/// Most characters of a list in a cell; a spreadsheet's holds 32,767.
const MOST_OF_CELL: usize = 10_000;

/// Works on one exercise or question, each with its student.
pub(crate) struct Works<'a> {
    pub(crate) name: &'a str,
    pub(crate) own: Vec<(usize, OwnParts)>,
}

/// Similarities of a class.
#[derive(Default)]
pub(crate) struct Similarities {
    /// Flags, each with the student who has it.
    pub(crate) flags: Vec<(usize, String)>,
    /// Number of pairs whose sources are alike.
    pub(crate) pairs: usize,
    /// The table, a row for each exercise of each pair.
    rows: Vec<[String; COLUMNS.len()]>,
}

const COLUMNS: [&str; 12] = [
    "student",
    "other",
    "flags",
    "rarity",
    "of rarity",
    "exercise",
    "tokens alike",
    "of the student's own",
    "of the other's own",
    "the student wrote",
    "the other wrote",
    "others who have it",
];

impl Similarities {
    /// Similarities among sources, exercise by exercise and as a whole, and among answers in words. `names` are the students'.
    pub(crate) fn find(
        names: &[&str],
        sources: &[Works<'_>],
        words: &[Works<'_>],
        bounds: Bounds,
    ) -> Similarities {
        let mut flags: BTreeMap<[usize; 2], Vec<String>> = BTreeMap::new();
        for (what, works) in [("similar-source-to", sources), ("similar-words-to", words)] {
            for Works { name, own } in works {
                for ((one, _), others) in own.iter().zip(overlap::all(own.clone(), bounds)) {
                    for other in others {
                        flags
                            .entry([*one, other])
                            .or_default()
                            .push(format!("{what}:{}/{name}", names[other]));
                    }
                }
            }
        }
        let class = Class::new((0..).zip(sources).flat_map(|(exercise, works)| {
            works.own.iter().map(move |(student, own)| (exercise, *student, own))
        }));
        for [one, other] in class.alike(bounds) {
            flags.entry([one, other]).or_default().push(format!("similar-work-to:{}", names[other]));
            flags.entry([other, one]).or_default().push(format!("similar-work-to:{}", names[one]));
        }
        let mut alike = Similarities::default();
        for ([one, other], flags) in flags {
            let is_source = |flag: &&str| !flag.starts_with("similar-words-to");
            let of_sources: Vec<&str> = flags.iter().map(String::as_str).filter(is_source).collect();
            if one < other && !of_sources.is_empty() {
                let pair = class.pair(one, other);
                alike.pairs += 1;
                let row =
                    |common| row([names[one], names[other]], &of_sources.join("; "), &pair, common, sources);
                alike.rows.extend(pair.exercises.iter().map(row));
            }
            alike.flags.extend(flags.into_iter().map(|flag| (one, flag)));
        }
        alike
    }

    /// The table.
    ///
    /// # Errors
    /// The writer's; writing to memory has none.
    pub(crate) fn table(&self) -> anyhow::Result<Vec<u8>> {
        let mut table =
            csv::WriterBuilder::new().quote_style(csv::QuoteStyle::NonNumeric).from_writer(Vec::new());
        table.write_record(COLUMNS)?;
        self.rows.iter().try_for_each(|row| table.write_record(row))?;
        Ok(table.into_inner()?)
    }
}

/// A row of the table. Rare statements come first.
fn row(
    names: [&str; 2],
    flags: &str,
    pair: &Pair,
    common: &Common,
    sources: &[Works<'_>],
) -> [String; COLUMNS.len()] {
    let listed = |one: &dyn Fn(&crate::similar::pairwise::Statement) -> String| {
        long_cell(&common.statements.iter().map(one).collect::<Vec<_>>().join("\n"), MOST_OF_CELL)
    };
    [
        cell(names[0]),
        cell(names[1]),
        long_cell(flags, MOST_OF_CELL),
        pair.rarity[0].to_string(),
        pair.rarity[1].to_string(),
        sources.get(common.exercise).map_or_else(String::new, |works| works.name.to_owned()),
        common.tokens.to_string(),
        common.of[0].to_string(),
        common.of[1].to_string(),
        listed(&|statement| statement.written[0].clone()),
        listed(&|statement| statement.written[1].clone()),
        listed(&|statement| statement.others.to_string()),
    ]
}
