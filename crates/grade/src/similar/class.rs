//! A simulated class, for the tests of similarity.
//!
//! Enters: exercises, a seed, and how strong habits are. Leaves: sources of honest students, who write the solutions' own
//! statements in their own ways, and copies. The sources need not compile: they are compared, never run.
//!
//! An honest student here is harder to distinguish from a copy than a real one: all follow the workbook's solution, and differ
//! only in how they write each statement that the skeleton lacks.

use crate::similar::overlap::{Given, MOST_TOKENS, form};
use cuda::written::{self, Class};
use exercise::Task;
use std::collections::BTreeMap;

/// Generator of numbers: SplitMix64.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn chance(&mut self, share: f64) -> bool {
        (self.next() >> 11) as f64 / ((1_u64 << 53) as f64) < share
    }
}

/// A statement with what ends it.
type Segment = Vec<String>;

/// A source as segments.
fn segments(source: &str) -> Vec<Segment> {
    let tokens = written::tokens(source, MOST_TOKENS);
    let (mut all, mut one): (Vec<Segment>, Segment) = (vec![], vec![]);
    let (mut depth, mut is_directive) = (0_usize, false);
    for token in &tokens {
        let text = token.text.as_ref();
        if token.begins_line && (is_directive || text == "#") {
            all.push(std::mem::take(&mut one));
            is_directive = text == "#";
        }
        one.push(text.to_owned());
        match text {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "{" | "}" | ";" if depth == 0 && !is_directive => all.push(std::mem::take(&mut one)),
            _ => {}
        }
    }
    all.push(one);
    all.retain(|one| !one.is_empty());
    all
}

fn text(segments: &[Segment]) -> String {
    segments.iter().map(|one| format!("{}\n", one.join(" "))).collect()
}

/// A statement without its names.
fn shape(segment: &Segment) -> String {
    form(&written::tokens(&segment.join(" "), MOST_TOKENS)).0
}

/// Number of ways in which things are written.
const WAYS: usize = 12;

/// How a student writes.
pub(crate) struct Habits {
    /// The way preferred of each thing.
    ways: [usize; WAYS],
    /// How often it is chosen.
    strength: f64,
}

impl Habits {
    pub(crate) fn new(dice: &mut Dice, strength: f64) -> Habits {
        Habits { ways: std::array::from_fn(|_| dice.below(60)), strength }
    }

    fn way(&self, dice: &mut Dice, thing: usize, of: usize) -> usize {
        if dice.chance(self.strength) { self.ways[thing] % of } else { dice.below(of) }
    }
}

