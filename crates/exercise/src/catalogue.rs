//! The workbook's exercises: the manifest with the sources that belong to it.
//!
//! Enters: the files of `kernels/exercises`. Leaves: tasks, in the order in which they are done.

use crate::claim::{self, Claim};
use crate::manifest::{Exercise, Manifest};
use crate::mark;
use crate::variants::{self, SKELETON, Variants};
use hmac_sha256::Hash;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Files by name.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Name of the manifest.
const MANIFEST: &str = "exercises.toml";

/// An exercise with its sources.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its entry in the manifest.
    pub exercise: Exercise,
    /// The solution, the skeleton and attempts.
    pub variants: Variants,
    /// CUDA C of the reference: a kernel, or of a program its solution.
    pub reference: String,
    /// The sentence of a source that it decides.
    pub claim: Option<Claim>,
}

impl Task {
    /// The text that a student begins with.
    pub fn skeleton(&self) -> String {
        // Each exercise was found to have one when it was read.
        self.variants.named(SKELETON).unwrap_or_default()
    }

    /// Lines of the skeleton, from 0, any of which may be marked as the cause: those that take the place of the solution's
    /// marked line. None, where the exercise does not ask for a cause.
    pub fn culprits(&self) -> BTreeSet<usize> {
        let marked = |line: &str| mark::without(line).is_some();
        if self.exercise.detective { self.variants.lines_where(SKELETON, &marked) } else { BTreeSet::new() }
    }

    /// The task, in paragraphs: the comment that the source begins with, without its first line, the title.
    pub fn brief(&self) -> Vec<String> {
        let source = self.variants.solution();
        let lines = source.lines().map_while(|line| line.strip_prefix("//")).map(str::trim).skip(1);
        let mut paragraphs = vec![];
        let mut open = false;
        for line in lines {
            match paragraphs.last_mut() {
                _ if line.is_empty() => open = false,
                Some(paragraph) if open => *paragraph = format!("{paragraph} {line}"),
                _ => {
                    paragraphs.push(line.to_owned());
                    open = true;
                }
            }
        }
        paragraphs
    }
}

/// The exercises of the workbook.
///
/// # Errors
/// A defect of the files, in words; the crate's tests check that there is none.
pub fn all() -> Result<Vec<Task>, String> {
    Packed::of_workbook()?.tasks()
}

/// Exercises as plain data, for programs that cannot read a manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Packed {
    manifest: Manifest,
    /// Sources by the names of their files.
    sources: BTreeMap<String, String>,
    /// The sources' sentences that they decide, by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    claims: BTreeMap<String, Claim>,
}

impl Packed {
    /// Those of the workbook.
    ///
    /// # Errors
    /// A defect of the files, in words.
    pub fn of_workbook() -> Result<Self, String> {
        let (manifests, sources): (Vec<_>, Vec<_>) = FILES.iter().partition(|(name, _)| *name == MANIFEST);
        let (_, manifest) = manifests.first().ok_or_else(|| missing(MANIFEST))?;
        let owned = |(name, text): (&str, &str)| (name.to_owned(), text.to_owned());
        let sources = sources.into_iter().filter(|(name, _)| name.ends_with(".cu")).map(owned);
        Packed::read(manifest, sources.collect())
    }

    /// Those of a course, of its files by their names: a manifest as the workbook's, and sources.
    ///
    /// # Errors
    /// A defect of the files, in words; an exercise that has the name of one of the workbook's, or a source that belongs to none.
    pub fn of_course(mut files: BTreeMap<String, String>) -> Result<Self, String> {
        let manifest = files.remove(MANIFEST).ok_or_else(|| missing(MANIFEST))?;
        files.retain(|name, _| name.ends_with(".cu"));
        let packed = Packed::read(&manifest, files).map_err(|error| format!("{MANIFEST}: {error}"))?;
        let exercises = &packed.manifest.exercises;
        let workbook = Packed::of_workbook()?;
        let is_there =
            |one: &&Exercise| workbook.manifest.exercises.iter().any(|other| other.name == one.name);
        if let Some(exercise) = exercises.iter().find(is_there) {
            return Err(format!(
                "exercise `{}`: the workbook has one of this name; choose another",
                exercise.name
            ));
        }
        let belong: Vec<String> = exercises
            .iter()
            .flat_map(|one| [Some(format!("{}.cu", one.name)), reference(one)])
            .flatten()
            .collect();
        match packed.sources.keys().find(|name| !belong.contains(name)) {
            Some(name) => Err(format!("`{name}` belongs to no exercise of {MANIFEST}")),
            None => packed.clone().tasks().map(|_| packed),
        }
    }

    fn read(manifest: &str, sources: BTreeMap<String, String>) -> Result<Self, String> {
        let manifest = Manifest::parse(manifest).map_err(|error| error.to_string())?;
        let mut claims = claim::all()?;
        let named: BTreeSet<_> = manifest.exercises.iter().filter_map(|one| one.claim.as_ref()).collect();
        claims.retain(|id, _| named.contains(id));
        Ok(Packed { manifest, sources, claims })
    }

