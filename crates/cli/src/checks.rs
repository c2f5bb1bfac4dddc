//! Which checks a launch has, chosen one by one.
//!
//! Enters: `--check`, `--no-check`, `--no-checks`. Leaves: the set of checks for the embedded device.

use clap::{Args, ValueEnum};
use device::Checks;

/// A check that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Check {
    /// Races in shared and global memory: accesses of two threads that nothing orders
    Races,
    /// Writes to memory that the same launch reads through `__ldg`, a `const … __restrict__` pointer or a texture
    ReadOnly,
    /// Reads of memory that was never written, and of constants that were never set
    #[value(alias = "uninitialized")]
    Uninitialised,
    /// Shuffles that take the value of a lane that does not take part
    Masks,
    /// Where the first NaN and the first infinity come from: line, thread, operands. Slow, and only if asked for
    Nan,
    /// All of these except `nan`
    All,
}

/// Choice of checks; all but `nan` if nothing is chosen.
#[derive(Clone, Debug, Default, Args)]
pub struct CheckArgs {
    /// Check only for these, such as `races,uninitialised`, or `all,nan` (embedded device). Bounds, alignment, barriers and member masks
    /// are always checked
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CHECKS")]
    check: Vec<Check>,

    /// Do not check for these: faster (embedded device)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CHECKS")]
    no_check: Vec<Check>,

    /// Short for `--no-check all`
    #[arg(long, conflicts_with_all = ["check", "no_check"])]
    no_checks: bool,
}

impl CheckArgs {
    /// The flag that was given, if one was.
    pub fn flag(&self) -> Option<&'static str> {
        let given = [
            ("--check", !self.check.is_empty()),
            ("--no-check", !self.no_check.is_empty()),
            ("--no-checks", self.no_checks),
        ];
        given.iter().find(|(_, given)| *given).map(|(flag, _)| *flag)
    }

    /// The checks that were chosen.
    pub fn checks(&self) -> Checks {
        if self.no_checks {
            return Checks::NONE;
        }
        let mut checks = if self.check.is_empty() { Checks::ALL } else { Checks::NONE };
        self.check.iter().for_each(|check| set(&mut checks, *check, true));
        self.no_check.iter().for_each(|check| set(&mut checks, *check, false));
        checks
    }
}

fn set(checks: &mut Checks, check: Check, on: bool) {
    match check {
        Check::Races => (checks.races, checks.global_races) = (on, on),
        Check::ReadOnly => checks.read_only = on,
        Check::Uninitialised => checks.uninitialised = on,
        Check::Masks => checks.masks = on,
        Check::Nan => checks.not_finite = on,
        Check::All if on => *checks = Checks { not_finite: checks.not_finite, ..Checks::ALL },
        Check::All => *checks = Checks::NONE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: CheckArgs,
    }

    fn chosen(line: &str) -> Result<Checks, String> {
        let line = Line::try_parse_from(std::iter::once("x").chain(line.split_whitespace()));
        line.map(|line| line.args.checks()).map_err(|error| error.to_string())
    }

    const RACES: Checks = Checks { races: true, global_races: true, ..Checks::NONE };

    #[test]
    fn checks_are_named_one_by_one() {
        assert_eq!(chosen(""), Ok(Checks::ALL));
        assert_eq!(chosen("--check all"), Ok(Checks::ALL));
        assert_eq!(chosen("--check races"), Ok(RACES));
        assert_eq!(chosen("--check races,masks"), Ok(Checks { masks: true, ..RACES }));
        assert_eq!(chosen("--check races --check masks"), chosen("--check races,masks"));
        assert_eq!(chosen("--no-check uninitialised,masks,read-only"), Ok(RACES));
        assert_eq!(chosen("--check all --no-check masks,uninitialized,read-only"), Ok(RACES));
        assert_eq!(chosen("--check nan"), Ok(Checks { not_finite: true, ..Checks::NONE }));
        for both in ["--check all,nan", "--check nan,all"] {
            assert_eq!(chosen(both), Ok(Checks { not_finite: true, ..Checks::ALL }), "{both}");
        }
        assert_eq!(chosen("--no-checks"), Ok(Checks::NONE));
        assert_eq!(chosen("--no-check all"), Ok(Checks::NONE));
    }

    #[test]
    fn an_unknown_check_is_reported_with_the_known_ones() {
        let said = chosen("--check bounds").unwrap_err();
        assert!(
            said.contains("'bounds'") && said.contains("races, read-only, uninitialised, masks, nan, all"),
            "{said}"
        );
        assert!(chosen("--no-checks --check races").is_err());
        assert!(chosen("--check").is_err());
    }
}
