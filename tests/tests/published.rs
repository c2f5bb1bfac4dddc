//! What others measured on the chips that the embedded device models, and what the model says of the same launches:
//! `crates/simt/tests/published/figures.toml` against the present model.
//!
//! `UPDATE=1 cargo test -p tests --test all published:: -- --include-ignored` writes `book/evidence/published.md` again, after the model, a chip file or
//! a figure has changed.

use device::{Chip, Device, Direction, Embedded, HostMemory, Transfer};
use job::{Expected, Job, Launched, Settings, Time, run};
use render::errors::{magnitude, percent};
use render::format::number;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tests::{committed, table};

type Error = Box<dyn std::error::Error>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    source: BTreeMap<String, Source>,
    figure: Vec<Figure>,
    left_out: Vec<LeftOut>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    title: String,
    address: Option<String>,
}

/// Something that was found and is not modelled.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeftOut {
    chip: String,
    what: String,
    why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Figure {
    chip: String,
    source: String,
    what: String,
    /// As published, in `unit`.
    value: f64,
    unit: Unit,
    /// Of a rate: how much its unit counts.
    amount: Option<f64>,
    /// The launch that models it, by its number in the chip's job.
    launch: Option<usize>,
    #[serde(default = "one")]
    launches: f64,
    /// Work of a launch, as published and as modelled.
    #[serde(default = "same")]
    work: [f64; 2],
    /// Or a copy between host and device, or one inside the device, of that many bytes.
    transfer: Option<Way>,
    bytes: Option<u64>,
    copy: Option<u64>,
    /// The field of the chip file that was derived from it.
    fits: Option<String>,
}

fn one() -> f64 {
    1.0
}

fn same() -> [f64; 2] {
    [1.0, 1.0]
}

#[derive(Clone, Copy, Deserialize)]
enum Unit {
    #[serde(rename = "ms")]
    Ms,
    #[serde(rename = "GB/s")]
    Gb,
    #[serde(rename = "GFLOP/s")]
    Gflop,
    #[serde(rename = "MLUP/s")]
    Mlup,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::Ms => "ms",
            Unit::Gb => "GB/s",
            Unit::Gflop => "GFLOP/s",
            Unit::Mlup => "million cells/s",
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Way {
    PageableToDevice,
    PageableToHost,
    PinnedToDevice,
    PinnedToHost,
}

impl Way {
    fn of(self, bytes: u64) -> Transfer {
        let (memory, direction) = match self {
            Way::PageableToDevice => (HostMemory::Pageable, Direction::ToDevice),
            Way::PageableToHost => (HostMemory::Pageable, Direction::ToHost),
            Way::PinnedToDevice => (HostMemory::Pinned, Direction::ToDevice),
            Way::PinnedToHost => (HostMemory::Pinned, Direction::ToHost),
        };
        Transfer { direction, memory, bytes }
    }
}

impl Figure {
    /// Nanoseconds of a value in the figure's unit, and a value of nanoseconds.
    fn convert(&self, value: f64) -> Result<f64, Error> {
        let amount = || self.amount.ok_or_else(|| format!("{}: a rate needs an amount", self.what));
        Ok(match self.unit {
            Unit::Ms => value * 1e6,
            Unit::Gb | Unit::Gflop => amount()? / value * 1e9,
            Unit::Mlup => amount()? / value * 1e9,
        })
    }

    /// The value that this many nanoseconds are.
    fn value_of(&self, ns: f64) -> f64 {
        match (self.unit, self.amount) {
            (Unit::Ms, _) | (_, None) => ns / 1e6,
            (Unit::Gb | Unit::Gflop | Unit::Mlup, Some(amount)) => amount / ns * 1e9,
        }
    }

    /// Modelled nanoseconds of what was measured. What one launch costs is not multiplied with the work.
    fn modelled(&self, chip: &Chip, launches: &[Launched]) -> Result<f64, Error> {
        match (self.launch, self.transfer, self.bytes, self.copy) {
            (Some(number), None, None, None) => {
                let Some(Launched { time: Time::Modelled(ns), .. }) = launches.get(number) else {
                    return Err(format!("{}: no launch {number}", self.what).into());
                };
                let once = chip.launch_us * 1e3;
                Ok(self.launches * (once + (ns - once) * self.work[0] / self.work[1]))
            }
            (None, Some(way), Some(bytes), None) => Ok(chip.transfer_ns(&way.of(bytes))),
            (None, None, None, Some(bytes)) => Ok(chip.copy_ns(bytes)),
            _ => Err(format!("{}: a launch, a transfer of bytes or a copy models it", self.what).into()),
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn published() -> Result<Published, Error> {
    Ok(toml::from_str(&std::fs::read_to_string(root().join("crates/simt/tests/published/figures.toml"))?)?)
}

/// The launches of a chip's job, on that chip.
fn launches(chip: &str) -> Result<Vec<Launched>, Error> {
    let job = Job::read(&root().join(format!("crates/simt/tests/published/{chip}.toml")), Expected::Record)?;
    let mut device = Embedded::new(chip)?;
    device.options().checks = device::Checks::NONE;
    device.options().deterministic = true;
    let report = run(&job, &mut device as &mut dyn Device, &Settings::default(), &mut |_| {});
    report.error.map_or(Ok(report.launches), |error| Err(error.into()))
}

/// A figure and the error of its modelled time.
struct Compared<'a> {
    figure: &'a Figure,
    modelled: f64,
    error: f64,
}

fn compare<'a>(chip: &str, published: &'a Published) -> Result<Vec<Compared<'a>>, Error> {
    let (file, launches) = (Chip::by_name(chip)?, launches(chip)?);
    published
        .figure
        .iter()
        .filter(|figure| figure.chip == chip)
        .map(|figure| {
            let ns = figure.modelled(&file, &launches)?;
            let error = ns / figure.convert(figure.value)? - 1.0;
            Ok(Compared { figure, modelled: figure.value_of(ns), error })
        })
        .collect()
}

/// How many they are, the mean magnitude of their errors, and the share within a factor of 1.5.
fn summary<'a>(of: impl Iterator<Item = &'a Compared<'a>>) -> [String; 3] {
    let errors: Vec<f64> = of.map(|compared| compared.error).collect();
    if errors.is_empty() {
        return ["0".into(), "–".into(), "–".into()];
    }
    let n = errors.len() as f64;
    let mean = errors.iter().map(|error| error.abs()).sum::<f64>() / n;
    let near = errors.iter().filter(|error| (1.0 / 1.5 - 1.0..=0.5).contains(*error)).count();
    [errors.len().to_string(), magnitude(mean), format!("{near} of {}", errors.len())]
}

