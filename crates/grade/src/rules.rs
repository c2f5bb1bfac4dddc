//! The rules of grading: the checks and their points, as data.
//!
//! Enters: the embedded `rules.toml`, the files of `--rules`, and the names of labs and judges. Leaves: checked
//! [`Rules`], or an error with its place in the file. This module must never know what a judge does.
//!
//! Each file is merged over those before it as a document that keeps the places of its values; the result is then
//! deserialised strictly, so that errors have a line.

use crate::points::Points;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer};

/// Default rules.
pub(crate) const EMBEDDED: &str = include_str!("../rules.toml");

/// Maximum size of a file of rules; the embedded one has a hundredth of it.
const MOST_BYTES: u64 = 1 << 20;

/// Errors in rules.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{0}: {1}")]
    Read(PathBuf, std::io::Error),
    #[error("{0}: {1}")]
    Toml(PathBuf, toml::de::Error),
    #[error("{at}: check `{id}`: {message}")]
    Check { at: PathBuf, id: String, message: &'static str },
    #[error("{at}: check `{id}`: no judge named `{judge}`; there are {judges}")]
    Judge { at: PathBuf, id: String, judge: String, judges: String },
    #[error("{at}: no lab named `{lab}`; there are {labs}")]
    Lab { at: PathBuf, lab: String, labs: String },
    #[error("{at}: no chapter named `{chapter}`; there are {chapters}")]
    Chapter { at: PathBuf, chapter: String, chapters: String },
    #[error("{at}: lab `{lab}`: no check named `{id}`; there are {checks}")]
    Points { at: PathBuf, lab: String, id: String, checks: String },
    #[error("{at}: `{field}` must be above zero")]
    Zero { at: PathBuf, field: &'static str },
}

/// The rules in force.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rules {
    pub(crate) assigned: Vec<String>,
    /// Chapters whose exercises and questions are assigned.
    pub(crate) chapters: Vec<String>,
    pub(crate) limits: Limits,
    pub(crate) exercises: Exercises,
    pub(crate) tolerance: Tolerance,
    pub(crate) plausible: Plausible,
    /// Patterns of `LAB/CHECK` whose outputs on a GPU differ in the last bits.
    approximate: Vec<String>,
    #[serde(rename = "check")]
    checks: Vec<Check>,
    #[serde(rename = "lab", default)]
    labs: BTreeMap<String, Lab>,
}

/// Limits on submissions.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limits {
    /// Timeout of one re-run.
    pub(crate) seconds: f64,
    pub(crate) file_bytes: u64,
    /// A submission, which holds records.
    pub(crate) submission_bytes: u64,
    /// Its sources and answers together.
    pub(crate) work_bytes: usize,
    /// Files of one student.
    pub(crate) files: usize,
    pub(crate) depth: usize,
    /// Graded records of one student.
    pub(crate) records: usize,
    /// Device memory of one re-run.
    pub(crate) memory_bytes: u64,
    /// Warp instructions of one re-run.
    pub(crate) instructions: u64,
    /// Warp instructions of all re-runs of one student.
    pub(crate) student_instructions: u64,
}

/// Checks of exercises.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exercises {
    /// Hidden cases of each exercise.
    pub(crate) hidden: usize,
    /// Processor time of one check.
    pub(crate) seconds: u64,
    /// Memory of one check, with the program's own.
    pub(crate) memory_bytes: u64,
    /// Longest source, and longest answer in words.
    pub(crate) source_bytes: usize,
    /// Tokens in each student's own statements that two sources have before they can be called alike.
    pub(crate) least_own_tokens: usize,
    /// The same of letters in comments, and in answers in words.
    pub(crate) least_own_letters: usize,
    /// Share of these that is the same in works that are alike.
    pub(crate) alike: f64,
    /// Students who may have the same without its being everyone's.
    pub(crate) common: usize,
    /// Weight of rare statements that two students' whole works share before they can be called alike.
    pub(crate) least_rarity: u32,
    /// Share of the weight of all their statements.
    pub(crate) alike_work: f64,
}

/// Tolerances of comparisons.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tolerance {
    /// Relative tolerance of computed numbers.
    pub(crate) computed: f64,
}

