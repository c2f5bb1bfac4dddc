//! Parts of two runs of a lab that can be compared.
//!
//! Enters: a reference record and another one, such as the reader's own. Leaves: whether the counts of the two, or their
//! times too, are of the same work, and a sentence on how the runs differ. This module must never know how a
//! comparison is shown.
//!
//! Counts are those of the embedded device in every record, so they are exact wherever the lab ran: two runs with the
//! same parameters for the same chip count the same, whether the chip was real or modelled. Times are compared only
//! where they are of the same origin: measured with measured, modelled with modelled. Any parameter may decide a count,
//! the seed as well: where a ray goes depends on where the spheres are.

use crate::{Device, Parameter, Record};
use std::borrow::Borrow;
use std::collections::BTreeSet;

/// The parameter that says that a run left out what takes the embedded device long; absent where nothing was.
const FULL: &str = "full";

/// How much of two records can be compared; each includes the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparable {
    /// Nothing: another lab, chip or parameter.
    Nothing,
    /// Counts of the embedded device.
    Counts,
    /// Times and a GPU's own counts too.
    Times,
}

/// How much of `yours` can be compared with `reference`. No other place decides it.
pub fn comparable(reference: &Record, yours: &Record) -> Comparable {
    let same_work = same_lab_and_chip(reference, yours) && reference.parameters == yours.parameters;
    match (same_work, reference.device.source() == yours.device.source()) {
        (false, _) => Comparable::Nothing,
        (true, false) => Comparable::Counts,
        (true, true) => Comparable::Times,
    }
}

/// Whether nothing but parameters can keep two records from being compared: where these do not matter, counts are the same.
pub fn same_lab_and_chip(reference: &Record, yours: &Record) -> bool {
    reference.lab == yours.lab && reference.device.chip() == yours.device.chip()
}

/// The record among `references` with which most of `yours` can be compared, and how much; none if there is nothing.
pub fn twin<T: Borrow<Record>>(
    references: impl IntoIterator<Item = T>,
    yours: &Record,
) -> Option<(T, Comparable)> {
    let compared = references.into_iter().map(|one| {
        let how = comparable(one.borrow(), yours);
        (one, how)
    });
    // Of equals the first: the order of the references is the caller's.
    compared.fold(None, |best, (one, how)| match best {
        Some((_, there)) if there >= how => best,
        _ if how == Comparable::Nothing => best,
        _ => Some((one, how)),
    })
}

/// Reason why the counts of two runs cannot be compared, such as `its elements is 65,536 …`: how they differ.
pub fn why_incomparable(reference: &Record, yours: &Record) -> String {
    if reference.lab != yours.lab {
        return format!("it is a record of {}, the reference of {}", yours.lab, reference.lab);
    }
    if reference.device.chip() != yours.device.chip() {
        return format!(
            "it is of an {}, the reference of an {}",
            yours.device.chip(),
            reference.device.chip()
        );
    }
    let said = |record: &Record, name: &str| match record.parameters.get(name) {
        None if name == FULL => "yes".to_owned(),
        Some(Parameter::Flag(flag)) => (if *flag { "yes" } else { "no" }).to_owned(),
        Some(Parameter::Integer(n)) => n.to_string(),
        Some(Parameter::Number(n)) => n.to_string(),
        Some(Parameter::Text(text)) => text.clone(),
        Some(Parameter::Integers(all)) => all.iter().map(u64::to_string).collect::<Vec<_>>().join(" "),
        None => "unknown".to_owned(),
    };
    let names: BTreeSet<&String> = reference.parameters.keys().chain(yours.parameters.keys()).collect();
    // That a quick run is not a full one goes without saying.
    let is_quick = reference.is_quick() || yours.is_quick();
    let names = names.into_iter().filter(|name| !(is_quick && *name == FULL));
    let differing = names.filter(|name| reference.parameters.get(*name) != yours.parameters.get(*name));
    let all: Vec<String> = differing
        .map(|name| format!("{name} is {} (the reference: {})", said(yours, name), said(reference, name)))
        .collect();
    if all.is_empty() { "nothing sets it apart".to_owned() } else { format!("its {}", all.join(", its ")) }
}

/// Reason, as far as the records state one, why a count of `yours` differs from that of a comparable reference.
pub fn why_counts_differ(reference: &Record, yours: &Record) -> String {
    let mut edited = Vec::new();
    for kernel in &yours.kernels {
        let same =
            reference.kernels.iter().any(|k| k.file == kernel.file && k.ptx_sha256 == kernel.ptx_sha256);
        if !same {
            let by = kernel.compiler.as_ref().map(|by| format!(" (compiled by {by})")).unwrap_or_default();
            edited.push(format!("`{}`{by}", kernel.file));
        }
    }
    if !edited.is_empty() {
        return format!("your run had a different {} from the reference", edited.join(" and "));
    }
    if reference.written_by != yours.written_by {
        return format!(
            "your run was recorded by {}, the reference by {}",
            yours.written_by, reference.written_by
        );
    }
    "neither record states why: run the lab again, and report it if the counts still differ".to_owned()
}

impl Device {
    /// Name of the chip that ran or was modelled, such as `NVIDIA H200`.
    pub fn chip(&self) -> &str {
        match self {
            Device::Gpu { name, .. } => name,
            Device::Simt { models, .. } => models,
        }
    }
}

impl Record {
    /// Whether this is a run with `--quick`.
    pub fn is_quick(&self) -> bool {
        self.parameters.get("quick") == Some(&Parameter::Flag(true))
    }

    /// Whether this is a run of the embedded device without `--full`, of a lab that then leaves something out.
    pub fn is_short(&self) -> bool {
        self.parameters.get(FULL) == Some(&Parameter::Flag(false))
    }
}