/// Sources in the order of their names, by which figures refer to them.
fn source_list(published: &Published) -> Result<String, Error> {
    let mut text = String::new();
    for (n, source) in published.source.values().enumerate() {
        let title = &source.title;
        match &source.address {
            Some(address) => writeln!(text, "{}. [{title}]({address})", n + 1)?,
            None => writeln!(text, "{}. {title}", n + 1)?,
        }
    }
    Ok(text)
}

#[test]
fn the_sources_own_profile_of_a_p2000_is_modelled_within_a_factor_of_one_and_a_half() -> Result<(), Error> {
    let published = published()?;
    let own = compare("p2000", &published)?;
    let stencils: Vec<f64> = own.iter().filter(|of| of.figure.launch.is_some()).map(|of| of.error).collect();
    assert_eq!(stencils.len(), 2);
    assert!(stencils.iter().all(|error| (1.0 / 1.5 - 1.0..0.5).contains(error)), "{stencils:?}");
    Ok(())
}

#[test]
fn every_figure_has_a_chip_a_source_and_a_field_if_it_gave_one() -> Result<(), Error> {
    let published = published()?;
    let mut used = BTreeSet::new();
    for figure in &published.figure {
        let chip = std::fs::read_to_string(root().join(format!("crates/simt/arch/{}.toml", figure.chip)))?;
        let file: toml::Table = chip.parse()?;
        assert!(published.source.contains_key(&figure.source), "{}: {}", figure.what, figure.source);
        used.insert(&figure.source);
        if let Some(field) = &figure.fits {
            let mut names = field.split('.');
            let first = names.next().and_then(|name| file.get(name));
            assert!(names.fold(first, |value, name| value?.get(name)).is_some(), "{}: {field}", figure.chip);
        }
    }
    assert!(published.source.keys().all(|source| used.contains(source)), "a source without a figure");
    assert!(published.left_out.iter().all(|of| Chip::names().contains(&of.chip.as_str())));
    Ok(())
}

mod nightly {
    use super::*;

    #[test]
    #[ignore = "nightly: the launches of all chips, a minute of the device's work"]
    fn the_book_shows_what_the_model_says_of_published_measurements_today() -> Result<(), Error> {
        let published = published()?;
        let numbers: BTreeMap<&String, usize> = published.source.keys().zip(1..).collect();
        let (mut rows, mut details, mut held_out) = (vec![], String::new(), vec![]);
        for chip in Chip::names() {
            let all = compare(chip, &published)?;
            let fitted = all.iter().filter(|of| of.figure.fits.is_some());
            let [held, mean, near] = summary(all.iter().filter(|of| of.figure.fits.is_none()));
            rows.push(vec![Chip::by_name(chip)?.name, held, mean, near, fitted.count().to_string()]);
            let of_chip: Vec<Vec<String>> = all
                .iter()
                .map(|of| {
                    let (figure, unit) = (of.figure, of.figure.unit.name());
                    let number_of = numbers.get(&figure.source).map_or(0, |n| *n);
                    vec![
                        format!("{} [{number_of}]", figure.what),
                        format!("{} {unit}", number(figure.value)),
                        format!("{} {unit}", number(of.modelled)),
                        percent(of.error),
                        figure
                            .fits
                            .as_ref()
                            .map_or("held\u{a0}out".into(), |field| format!("gave `{field}`")),
                    ]
                })
                .collect();
            let headings = ["measurement", "published", "modelled", "error of the time", "use"];
            writeln!(
                details,
                "<details><summary>{chip}</summary>\n\n{}\n</details>\n",
                table(&headings, of_chip)
            )?;
            held_out.extend(all.into_iter().filter(|of| of.figure.fits.is_none()));
        }
        let [held, mean, near] = summary(held_out.iter());
        let fitted = published.figure.len() - held_out.len();
        rows.push(vec!["all".into(), held, mean, near, fitted.to_string()]);
        let headings = ["chip", "held out", "mean error", "within a factor of 1.5", "used for the chip file"];
        let left: Vec<Vec<String>> = published
            .left_out
            .iter()
            .map(|of| vec![of.chip.clone(), of.what.clone(), of.why.clone()])
            .collect();
        let text = format!(
            "{}\n{details}Sources:\n\n{}\nFound and not modelled:\n\n{}",
            table(&headings, rows),
            source_list(&published)?,
            table(&["chip", "what", "why"], left)
        );
        committed(
            &root().join("book/evidence/published.md"),
            &text,
            "-p tests --test all published:: -- --include-ignored",
        );
        Ok(())
    }
}
