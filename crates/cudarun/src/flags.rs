//! nvcc's flags, spelled as nvcc has them.
//!
//! Enters: the words of a command line. Leaves: the same for the parser of this program's own options, which has two dashes before
//! long ones; flags that change nothing here are left out, and others are refused with the reason. This module must never know how
//! a program is compiled or run.

use std::ffi::OsString;

/// What a flag of nvcc is here.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// The same as an option of this program, by its long name.
    Same(&'static str),
    /// Nothing changes by it: what it asks for is always so, or concerns files and tools that there are none of.
    Nothing,
    /// It cannot be obeyed, for this reason.
    Refused(&'static str),
}

use Meaning::{Nothing, Refused, Same};

/// Whether a flag has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// None, as `-w`.
    None,
    /// `-std=c++17` or `-std c++17`.
    Any,
    /// The same, or joined: `-DN=4`.
    Joined,
    /// Only after `=`: `-fmad=false`. Without it the flag alone means `true`.
    Truth,
}

/// Flags of nvcc, by the names that they have after their dashes, one or two.
const FLAGS: &[(&[&str], Value, Meaning)] = &[
    (&["D", "define-macro"], Value::Joined, Same("define-macro")),
    (&["U", "undefine-macro"], Value::Joined, Same("undefine-macro")),
    (&["I", "include-path"], Value::Joined, Same("include-path")),
    (&["isystem", "system-include"], Value::Any, Same("system-include")),
    (&["include", "pre-include"], Value::Any, Same("pre-include")),
    (&["std"], Value::Any, Same("std")),
    (&["O", "optimize"], Value::Joined, Same("optimize")),
    (&["arch", "gpu-architecture"], Value::Any, Same("gpu-architecture")),
    (&["gencode", "generate-code"], Value::Any, Same("generate-code")),
    (&["use_fast_math", "use-fast-math"], Value::None, Same("use_fast_math")),
    (&["fmad"], Value::Truth, Same("fmad")),
    (&["ftz"], Value::Truth, Same("ftz")),
    (&["prec-div"], Value::Truth, Same("prec-div")),
    (&["prec-sqrt"], Value::Truth, Same("prec-sqrt")),
    (&["rdc", "relocatable-device-code"], Value::Truth, Same("relocatable-device-code")),
    (&["dc", "device-c"], Value::None, Same("device-c")),
    (&["G", "device-debug"], Value::None, Same("device-debug")),
    (&["x"], Value::Any, Same("language")),
    (&["l", "library"], Value::Joined, Same("library")),
    (&["o", "output-file"], Value::Any, Same("output-file")),
    (&["w", "disable-warnings"], Value::None, Same("disable-warnings")),
    (&["default-stream"], Value::Any, Same("default-stream")),
    (&["Xcompiler", "compiler-options"], Value::Any, Same("compiler-options")),
    (&["fopenmp", "run", "g", "debug", "lineinfo", "generate-line-info"], Value::None, Nothing),
    (
        &["code", "gpu-code", "maxrregcount", "m", "machine", "t", "threads", "ccbin", "compiler-bindir"],
        Value::Any,
        Nothing,
    ),
    (&["L", "library-path"], Value::Joined, Nothing),
    (&["cudart", "cudadevrt", "Xptxas", "ptxas-options", "Xlinker", "linker-options"], Value::Any, Nothing),
    (&["Xnvlink", "nvlink-options", "Xcudafe", "keep-dir", "odir", "output-directory"], Value::Any, Nothing),
    (
        &[
            "diag-suppress",
            "diag-warn",
            "diag-error",
            "ftemplate-depth",
            "ftemplate-backtrace-limit",
            "Werror",
        ],
        Value::Any,
        Nothing,
    ),
    (
        &["expt-relaxed-constexpr", "extended-lambda", "expt-extended-lambda", "restrict", "m64"],
        Value::None,
        Nothing,
    ),
    (
        &["keep", "save-temps", "v", "verbose", "res-usage", "resource-usage", "MD", "MMD", "MP"],
        Value::None,
        Nothing,
    ),
    (
        &["allow-unsupported-compiler", "dlto", "lto", "link", "src-in-ptx", "source-in-ptx"],
        Value::None,
        Nothing,
    ),
    (
        &["Wall", "Wextra", "Wreorder", "Wno-deprecated-gpu-targets", "Wno-deprecated-declarations"],
        Value::None,
        Nothing,
    ),
    (
        &["Wconversion", "Wdefault-stream-launch", "Wmissing-launch-bounds", "pthread", "fPIC"],
        Value::None,
        Nothing,
    ),
    (
        &["c", "compile", "dw", "dlink", "lib", "shared", "ptx", "cubin", "fatbin"],
        Value::None,
        Refused(NO_FILES),
    ),
    (&["E", "preprocess", "M", "MM", "dryrun", "cuda"], Value::None, Refused(NO_FILES)),
    (&["run-args"], Value::Any, Refused("write the program's arguments after `--`")),
    (&["pg", "profile"], Value::None, Refused("the program runs in a sandbox, which gprof does not know")),
    (&["stdlib"], Value::Any, Refused("the C++ library is this program's own")),
    (&["optf", "options-file"], Value::Any, Refused("write its options here")),
];

