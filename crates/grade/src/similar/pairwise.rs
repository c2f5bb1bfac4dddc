//! Comparison of the whole work of two students, exercise by exercise.
//!
//! Enters: each source's own parts ([`crate::similar::overlap`]). Leaves: the pairs that agree in parts that few others have, with
//! those parts. That is a hint to look, never a verdict.
//!
//! One short solution shows nothing: a handful of statements is soon written alike. But a student who writes thirty of them alone
//! writes some of each as no other student does, and these differ from one honest student to the next. So a statement weighs by
//! how rare it is in the class: it counts as often as the class can be halved until no more are left than wrote it. What half
//! of the class has weighs nothing, and in a class of two everything does.
//!
//! A statement that a student writes in many exercises is a habit, and counts once. A pair is alike if what both have in common
//! weighs enough, and makes up most of what either has in the exercises to which both gave something of their own.

use crate::similar::overlap::{Bounds, Form, OwnParts, spelled};
use std::collections::{BTreeMap, BTreeSet};

/// The sources of a class: for each student those of the exercises, each by its place in the book.
#[derive(Debug, Default)]
pub(crate) struct Class<'a> {
    works: BTreeMap<usize, BTreeMap<usize, &'a OwnParts>>,
    /// Who has each statement in any exercise, and each line of a comment.
    forms: BTreeMap<&'a str, BTreeSet<usize>>,
    lines: BTreeMap<&'a str, BTreeSet<usize>>,
}

/// Common parts of two students' work, and the whole that they are part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// Weight of the statements that both have, and of those that either has.
    pub(crate) rarity: [u32; 2],
    /// Exercises in which they have something in common, in the book's order.
    pub(crate) exercises: Vec<Common>,
}

/// Common parts of two students' work in one exercise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Common {
    pub(crate) exercise: usize,
    /// Tokens of the statements that both have, and of those that each has.
    pub(crate) tokens: usize,
    pub(crate) of: [usize; 2],
    pub(crate) statements: Vec<Statement>,
}

/// A statement, or a line of a comment, that two students have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// As each of them wrote it.
    pub(crate) written: [String; 2],
    /// Other students who have it.
    pub(crate) others: usize,
}

impl<'a> Class<'a> {
    /// A class of these sources, each with its exercise and its author.
    pub(crate) fn new(sources: impl Iterator<Item = (usize, usize, &'a OwnParts)>) -> Class<'a> {
        let mut class = Class::default();
        for (exercise, student, own) in sources {
            class.works.entry(student).or_default().insert(exercise, own);
            own.forms().for_each(|form| class.forms.entry(form).or_default().extend([student]));
            own.lines().for_each(|line| class.lines.entry(line).or_default().extend([student]));
        }
        class
    }

    /// The pairs whose whole work is alike, in the order of their students.
    pub(crate) fn alike(&self, bounds: Bounds) -> Vec<[usize; 2]> {
        let students: Vec<usize> = self.works.keys().copied().collect();
        let pairs = (0..students.len()).flat_map(|at| (0..at).map(move |before| (before, at)));
        let pairs = pairs.map(|(before, at)| [students[before], students[at]]);
        pairs.filter(|[one, other]| self.are_alike(*one, *other, bounds)).collect()
    }

    fn are_alike(&self, one: usize, other: usize, bounds: Bounds) -> bool {
        // One exercise is compared by itself.
        if self.both(one, other).nth(1).is_none() {
            return false;
        }
        // Names can only make less of it, and take time to compare.
        let enough = |[both, either]: [u32; 2]| {
            both >= bounds.rarity && f64::from(both) >= bounds.work_share * f64::from(either)
        };
        if enough(self.rarity(one, other, false)) && enough(self.rarity(one, other, true)) {
            return true;
        }
        let [both, either] = self.letters(one, other, bounds.common);
        both >= bounds.letters.max(1) && both as f64 >= bounds.share * either as f64
    }

    /// The exercises to which both gave something of their own.
    fn both(&self, one: usize, other: usize) -> impl Iterator<Item = (usize, &'a OwnParts, &'a OwnParts)> {
        let works = |student| self.works.get(&student).into_iter().flatten();
        works(one).filter_map(move |(exercise, here)| {
            let there = self.works.get(&other)?.get(exercise)?;
            Some((*exercise, *here, *there))
        })
    }

    /// Students other than these two who have it.
    fn others(holders: Option<&BTreeSet<usize>>, one: usize, other: usize) -> usize {
        holders.into_iter().flatten().filter(|student| **student != one && **student != other).count()
    }

    /// Weight of a statement for these two: how often the class can be halved until no more are left than have it.
    fn weight(&self, form: &str, one: usize, other: usize) -> u32 {
        let others = Self::others(self.forms.get(form), one, other);
        (self.works.len().saturating_sub(1) / (others + 1)).checked_ilog2().unwrap_or(0)
    }

    /// Weight of the statements that both have in one exercise, and of those that either has.
    fn rarity(&self, one: usize, other: usize, with_names: bool) -> [u32; 2] {
        let (mut both, mut either) = (BTreeSet::<&str>::new(), BTreeSet::<&str>::new());
        for (_, here, there) in
            self.both(one, other).filter(|(_, here, there)| here.has_own() && there.has_own())
        {
            either.extend(here.forms().chain(there.forms()));
            if with_names {
                both.extend(here.shared(there).map(|(form, _)| form.as_str()));
            } else {
                both.extend(here.forms().filter(|form| there.has(form)));
            }
        }
        [both, either].map(|forms| forms.into_iter().map(|form| self.weight(form, one, other)).sum())
    }

    /// Letters of the lines that both have, and of those that the one with more has; less what more than `common` have.
    fn letters(&self, one: usize, other: usize, common: usize) -> [usize; 2] {
        let lines = |student: usize| -> BTreeSet<&str> {
            let all = self.works.get(&student).into_iter().flatten().flat_map(|(_, own)| own.lines());
            all.filter(|line| self.lines.get(line).is_none_or(|holders| holders.len() <= common)).collect()
        };
        let (here, there) = (lines(one), lines(other));
        let letters = |line: &&str| line.chars().count();
        let all = |lines: &BTreeSet<&str>| lines.iter().map(letters).sum::<usize>();
        [here.intersection(&there).map(letters).sum(), all(&here).max(all(&there))]
    }

    /// Common parts of these two.
    pub(crate) fn pair(&self, one: usize, other: usize) -> Pair {
        let common = |(exercise, here, there): (usize, &'a OwnParts, &'a OwnParts)| {
            let shared: Vec<(&Form, usize)> = here.shared(there).collect();
            let mut statements: Vec<Statement> = shared
                .iter()
                .map(|(form, _)| Statement {
                    written: [here, there].map(|own| spelled(form, own)),
                    others: Self::others(self.forms.get(form.as_str()), one, other),
                })
                .collect();
            statements.extend(here.lines().filter(|line| there.has_line(line)).map(|line| Statement {
                written: [format!("// {line}"), format!("// {line}")],
                others: Self::others(self.lines.get(line), one, other),
            }));
            statements.sort_by_key(|statement| statement.others);
            let tokens = shared.iter().map(|(_, tokens)| tokens).sum();
            (!statements.is_empty()).then(|| Common {
                exercise,
                tokens,
                of: [here.tokens(), there.tokens()],
                statements,
            })
        };
        let exercises = self.both(one, other).filter_map(common).collect();
        Pair { rarity: self.rarity(one, other, true), exercises }
    }
}
