//! A file to a record.
//!
//! Enters: the path of a regular file, or its bytes. Leaves: a consistent record, or the reason why there is none. At most
//! the limit is read, whatever size the file system reports.

use crate::status::Status;
use crate::text;
use record::Record;
use std::io::ErrorKind;
use std::path::Path;

/// Status and reason of a file that gave no record.
pub(crate) type Refused = (Status, String);

/// A file's bytes, at most `most`.
///
/// # Errors
/// A file that cannot be read, or is too large.
pub(crate) fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, Refused> {
    files::read(path, most).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => (Status::TooLarge, format!("it has more than {most} bytes")),
        _ => (Status::Unreadable, format!("it cannot be read: {}", text::code(&error.to_string()))),
    })
}

/// The record of a file that was read before, and had this hash then.
///
/// # Errors
/// A file that has changed.
pub(crate) fn again(path: &Path, most: u64, sha256: &str) -> Result<Record, Refused> {
    let bytes = bytes(path, most)?;
    if kernels::sha256(&bytes) != sha256 {
        return Err((Status::NotGraded, "it changed while it was graded; grade it again".to_owned()));
    }
    parse(&bytes)
}

/// The record in a file's bytes.
///
/// # Errors
/// Bytes that are not a consistent record.
pub(crate) fn parse(bytes: &[u8]) -> Result<Record, Refused> {
    let invalid =
        |message: &str| (Status::Invalid, format!("it is not a valid record: {}", text::code(message)));
    let text = std::str::from_utf8(bytes)
        .map_err(|e| invalid(&format!("byte {} is not UTF-8 text", e.valid_up_to())))?;
    let record = Record::from_json(text).map_err(|e| invalid(&e.to_string()))?;
    if humantime::parse_rfc3339(&record.when).is_err() {
        return Err(invalid("field `when`: is not a time such as 2026-01-31T12:00:00Z"));
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;
    use std::sync::LazyLock;

    fn refused(bytes: &[u8]) -> String {
        match parse(bytes) {
            Ok(_) => panic!("it was read"),
            Err((status, why)) => format!("{status}: {why}"),
        }
    }

    fn valid() -> &'static str {
        static VALID: LazyLock<String> = LazyLock::new(|| ::tests::fixture::modelled().to_json().unwrap());
        &VALID
    }

    #[test]
    fn a_record_is_read() {
        assert_eq!(parse(valid().as_bytes()).ok(), Some(::tests::fixture::modelled()));
    }

    #[test]
    fn bytes_that_are_not_a_record_are_reported_with_the_place() {
        assert!(refused(b"{").starts_with("invalid"));
        assert!(refused(b"\xff").contains("byte 0"));
        assert!(refused("[".repeat(100_000).as_bytes()).starts_with("invalid"));
        assert!(refused(valid().replace("2025-01-02T03:04:05Z", "today").as_bytes()).contains("when"));
        assert!(refused(valid().replace("\"version\": 3", "\"version\": 1").as_bytes()).contains("version"));
        assert!(
            refused(valid().replacen("\"median_ns\": ", "\"median_ns\": -", 1).as_bytes()).contains("ns")
        );
        assert!(
            refused(valid().replacen("\"y\": ", "\"y\": 1e999, \"z\": ", 1).as_bytes()).contains("invalid")
        );
    }

    #[test]
    fn a_missing_file_is_unreadable_and_a_long_one_too_large() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        assert!(matches!(bytes(&path, 10), Err((Status::Unreadable, _))));
        std::fs::write(&path, "x".repeat(11)).unwrap();
        assert!(matches!(bytes(&path, 10), Err((Status::TooLarge, _))));
    }

    #[test]
    fn a_file_that_changes_between_two_readings_is_not_graded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::fs::write(&path, valid()).unwrap();
        let before = kernels::sha256(valid());
        assert!(again(&path, 1 << 24, &before).is_ok());
        std::fs::write(&path, format!("{} ", valid())).unwrap();
        assert!(matches!(again(&path, 1 << 24, &before), Err((Status::NotGraded, _))));
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }

        #[test]
        fn a_damaged_record_is_answered(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut bytes = valid().as_bytes().to_vec();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let _ = parse(&bytes);
        }

        #[test]
        fn any_json_is_answered(text in "[\\[\\]{}:,\"a-z0-9.eE+-]{0,80}") {
            let _ = parse(text.as_bytes());
            let _ = parse(Value::String(text).to_string().as_bytes());
        }
    }
}