    /// The same without the typical attempts, which only tests need.
    #[must_use]
    pub fn without_attempts(mut self) -> Self {
        for exercise in &mut self.manifest.exercises {
            exercise.attempts.retain(|attempt| attempt.variant == SKELETON);
        }
        self.sources.values_mut().for_each(|source| *source = variants::without_attempts(source));
        self
    }

    /// Each exercise alone, by its name, with the sources that belong to it.
    pub fn each(&self) -> BTreeMap<String, Packed> {
        let alone = |exercise: &Exercise| {
            let belong = [Some(format!("{}.cu", exercise.name)), reference(exercise)];
            let sources = belong.into_iter().flatten().filter_map(|name| self.sources.get_key_value(&name));
            let sources = sources.map(|(name, text)| (name.clone(), text.clone())).collect();
            let claims = exercise.claim.iter().filter_map(|id| self.claims.get_key_value(id));
            let claims = claims.map(|(id, claim)| (id.clone(), claim.clone())).collect();
            let manifest = Manifest { exercises: vec![exercise.clone()], hints: self.manifest.hints.clone() };
            (exercise.name.clone(), Packed { manifest, sources, claims })
        };
        self.manifest.exercises.iter().map(alone).collect()
    }

    /// The exercises.
    ///
    /// # Errors
    /// A file that is missing, a manifest or a source that is not well-formed, or an attempt that no source has.
    pub fn tasks(self) -> Result<Vec<Task>, String> {
        let Packed { manifest, sources, claims } = self;
        let text = |name: &str| sources.get(name).cloned().ok_or_else(|| missing(name));
        let manifest = manifest.checked().map_err(|error| error.to_string())?;
        manifest.exercises.into_iter().map(|exercise| task(exercise, &text, &claims)).collect()
    }
}

fn missing(name: &str) -> String {
    format!("`{name}` is missing")
}

/// The report of the check of an exercise's skeleton, which is what those see of it who look for its cause.
pub fn report(name: &str) -> Option<&'static str> {
    let file = report_of(name);
    FILES.iter().find(|(name, _)| *name == file).map(|(_, text)| *text)
}

