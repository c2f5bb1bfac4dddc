//! Options of a compilation on a command line, by nvcc's names.
//!
//! Enters: arguments. Leaves: words, as job files and sources have them. This module must never know what they ask for.

use clap::Args;
use std::ffi::OsString;

/// Options of the compiler.
#[derive(Clone, Debug, Default, Args)]
pub struct CompilerOptions {
    /// Architecture that a .cu is compiled for, such as `compute_70` [default: that of the device which runs it]
    #[arg(long, value_name = "ARCH", help_heading = "Options for a .cu, as nvcc has them")]
    gpu_architecture: Option<String>,

    /// Define a macro
    #[arg(
        short = 'D',
        long,
        value_name = "NAME=VALUE",
        help_heading = "Options for a .cu, as nvcc has them"
    )]
    define_macro: Vec<String>,

    /// Look for headers in this folder too
    #[arg(short = 'I', long, value_name = "FOLDER", help_heading = "Options for a .cu, as nvcc has them")]
    include_path: Vec<String>,

    /// Whether a product and a sum may be rounded once [default: true]
    #[arg(long, value_name = "BOOL", help_heading = "Options for a .cu, as nvcc has them")]
    fmad: Option<bool>,

    /// Single precision by the quick instructions: small numbers are zero; quotients, roots and functions are approximate
    #[arg(
        long = "use_fast_math",
        alias = "use-fast-math",
        help_heading = "Options for a .cu, as nvcc has them"
    )]
    fast_math: bool,

    /// For a debugger: products and sums are not rounded once, and `__CUDACC_DEBUG__` is defined
    #[arg(short = 'G', long, help_heading = "Options for a .cu, as nvcc has them")]
    device_debug: bool,
}

impl CompilerOptions {
    /// The options in words.
    pub fn words(&self) -> Vec<String> {
        let joined =
            |name: &str, all: &[String]| all.iter().map(|one| format!("{name}{one}")).collect::<Vec<_>>();
        let mut words = joined("-D", &self.define_macro);
        words.extend(joined("-I", &self.include_path));
        words.extend(self.gpu_architecture.iter().map(|arch| format!("--gpu-architecture={arch}")));
        words.extend(self.fmad.map(|fmad| format!("--fmad={fmad}")));
        words.extend(self.fast_math.then(|| "--use_fast_math".to_owned()));
        words.extend(self.device_debug.then(|| "--device-debug".to_owned()));
        words
    }
}

/// A command line in which long options that nvcc writes with one dash, such as `-use_fast_math` and `-arch=sm_90`, have two.
pub fn with_dashes(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    const ONE_DASH: [(&str, &str); 4] = [
        ("-use_fast_math", "--use_fast_math"),
        ("-use-fast-math", "--use_fast_math"),
        ("-arch", "--gpu-architecture"),
        ("-fmad", "--fmad"),
    ];
    let mut behind = false;
    let long = |word: OsString| {
        behind |= word == "--";
        let Some(text) = word.to_str().filter(|_| !behind) else { return word };
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        match ONE_DASH.iter().find(|(one, _)| *one == name) {
            Some((_, two)) => value.map_or((*two).to_owned(), |value| format!("{two}={value}")).into(),
            None => word,
        }
    };
    args.into_iter().map(long).collect()
}
