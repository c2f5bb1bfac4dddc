//! A request for a lab: its sizes, its seed, and how much of the lab it is.
//!
//! Enters: flags, or the parameters of a record. Leaves: a [`Request`] within the lab's bounds. It must never know a
//! device beyond whether its times are measured.

use anyhow::{Context, Result, bail};
use record::Parameter;
use std::collections::BTreeMap;

/// A size that a lab's user can choose: a flag, and a parameter of the record, of this name.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Name, such as `bodies`.
    pub name: &'static str,
    /// The things that it counts, for `--help`.
    pub about: &'static str,
    /// Default with `--quick`.
    pub quick: u64,
    /// Default on the embedded device.
    pub short: u64,
    /// Default there with `--full`.
    pub full: u64,
    /// Default on a GPU.
    pub gpu: u64,
    /// Maximum; the minimum is 1.
    pub most: u64,
}

/// Parameters of a record: enough to run the lab again.
pub type Parameters = BTreeMap<String, Parameter>;

/// How much of a lab is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Small sizes and few points: `--quick`.
    Quick,
    /// The embedded device's default, where that is less than all: enough to say the same.
    Short,
    /// All of it: `--full` on the embedded device, and the default on a GPU.
    Full,
}

/// A request for a lab.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// How much of the lab.
    pub scope: Scope,
    /// Seed of the random input.
    pub seed: u64,
    sizes: BTreeMap<&'static str, u64>,
}

impl Request {
    /// The sizes `given`, and the defaults of the others.
    ///
    /// # Errors
    /// A size out of its bounds.
    pub fn new(
        sizes: &'static [Size],
        given: &BTreeMap<&'static str, u64>,
        seed: u64,
        scope: Scope,
        measured: bool,
    ) -> Result<Self> {
        let chosen = sizes.iter().map(|size| {
            let default = match (scope, measured) {
                (Scope::Quick, _) => size.quick,
                (Scope::Short, _) => size.short,
                (Scope::Full, true) => size.gpu,
                (Scope::Full, false) => size.full,
            };
            let value = given.get(size.name).copied().unwrap_or(default);
            bounded(size, value).with_context(|| format!("--{}", size.name))
        });
        Ok(Request { scope, seed, sizes: chosen.collect::<Result<_>>()? })
    }

    /// A run for tests of what does not depend on sizes: an eighth of a quick one's.
    pub fn small(sizes: &'static [Size], seed: u64) -> Self {
        Request {
            scope: Scope::Quick,
            seed,
            sizes: sizes.iter().map(|size| (size.name, (size.quick / 8).max(1))).collect(),
        }
    }

    /// The request that a record's parameters hold, with another seed if there is one.
    ///
    /// # Errors
    /// A parameter that is missing, of another type or out of its bounds.
    pub fn from_parameters(
        sizes: &'static [Size],
        parameters: &Parameters,
        seed: Option<u64>,
    ) -> Result<Self> {
        let integer = |name: &str| match parameters.get(name) {
            Some(Parameter::Integer(value)) => Ok(*value),
            Some(_) => bail!("parameter `{name}` is not a whole number"),
            None => bail!("there is no parameter `{name}`"),
        };
        let quick = match parameters.get("quick") {
            Some(Parameter::Flag(quick)) => *quick,
            Some(_) => bail!("parameter `quick` is neither true nor false"),
            None => bail!("there is no parameter `quick`"),
        };
        let scope = match (quick, parameters.get("full")) {
            (true, None) => Scope::Quick,
            (false, None) => Scope::Full,
            (false, Some(Parameter::Flag(false))) => Scope::Short,
            (true, Some(_)) => bail!("parameter `full` belongs to no quick run"),
            (false, Some(_)) => bail!("parameter `full` is not false, and is left out of a full run"),
        };
        let chosen = sizes.iter().map(|size| {
            bounded(size, integer(size.name)?).with_context(|| format!("parameter `{}`", size.name))
        });
        let seed = seed.map_or_else(|| integer("seed"), Ok)?;
        Ok(Request { scope, seed, sizes: chosen.collect::<Result<_>>()? })
    }

    /// The whole lab with these sizes, or with the doubles of them, as far as the lab allows.
    pub(crate) fn whole(&self, sizes: &'static [Size], doubled: bool) -> Self {
        let factor = if doubled { 2 } else { 1 };
        let sized = sizes.iter().map(|size| (size.name, (factor * self.size(size.name)).min(size.most)));
        Request { scope: Scope::Full, seed: self.seed, sizes: sized.collect() }
    }

    /// Whether it has small sizes and few points.
    pub fn is_quick(&self) -> bool {
        self.scope == Scope::Quick
    }