/// A hash of the exercises' files, by which two versions of them are distinguished: 16 hexadecimal digits.
pub fn digest() -> String {
    let mut hash = Hash::new();
    for (name, text) in FILES {
        for part in [name, text] {
            hash.update(part.len().to_le_bytes());
            hash.update(part.as_bytes());
        }
    }
    hash.finalize().iter().take(8).fold(String::new(), |mut digits, byte| {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// Name of the file that an exercise's report is in.
fn report_of(name: &str) -> String {
    format!("{name}.report.txt")
}

/// Name of the file that an exercise's reference is in, if it has one of its own.
fn reference(exercise: &Exercise) -> Option<String> {
    let reference = exercise.reference.as_ref()?;
    Some(format!("{}.reference.cu", reference.file.as_ref().unwrap_or(&exercise.name)))
}

fn task(
    exercise: Exercise,
    text: &dyn Fn(&str) -> Result<String, String>,
    claims: &BTreeMap<String, Claim>,
) -> Result<Task, String> {
    let name = format!("{}.cu", exercise.name);
    let claim = |id: &String| {
        let known = claims.get(id).cloned();
        known.ok_or_else(|| format!("exercise `{}`: there is no claim `{id}`", exercise.name))
    };
    let claim = exercise.claim.as_ref().map(claim).transpose()?;
    let variants = Variants::parse(&text(&name)?).map_err(|error| format!("{name}: {error}"))?;
    let reference = match reference(&exercise) {
        Some(file) => text(&file)?,
        None => variants.solution(),
    };
    let attempts = exercise.attempts.iter().map(|attempt| attempt.variant.as_str());
    if !attempts.clone().eq(attempts.clone().collect::<std::collections::BTreeSet<_>>()) {
        return Err(format!("{name}: the manifest's attempts are not in the order of their names"));
    }
    let there = variants.names();
    if !attempts.clone().eq(there.iter().copied()) {
        return Err(format!("{name}: it has the variants {there:?}, but the manifest lists other attempts"));
    }
    if !there.contains(SKELETON) {
        return Err(format!("{name}: it has no skeleton"));
    }
    let task = Task { exercise, variants, reference, claim };
    if task.exercise.detective && task.culprits().is_empty() {
        return Err(format!("{name}: no line of its solution is marked as the cause"));
    }
    let first = format!("// {}.\n//\n", task.exercise.title);
    if !task.skeleton().starts_with(&first) || task.brief().is_empty() {
        return Err(format!(
            "{name}: it does not begin with a comment whose first line is the title, and the rest what to do"
        ));
    }
    Ok(task)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COURSE: &str = "[[exercise]]\nname = \"own\"\nchapter = \"week-1\"\ntitle = \"Print n\"\npoints = 1\ncases = [{ n = 1 }]\n\
                          hidden.n = { from = 1, to = 9 }\nprogram = { arguments = [\"n\"] }\n\
                          attempts = [{ variant = \"skeleton\", finds = \"output\", says = \"\" }]\n\
                          hints = [{ on = \"any\", tiers = [\"a\", \"b\", \"c\"] }]\n";
    const SOURCE: &str = "// Print n.\n//\n// Print the argument.\n\n#include <cstdio>\nint main(int, char **argv) {\n    //<\n    \
                          puts(argv[1]);\n    //| skeleton\n    //>\n}\n";

    /// The workbook's files, one of them changed.
    fn with(name: &str, old: &str, new: &str) -> Result<Vec<Task>, String> {
        let mut packed = Packed::of_workbook()?;
        let source = packed.sources.get_mut(name).expect("a source");
        assert!(source.contains(old), "{old}");
        *source = source.replace(old, new);
        packed.tasks()
    }

    #[test]
    fn packed_exercises_are_the_same() {
        let text = serde_json::to_string(&Packed::of_workbook().expect("well-formed")).expect("text");
        let again: Packed = serde_json::from_str(&text).expect("the same");
        let both = [again.tasks(), all()].map(|tasks| format!("{:?}", tasks.expect("well-formed")));
        assert_eq!(both[0], both[1]);
    }

    #[test]
    fn an_exercise_alone_is_as_among_the_others() {
        let each = Packed::of_workbook().expect("well-formed").each();
        let all = all().expect("well-formed");
        assert_eq!(each.len(), all.len());
        for task in all {
            let alone = each[&task.exercise.name].clone().tasks().expect("well-formed");
            assert_eq!(format!("{alone:?}"), format!("[{task:?}]"));
        }
    }

    #[test]
    fn the_workbook_s_exercises_are_well_formed() {
        let tasks = all().expect("well-formed");
        let brief = tasks.iter().find(|task| task.exercise.name == "uniform_taps").expect("there").brief();
        assert_eq!(brief.len(), 2, "{brief:?}");
        assert!(brief[1].starts_with("Change the loop so that all lanes"), "{brief:?}");
    }

    #[test]
    fn a_course_s_exercises_are_of_the_same_form_and_what_is_wrong_is_named() {
        let with = |change: &dyn Fn(&mut String, &mut BTreeMap<String, String>)| {
            let (mut manifest, mut files) = (COURSE.to_owned(), BTreeMap::new());
            files.insert("own.cu".to_owned(), SOURCE.to_owned());
            change(&mut manifest, &mut files);
            files.insert(MANIFEST.to_owned(), manifest);
            Packed::of_course(files)
        };
        let tasks = with(&|_, _| {}).and_then(Packed::tasks).expect("well-formed");
        assert_eq!(tasks[0].exercise.name, "own");
        let error = |change: &dyn Fn(&mut String, &mut BTreeMap<String, String>)| {
            with(change).map(|_| ()).expect_err("wrong")
        };
        assert_eq!(error(&|_, sources| sources.clear()), "`own.cu` is missing");
        assert!(error(&|manifest, _| manifest.clear()).contains("missing field `exercise`"));
        assert_eq!(
            Packed::of_course(BTreeMap::new()).map(|_| ()),
            Err("`exercises.toml` is missing".to_owned())
        );
        let name = "exercise `host_sum`: the workbook has one of this name; choose another";
        assert_eq!(error(&|manifest, _| *manifest = manifest.replace("\"own\"", "\"host_sum\"")), name);
        let more = |_: &mut String, sources: &mut BTreeMap<String, String>| {
            drop(sources.insert("b.cu".to_owned(), String::new()))
        };
        assert_eq!(error(&more), "`b.cu` belongs to no exercise of exercises.toml");
        let field = error(&|manifest, _| *manifest += "colour = 5\n");
        assert!(field.starts_with("exercises.toml: ") && field.contains("unknown field `colour`"), "{field}");
    }

    #[test]
    fn every_file_belongs_to_an_exercise() {
        let tasks = all().expect("well-formed");
        let mut there = vec![MANIFEST.to_owned()];
        for Task { exercise, .. } in &tasks {
            there.push(format!("{}.cu", exercise.name));
            there.extend(exercise.detective.then(|| report_of(&exercise.name)));
            there.extend(reference(exercise));
        }
        let unused: Vec<&str> =
            FILES.iter().map(|(file, _)| *file).filter(|file| !there.iter().any(|one| one == file)).collect();
        assert!(unused.is_empty(), "{unused:?}");
    }

    #[test]
    fn sources_and_manifest_must_fit_each_other() {
        const FILE: &str = "uniform_taps.cu";
        for (old, new, said) in [
            ("//| skeleton", "//| skeletal", "the manifest lists other attempts"),
            ("// Make the reads uniform.", "// Make reads uniform.", "whose first line is the title"),
            ("//>\n    out", "out", "the region that begins here does not end"),
        ] {
            let error = with(FILE, old, new).map(|_| ()).expect_err(new);
            assert!(error.starts_with(FILE) && error.contains(said), "{error}");
        }
    }
}
