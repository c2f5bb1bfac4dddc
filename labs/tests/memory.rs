//! A lab takes no more memory than it says beforehand: the binaries, whose memory Linux reports while they run.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common;
use labs::{Limits, memory_needed, rerun};
use record::Parameter;
use std::process::Stdio;
use std::time::Duration;
use tests::Result;
use tests::program::command;

/// The most memory that a process has had, bytes.
fn peak(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? << 10)
}

/// Processor time in which a lab that still grows takes more memory.
const WORKED: Duration = Duration::from_millis(500);

/// Processor time that a process has taken in user mode: Linux counts hundredths of a second.
fn processor_time(id: u32) -> Option<Duration> {
    let status = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, fields) = status.rsplit_once(')')?;
    Some(Duration::from_millis(10 * fields.split_whitespace().nth(11)?.parse::<u64>().ok()?))
}

/// The arguments of a lab's runs, of sizes that show it: a lab that has no line here runs once, at its own sizes.
fn lines(lab: &str) -> &'static [&'static str] {
    match lab {
        "lab-4-1" => &["--elements 2^23 --bytes 2^26"],
        "lab-4-2" => &["--elements 2^20"],
        "lab-4-3" => &["--rows 16 --inner 2048 --columns 2048", "--rows 2048 --inner 16 --columns 2048"],
        "lab-4-5" => &["--rows 2048 --inner 2048 --columns 16"],
        "lab-5-5" => &["--elements 2^22"],
        "lab-6-2" => &["--side 2048 --sweep-side 64"],
        "lab-14-4" => &["--bodies 2^17"],
        _ => &[""],
    }
}

#[test]
fn a_lab_takes_no_more_memory_than_it_says() -> Result {
    takes_no_more_memory_than_it_says(|name| name == "lab-4-1")
}

mod nightly {
    #[test]
    #[ignore = "nightly: each lab at its full sizes"]
    fn no_lab_takes_more_memory_than_it_says() -> tests::Result {
        super::takes_no_more_memory_than_it_says(|_| true)
    }
}

fn takes_no_more_memory_than_it_says(wanted: impl Fn(&str) -> bool) -> Result {
    let wanted = labs::ALL.iter().filter(|lab| wanted(lab.name));
    for (lab, line) in wanted.flat_map(|lab| lines(lab.name).iter().map(move |line| (lab, *line))) {
        let name = lab.name;
        let mut parameters: labs::Parameters =
            lab.sizes.iter().map(|size| (size.name.to_owned(), Parameter::Integer(size.full))).collect();
        let words: Vec<&str> = line.split_whitespace().collect();
        for pair in words.chunks(2) {
            let value = pair[1]
                .strip_prefix("2^")
                .map_or(pair[1].parse(), |power| power.parse().map(|p: u32| 1u64 << p))?;
            parameters.insert(pair[0].trim_start_matches('-').to_owned(), Parameter::Integer(value));
        }
        parameters.insert("seed".into(), Parameter::Integer(5));
        parameters.insert("quick".into(), Parameter::Flag(false));
        let said = memory_needed(lab, &parameters, None)?;
        let folder = tempfile::tempdir()?;
        let mut child = command(common::program(name), folder.path(), "--device simt --full --no-plots")
            .args(&words)
            .env("RAYON_NUM_THREADS", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let (mut most, mut since) = (0, Duration::ZERO);
        // Whole runs of these sizes take minutes; all that is large is there after the first launches, when it has
        // worked for long and taken no more. It may have ended before that.
        while let (None, Some(now), Some(worked)) =
            (child.try_wait()?, peak(child.id()), processor_time(child.id()))
        {
            if now > most + (1 << 20) {
                since = worked;
            }
            most = most.max(now);
            if worked - since > WORKED {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        // It may have ended by itself.
        let _ = child.kill();
        child.wait()?;
        assert!(most <= said, "{name} {line}: {most} bytes, and {said} were said");
        println!("{name} {line}: {most} bytes of {said}");
        // With less than that it does not begin.
        let limits = Limits { instructions: 1 << 40, memory_bytes: said - 1 };
        let error = rerun(lab, &parameters, None, "h200", limits).unwrap_err();
        assert!(matches!(error.downcast_ref(), Some(labs::LimitReached::Memory { .. })), "{error:#}");
    }
    Ok(())
}
