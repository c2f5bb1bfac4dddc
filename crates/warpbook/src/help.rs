//! This binary's own text: help by example, and what to type for a name that it does not have.

use crate::invocation;
use crate::{NAME, programs};
use std::ffi::OsStr;

/// Examples: a program, its arguments, what they do.
const EXAMPLES: [(&str, &str, &str); 8] = [
    ("lab-5-5", "--quick", "a lab, in seconds"),
    ("lab-5-5", "--help", "its flags, and more examples"),
    ("workbook", "", "kernels to change and check"),
    ("workbook", "run uniform_taps", "one of them, once"),
    ("book", "--open", "the book, with your own runs"),
    ("cudarun", "sum.cu", "a whole CUDA program, `main` too"),
    ("launch", "saxpy.toml", "any kernel, from a job file"),
    ("grade", "submissions --out grades", "what was handed in, to points"),
];

/// The help, for a process that was called by this name.
pub(crate) fn help(called: &OsStr) -> String {
    let line = |name: &str, words: &str| invocation::by_argument(called, name).line(name, words);
    let examples = EXAMPLES.map(|(name, words, does)| (line(name, words), does));
    let width = examples.iter().map(|(line, _)| line.len()).max().unwrap_or(0);
    let examples: String = examples.iter().map(|(line, does)| format!("  {line:width$}  {does}\n")).collect();
    let wide = programs::all().iter().map(|program| program.name.len()).max().unwrap_or(0);
    let list: String = programs::all()
        .iter()
        .map(|program| format!("  {:wide$}  {}\n", program.name, program.about))
        .collect();
    format!(
        "Warpbook: a workbook on CUDA's memories. All of its programs in one;\nnone needs a GPU.\n\n\
         Examples:\n{examples}\n\
         Programs:\n{list}\n\
         Called by one of these names, as by a link, it is the program of that name.\n\n\
         Exit codes: 0 success, 1 something did not match, 2 unusable input, 3 the kernel\n\
         faulted, 130 interrupted\n"
    )
}

/// The message about a first argument that names no program, with what to type.
pub(crate) fn unknown(called: &OsStr, word: &str) -> String {
    let list = format!("`{}` lists all", program::quoted(&invocation::own(called)));
    if word.starts_with('-') {
        return format!("{NAME}: `{word}` is for one of the programs, whose name comes first; {list}\n");
    }
    let nearest = programs::all()
        .iter()
        .map(|program| (strsim::damerau_levenshtein(word, program.name), program.name))
        .min_by_key(|(distance, _)| *distance);
    let meant = match nearest {
        // Half a word is too little to guess from.
        Some((distance, name)) if distance <= name.len() / 2 => format!("did you mean `{name}`? "),
        _ => String::new(),
    };
    format!("{NAME}: no program named `{word}`; {meant}{list}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_reported() {
        for (word, meant) in [
            ("lab-5-6", Some("lab-5-5")),
            ("lab5-5", Some("lab-5-5")),
            ("bok", Some("book")),
            ("lunch", Some("launch")),
            ("mandelbrot", None),
        ] {
            let said = unknown(OsStr::new("warpbook"), word);
            assert!(said.contains(&format!("no program named `{word}`")), "{said}");
            assert_eq!(said.contains("did you mean"), meant.is_some(), "{said}");
            assert!(meant.is_none_or(|name| said.contains(&format!("`{name}`"))), "{said}");
        }
    }

    #[test]
    fn the_help_names_every_program_and_its_examples_begin_as_it_was_called() {
        let help = help(OsStr::new("bin/warpbook"));
        for program in programs::all() {
            assert!(help.contains(&format!("\n  {} ", program.name)), "{}", program.name);
        }
        assert!(help.contains("\n  bin/warpbook lab-5-5 --quick "), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    }
}
