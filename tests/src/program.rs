//! Running a program as its user calls it: in a folder of its own, on the embedded device.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Output};

/// Text that a terminal would obey: it clears the screen, reorders what follows, and chooses a colour.
pub const HOSTILE: &str = "\u{1b}[2J\u{202e}\u{9b}31m";

/// A program with these words as its arguments, to be started in this folder.
pub fn command(program: impl AsRef<OsStr>, folder: &Path, line: &str) -> Command {
    let program = program.as_ref();
    let mut command = Command::new(program);
    // Where cargo has built the workbook's own compiler for these tests, a lab need not have it built once more.
    let compiler =
        Path::new(program).with_file_name("compile").with_extension(std::env::consts::EXE_EXTENSION);
    if compiler.is_file() {
        command.env_remove("CARGO");
    }
    command.args(line.split_whitespace());
    in_folder(&mut command, folder);
    command
}

/// A command line that a shell reads, to be started in this folder.
pub fn shell(folder: &Path, line: &str) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", line]);
    in_folder(&mut command, folder);
    command
}

fn in_folder(command: &mut Command, folder: &Path) {
    // A machine with a GPU must not show it to these tests, and a coloured terminal must not be forced.
    command.current_dir(folder).env("CUDA_VISIBLE_DEVICES", "").env_remove("CLICOLOR_FORCE");
}

/// Output of [`command`].
///
/// # Errors
/// The program cannot be started.
pub fn run(program: impl AsRef<OsStr>, folder: &Path, line: &str) -> std::io::Result<Output> {
    command(program, folder, line).output()
}

/// Standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A program that could not use its input says why, and ends with exit code 2.
///
/// # Panics
/// It ended otherwise, or says something else.
#[track_caller]
pub fn refused(output: &Output, why: &str) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(why), "{said}");
}

/// What a program prints where there is no room is lost, and it says so with exit code 2; where no one reads, it is done.
///
/// # Errors
/// The program cannot be started, or there is no file that is always full.
///
/// # Panics
/// It ended otherwise, or says something else.
#[track_caller]
pub fn loses_nothing_silently(mut program: Command) -> std::io::Result<()> {
    let full = program.stdout(File::options().write(true).open("/dev/full")?).output()?;
    refused(&full, "some of the output is lost: writing to standard output: No space left on device");

    let (unread, closed) = std::io::pipe()?;
    drop(unread);
    let piped = program.stdout(closed).output()?;
    assert_eq!(
        (piped.status.code(), stderr(&piped).contains("lost")),
        (Some(0), false),
        "{}",
        stderr(&piped)
    );
    Ok(())
}

/// Nothing that a program printed is a control character other than an end of line, or reorders text.
///
/// # Panics
/// Something is.
#[track_caller]
pub fn plain(output: &Output) {
    for bytes in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(bytes);
        assert!(text.chars().all(|c| c == '\n' || !record::text::is_hidden(c)), "{text:?}");
    }
}
