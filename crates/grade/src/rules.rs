//! What is graded, and for how many points: data.
//!
//! Enters: the embedded `rules.toml` and the files of `--rules`. Leaves: checked [`Rules`], or an error that says where the
//! file is wrong. It must never know what a judge does.

use crate::points::Points;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The rules that are used without `--rules`.
pub(crate) const EMBEDDED: &str = include_str!("../rules.toml");

/// Of a file of rules; the embedded ones have a hundredth.
const MOST_BYTES: u64 = 1 << 20;

/// Why rules are refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{0}: {1}")]
    Read(PathBuf, std::io::Error),
    #[error("{0}: {1}")]
    Toml(PathBuf, toml::de::Error),
    #[error("{at}: check `{id}`: {message}")]
    Check { at: PathBuf, id: String, message: &'static str },
    #[error("{at}: there is no lab `{lab}`; there are {labs}")]
    Lab { at: PathBuf, lab: String, labs: String },
    #[error("{at}: lab `{lab}`: there is no check `{id}`; there are {checks}")]
    Points { at: PathBuf, lab: String, id: String, checks: String },
    #[error("{at}: `{field}` must be above zero")]
    Zero { at: PathBuf, field: &'static str },
}

/// The rules in force.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) assigned: Vec<String>,
    pub(crate) limits: Limits,
    pub(crate) tolerance: f64,
    pub(crate) plausible: Plausible,
    /// Patterns of `LAB/CHECK` whose outputs a GPU computes with other last bits.
    approximate: Vec<String>,
    checks: Vec<Check>,
    labs: BTreeMap<String, Lab>,
}

/// How much a submission may ask for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Of one re-run.
    pub(crate) seconds: f64,
    pub(crate) file_bytes: u64,
    /// Of one student.
    pub(crate) files: usize,
    pub(crate) depth: usize,
    /// Of one student.
    pub(crate) records: usize,
    pub(crate) memory_bytes: u64,
    /// Warp instructions of one re-run.
    pub(crate) instructions: u64,
    /// The same of all re-runs of one student.
    pub(crate) student_instructions: u64,
}

/// What a measured time cannot be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plausible {
    pub(crate) least_ns: f64,
    pub(crate) most_without_spread: f64,
    pub(crate) most_of_one_ratio: f64,
    pub(crate) least_alike: usize,
    pub(crate) most_times_faster: f64,
    pub(crate) most_times_slower: f64,
}

/// One line of a report.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub(crate) id: String,
    pub(crate) judge: Judge,
    pub(crate) points: Points,
    /// Whether parts that are right give a share of the points.
    pub(crate) partial: bool,
    pub(crate) what: String,
    names: Vec<String>,
    except: Vec<String>,
}