const NO_FILES: &str = "`cudarun` makes no files: it compiles and runs the program";

/// Options of this program alone, and whether they have a value.
const OWN: &[(&str, bool)] = &[
    ("folder", true),
    ("chip", true),
    ("device", true),
    ("check", false),
    ("profile", false),
    ("counters", false),
    ("json", true),
    ("leaks", false),
    ("help", false),
    ("version", false),
    ("h", false),
    ("V", false),
];

/// A command line as this program's parser reads it.
///
/// # Errors
/// A flag that is not known, has no value, or cannot be obeyed.
pub(crate) fn translated(words: impl IntoIterator<Item = OsString>) -> Result<Vec<OsString>, String> {
    let mut words = words.into_iter();
    let mut all: Vec<OsString> = words.next().into_iter().collect();
    while let Some(word) = words.next() {
        if word == "--" {
            all.push(word);
            all.extend(words);
            break;
        }
        let text = match word.to_str() {
            Some(text) if text.starts_with('-') && text.len() > 1 => text.to_owned(),
            _ => {
                all.push(word);
                continue;
            }
        };
        let name = text.trim_start_matches('-');
        let own = OWN.iter().find(|(one, _)| *one == name.split('=').next().unwrap_or_default());
        if let Some((_, value)) = own {
            all.push(word);
            if *value && !name.contains('=') {
                all.extend(words.next());
            }
            continue;
        }
        let mut next = || words.next().map(|word| word.to_string_lossy().into_owned());
        let (meaning, value) = known(&text, name, &mut next)?;
        match meaning {
            Same(long) => all.push(match value {
                Some(value) => format!("--{long}={value}").into(),
                None => format!("--{long}").into(),
            }),
            Nothing => {}
            Refused(why) => return Err(format!("`{text}` is not supported: {why}")),
        }
    }
    Ok(all)
}

/// What a flag means, with its value.
fn known(
    text: &str,
    name: &str,
    next: &mut dyn FnMut() -> Option<String>,
) -> Result<(Meaning, Option<String>), String> {
    let (bare, given) = name.split_once('=').map_or((name, None), |(bare, given)| (bare, Some(given)));
    for (names, value, meaning) in FLAGS {
        let Some(flag) = names.iter().find(|one| **one == bare) else { continue };
        let value = match (value, given) {
            (Value::None, None) => None,
            (Value::None, Some(_)) => return Err(format!("`-{flag}` has no value")),
            (_, Some(given)) => Some(given.to_owned()),
            (Value::Truth, None) => Some("true".to_owned()),
            (Value::Any | Value::Joined, None) => {
                Some(next().ok_or_else(|| format!("`{text}` needs a value, as in `{}`", example(flag)))?)
            }
        };
        return Ok((*meaning, value));
    }
    for (names, value, meaning) in FLAGS {
        let joined = names.iter().find(|one| one.len() == 1 && name.starts_with(**one));
        if let (Value::Joined, Some(flag)) = (value, joined) {
            return Ok((*meaning, Some(name[flag.len()..].to_owned())));
        }
    }
    Err(unknown(text, name))
}

