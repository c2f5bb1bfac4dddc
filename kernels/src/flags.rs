//! Options of a compilation, by nvcc's names.
//!
//! Enters: words of a command line, of a job file, or of the comment `// options: …` that a source has. Leaves: what they ask for,
//! for each of the compilers. This module must never know how a source is compiled.

use std::path::PathBuf;

/// Options of a compilation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Number of the virtual architecture, such as `70` or `90a`: one that is asked for goes before a source's own.
    pub arch: Option<String>,
    /// Number of the architecture of the device that will run it: where no other is asked for.
    pub device: Option<String>,
    /// Macros with their values, `1` where none is said.
    pub defines: Vec<(String, String)>,
    /// Folders in which headers are looked for after the source's own.
    pub includes: Vec<PathBuf>,
    /// Whether a product and a sum may be rounded once; `None` where nothing is said.
    pub fmad: Option<bool>,
    /// Single precision by the quick instructions: small numbers are zero, quotients, roots and functions are approximate.
    pub fast_math: bool,
    /// Code for a debugger.
    pub debug: bool,
}

/// Options as a help text and errors name them.
pub const KNOWN: &str =
    "--gpu-architecture=compute_90 (-arch), --fmad=false, --use_fast_math, -DNAME=VALUE, -IFOLDER, -G";

impl Flags {
    /// Options in words, such as `--fmad=false` or `-D N=4`.
    ///
    /// # Errors
    /// A word that is not one of [`KNOWN`], or lacks its value.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Flags, String> {
        let mut flags = Flags::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            flags.add(word, &mut || words.next())?;
        }
        Ok(flags)
    }

    /// None but the architecture of the device that will run it, such as `90`.
    pub fn for_device(arch: impl Into<String>) -> Flags {
        Flags { device: Some(arch.into()), ..Flags::default() }
    }

    /// The options in words for a record: all that a source needs to be compiled to the same PTX again, except folders.
    pub fn recorded(&self) -> Vec<String> {
        let arch = self.arch.iter().map(|arch| format!("--gpu-architecture=compute_{arch}"));
        let own = Flags { includes: vec![], ..self.clone() };
        arch.chain(own.words()).collect()
    }

    fn add<'a>(&mut self, word: &str, next: &mut dyn FnMut() -> Option<&'a str>) -> Result<(), String> {
        let (name, joined) = split(word);
        let value = || match joined.or_else(|| next().map(str::to_owned)) {
            Some(value) if !value.is_empty() => Ok(value),
            _ => Err(format!("the option `{word}` needs a value")),
        };
        match name {
            "-D" | "--define-macro" => {
                let value = value()?;
                let (name, value) = value.split_once('=').unwrap_or((&value, "1"));
                let letters = |one: char| one.is_ascii_alphanumeric() || one == '_';
                if name.is_empty()
                    || name.starts_with(|one: char| one.is_ascii_digit())
                    || !name.chars().all(letters)
                {
                    return Err(format!("`{name}` is not a valid macro name: write -DNAME or -DNAME=VALUE"));
                }
                self.defines.push((name.to_owned(), value.to_owned()));
            }
            "-I" | "--include-path" => self.includes.push(value()?.into()),
            "-arch" | "--gpu-architecture" => self.arch = Some(architecture(&value()?)?),
            "-fmad" | "--fmad" => self.fmad = Some(truth(word, &value()?)?),
            "-use_fast_math" | "--use_fast_math" | "--use-fast-math" => self.fast_math = true,
            "-G" | "--device-debug" => self.debug = true,
            "-lineinfo" | "--generate-line-info" => {} // they are always there
            _ => return Err(format!("the option `{word}` is not known: there are {KNOWN}")),
        }
        Ok(())
    }

    /// These with others after them, which go before.
    pub fn and(mut self, other: Flags) -> Flags {
        self.defines.extend(other.defines);
        self.includes.extend(other.includes);
        Flags {
            arch: other.arch.or(self.arch),
            device: other.device.or(self.device),
            fmad: other.fmad.or(self.fmad),
            fast_math: other.fast_math || self.fast_math,
            debug: other.debug || self.debug,
            ..self
        }
    }

    /// Whether fused products are wanted: not for a debugger, unless they are asked for.
    pub fn fuses(&self) -> bool {
        self.fmad.unwrap_or(!self.debug)
    }

    /// The options for NVRTC or nvcc, except the architecture.
    pub(crate) fn words(&self) -> Vec<String> {
        let defines = self.defines.iter().map(|(name, value)| format!("-D{name}={value}"));
        let includes = self.includes.iter().map(|folder| format!("-I{}", folder.display()));
        let rest = [
            self.fmad.map(|fmad| format!("--fmad={fmad}")),
            self.fast_math.then(|| "--use_fast_math".to_owned()),
            self.debug.then(|| "--device-debug".to_owned()),
        ];
        defines.chain(includes).chain(rest.into_iter().flatten()).collect()
    }
}