/// Which function decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Judge {
    Record,
    Kernels,
    Work,
    Checks,
    Outputs,
    Rerun,
    Seed,
    OwnSeed,
    Counters,
    Hardware,
    Times,
    Figures,
    Facts,
    Claims,
    OwnWork,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lab {
    #[serde(default)]
    points: BTreeMap<String, Points>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    assigned: Option<Vec<String>>,
    #[serde(default)]
    limits: LimitsFile,
    #[serde(default)]
    tolerance: ToleranceFile,
    #[serde(default)]
    plausible: PlausibleFile,
    approximate: Option<Vec<String>>,
    #[serde(default)]
    check: Vec<CheckFile>,
    #[serde(default)]
    lab: BTreeMap<String, Lab>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitsFile {
    seconds: Option<f64>,
    file_bytes: Option<u64>,
    files: Option<usize>,
    depth: Option<usize>,
    records: Option<usize>,
    memory_bytes: Option<u64>,
    instructions: Option<u64>,
    student_instructions: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToleranceFile {
    computed: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlausibleFile {
    least_ns: Option<f64>,
    most_without_spread: Option<f64>,
    most_of_one_ratio: Option<f64>,
    least_alike: Option<usize>,
    most_times_faster: Option<f64>,
    most_times_slower: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckFile {
    id: String,
    judge: Option<Judge>,
    points: Option<Points>,
    partial: Option<bool>,
    what: Option<String>,
    counters: Option<Vec<String>>,
    except: Option<Vec<String>>,
    /// `false` leaves it out.
    #[serde(rename = "use")]
    used: Option<bool>,
}

impl Rules {
    /// The embedded rules with `files` laid over them in order. `labs` are the names that there are.
    ///
    /// # Errors
    /// A file that cannot be read, is not of this form, or names what is not there.
    pub(crate) fn read(files: &[PathBuf], labs: &[&str]) -> Result<Rules, Error> {
        let mut rules = Rules::nothing();
        rules.lay(Path::new("rules.toml"), EMBEDDED, labs)?;
        for path in files {
            let text = files::read_text(path, MOST_BYTES).map_err(|e| Error::Read(path.clone(), e))?;
            rules.lay(path, &text, labs)?;
        }
        Ok(rules)
    }

    /// Every value is in the embedded file; a test sees to it.
    fn nothing() -> Rules {
        let limits = Limits {
            seconds: 0.0,
            file_bytes: 0,
            files: 0,
            depth: 0,
            records: 0,
            memory_bytes: 0,
            instructions: 0,
            student_instructions: 0,
        };
        let plausible = Plausible {
            least_ns: 0.0,
            most_without_spread: 0.0,
            most_of_one_ratio: 0.0,
            least_alike: 0,
            most_times_faster: 0.0,
            most_times_slower: 0.0,
        };
        Rules {
            assigned: vec![],
            limits,
            tolerance: 0.0,
            plausible,
            approximate: vec![],
            checks: vec![],
            labs: BTreeMap::new(),
        }
    }

    fn lay(&mut self, at: &Path, text: &str, labs: &[&str]) -> Result<(), Error> {
        let file: File = toml::from_str(text).map_err(|e| Error::Toml(at.to_owned(), e))?;
        fn set<T>(value: &mut T, given: Option<T>) {
            if let Some(given) = given {
                *value = given;
            }
        }
        set(&mut self.assigned, file.assigned);
        set(&mut self.limits.seconds, file.limits.seconds);
        set(&mut self.limits.file_bytes, file.limits.file_bytes);
        set(&mut self.limits.files, file.limits.files);
        set(&mut self.limits.depth, file.limits.depth);
        set(&mut self.limits.records, file.limits.records);
        set(&mut self.limits.memory_bytes, file.limits.memory_bytes);
        set(&mut self.limits.instructions, file.limits.instructions);
        set(&mut self.limits.student_instructions, file.limits.student_instructions);
        set(&mut self.tolerance, file.tolerance.computed);
        set(&mut self.plausible.least_ns, file.plausible.least_ns);
        set(&mut self.plausible.most_without_spread, file.plausible.most_without_spread);
        set(&mut self.plausible.most_of_one_ratio, file.plausible.most_of_one_ratio);
        set(&mut self.plausible.least_alike, file.plausible.least_alike);
        set(&mut self.plausible.most_times_faster, file.plausible.most_times_faster);
        set(&mut self.plausible.most_times_slower, file.plausible.most_times_slower);
        set(&mut self.approximate, file.approximate);
        for given in file.check {
            self.lay_check(at, given)?;
        }
        for (lab, given) in file.lab {
            self.known(at, &lab, labs)?;
            for id in given.points.keys() {
                if !self.checks.iter().any(|check| check.id == *id) {
                    let checks = self.checks.iter().map(|c| c.id.as_str()).collect::<Vec<_>>().join(", ");
                    return Err(Error::Points { at: at.to_owned(), lab, id: id.clone(), checks });
                }
            }
            self.labs.entry(lab).or_default().points.extend(given.points);
        }
        for lab in &self.assigned {
            self.known(at, lab, labs)?;
        }
        let Limits {
            seconds,
            file_bytes,
            files,
            depth: _,
            records,
            memory_bytes,
            instructions,
            student_instructions,
        } = self.limits;
        for (field, zero) in [
            // Not a number is not above zero either.
            ("limits.seconds", seconds.is_nan() || seconds <= 0.0 || seconds > 1e6),
            ("limits.file_bytes", file_bytes == 0),
            ("limits.files", files == 0),
            ("limits.records", records == 0),
            ("limits.memory_bytes", memory_bytes == 0),
            ("limits.instructions", instructions == 0),
            ("limits.student_instructions", student_instructions == 0),
            ("tolerance.computed", self.tolerance.is_nan() || self.tolerance < 0.0),
        ] {
            if zero {
                return Err(Error::Zero { at: at.to_owned(), field });
            }
        }
        Ok(())
    }

    fn known(&self, at: &Path, lab: &str, labs: &[&str]) -> Result<(), Error> {
        if labs.contains(&lab) {
            return Ok(());
        }
        Err(Error::Lab { at: at.to_owned(), lab: lab.to_owned(), labs: labs.join(", ") })
    }

    fn lay_check(&mut self, at: &Path, given: CheckFile) -> Result<(), Error> {
        let wrong = |message| Err(Error::Check { at: at.to_owned(), id: given.id.clone(), message });
        if given.id.is_empty()
            || !given.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        {
            return wrong("an id is of lower-case letters, digits and `-`");
        }
        let place = self.checks.iter().position(|check| check.id == given.id);
        if given.used == Some(false) {
            if let Some(place) = place {
                self.checks.remove(place);
            }
            return Ok(());
        }
        let place = match (place, given.judge) {
            (Some(place), _) => place,
            (None, None) => return wrong("a new check needs `judge`"),
            (None, Some(judge)) => {
                self.checks.push(Check {
                    id: given.id.clone(),
                    judge,
                    points: Points::default(),
                    partial: false,
                    what: String::new(),
                    names: vec!["*".to_owned()],
                    except: vec![],
                });
                self.checks.len() - 1
            }
        };
        let check = &mut self.checks[place];
        check.judge = given.judge.unwrap_or(check.judge);
        check.points = given.points.unwrap_or(check.points);
        check.partial = given.partial.unwrap_or(check.partial);
        if let Some(what) = given.what {
            check.what = what;
        }
        if let Some(names) = given.counters {
            check.names = names;
        }
        if let Some(except) = given.except {
            check.except = except;
        }
        if check.what.is_empty() {
            return wrong("a new check needs `what`, the sentence that reports show");
        }
        Ok(())
    }

    /// Whether a GPU may compute the outputs of this `LAB/CHECK` with other last bits than the embedded device.
    pub(crate) fn is_approximate(&self, check: &str) -> bool {
        self.approximate.iter().any(|pattern| fits(pattern, check))
    }

    /// The ids of all checks, in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.checks.iter().map(|check| check.id.as_str())
    }

    /// The checks with the points that they give in this lab; the general ones where the lab is not known.
    pub(crate) fn checks<'a>(&'a self, lab: Option<&'a str>) -> impl Iterator<Item = (&'a Check, Points)> {
        let own = lab.and_then(|lab| self.labs.get(lab));
        self.checks.iter().map(move |check| {
            (check, own.and_then(|lab| lab.points.get(&check.id)).copied().unwrap_or(check.points))
        })
    }
}

impl Check {
    /// Whether it is about the counter or fact of this name.
    pub(crate) fn is_about(&self, name: &str) -> bool {
        let fits = |pattern: &String| fits(pattern, name);
        self.names.iter().any(fits) && !self.except.iter().any(fits)
    }
}

/// Whether a pattern, in which a star stands for any end, is about this name.
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

    pub(crate) fn laid(text: &str) -> Result<Rules, Error> {
        let mut rules = Rules::read(&[], LABS)?;
        rules.lay(Path::new("mine.toml"), text, LABS)?;
        Ok(rules)
    }

    fn told(text: &str) -> String {
        laid(text).unwrap_err().to_string()
    }

    #[test]
    fn the_embedded_rules_leave_nothing_open() {
        let rules = laid("").unwrap();
        assert!(rules.limits.depth > 0 && rules.tolerance > 0.0 && rules.plausible.least_alike > 0);
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
    fn the_one_fact_of_the_machine_is_not_judged() {
        let rules = laid("").unwrap();
        let (facts, _) = rules.checks(None).find(|(c, _)| c.judge == Judge::Facts).unwrap();
        assert!(!facts.is_about(labs::HOST_SPEED) && facts.is_about("host_over_device_20"));
    }

    #[test]
    fn a_star_stands_for_any_end() {
        let rules =
            laid("[[check]]\nid = 'counters'\ncounters = ['global_*']\nexcept = ['global_load_lines']")
                .unwrap();
        let (counters, _) = rules.checks(None).find(|(c, _)| c.judge == Judge::Counters).unwrap();
        assert!(counters.is_about("global_load_sectors") && !counters.is_about("global_load_lines"));
        assert!(!counters.is_about("const_replays"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, part) in [
            ("limits.secnds = 1", "secnds"),
            ("limits.seconds = 0", "limits.seconds"),
            ("limits.seconds = nan", "limits.seconds"),
            ("assigned = ['lab-9-9']", "lab-4-1, lab-5-5"),
            ("[lab.nolab.points]\nseed = 1", "nolab"),
            ("[lab.lab-5-5.points]\nsede = 1", "sede"),
            ("[[check]]\nid = 'new'", "judge"),
            ("[[check]]\nid = 'new'\njudge = 'seed'", "what"),
            ("[[check]]\nid = 'New one'\njudge = 'seed'", "lower-case"),
            ("[[check]]\nid = 'seed'\npoints = -1", "points are between"),
            ("[[check]]\nid = 'seed'\npoints = 1e9", "points are between"),
            ("[[check]]\nid = 'seed'\njudge = 'nobody'", "nobody"),
            ("this is no toml", "line 1"),
        ] {
            let told = told(text);
            assert!(told.starts_with("mine.toml") && told.contains(part), "{text}: {told}");
        }
    }
}