/// A value that a flag may have.
fn example(flag: &str) -> String {
    let value = match flag {
        "D" | "define-macro" => "N=64",
        "std" => "c++17",
        "arch" | "gpu-architecture" => "sm_90",
        "gencode" | "generate-code" => "arch=compute_90,code=sm_90",
        "l" | "library" => "m",
        _ => "VALUE",
    };
    format!("-{flag} {value}")
}

/// Letters that may differ in a name that is meant.
const MOST_DIFFERENT: usize = 2;

fn unknown(text: &str, name: &str) -> String {
    let bare = name.split('=').next().unwrap_or_default();
    let shown = |one: &str, own: bool| if own { format!("--{one}") } else { format!("-{one}") };
    let flags = FLAGS.iter().filter(|(.., meaning)| !matches!(meaning, Refused(_)));
    let flags = flags.flat_map(|(names, ..)| names.iter().map(|one| (*one, false)));
    let all =
        flags.chain(OWN.iter().map(|(one, _)| (*one, true))).filter(|(one, _)| one.len() > MOST_DIFFERENT);
    let near = all.map(|(one, own)| (strsim::osa_distance(bare, one), one, own)).min();
    let near = near.filter(|(far, ..)| *far <= MOST_DIFFERENT);
    let near = near.map(|(_, one, own)| format!("; did you mean `{}`?", shown(one, own)));
    let of_nvcc = FLAGS.iter().filter(|(.., meaning)| matches!(meaning, Same(_)));
    let of_nvcc = of_nvcc.filter_map(|(names, ..)| names.first()).map(|one| shown(one, false));
    let own = OWN.iter().filter(|(one, _)| one.len() > 1).map(|(one, _)| shown(one, true));
    format!(
        "unknown option `{text}`{}\nknown are nvcc's {}, and {}; arguments of the program come after `--`",
        near.unwrap_or_default(),
        of_nvcc.collect::<Vec<_>>().join(" "),
        own.collect::<Vec<_>>().join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Result<String, String> {
        let words = std::iter::once("cudarun").chain(line.split_whitespace()).map(OsString::from);
        let all = translated(words)?;
        Ok(all[1..].iter().map(|one| one.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn one_dash_or_two_joined_or_apart_mean_the_same() {
        for line in ["-DN=4", "-D N=4", "--define-macro N=4", "--define-macro=N=4"] {
            assert_eq!(of(line), Ok("--define-macro=N=4".to_owned()), "{line}");
        }
        assert_eq!(of("-arch=sm_80 a.cu"), Ok("--gpu-architecture=sm_80 a.cu".to_owned()));
        assert_eq!(of("-std c++14 -O3"), Ok("--std=c++14 --optimize=3".to_owned()));
        assert_eq!(of("-rdc=true -fmad=false"), Ok("--relocatable-device-code=true --fmad=false".to_owned()));
    }

    #[test]
    fn what_changes_nothing_is_left_out_with_its_value() {
        assert_eq!(of("-lineinfo -g -Xptxas -v -L/usr/lib -ccbin g++ a.cu"), Ok("a.cu".to_owned()));
    }

    #[test]
    fn words_after_two_dashes_are_the_programs() {
        assert_eq!(of("a.cu -- -x -arch=1"), Ok("a.cu -- -x -arch=1".to_owned()));
    }

    #[test]
    fn what_cannot_be_obeyed_says_why_and_what_is_unknown_what_is_meant() {
        assert!(of("-ptx a.cu").is_err_and(|why| why.contains("makes no files")));
        assert!(of("a.cu -D").is_err_and(|why| why.contains("-D N=64")));
        assert!(of("-use_fast_maths a.cu").is_err_and(|why| why.contains("did you mean `-use_fast_math`?")));
        assert!(
            of("--frobnicate")
                .is_err_and(|why| why.contains("unknown option `--frobnicate`") && why.contains("-arch"))
        );
    }
}