/// An option's name, and the value that is joined to it.
fn split(word: &str) -> (&str, Option<String>) {
    for short in ["-D", "-I"] {
        if let Some(value) = word.strip_prefix(short) {
            return (short, Some(value.to_owned()).filter(|value| !value.is_empty()));
        }
    }
    match word.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (word, None),
    }
}

fn truth(word: &str, value: &str) -> Result<bool, String> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("the option `{word}` is `true` or `false`")),
    }
}

/// The number in `compute_90a` or `sm_90a`.
///
/// # Errors
/// Anything else, in words.
pub fn architecture(value: &str) -> Result<String, String> {
    let number = value.strip_prefix("compute_").or_else(|| value.strip_prefix("sm_")).unwrap_or_default();
    let digits = number.trim_end_matches(['a', 'f']);
    let is_number = (2..=3).contains(&digits.len()) && digits.bytes().all(|one| one.is_ascii_digit());
    match is_number && number.len() - digits.len() <= 1 {
        true => Ok(number.to_owned()),
        false => {
            Err(format!("unknown architecture `{value}`: expected one such as `compute_52` or `sm_90a`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_the_names_that_nvcc_has() {
        let words = "-DN=4 -D M --define-macro=T=float -I inc -Imore --fmad=false -use_fast_math -arch=sm_90a -lineinfo -G";
        let flags = Flags::parse(words.split(' ')).unwrap();
        let defines = [("N", "4"), ("M", "1"), ("T", "float")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(flags.defines, defines);
        assert_eq!(flags.includes, [PathBuf::from("inc"), PathBuf::from("more")]);
        assert_eq!((flags.arch.as_deref(), flags.fmad, flags.fuses()), (Some("90a"), Some(false), false));
        assert!(flags.fast_math && flags.debug);
        assert!(!Flags::parse(["-G"]).unwrap().fuses() && Flags::default().fuses());
    }

    #[test]
    fn a_word_that_is_not_an_option_is_reported_with_the_options() {
        for (words, reported) in [
            ("-O3", "the option `-O3` is not known: there are --gpu-architecture"),
            ("-D", "the option `-D` needs a value"),
            ("-D4=2", "`4` is not a valid macro name"),
            ("--fmad=perhaps", "is `true` or `false`"),
            ("-arch=hopper", "unknown architecture `hopper`"),
            ("--gpu-architecture", "needs a value"),
        ] {
            let error = Flags::parse(words.split(' ')).unwrap_err();
            assert!(error.contains(reported), "{words}: {error}");
        }
    }

    #[test]
    fn options_that_come_later_go_before() {
        let (first, later) =
            (Flags::parse(["--fmad=false", "-DN=1"]), Flags::parse(["--fmad=true", "-DN=2", "-arch=sm_80"]));
        let both = first.unwrap().and(later.unwrap());
        assert_eq!((both.fmad, both.arch.as_deref(), both.defines.len()), (Some(true), Some("80"), 2));
    }
}