fn words(text: &str) -> Segment {
    text.split_whitespace().map(str::to_owned).collect()
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn is_simple(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// The same statement as this student writes it; perhaps as several.
#[expect(clippy::too_many_lines, reason = "a list of ways in which students write the same")]
fn written_by(habits: &Habits, dice: &mut Dice, mut s: Segment) -> Vec<Segment> {
    let mut before = vec![];
    // Steps.
    for at in 0..s.len().saturating_sub(1) {
        let name = if s[at] == "++" { at + 1 } else { at };
        if s[at..at + 2].contains(&"++".to_owned()) && is_name(&s[name]) {
            let name = s[name].clone();
            let new = match habits.way(dice, 0, 3) {
                0 => words(&format!("{name} ++")),
                1 => words(&format!("++ {name}")),
                _ => words(&format!("{name} += 1")),
            };
            s.splice(at..at + 2, new);
            break;
        }
    }
    // Sums.
    if let Some(at) = s.iter().position(|word| word == "+=")
        && is_name(&s[0])
        && !s.contains(&"for".to_owned())
        && habits.way(dice, 1, 3) == 0
    {
        let left = s[..at].to_vec();
        s.splice(at..=at, [vec!["=".to_owned()], left, vec!["+".to_owned()]].concat());
    }
    // Comparisons.
    for at in 1..s.len().saturating_sub(1) {
        let flipped = match s[at].as_str() {
            "<" => ">",
            ">" => "<",
            ">=" => "<=",
            "<=" => ">=",
            _ => continue,
        };
        let ends = |word: &str| matches!(word, "(" | ")" | "&&" | "||" | ";" | "?" | "=");
        if at >= 2 && at + 2 < s.len() && ends(&s[at - 2]) && ends(&s[at + 2]) {
            let way = habits.way(dice, 2, 4);
            if way == 0 {
                s[at] = flipped.to_owned();
                s.swap(at - 1, at + 1);
            } else if way == 1 && s[at] == "<" && s[0] == "for" {
                s[at] = "!=".to_owned();
            }
        }
    }
    // Zeros and ones.
    let zero = habits.way(dice, 3, 4);
    for word in &mut s {
        if let Some(whole) = word.strip_suffix(".0f") {
            let whole = whole.to_owned();
            *word = [format!("{whole}.0f"), format!("{whole}.f"), whole.clone(), format!("{whole}.0")][zero]
                .clone();
        }
    }
    // Types.
    if s[0] == "int" && s.get(2).is_some_and(|word| word == "=") {
        let new = ["int", "const int", "unsigned int", "int", "size_t", "auto"][habits.way(dice, 4, 6)];
        s.splice(0..1, words(new));
    }
    // Products.
    for at in 1..s.len().saturating_sub(2) {
        if s[at] == "*" && is_simple(&s[at - 1]) && is_simple(&s[at + 1]) {
            let before = at < 2 || matches!(s[at - 2].as_str(), "=" | "(" | "[" | "+" | "-" | ",");
            let after = matches!(s[at + 2].as_str(), "+" | ")" | "]" | ";" | "," | "-");
            if before && after && habits.way(dice, 5, 3) == 0 {
                s.swap(at - 1, at + 1);
            }
        }
    }
    // Sums in an index.
    for at in 0..s.len().saturating_sub(6) {
        if s[at] == "["
            && is_simple(&s[at + 1])
            && s[at + 2] == "+"
            && is_simple(&s[at + 3])
            && s[at + 4] == "]"
            && habits.way(dice, 6, 3) == 0
        {
            s.swap(at + 1, at + 3);
        }
    }
    // Declarations first, values later.
    let assigned = s.iter().position(|word| word == "=");
    if let Some(at) = assigned
        && (at == 2 && matches!(s[0].as_str(), "int" | "float" | "float4" | "bool"))
        && habits.way(dice, 7, 5) == 0
        && !s.contains(&",".to_owned())
    {
        before.push(vec![s[0].clone(), s[1].clone(), ";".to_owned()]);
        s.remove(0);
    } else if let Some(at) = assigned
        && s.len() - at > 7
        && is_name(&s[0])
        && !matches!(s[0].as_str(), "for" | "if" | "while" | "const" | "unsigned")
        && habits.way(dice, 8, 4) == 0
        && dice.chance(0.5)
    {
        // A value with its own name.
        let value = s.split_off(at + 1);
        let kind = ["float", "float", "int", "auto"][dice.below(4)];
        before.push([words(&format!("{kind} value =")), value].concat());
        s.extend(words("value ;"));
    }
    // Conditions that end a thread.
    if s[0] == "if"
        && s.get(s.len().wrapping_sub(2)).is_some_and(|word| word == "return")
        && habits.way(dice, 9, 4) == 0
    {
        let at = s.len() - 2;
        s.splice(at..at, words("{"));
        s.push("}".to_owned());
    }
    before.push(s);
    before
}

/// An honest student's source of an exercise.
pub(crate) fn honest(task: &Task, habits: &Habits, dice: &mut Dice) -> String {
    let skeleton: Vec<String> = segments(&task.skeleton()).iter().map(shape).collect();
    let mut all: Vec<Segment> = vec![];
    for segment in segments(&task.variants.solution()) {
        if skeleton.contains(&shape(&segment)) {
            all.push(segment);
        } else {
            all.extend(written_by(habits, dice, segment));
        }
    }
    // Something that only this student thought of.
    if dice.chance(0.3) {
        let at = 1 + dice.below(all.len() - 1);
        let n = dice.below(30);
        let new = match dice.below(5) {
            0 => format!("int extra = n % {n} ;"),
            1 => format!("if ( threadIdx.x == {n} ) printf ( \"%d\" , {n} ) ;"),
            2 => "if ( n == 0 ) return ;".to_owned(),
            3 => format!("float unused = {n}.5f * {} ;", dice.below(9)),
            _ => "__syncwarp ( ) ;".to_owned(),
        };
        all.insert(at, words(&new));
    }
    // The index of a thread under a name.
    if habits.way(dice, 10, 2) == 0 {
        let mut declared = false;
        let mut renamed = vec![];
        for segment in all {
            let is_given = skeleton.contains(&shape(&segment));
            let joined = segment.join(" ");
            if !is_given && joined.contains("threadIdx . x") && !declared {
                renamed.push(words("int tid = threadIdx . x ;"));
                declared = true;
            }
            renamed.push(if declared && !is_given {
                words(&joined.replace("threadIdx . x", "tid"))
            } else {
                segment
            });
        }
        all = renamed;
    }
    text(&all)
}

/// A copy of a source: other names, adjacent declarations in another order, and other ways at some places.
pub(crate) fn copied(source: &str, edits: f64, dice: &mut Dice) -> String {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for token in written::tokens(source, MOST_TOKENS) {
        if token.class == Class::Name && !matches!(token.text.as_ref(), "x" | "y" | "z" | "w") {
            let new = format!("v{}", names.len());
            names.entry(token.text.to_string()).or_insert(new);
        }
    }
    let other = Habits::new(dice, 0.0);
    let mut all: Vec<Segment> = vec![];
    for mut segment in segments(source) {
        for word in &mut segment {
            if let Some(new) = names.get(word) {
                word.clone_from(new);
            }
        }
        if dice.chance(edits) { all.extend(written_by(&other, dice, segment)) } else { all.push(segment) }
    }
    let is_declaration =
        |one: &Segment| one.len() > 3 && matches!(one[0].as_str(), "int" | "float" | "const" | "auto");
    for at in 1..all.len() {
        if is_declaration(&all[at]) && is_declaration(&all[at - 1]) && dice.chance(0.5) {
            all.swap(at, at - 1);
        }
    }
    format!("// Written by myself, {}\n{}", dice.below(1000), text(&all))
}

/// Classes of honest students and copies of some of them: who is flagged, and who is not.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::laid;
    use crate::similar::overlap::{Bounds, OwnParts};
    use crate::similar::pairwise::Class;
    use std::path::Path;
    use std::sync::LazyLock;

    static TASKS: LazyLock<Vec<Task>> = LazyLock::new(|| exercise::all().unwrap());
    static GIVEN: LazyLock<Given> = LazyLock::new(|| Given::new(&TASKS));

    /// Sources by student and exercise.
    type Sources = Vec<Vec<String>>;

    /// A class of honest students.
    fn class(dice: &mut Dice, tasks: &[Task], size: usize, strength: f64) -> Sources {
        let one = |_| {
            let habits = Habits::new(dice, strength);
            tasks.iter().map(|task| honest(task, &habits, dice)).collect()
        };
        (0..size).map(one).collect()
    }

    /// The pairs that are flagged.
    fn flagged(class: &Sources) -> Vec<[usize; 2]> {
        let own = |source: &String| OwnParts::of_source(&GIVEN, source);
        let owns: Vec<Vec<OwnParts>> = class.iter().map(|one| one.iter().map(own).collect()).collect();
        let sources = owns.iter().enumerate().flat_map(|(student, one)| {
            one.iter().enumerate().map(move |(exercise, own)| (exercise, student, own))
        });
        let bounds = Bounds::new(&laid("").unwrap().exercises);
        Class::new(sources).alike(bounds)
    }

    /// Whether a student of a class is flagged together with one who copied: at some places in another way, and in this many of
    /// the exercises. No honest pair may be.
    fn is_found(class: &Sources, tasks: &[Task], edits: f64, share: f64, dice: &mut Dice) -> bool {
        let from = dice.below(class.len());
        let habits = Habits::new(dice, 0.8);
        let one = |(task, source): (&Task, &String)| {
            if dice.chance(share) { copied(source, edits, dice) } else { honest(task, &habits, dice) }
        };
        let copy = tasks.iter().zip(&class[from]).map(one).collect();
        let flagged = flagged(&[class.clone(), vec![copy]].concat());
        let pair = [from, class.len()];
        assert!(flagged.iter().all(|found| *found == pair), "honest students are flagged: {flagged:?}");
        flagged.contains(&pair)
    }

    /// Number of classes in which copies are found: with other names, in another order, with other comments; the same with a tenth
    /// and a fifth of the statements rewritten; of half of the exercises.
    fn found(classes: u64, size: usize, habits: f64, exercises: usize) -> [usize; 4] {
        let mut found = [0; 4];
        for seed in 0..classes {
            let mut dice = Dice(seed);
            let first = dice.below(TASKS.len() + 1 - exercises);
            let tasks = &TASKS[first..first + exercises];
            let class = class(&mut dice, tasks, size, habits);
            for (found, (edits, share)) in
                found.iter_mut().zip([(0.0, 1.0), (0.1, 1.0), (0.2, 1.0), (0.0, 0.5)])
            {
                *found += usize::from(is_found(&class, tasks, edits, share, &mut dice));
            }
        }
        println!("{classes} classes of {size}, {exercises} exercises, habits {habits}: found {found:?}");
        found
    }

    #[test]
    fn copies_of_all_exercises_are_found_in_a_small_class_and_no_honest_pair_is_flagged() {
        assert_eq!(found(1, 8, 0.9, 34)[0], 1);
    }

    mod nightly {
        use super::found;

        #[test]
        #[ignore = "nightly: nine classes, most of thirty students"]
        fn copies_of_all_exercises_are_found_and_no_honest_pair_is_flagged() {
            assert_eq!(found(3, 30, 0.8, 34)[0], 3);
            assert_eq!(found(3, 8, 0.9, 34)[0], 3);
            let few = found(3, 30, 0.9, 8);
            assert!(few[0] <= 3, "few exercises say little");
        }
    }

    /// Run by hand.
    mod by_hand {
        use super::*;

        /// The table of the book's page on grading, whose figures hold for an optimised build as well as for one that is not.
        #[test]
        #[ignore = "a measurement: with --release and UPDATE=1 it writes the table of the book's page on grading"]
        fn many_classes() {
            let row = |(classes, size, exercises): (u64, usize, usize)| {
                let [all, tenth, fifth, half] = found(classes, size, 0.8, exercises);
                let pairs = classes as usize * size * (size - 1) / 2;
                let of = |found: usize| format!("{found} of {classes}");
                // That none is flagged is asserted for every class.
                let honest = format!("0 of {}", counters::grouped(pairs));
                vec![
                    size.to_string(),
                    exercises.to_string(),
                    classes.to_string(),
                    honest,
                    of(all),
                    of(tenth),
                    of(fifth),
                    of(half),
                ]
            };
            let classes = [(40, 5, 34), (40, 15, 34), (40, 30, 34), (10, 100, 34), (40, 30, 10), (40, 30, 5)];
            let table = ::tests::table(
                &[
                    "students",
                    "exercises",
                    "classes",
                    "honest pairs flagged",
                    "copies found",
                    "with a tenth of the statements rewritten",
                    "with a fifth",
                    "copies of half of the exercises",
                ],
                classes.into_iter().map(row),
            );
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/evidence/classes.md");
            ::tests::committed(&file, &table, "--release -p grade --lib many_classes -- --ignored");
        }
    }

    #[test]
    fn in_a_class_of_two_nothing_is_rare() {
        let dice = &mut Dice(1);
        let one = class(dice, &TASKS, 1, 0.8);
        let copy = one[0].iter().map(|source| copied(source, 0.0, dice)).collect();
        assert!(flagged(&vec![one[0].clone(), copy]).is_empty());
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn a_habit_counts_once() {
        // A line that two of many write in every exercise.
        let line = "__syncthreads(); if (1 == threadIdx.x * 0 + 1) { ; ; }";
        let dice = &mut Dice(2);
        let mut all = class(dice, &TASKS, 20, 0.8);
        for student in [3, 7] {
            for (task, source) in TASKS.iter().zip(&mut all[student]) {
                *source = task.skeleton() + line;
            }
        }
        assert!(flagged(&all).is_empty());
    }

    #[test]
    fn who_shares_comments_on_many_exercises_is_flagged() {
        let dice = &mut Dice(3);
        let mut all = class(dice, &TASKS, 10, 0.8);
        for (at, remark) in
            ["the edge is mine", "half a warp sleeps here", "rows first, as in school", "why not eight?"]
                .iter()
                .enumerate()
        {
            for student in [2, 5] {
                all[student][at] += &format!("// {remark}");
            }
        }
        assert_eq!(flagged(&all), [[2, 5]]);
    }
}