/// Bounds of plausible measured times.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plausible {
    pub(crate) least_ns: f64,
    pub(crate) most_without_spread: f64,
    pub(crate) most_of_one_ratio: f64,
    pub(crate) least_alike: usize,
    pub(crate) most_times_faster: f64,
    pub(crate) most_times_slower: f64,
}

/// One line of a report.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    pub(crate) id: String,
    /// Name of its judge.
    pub(crate) judge: String,
    #[serde(default)]
    pub(crate) points: Points,
    /// Whether a partly correct result gives a share of the points.
    #[serde(default)]
    pub(crate) partial: bool,
    pub(crate) what: String,
    /// Patterns of the counters or facts that it covers.
    #[serde(default = "everything")]
    counters: Vec<String>,
    #[serde(default)]
    except: Vec<String>,
    /// A check for which this is `false` is dropped while files are merged.
    #[serde(default, rename = "use")]
    _is_used: bool,
}

fn everything() -> Vec<String> {
    vec!["*".to_owned()]
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lab {
    #[serde(default)]
    points: BTreeMap<String, Points>,
}

/// Names that rules may use.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) labs: &'a [&'a str],
    pub(crate) chapters: &'a [&'a str],
    pub(crate) judges: &'a [&'a str],
}

impl Rules {
    /// The embedded rules with `files` merged over them in order.
    ///
    /// # Errors
    /// A file that cannot be read, does not have this form, or names an unknown lab, check or judge.
    pub(crate) fn read(files: &[PathBuf], known: Known<'_>) -> Result<Rules, Error> {
        let read = |path: &PathBuf| {
            let text = files::read_text(path, MOST_BYTES).map_err(|e| Error::Read(path.clone(), e))?;
            Ok((path.clone(), text))
        };
        Rules::laid(&files.iter().map(read).collect::<Result<Vec<_>, _>>()?, known)
    }

    /// The embedded rules with these texts, each from a file, merged over them in order.
    fn laid(files: &[(PathBuf, String)], known: Known<'_>) -> Result<Rules, Error> {
        let embedded = Path::new("rules.toml");
        let mut document =
            DeTable::parse(EMBEDDED).map_err(|error| Error::Toml(embedded.to_owned(), error))?;
        let mut rules = Rules::strictly(embedded, EMBEDDED, &document, known)?;
        for (at, text) in files {
            let over = DeTable::parse(text).map_err(|error| Error::Toml(at.clone(), error))?;
            lay(at, document.get_mut(), over.into_inner())?;
            rules = Rules::strictly(at, text, &document, known)?;
        }
        Ok(rules)
    }

    /// Rules of the document. It was sound before the text of `at` was merged over it, so any error is in that file.
    fn strictly(
        at: &Path,
        text: &str,
        document: &Spanned<DeTable<'_>>,
        known: Known<'_>,
    ) -> Result<Rules, Error> {
        let read = Rules::deserialize(Deserializer::from(document.clone()));
        let rules = read.map_err(|mut error| {
            error.set_input(Some(text));
            Error::Toml(at.to_owned(), error)
        })?;
        rules.check_names(at, known)?;
        rules.check_limits(at)?;
        Ok(rules)
    }

    fn check_names(&self, at: &Path, known: Known<'_>) -> Result<(), Error> {
        for check in &self.checks {
            if !known.judges.contains(&check.judge.as_str()) {
                let (id, judge) = (check.id.clone(), check.judge.clone());
                let judges = known.judges.join(", ");
                return Err(Error::Judge { at: at.to_owned(), id, judge, judges });
            }
        }
        for lab in self.labs.keys().chain(&self.assigned) {
            if !known.labs.contains(&lab.as_str()) {
                let (at, lab, labs) = (at.to_owned(), lab.clone(), known.labs.join(", "));
                return Err(Error::Lab { at, lab, labs });
            }
        }
        if let Some(chapter) = self.chapters.iter().find(|name| !known.chapters.contains(&name.as_str())) {
            let (at, chapter, chapters) = (at.to_owned(), chapter.clone(), known.chapters.join(", "));
            return Err(Error::Chapter { at, chapter, chapters });
        }
        for (lab, own) in &self.labs {
            if let Some(id) = own.points.keys().find(|id| self.ids().all(|known| known != id.as_str())) {
                let checks = self.ids().collect::<Vec<_>>().join(", ");
                return Err(Error::Points { at: at.to_owned(), lab: lab.clone(), id: id.clone(), checks });
            }
        }
        Ok(())
    }

