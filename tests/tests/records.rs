//! The committed reference records: that they can be read, that the kernels are still those they were made with, and that
//! their verdicts and the traces of their figures are those of the rules, texts and labs of today.

use record::Record;
use std::path::{Path, PathBuf};

type Error = Box<dyn std::error::Error>;

/// `book/records/<device>/<lab>.json`; a reader's own, in `yours`, are not committed.
fn records() -> Result<Vec<PathBuf>, Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/records");
    let mut files = Vec::new();
    if !folder.is_dir() {
        return Ok(files);
    }
    for device in std::fs::read_dir(folder)? {
        let device = device?.path();
        if device.is_dir() && device.file_name().is_some_and(|name| name != "yours") {
            files.extend(
                std::fs::read_dir(device)?.collect::<Result<Vec<_>, _>>()?.into_iter().map(|f| f.path()),
            );
        }
    }
    files.retain(|file| file.extension().is_some_and(|e| e == "json"));
    files.sort();
    Ok(files)
}

#[test]
fn every_committed_record_is_whole_and_was_made_with_the_kernels_of_today() -> Result<(), Error> {
    let records = records()?;
    assert!(records.iter().any(|file| file.ends_with("h200/lab-5-5.json")), "{records:?}");
    for file in records {
        let at = file.display();
        let record = Record::from_json(&std::fs::read_to_string(&file)?).map_err(|e| format!("{at}: {e}"))?;
        assert_eq!(file.file_stem().and_then(|s| s.to_str()), Some(record.lab.as_str()), "{at}");
        for check in &record.checks {
            assert!(check.passed, "{at}: check {} failed: {}", check.id, check.found);
        }
        for kernel in &record.kernels {
            let source = kernels::all().iter().find(|s| s.file == kernel.file);
            let source = source.ok_or_else(|| format!("{at}: there is no {} any more", kernel.file))?;
            assert_eq!(kernel.cu_sha256, source.cu_sha256(), "{at}: {} changed, record again", kernel.file);
            assert_eq!(
                kernel.ptx_sha256,
                source.ptx_sha256(),
                "{at}: the PTX of {} changed, record again",
                kernel.file
            );
        }
    }
    Ok(())
}

/// `UPDATE=1 cargo test -p tests --test all records::` writes facts, verdicts and traces again, after a rule, a claim's text or a
/// lab's figures have changed: facts and verdicts follow from what was recorded, and traces are of the embedded device
/// whatever the record's device is, so no lab has to run again.
#[test]
fn facts_verdicts_and_traces_are_what_the_labs_find_today() -> Result<(), Error> {
    for file in records()? {
        let record = Record::from_json(&std::fs::read_to_string(&file)?)?;
        let Some(lab) = labs::ALL.iter().find(|lab| lab.name == record.lab) else { continue };
        let mut today = record.clone();
        labs::judge(lab, &mut today);
        today.traces = labs::traces(lab)?;
        if tests::is_update() && today != record {
            std::fs::write(&file, today.to_json()?)?;
            continue;
        }
        let how = "run `UPDATE=1 cargo test -p tests --test all records::`";
        assert!(today.claims == record.claims, "{}: other verdicts; {how}", file.display());
        assert!(today.traces == record.traces, "{}: other figures; {how}", file.display());
        assert!(today.facts == record.facts, "{}: other facts; {how}", file.display());
    }
    Ok(())
}
