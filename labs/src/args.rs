//! The command line that all labs share.
//!
//! Enters: arguments. Leaves: [`Args`], or clap's message and exit code 2. This module must never know what a lab
//! does.

use crate::request::Size;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, ValueEnum};
use cli::{CHIP, DeviceChoice, LaunchLimits, compilers, count};
use kernels::Compiler;
use program::CompilerOptions;
use render::format;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// Command line of a lab.
#[derive(Clone, Debug, Parser)]
#[command(version, disable_help_subcommand = true, max_term_width = 80)]
pub(crate) struct Args {
    /// Device that runs the kernels: `auto` is the GPU if its driver is installed, else the embedded device
    #[arg(long, value_enum, default_value_t, value_name = "WHERE")]
    pub device: DeviceChoice,

    /// Chip that the embedded device models
    #[arg(long, default_value = CHIP, value_name = "CHIP")]
    pub arch: String,

    /// Small sizes and few points: for a first try, not for comparisons
    #[arg(long)]
    pub quick: bool,

    /// All sizes and points of the book's records, also those that take the embedded device long; a GPU runs them anyway
    #[arg(long, conflicts_with = "quick")]
    pub full: bool,

    /// Every table, check and claim, instead of what fits two screens
    #[arg(long)]
    pub all: bool,

    /// Sizes of the lab that were given, by name
    #[arg(skip)]
    pub sizes: BTreeMap<&'static str, u64>,

    /// Seed of the random input; the same seed gives the same input everywhere
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub seed: u64,

    /// Run this edited copy of a kernel file instead of the lab's own file of the same name
    #[arg(long, value_name = "FILE.cu")]
    pub kernel: Vec<PathBuf>,

    /// Compiler of the files of --kernel
    #[arg(long, default_value_t, value_parser = compilers(), value_name = "WHICH")]
    pub compiler: Compiler,

    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would be the command's
    pub options: CompilerOptions,

    /// Also write the record to this file; `-` is standard output, and the report then goes to standard error
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Folder for the record and the plots [default: book/records/yours in the workbook, and its folder quick for --quick; else the current folder]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Do not draw plots
    #[arg(long)]
    pub no_plots: bool,

    /// Whether to count with Nsight Compute on the GPU, in addition to the embedded device's counters
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub ncu: NcuChoice,

    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would be the command's
    pub limits: LaunchLimits,

    /// Only each profiled launch, once: for the lab's own runs under Nsight Compute
    #[arg(long, hide = true)]
    pub once: bool,
}

/// Choice of whether to count with Nsight Compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum NcuChoice {
    /// On a GPU, if `ncu` is on the PATH
    #[default]
    Auto,
    /// Always; the lab fails if it cannot
    Always,
    /// Never
    Never,
}

/// Reads a lab's arguments.
///
/// # Errors
/// clap's, which also represents `--help` and `--version`.
pub(crate) fn parse(
    name: &'static str,
    about: &'static str,
    examples: &'static str,
    sizes: &'static [Size],
    args: impl IntoIterator<Item = OsString>,
) -> Result<Args, clap::Error> {
    let mut command = Args::command().name(name).bin_name(name).about(about).after_help(examples);
    for size in sizes {
        command = command.arg(
            Arg::new(size.name)
                .long(size.name)
                .value_name("N")
                .value_parser(count)
                .help(explained(size))
                // Before the flags that all labs share.
                .display_order(0),
        );
    }
    let matches = command.try_get_matches_from(program::with_dashes(args))?;
    let mut args = Args::from_arg_matches(&matches)?;
    args.sizes =
        sizes.iter().filter_map(|size| Some((size.name, *matches.get_one::<u64>(size.name)?))).collect();
    Ok(args)
}

/// A size's line in `--help`.
fn explained(size: &Size) -> String {
    let Size { about, quick, short, full, gpu, .. } = *size;
    let plain = |n: u64| format::count(n).replace('\u{a0}', " ");
    let default = if short == gpu {
        plain(gpu)
    } else {
        format!("{} on a GPU, {} on the embedded device", plain(gpu), plain(short))
    };
    let there = if full == short { String::new() } else { format!(", {} with --full", plain(full)) };
    format!("{about} [default: {default}{there}; {} with --quick]", plain(quick))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: &[Size] = &[Size {
        name: "bodies",
        about: "Bodies",
        quick: 1 << 8,
        short: 1 << 9,
        full: 1 << 10,
        gpu: 1 << 18,
        most: 1 << 20,
    }];

    fn args(line: &str) -> Result<Args, clap::Error> {
        parse("lab", "", "", SIZES, line.split(' ').map(OsString::from))
    }

    #[test]
    fn a_lab_s_own_sizes_are_flags() -> Result<(), clap::Error> {
        assert_eq!(args("lab --bodies 2^12")?.sizes, BTreeMap::from([("bodies", 4096)]));
        assert_eq!(args("lab")?.sizes, BTreeMap::new());
        let Err(help) = args("lab --help") else { panic!("help runs nothing") };
        let help = help.to_string();
        assert!(help.contains("--bodies <N>"), "{help}");
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let default =
            "[default: 262,144 on a GPU, 512 on the embedded device, 1,024 with --full; 256 with --quick]";
        assert!(help.contains(default), "{help}");
        Ok(())
    }

    #[test]
    fn no_arguments_are_an_automatic_device_and_no_quick_run() -> Result<(), clap::Error> {
        let args = args("lab")?;
        assert_eq!((args.device, args.ncu, args.quick), (DeviceChoice::Auto, NcuChoice::Auto, false));
        Ok(())
    }

    #[test]
    fn a_run_is_not_quick_and_full() {
        let Err(error) = args("lab --quick --full") else { panic!("it is one or the other") };
        assert_eq!(error.exit_code(), 2);
        let text = error.to_string();
        assert!(text.contains("'--quick' cannot be used with '--full'"), "{text}");
    }

    #[test]
    fn an_unknown_device_is_reported_with_the_known_ones() {
        let Err(error) = args("lab --device tpu") else { panic!("there is no such device") };
        assert_eq!(error.exit_code(), 2);
        let text = error.to_string();
        assert!(text.contains("auto") && text.contains("simt") && text.contains("gpu"), "{text}");
    }
}