    fn check_limits(&self, at: &Path) -> Result<(), Error> {
        let Limits {
            seconds,
            file_bytes,
            submission_bytes,
            work_bytes,
            files,
            depth: _,
            records,
            memory_bytes,
            instructions,
            student_instructions,
        } = self.limits;
        let Exercises {
            hidden: _,
            seconds: exercise_seconds,
            memory_bytes: exercise_memory,
            source_bytes,
            least_own_tokens,
            least_own_letters,
            alike,
            common,
            least_rarity,
            alike_work,
        } = self.exercises;
        let tolerance = self.tolerance.computed;
        let wrong = [
            // NaN is not above zero either.
            ("limits.seconds", seconds.is_nan() || seconds <= 0.0 || seconds > 1e6),
            ("limits.file_bytes", file_bytes == 0),
            ("limits.submission_bytes", submission_bytes == 0),
            ("limits.work_bytes", work_bytes == 0),
            ("limits.files", files == 0),
            ("limits.records", records == 0),
            ("limits.memory_bytes", memory_bytes == 0),
            ("limits.instructions", instructions == 0),
            ("limits.student_instructions", student_instructions == 0),
            ("exercises.seconds", exercise_seconds == 0 || exercise_seconds > 1_000_000),
            ("exercises.memory_bytes", exercise_memory == 0),
            ("exercises.source_bytes", source_bytes == 0),
            ("exercises.least_own_tokens", least_own_tokens == 0),
            ("exercises.least_own_letters", least_own_letters == 0),
            ("exercises.alike", alike.is_nan() || alike <= 0.0),
            ("exercises.common", common == 0),
            ("exercises.least_rarity", least_rarity == 0),
            ("exercises.alike_work", alike_work.is_nan() || alike_work <= 0.0),
            ("tolerance.computed", tolerance.is_nan() || tolerance < 0.0),
        ];
        match wrong.into_iter().find(|(_, wrong)| *wrong) {
            Some((field, _)) => Err(Error::Zero { at: at.to_owned(), field }),
            None => Ok(()),
        }
    }

    /// Whether the outputs of this `LAB/CHECK` on a GPU may differ from the embedded device's in the last bits.
    pub(crate) fn is_approximate(&self, check: &str) -> bool {
        self.approximate.iter().any(|pattern| fits(pattern, check))
    }

    /// All that judges know of the rules, as text: two judgements by equal texts are equal. Points are not in it, nor what
    /// reports say.
    pub(crate) fn judging(&self) -> String {
        let Rules { tolerance, plausible, approximate, checks, .. } = self;
        let about = |Check { id, judge, counters, except, .. }: &Check| {
            format!("{:?}", (id, judge, counters, except))
        };
        let checks: Vec<String> = checks.iter().map(about).collect();
        format!("{tolerance:?} {plausible:?} {approximate:?} {checks:?}")
    }

    /// Ids of all checks, in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.checks.iter().map(|check| check.id.as_str())
    }

    /// Checks with their points in this lab, or with their general points if the lab is not known.
    pub(crate) fn checks<'a>(&'a self, lab: Option<&'a str>) -> impl Iterator<Item = (&'a Check, Points)> {
        let own = lab.and_then(|lab| self.labs.get(lab));
        self.checks.iter().map(move |check| {
            (check, own.and_then(|lab| lab.points.get(&check.id)).copied().unwrap_or(check.points))
        })
    }
}

impl Check {
    /// Whether it covers the counter or fact of this name.
    pub(crate) fn is_about(&self, name: &str) -> bool {
        let fits = |pattern: &String| fits(pattern, name);
        self.counters.iter().any(fits) && !self.except.iter().any(fits)
    }
}

