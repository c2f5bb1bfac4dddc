//! Default output of the labs: on two screens, and as the book shows it.

use labs::{Extent, Host, Lab, Request, Scope, as_shown};
use record::{Device, Record, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tests::program::{run, stdout};
use tests::{Result, committed};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The committed records of all labs, of the embedded device and of GPUs.
fn records() -> Result<Vec<(String, &'static Lab, Record)>> {
    let mut records = Vec::new();
    for folder in std::fs::read_dir(root().join("book/records"))? {
        let folder = folder?.path();
        if folder.ends_with("yours") || !folder.is_dir() {
            continue;
        }
        for lab in labs::ALL {
            let file = folder.join(format!("{}.json", lab.name));
            if file.is_file() {
                let record = Record::from_json(&std::fs::read_to_string(&file)?)?;
                records.push((file.display().to_string(), *lab, record));
            }
        }
    }
    Ok(records)
}

/// Conclusions of a run.
fn said(lab: &Lab, record: &Record) -> Vec<String> {
    labs::sentences(lab, record)
}

/// Text without its line breaks.
fn flowing(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `UPDATE=1 cargo test -p labs --test all output::` rewrites the files.
#[test]
fn the_book_shows_what_a_lab_prints_without_a_gpu() -> Result {
    for lab in labs::ALL {
        let record = root().join(format!("book/records/embedded-h200/{}.json", lab.name));
        let record = Record::from_json(&std::fs::read_to_string(record)?)?;
        let request = Request::from_parameters(lab.sizes, &record.parameters, None)?;
        let Device::Simt { multiprocessors, .. } = record.device else { return Err("a GPU's".into()) };
        let plan = (lab.plan)(&request, Host { multiprocessors, measured: false })?;
        let file = root().join(format!("book/evidence/output/{}.txt", lab.name));
        committed(&file, &as_shown(lab, &record, &plan.notes, Extent::Brief), "-p labs --test all output::");
    }
    Ok(())
}

/// Lines that no record has: why there is no GPU, what a plan leaves out (in two), and where the record, the picture and
/// the plots are.
const MORE: usize = 6;

#[test]
fn every_lab_fits_two_screens() -> Result {
    for (file, lab, record) in records()? {
        let text = as_shown(lab, &record, &[], Extent::Brief);
        assert!(text.lines().count() + MORE <= 48, "{file}: {} lines\n{text}", text.lines().count());
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{file}: {line}");
        }
    }
    Ok(())
}

#[test]
fn every_lab_says_three_things_of_a_whole_run() -> Result {
    // Of small sizes there may be nothing to say.
    for (file, lab, record) in records()?.into_iter().filter(|(.., record)| !record.is_quick()) {
        assert_eq!(said(lab, &record).len(), 3, "{file}");
    }
    Ok(())
}

#[test]
fn a_lab_names_its_chapter_as_the_book_does() -> Result {
    for lab in labs::ALL {
        let chapter = std::fs::read_to_string(root().join(format!("book/src/{}.md", lab.digest.chapter)))?;
        assert_eq!(chapter.lines().next(), Some(format!("# {}", lab.digest.title).as_str()), "{}", lab.name);
        assert!(chapter.contains(&format!("cargo run --bin {}", lab.name)), "{}", lab.name);
    }
    Ok(())
}

#[test]
fn all_of_a_run_has_every_table_check_claim_and_sentence() -> Result {
    for (file, lab, record) in records()? {
        let text = flowing(&as_shown(lab, &record, &[], Extent::All));
        let has = |what: &str| assert!(text.contains(&flowing(what)), "{file}: no `{what}`");
        for view in lab.views {
            let (labs::View::Launches { experiment }
            | labs::View::Sweep { experiment, .. }
            | labs::View::Columns { experiment }) = view;
            if let Some(experiment) = record.experiment(experiment) {
                has(&experiment.title);
                experiment.series.iter().for_each(|series| has(&series.label));
            }
        }
        record.checks.iter().filter_map(|check| check.id.split('/').next()).for_each(has);
        record.claims.iter().for_each(|claim| has(&claim.claim));
        said(lab, &record).iter().for_each(|sentence| has(sentence));
    }
    Ok(())
}

/// A sentence with all of its numbers alike.
fn without_numbers(sentence: &str) -> String {
    let spaced =
        sentence.split(|c: char| c.is_ascii_digit() || ".,".contains(c)).filter(|part| !part.is_empty());
    spaced.collect::<Vec<_>>().join("#")
}

/// Of each lab that leaves something out on the embedded device by default.
#[test]
fn a_short_run_says_what_the_full_one_says_and_contradicts_none_of_its_verdicts() -> Result {
    for lab in labs::ALL {
        let read = |folder: &str| -> Result<Record> {
            let file = root().join(format!("book/records/{folder}/{}.json", lab.name));
            Ok(Record::from_json(&std::fs::read_to_string(file)?)?)
        };
        if !lab.short {
            assert!(read("short-embedded-h200").is_err(), "{}: its full record is its default one", lab.name);
            continue;
        }
        let [short, full] = [read("short-embedded-h200")?, read("embedded-h200")?];
        let said = [&short, &full].map(|record| said(lab, record));
        let [here, there] =
            said.each_ref().map(|all| all.iter().map(|s| without_numbers(s)).collect::<Vec<_>>());
        assert!(!here.is_empty() && here == there, "{}: {said:#?}", lab.name);
        let verdicts = |record: &Record| -> Vec<(String, Verdict)> {
            record.claims.iter().map(|claim| (claim.id.clone(), claim.verdict)).collect()
        };
        for (here, there) in verdicts(&short).into_iter().zip(verdicts(&full)) {
            assert!(
                here.0 == there.0 && (here.1 == there.1 || here.1 == Verdict::NotShown),
                "{here:?} {there:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn a_quick_run_says_nothing_that_the_whole_one_does_not() -> Result {
    for (quick, whole) in [("quick-embedded-h200", "embedded-h200"), ("quick-h200", "h200")] {
        for lab in labs::ALL {
            let read = |folder: &str| -> Result<Record> {
                let file = root().join(format!("book/records/{folder}/{}.json", lab.name));
                Ok(Record::from_json(&std::fs::read_to_string(file)?)?)
            };
            let [here, there] = [read(quick)?, read(whole)?];
            assert!(here.is_quick(), "{quick}/{}", lab.name);
            let all: Vec<String> = said(lab, &there).iter().map(|s| without_numbers(s)).collect();
            for sentence in said(lab, &here) {
                assert!(
                    all.contains(&without_numbers(&sentence)),
                    "{quick}/{}: {sentence}\n{all:#?}",
                    lab.name
                );
            }
            for claim in here.claims.iter().filter(|claim| claim.verdict != Verdict::NotShown) {
                let whole = there.claims.iter().find(|one| one.id == claim.id).map(|one| one.verdict);
                assert_eq!(Some(claim.verdict), whole, "{quick}/{}: {}", lab.name, claim.id);
            }
        }
    }
    Ok(())
}

#[test]
fn a_sentence_that_compares_names_both() -> Result {
    for (file, lab, record) in records()? {
        for sentence in said(lab, &record) {
            let words: Vec<&str> = sentence.split(|c: char| !c.is_alphanumeric()).collect();
            assert!(
                !words.iter().any(|word| ["it", "It", "its", "Its"].contains(word)),
                "{file}: {sentence}"
            );
        }
    }
    Ok(())
}

/// The commands that the book gives for the embedded device: with `--full`, and without it.
#[test]
fn the_records_of_the_embedded_device_are_of_the_sizes_and_points_of_today() -> Result {
    for lab in labs::ALL {
        let folders = [("embedded-h200", Scope::Full), ("short-embedded-h200", Scope::Short)];
        for (folder, scope) in folders.into_iter().take(1 + usize::from(lab.short)) {
            let file = root().join(format!("book/records/{folder}/{}.json", lab.name));
            let record = Record::from_json(&std::fs::read_to_string(file)?)?;
            let Device::Simt { multiprocessors, .. } = record.device else { return Err("a GPU's".into()) };
            let request = Request::new(lab.sizes, &BTreeMap::new(), 5, scope, false)?;
            let mut plan = (lab.plan)(&request, Host { multiprocessors, measured: false })?;
            plan.parameters.extend(request.parameters());
            assert_eq!(record.parameters, plan.parameters, "{folder}/{}", lab.name);
            let points = record.experiments.iter().flat_map(|e| &e.series).flat_map(|s| &s.points);
            assert_eq!(points.count(), plan.points().count(), "{folder}/{}", lab.name);
        }
    }
    Ok(())
}

/// Of an H200, where hardly two values are equal.
#[test]
fn where_the_slower_were_the_faster_every_sentence_is_another() -> Result {
    for (file, lab, mut record) in records()?.into_iter().filter(|(file, ..)| file.contains("/h200/")) {
        let before = said(lab, &record);
        for point in record.experiments.iter_mut().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points) {
            point.y = 1e6 / point.y;
        }
        labs::judge(lab, &mut record);
        for sentence in said(lab, &record) {
            assert!(!before.contains(&sentence), "{file}: {sentence}");
        }
    }
    Ok(())
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn no_sentence_names_a_series_that_was_left_out() -> Result {
    for (file, lab, record) in records()? {
        let labels = record.experiments.iter().flat_map(|e| &e.series).map(|series| series.label.clone());
        for label in labels.collect::<BTreeSet<_>>() {
            let mut less = record.clone();
            less.experiments.iter_mut().for_each(|e| e.series.retain(|series| series.label != label));
            labs::judge(lab, &mut less);
            for sentence in said(lab, &less) {
                assert!(!sentence.contains(&format!("'{label}'")), "{file}: {sentence}");
            }
            as_shown(lab, &less, &[], Extent::Brief);
        }
    }
    Ok(())
}

#[test]
fn a_run_without_counts_is_described_without_them() -> Result {
    for (file, lab, mut record) in records()? {
        for point in record.experiments.iter_mut().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points) {
            point.counters.clear();
            point.hardware.clear();
        }
        labs::judge(lab, &mut record);
        for sentence in said(lab, &record) {
            assert!(!sentence.contains("against") && !sentence.contains("in both"), "{file}: {sentence}");
        }
        as_shown(lab, &record, &[], Extent::Brief);
    }
    Ok(())
}

#[test]
fn of_a_run_with_few_points_only_what_they_show_is_said() -> Result {
    for (file, lab, record) in records()? {
        for kept in 0..2 {
            let mut less = record.clone();
            let series = less.experiments.iter_mut().flat_map(|e| &mut e.series);
            series.for_each(|series| series.points.truncate(kept));
            labs::judge(lab, &mut less);
            as_shown(lab, &less, &[], Extent::Brief);
            if kept == 0 {
                assert_eq!(said(lab, &less), Vec::<String>::new(), "{file}");
            }
        }
    }
    Ok(())
}

/// The quickest lab, as its user calls it.
#[test]
fn a_run_is_brief_unless_all_is_asked_for() -> Result {
    let folder = tempfile::tempdir()?;
    let call = |more: &str| {
        let line = format!("--device simt --quick --no-plots {more}");
        Ok::<_, std::io::Error>(stdout(&run(env!("CARGO_BIN_EXE_lab-4-4"), folder.path(), &line)?))
    };
    let (brief, all) = (call("")?, call("--all")?);
    assert!(brief.lines().count() <= 48 && brief.lines().all(|line| line.chars().count() <= 80), "{brief}");
    assert!(brief.contains("--quick: 36 of 53 points left out"), "{brief}");
    for all_of_it in
        ["Time of a copy to a symbol by its size", "What the sources say", "a second on this machine"]
    {
        assert!(all.contains(all_of_it) && !brief.contains(all_of_it), "{all_of_it}");
    }
    Ok(())
}