    /// The size of this name.
    ///
    /// # Panics
    /// The lab has no such size: its own mistake, which its first test finds.
    pub fn size(&self, name: &str) -> u64 {
        self.sizes[name]
    }

    /// The parameters of the request, for a record. `full` is among them only where it is false: that of all of a lab is as it
    /// was before there was less.
    pub fn parameters(&self) -> Parameters {
        let sizes = self.sizes.iter().map(|(name, value)| ((*name).to_owned(), Parameter::Integer(*value)));
        let rest = [
            ("seed".to_owned(), Parameter::Integer(self.seed)),
            ("quick".to_owned(), Parameter::Flag(self.is_quick())),
        ];
        let full = (self.scope == Scope::Short).then(|| ("full".to_owned(), Parameter::Flag(false)));
        sizes.chain(rest).chain(full).collect()
    }
}

fn bounded(size: &Size, value: u64) -> Result<(&'static str, u64)> {
    match value {
        0 => bail!("0: there is nothing to compute; give at least 1"),
        _ if value > size.most && size.most.is_power_of_two() => {
            bail!("{value}: at most 2^{} ({})", size.most.trailing_zeros(), size.most)
        }
        _ if value > size.most => bail!("{value}: at most {}", size.most),
        _ => Ok((size.name, value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: &[Size] =
        &[Size { name: "rows", about: "Rows", quick: 8, short: 32, full: 64, gpu: 4800, most: 10_000 }];

    fn request(given: &[(&'static str, u64)], scope: Scope, measured: bool) -> Result<Request> {
        Request::new(SIZES, &given.iter().copied().collect(), 5, scope, measured)
    }

    #[test]
    fn a_size_that_is_not_given_is_that_of_the_device_and_of_the_scope() -> Result<()> {
        assert_eq!(request(&[], Scope::Full, true)?.size("rows"), 4800);
        assert_eq!(request(&[], Scope::Full, false)?.size("rows"), 64);
        assert_eq!(request(&[], Scope::Short, false)?.size("rows"), 32);
        assert_eq!(request(&[], Scope::Quick, true)?.size("rows"), 8);
        assert_eq!(request(&[("rows", 7)], Scope::Quick, true)?.size("rows"), 7);
        Ok(())
    }

    #[test]
    fn nothing_and_too_much_are_refused_by_the_flag_s_name() {
        for (value, said) in [(0, "--rows: 0: there is nothing"), (10_001, "--rows: 10001: at most 10000")] {
            let Err(error) = request(&[("rows", value)], Scope::Full, false) else { panic!("{value}") };
            assert!(format!("{error:#}").starts_with(said), "{error:#}");
        }
    }

    #[test]
    fn a_record_s_parameters_say_the_same_again() -> Result<()> {
        for scope in [Scope::Quick, Scope::Short, Scope::Full] {
            let first = request(&[("rows", 7)], scope, false)?;
            assert_eq!(Request::from_parameters(SIZES, &first.parameters(), None)?, first);
            let other = Request::from_parameters(SIZES, &first.parameters(), Some(9))?;
            assert_eq!((other.seed, other.size("rows")), (9, 7));
            assert_eq!(first.parameters().contains_key("full"), scope == Scope::Short);
        }
        Ok(())
    }

    #[test]
    fn parameters_that_no_lab_wrote_are_refused() {
        let good = Parameters::from([
            ("rows".to_owned(), Parameter::Integer(7)),
            ("seed".to_owned(), Parameter::Integer(5)),
            ("quick".to_owned(), Parameter::Flag(true)),
        ]);
        assert!(Request::from_parameters(SIZES, &good, None).is_ok());
        for (name, value) in [
            ("rows", Parameter::Text("7".into())),
            ("rows", Parameter::Integer(u64::MAX)),
            ("rows", Parameter::Number(7.0)),
            ("seed", Parameter::Flag(true)),
            ("quick", Parameter::Integer(1)),
            ("full", Parameter::Flag(false)),
        ] {
            let mut bad = good.clone();
            bad.insert(name.to_owned(), value);
            let reported = Request::from_parameters(SIZES, &bad, None).map_err(|e| format!("{e:#}"));
            assert!(reported.as_ref().is_err_and(|e| e.contains(name)), "{reported:?}");
            bad.remove(name);
            let without = Request::from_parameters(SIZES, &bad, None);
            assert_eq!(without.is_ok(), name == "full");
        }
        let full = |value| {
            let mut parameters = good.clone();
            parameters.insert("quick".to_owned(), Parameter::Flag(false));
            parameters.insert("full".to_owned(), value);
            Request::from_parameters(SIZES, &parameters, None).is_ok()
        };
        assert!(full(Parameter::Flag(false)));
        assert!(!full(Parameter::Flag(true)) && !full(Parameter::Integer(0)));
    }
}