/// Merges a document over another: a value replaces the one below, except that tables are merged field by field, and
/// items of `check` into the item of the same id.
fn lay<'i>(at: &Path, under: &mut DeTable<'i>, over: DeTable<'i>) -> Result<(), Error> {
    for (name, value) in over {
        match (under.get_mut(name.get_ref().as_ref()).map(Spanned::get_mut), value.get_ref()) {
            (Some(DeValue::Array(checks)), DeValue::Array(_)) if name.get_ref() == "check" => {
                let DeValue::Array(given) = value.into_inner() else { continue };
                given.into_iter().try_for_each(|check| lay_check(at, checks, check))?;
            }
            (Some(DeValue::Table(under)), DeValue::Table(_)) => {
                let DeValue::Table(over) = value.into_inner() else { continue };
                lay(at, under, over)?;
            }
            _ => drop(under.insert(name, value)),
        }
    }
    Ok(())
}

fn lay_check<'i>(at: &Path, checks: &mut DeArray<'i>, given: Spanned<DeValue<'i>>) -> Result<(), Error> {
    let text = |name: &str| given.get_ref().get(name).and_then(|value| value.get_ref().as_str());
    let Some(id) = text("id").map(str::to_owned) else {
        // An item without an id is invalid; deserialisation reports it with its place.
        checks.push(given);
        return Ok(());
    };
    let wrong = |message| Err(Error::Check { at: at.to_owned(), id: id.clone(), message });
    if id.is_empty() || !id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-') {
        return wrong("an id consists of lower-case letters, digits and `-`");
    }
    if text("what").is_some_and(str::is_empty) {
        return wrong("`what` is the sentence that reports show");
    }
    let place = checks.iter().position(|check| {
        check.get_ref().get("id").and_then(|of| of.get_ref().as_str()) == Some(id.as_str())
    });
    let is_left_out = given.get_ref().get("use").and_then(|used| used.get_ref().as_bool()) == Some(false);
    match place {
        Some(place) if is_left_out => {
            let others = checks.iter().enumerate().filter(|(at, _)| *at != place);
            *checks = others.map(|(_, check)| check.clone()).collect();
        }
        None if is_left_out => {}
        Some(place) => {
            let (Some(DeValue::Table(under)), DeValue::Table(over)) =
                (checks.get_mut(place).map(Spanned::get_mut), given.into_inner())
            else {
                return Ok(());
            };
            lay(at, under, over)?;
        }
        None if given.get_ref().get("judge").is_none() => return wrong("a new check needs `judge`"),
        None if given.get_ref().get("what").is_none() => {
            return wrong("a new check needs `what`, the sentence that reports show");
        }
        None => checks.push(given),
    }
    Ok(())
}

