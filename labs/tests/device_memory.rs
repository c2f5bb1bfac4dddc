//! The labs on device memory, as a reader calls them, on the embedded device: sizes that fit nothing, and sizes that no
//! device takes.

use crate::common::{Lab, record};
use tests::Result;
use tests::program::{run, stderr};

const LABS: [Lab; 2] =
    [("lab-4-1", env!("CARGO_BIN_EXE_lab-4-1")), ("lab-4-2", env!("CARGO_BIN_EXE_lab-4-2"))];

#[test]
fn sizes_that_no_block_and_no_row_divides_are_right_to_the_last_element() -> Result {
    for lab in LABS {
        for elements in [1, 31, 33, 1025, 4099] {
            let record = record(lab, &format!("--quick --elements {elements}"))?;
            assert!(record.checks.len() > 8 && record.checks.iter().all(|check| check.passed));
        }
    }
    Ok(())
}

#[test]
fn sizes_that_cannot_be_are_refused_with_the_flag_and_the_bound() -> Result {
    let folder = tempfile::tempdir()?;
    for (number, line, said) in [
        (0, "--elements 0", "--elements: 0: there is nothing to compute"),
        (0, "--elements 2^29", "--elements: 536870912: at most 2^28 (268435456)"),
        (0, "--bytes 2^33", "--bytes: 8589934592: at most 2^32 (4294967296)"),
        (0, "--elements many", "a whole number is needed"),
        (1, "--elements 0", "--elements: 0: there is nothing to compute"),
        (1, "--elements 2^27", "--elements: 134217728: at most 2^26 (67108864)"),
        (1, "--elements=-1", "a whole number is needed"),
    ] {
        let (lab, program) = LABS[number];
        let output = run(program, folder.path(), &format!("--device simt --no-plots {line}"))?;
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{lab} {line}: {error}");
        assert!(error.contains(said), "{lab} {line}: {error}");
    }
    Ok(())
}

#[test]
fn a_copy_of_more_than_the_device_has_is_reported_with_what_to_do() -> Result {
    let folder = tempfile::tempdir()?;
    let output = run(LABS[0].1, folder.path(), "--device simt --no-plots --quick --bytes 2^32")?;
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    for said in ["copy of 4", "choose smaller sizes", "out of device memory"] {
        assert!(error.contains(said), "{error}");
    }
    Ok(())
}

#[test]
fn every_start_of_a_row_has_the_sectors_that_its_place_says() -> Result {
    let record = record(LABS[1], "--quick")?;
    let alignment = record.experiment("alignment").ok_or("no such experiment")?;
    for series in &alignment.series {
        assert_eq!(series.points.len(), 32);
        for point in &series.points {
            let wanted = if point.x % 8.0 == 0.0 { 4.0 } else { 5.0 };
            assert_eq!(point.y, wanted, "{} at {}", series.id, point.x);
        }
    }
    Ok(())
}

#[test]
fn another_seed_gives_other_values_and_the_same_counts() -> Result {
    let [one, two] = [5, 6].map(|seed| record(LABS[1], &format!("--quick --seed {seed}")));
    let (one, two) = (one?, two?);
    assert_eq!(one.experiments, two.experiments);
    assert_ne!(one.parameters, two.parameters);
    Ok(())
}
