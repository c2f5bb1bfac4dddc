//! How the reader got here, and so gets to the other programs.
//!
//! Enters: the name that this process was called by, and where it runs. Leaves: command lines that lead from there to the
//! programs that are with it.

use program::Calls;
use record::text::visible_lines;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Where a program was called by its own name, as `bin/lab-5-5`.
pub(crate) fn by_name(called: &OsStr) -> Calls {
    Calls::Named(shown(&folder(called, &Environment::here())))
}

/// Where it was this binary's first argument, as in `bin/warpbook lab-5-5`.
pub(crate) fn by_argument(called: &OsStr, name: &str) -> Calls {
    // On Windows such files call this binary so; the reader calls them.
    let by_file = |exe: &Path| exe.with_file_name(format!("{name}.cmd")).is_file();
    if cfg!(windows) && std::env::current_exe().is_ok_and(|exe| by_file(&exe)) {
        return by_name(called);
    }
    Calls::Through(own(called))
}

/// This binary itself, without a program's name.
pub(crate) fn own(called: &OsStr) -> String {
    let own = Path::new(called).file_name().unwrap_or_default().to_string_lossy();
    shown(&format!("{}{own}", folder(called, &Environment::here())))
}

/// Circumstances that decide how a program's path is typed.
struct Environment {
    here: Option<PathBuf>,
    path: Vec<PathBuf>,
}

impl Environment {
    fn here() -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Environment { here: std::env::current_dir().ok(), path: std::env::split_paths(&path).collect() }
    }
}

/// The text before a program's name: the folder that this process was called in, as it was typed. A full path, which a
/// shell or a file of commands may have made of it, is shortened: from the working directory, or to nothing where programs
/// are looked for.
fn folder(called: &OsStr, place: &Environment) -> String {
    let Some(folder) = Path::new(called).parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return String::new();
    };
    let below = place.here.as_deref().and_then(|here| folder.strip_prefix(here).ok());
    let text = match below {
        _ if !folder.is_absolute() => folder.display().to_string(),
        Some(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Some(below) => below.display().to_string(),
        None if place.path.iter().any(|one| one == folder) => return String::new(),
        None => folder.display().to_string(),
    };
    let separator = std::path::MAIN_SEPARATOR;
    if text.ends_with(separator) { text } else { format!("{text}{separator}") }
}

/// Text that no terminal obeys.
fn shown(text: &str) -> String {
    visible_lines(text).into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_way_is_the_one_that_was_typed() {
        let place = Environment { here: Some("/home/ada/warpbook".into()), path: vec!["/usr/bin".into()] };
        for (called, before) in [
            ("lab-5-5", ""),
            ("bin/lab-5-5", "bin/"),
            ("./lab-5-5", "./"),
            ("../bin/lab-5-5", "../bin/"),
            ("/home/ada/warpbook/bin/lab-5-5", "bin/"),
            ("/home/ada/warpbook/lab-5-5", "./"),
            ("/usr/bin/lab-5-5", ""),
            ("/opt/lab-5-5", "/opt/"),
            ("/lab-5-5", "/"),
            ("", ""),
        ] {
            assert_eq!(folder(OsStr::new(called), &place), before, "{called}");
        }
    }

    #[test]
    fn a_name_that_a_terminal_would_obey_is_shown_harmless() {
        let Calls::Named(before) = by_name(OsStr::new("\u{1b}[2J/lab-5-5")) else { panic!("by its name") };
        assert!(!before.contains('\u{1b}'), "{before:?}");
    }
}