/// Whether a pattern, in which a trailing star matches any suffix, matches this name.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => pattern == name,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    const LABS: &[&str] = &["lab-4-1", "lab-5-5"];
    const CHAPTERS: &[&str] = &["tiling", "n-body"];

    pub(crate) fn laid(text: &str) -> Result<Rules, Error> {
        let judges = crate::judge::names();
        let known = Known { labs: LABS, chapters: CHAPTERS, judges: &judges };
        Rules::laid(&[(PathBuf::from("mine.toml"), text.to_owned())], known)
    }

    fn reported(text: &str) -> String {
        laid(text).unwrap_err().to_string()
    }

    #[test]
    fn the_embedded_rules_leave_nothing_open() {
        let rules = laid("").unwrap();
        assert!(rules.limits.depth > 0 && rules.tolerance.computed > 0.0 && rules.plausible.least_alike > 0);
        let Plausible { least_ns, most_without_spread, most_of_one_ratio, .. } = rules.plausible;
        assert!(least_ns > 0.0 && most_without_spread > 0.0 && most_of_one_ratio > 0.0);
        assert!(rules.plausible.most_times_faster > 1.0 && rules.plausible.most_times_slower > 1.0);
        assert!(rules.is_approximate("lab-14-4/leapfrog/constant") && !rules.is_approximate("lab-4-1/list"));
        assert!(rules.checks(None).map(|(_, points)| points).sum::<Points>() > Points::default());
    }

    #[test]
    fn another_file_replaces_what_it_names_and_nothing_else() {
        let rules = laid(
            "assigned = ['lab-5-5']\nlimits.seconds = 5\n[[check]]\nid = 'seed'\npoints = 3.5\n\
             [[check]]\nid = 'hardware'\nuse = false\n[lab.lab-5-5.points]\ncounters = 4",
        )
        .unwrap();
        assert_eq!((rules.limits.seconds, rules.assigned.as_slice()), (5.0, &["lab-5-5".to_owned()][..]));
        let of = |lab, id| {
            let mut checks = rules.checks(lab);
            checks.find(|(check, _)| check.id == id).map(|(_, points)| points.to_string())
        };
        assert_eq!(of(None, "seed").as_deref(), Some("3.5"));
        assert_eq!(of(None, "counters").as_deref(), Some("2"));
        assert_eq!(of(Some("lab-5-5"), "counters").as_deref(), Some("4"));
        assert_eq!(of(None, "hardware"), None);
    }

    #[test]
    fn rules_of_an_earlier_version_lack_fields_and_those_of_a_later_one_have_unknown_ones() {
        // A file for an earlier version names what it changes and nothing that came later.
        let rules = laid("[exercises]\nhidden = 7\n[limits]\nfiles = 9").unwrap();
        assert_eq!((rules.exercises.hidden, rules.limits.files), (7, 9));
        assert_eq!(rules.exercises.alike_work.to_bits(), laid("").unwrap().exercises.alike_work.to_bits());
        // A rule that was ignored would change grades.
        for (text, field) in [("format = 2", "format"), ("[exercises]\nstars = 3", "stars")] {
            let said = reported(text);
            let line = text.lines().count();
            assert!(said.starts_with("mine.toml") && said.contains(&format!("line {line}")), "{said}");
            assert!(said.contains(&format!("unknown field `{field}`, expected")), "{said}");
        }
    }

    #[test]
    fn the_one_fact_of_the_machine_is_not_judged() {
        let rules = laid("").unwrap();
        let (facts, _) = rules.checks(None).find(|(c, _)| c.judge == "facts").unwrap();
        assert!(!facts.is_about(labs::HOST_SPEED) && facts.is_about("host_over_device_20"));
    }

    #[test]
    fn a_star_matches_any_end() {
        let rules =
            laid("[[check]]\nid = 'counters'\ncounters = ['global_*']\nexcept = ['global_load_wavefronts']")
                .unwrap();
        let (counters, _) = rules.checks(None).find(|(c, _)| c.judge == "counters").unwrap();
        assert!(counters.is_about("global_load_sectors") && !counters.is_about("global_load_wavefronts"));
        assert!(!counters.is_about("const_replays"));
    }

    #[test]
    fn a_defect_is_reported_with_its_place() {
        for (text, part) in [
            ("limits.secnds = 1", "secnds"),
            ("limits.seconds = 0", "limits.seconds"),
            ("limits.seconds = nan", "limits.seconds"),
            ("assigned = ['lab-9-9']", "lab-4-1, lab-5-5"),
            ("chapters = ['tilling']", "no chapter named `tilling`; there are tiling, n-body"),
            ("exercises.seconds = 0", "exercises.seconds"),
            ("exercises.alike = nan", "exercises.alike"),
            ("exercises.alike_work = 0", "exercises.alike_work"),
            ("exercises.least_rarity = 0", "exercises.least_rarity"),
            ("[lab.nolab.points]\nseed = 1", "nolab"),
            ("[lab.lab-5-5.points]\nsede = 1", "sede"),
            ("[[check]]\nid = 'new'", "judge"),
            ("[[check]]\nid = 'new'\njudge = 'seed'", "what"),
            ("[[check]]\nid = 'New one'\njudge = 'seed'", "lower-case"),
            ("[[check]]\nid = 'seed'\npoints = -1", "points are between"),
            ("[[check]]\nid = 'seed'\npoints = 1e9", "points are between"),
            (
                "[[check]]\nid = 'seed'\njudge = 'nobody'",
                "no judge named `nobody`; there are record, kernels",
            ),
            ("[[check]]\nid = 'seed'\nwhat = ''", "the sentence"),
            ("[[check]]\nid = 'seed'\npionts = 1", "line 3"),
            ("[[check]]\npoints = 1", "line 1"),
            ("# of two lines\nlimits.files = 'many'", "line 2"),
            ("limits = 3", "line 1"),
            ("[[check]]\nid = 'seed'\nuse = 'no'", "line 3"),
            ("[plausible]\nleast = 1", "line 2"),
            ("this is not toml", "line 1"),
        ] {
            let reported = reported(text);
            assert!(reported.starts_with("mine.toml") && reported.contains(part), "{text}: {reported}");
        }
    }
}
