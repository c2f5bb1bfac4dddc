//! The command line that all labs share.
//!
//! Enters: arguments. Leaves: [`Args`], or clap's message and exit code 2. It must never know what a lab does.

use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// What a lab was asked to do.
#[derive(Clone, Debug, Parser)]
#[command(version, disable_help_subcommand = true, max_term_width = 80)]
pub struct Args {
    /// Where the kernels run: `auto` takes the GPU if its driver is there, else the embedded device
    #[arg(long, value_enum, default_value_t, value_name = "WHERE")]
    pub device: DeviceChoice,

    /// Which chip the embedded device models
    #[arg(long, default_value = "h200", value_name = "CHIP")]
    pub arch: String,

    /// Small sizes and few points: to try, not to compare
    #[arg(long)]
    pub quick: bool,

    /// Elements of the arrays, such as 1000000 or 2^24
    #[arg(long, value_parser = count, value_name = "N")]
    pub elements: Option<u64>,

    /// Seed of the random input; the same seed gives the same input everywhere
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub seed: u64,

    /// Run this edited copy of a kernel file instead of the lab's own file of the same name
    #[arg(long, value_name = "FILE.cu")]
    pub kernel: Vec<PathBuf>,

    /// Write the record here too; `-` is standard output, the tables then go to standard error
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Where the record and the plots go [default: book/records/yours in the workbook, else here]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Draw no plots
    #[arg(long)]
    pub no_plots: bool,

    /// Whether Nsight Compute counts what the GPU does, beside what the embedded device counts
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub ncu: NcuChoice,

    /// Every profiled launch once and nothing else: how the lab runs itself under Nsight Compute
    #[arg(long, hide = true)]
    pub once: bool,
}

/// Where kernels run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DeviceChoice {
    /// The GPU if there is one, else the embedded device
    #[default]
    Auto,
    /// The embedded device: exact counters, modelled times
    Simt,
    /// The first NVIDIA GPU: measured times
    Gpu,
}

/// Whether Nsight Compute is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum NcuChoice {
    /// On a GPU, if `ncu` is on the PATH
    #[default]
    Auto,
    /// Yes; without it the lab stops
    Always,
    /// No
    Never,
}

/// Reads a lab's arguments.
///
/// # Errors
/// clap's, which also stands for `--help` and `--version`.
pub fn parse(
    name: &'static str,
    about: &'static str,
    examples: &'static str,
    args: impl IntoIterator<Item = OsString>,
) -> Result<Args, clap::Error> {
    let command = Args::command().name(name).bin_name(name).about(about).after_help(examples);
    Args::from_arg_matches(&command.try_get_matches_from(args)?)
}

/// `16777216`, `16_777_216` or `2^24`.
fn count(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let value = match plain.split_once('^') {
        Some((base, power)) => {
            base.parse::<u64>().ok().zip(power.parse().ok()).and_then(|(b, p): (u64, u32)| b.checked_pow(p))
        }
        None => plain.parse().ok(),
    };
    value.ok_or_else(|| "a whole number is needed, such as 1000000 or 2^24".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Result<Args, clap::Error> {
        parse("lab", "", "", line.split(' ').map(OsString::from))
    }

    #[test]
    fn a_size_may_be_a_power() {
        assert_eq!(count("2^24"), Ok(1 << 24));
        assert_eq!(count("16_777_216"), Ok(1 << 24));
        assert!(
            count("2^64").is_err() && count("-1").is_err() && count("many").is_err() && count("^").is_err()
        );
    }

    #[test]
    fn no_arguments_are_an_automatic_device_and_no_quick_run() -> Result<(), clap::Error> {
        let args = args("lab")?;
        assert_eq!((args.device, args.ncu, args.quick), (DeviceChoice::Auto, NcuChoice::Auto, false));
        Ok(())
    }

    #[test]
    fn an_unknown_device_is_told_those_there_are() {
        let Err(error) = args("lab --device tpu") else { panic!("there is no such device") };
        assert_eq!(error.exit_code(), 2);
        let text = error.to_string();
        assert!(text.contains("auto") && text.contains("simt") && text.contains("gpu"), "{text}");
    }
}
