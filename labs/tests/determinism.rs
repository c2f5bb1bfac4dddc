//! Determinism of records: on the embedded device every run of a lab gives the same record, whatever the number of
//! cores. Only the date and the facts of the host differ.

use crate::common::program;
use record::Record;
use std::path::Path;
use tests::Result;
use tests::program::{command, stderr};

/// The arguments of a lab's runs: sizes that blocks divide and such that they do not, as small as many warps allow:
/// with few of them a launch has one worker. A lab that has no line here runs once, at its own quick sizes.
fn lines(lab: &str) -> &'static [&'static str] {
    match lab {
        "lab-4-1" | "lab-4-2" => &["", "--elements 4099"],
        "lab-4-3" => &["", "--rows 97 --inner 33 --columns 65"],
        "lab-4-5" => &["--rows 97 --inner 33 --columns 65"],
        "lab-5-5" => &["--elements 4099 --arch gtx970"],
        "lab-6-2" => &["--side 67 --sweep-side 67"],
        "lab-14-4" => &["--bodies 2080"],
        _ => &[""],
    }
}

/// The record's text on this many threads, without what is of the run and of the machine.
fn recorded(program: &Path, line: &str, threads: u32) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let line = format!("--quick --device simt --no-plots --json - {line}");
    let output = command(program, folder.path(), &line)
        // Of this process alone: tests run side by side.
        .env("RAYON_NUM_THREADS", threads.to_string())
        .output()?;
    assert_eq!(output.status.code(), Some(0), "{} {line}: {}", program.display(), stderr(&output));
    let mut record = Record::from_json(&String::from_utf8(output.stdout)?)?;
    record.when = String::new();
    record.facts.retain(|name, _| !name.starts_with("host_"));
    Ok(record.to_json()?)
}

/// Each run of a lab gives with these numbers of threads what it gives with one.
fn is_the_same(lab: &str, lines: &[&str], threads: &[u32]) -> Result {
    let program = program(lab);
    for line in lines {
        let one = recorded(&program, line, 1)?;
        for &threads in threads {
            let more = recorded(&program, line, threads)?;
            let differs = one.lines().zip(more.lines()).position(|(a, b)| a != b);
            let at = |text: &str| differs.and_then(|n| text.lines().nth(n)).map(str::to_owned);
            assert!(
                one == more,
                "{lab} --quick {line} with 1 and with {threads} threads: line {differs:?}: {:?} and {:?}",
                at(&one),
                at(&more)
            );
        }
    }
    Ok(())
}

/// At the sizes that no block divides.
#[test]
fn short_labs_record_the_same_with_one_thread_and_with_three() -> Result {
    for lab in ["lab-4-1", "lab-4-4", "lab-5-5"] {
        let last = lines(lab).last().ok_or("a lab runs once")?;
        is_the_same(lab, &[last], &[3])?;
    }
    Ok(())
}

mod nightly {
    use super::*;

    #[test]
    #[ignore = "nightly: forty runs"]
    fn every_lab_records_the_same_with_any_number_of_threads() -> Result {
        for lab in labs::ALL {
            is_the_same(lab.name, lines(lab.name), &[2, 3, 8])?;
        }
        Ok(())
    }
}
