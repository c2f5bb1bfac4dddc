//! Traces: the launches that figures are made of, on the embedded device.
//!
//! Enters: a plan's traces and the sources that run. Leaves: the record's traces. It must never know what a figure says.

use crate::lab::{Host, Lab};
use crate::plan::trace::{Draw, Group};
use crate::plan::{Arg, Layout, Matrix, Memory, Panel, Pick, Plan, Trace, recorded};
use crate::request::{Request, Scope};
use crate::run::Bench;
use crate::sources::{self, Edited, ModuleSource};
use anyhow::{Context, Result, bail};
use cli::CHIP;
use device::Embedded;
use kernels::{Compiler, Flags};
use std::collections::BTreeMap;
use traced::recorded_part;

/// Accesses that are looked at of one launch.
const MOST: u32 = 1 << 16;
/// Warps that a block may have.
const WARPS: u32 = 32;

/// The traces of a lab: the same in every run of it, whatever its device and sizes.
///
/// # Errors
/// A fault, or a pick that finds nothing.
pub fn traces(lab: &Lab) -> Result<Vec<record::Trace>> {
    let plan = any_plan(lab)?;
    // The chip sets the limits that a launch must keep to; what is counted is the same on every one.
    Ok(make(
        &plan,
        &sources::gather(&plan, &[], &Flags::default(), Compiler::default(), kernels::by_program)?,
        CHIP,
        false,
    )?
    .0)
}

/// The traces of a lab whose kernels were edited: those that can be made.
///
/// # Errors
/// A source that does not compile.
pub(crate) fn of_edited(lab: &Lab, edited: Edited<'_>) -> Result<Vec<record::Trace>> {
    let plan = any_plan(lab)?;
    Ok(make(&plan, &sources::recorded(&plan, edited)?, CHIP, true)?.0)
}

fn any_plan(lab: &Lab) -> Result<Plan> {
    let request = Request::new(lab.sizes, &BTreeMap::new(), 0, Scope::Quick, false)?;
    (lab.plan)(&request, Host { multiprocessors: 1, measured: false })
}

/// Makes the traces of a plan. Where the reader has edited a kernel, one that cannot be made is left out with a note.
///
/// # Errors
/// A fault, or a pick that finds nothing.
pub(crate) fn make(
    plan: &Plan,
    sources: &[ModuleSource],
    chip: &str,
    edited: bool,
) -> Result<(Vec<record::Trace>, Vec<String>)> {
    let (mut traces, mut notes) = (Vec::new(), Vec::new());
    for trace in &plan.traces {
        match one(trace, sources, chip).with_context(|| format!("the figure `{}`", trace.id)) {
            Ok(made) => traces.push(made),
            Err(error) if edited => {
                notes.push(format!("{error:#}; with the kernel as it came this figure is there"));
            }
            Err(error) => return Err(error),
        }
    }
    Ok((traces, notes))
}

fn one(trace: &Trace, sources: &[ModuleSource], chip: &str) -> Result<record::Trace> {
    let mut groups: Vec<String> = Vec::new();
    let mut panels = Vec::new();
    let mut draw = None;
    for panel in &trace.panels {
        let mut device = Embedded::new(chip)?;
        let warps =
            (panel.warps.start.min(WARPS)..panel.warps.end.min(WARPS)).fold(0, |mask, w| mask | 1 << w);
        device.options().trace =
            Some(device::Trace { block: Some(panel.block), warps, space: None, most: MOST });
        let plan = Plan { buffers: trace.buffers.clone(), writes: trace.writes.clone(), ..Plan::default() };
        // Sources that only figures launch are not among the plan's, which are those of the measurements.
        let file = panel.launch.module.file;
        let listed = sources.iter().find(|source| source.kernel.file == file);
        let alone = listed.is_none().then(|| sources::embedded(panel.launch.module));
        let all = sources.iter().chain(&alone);
        let mut bench = Bench::new(&mut device, &plan, all)?.silent();
        let mut launch = panel.launch.clone();
        if let Some(texture) = panel.texture {
            launch.args.insert(0, Arg::U64(bench.texture(texture)?));
        }
        let (accesses, left_out) = bench.accesses(&panel.writes, &launch)?;
        if draw.is_none() {
            draw = Some(drawn(trace, &bench)?);
        }
        bench.finish()?;
        if left_out > 0 {
            bail!("more than {MOST} accesses were made: look at fewer warps, or launch less");
        }
        let source = listed.or(alone.as_ref()).context("there is no such source")?;
        let accesses = picked(panel, source, &accesses, &mut groups)?;
        let launch = recorded(&panel.launch);
        panels.push(record::Panel { label: panel.label.clone(), launch, block: panel.block, accesses });
    }
    if groups.iter().all(String::is_empty) {
        groups.clear();
    }
    Ok(record::Trace {
        id: trace.id.to_owned(),
        title: trace.title.to_owned(),
        draw: draw.context("it has no panels")?,
        groups,
        panels,
    })
}

/// The accesses that a panel's picks choose, in the order in which they were made.
fn picked(
    panel: &Panel,
    source: &ModuleSource,
    accesses: &[device::TracedAccess],
    groups: &mut Vec<String>,
) -> Result<Vec<record::Access>> {
    let mut chosen: Vec<(usize, record::Access)> = Vec::new();
    for pick in &panel.picks {
        let lines: Vec<u32> = (1..)
            .zip(source.cu.lines())
            .filter(|(_, text)| text.contains(pick.line))
            .map(|(n, _)| n)
            .collect();
        if lines.is_empty() {
            bail!("no line of {} holds `{}`", source.name, pick.line);
        }
        let mut made: BTreeMap<u32, u32> = BTreeMap::new();
        let before = chosen.len();
        for (at, access) in accesses.iter().enumerate() {
            // A texture's function is the compiler's, and the line that of its call.
            let Some((file, line)) = access.place.counted_line() else { continue };
            let [part] = &access.parts[..] else { continue };
            let of_source = file == &source.kernel.file || source.name.ends_with(file.as_str());
            if !of_source || !lines.contains(line) || access.kind != pick.kind || part.space != pick.space {
                continue;
            }
            let n = made.entry(access.warp).or_default();
            let nth = *n;
            *n += 1;
            if !pick.nth.contains(&nth) {
                continue;
            }
            let group = group_of(pick, nth, access.warp, groups);
            let recorded = recorded_part(access, part, (file, *line)).map_err(anyhow::Error::msg)?;
            chosen.push((at, record::Access { group, ..recorded }));
        }
        if chosen.len() == before {
            bail!(
                "none of the accesses that block {:?} of `{}` made are those of `{}`: {}",
                panel.block,
                panel.launch.kernel,
                pick.line,
                there(accesses)
            );
        }
    }
    chosen.sort_by_key(|(at, _)| *at);
    Ok(chosen.into_iter().map(|(_, access)| access).collect())
}

/// The accesses that were made, a line of source each, for an error.
fn there(accesses: &[device::TracedAccess]) -> String {
    let mut made: BTreeMap<(String, u32, &str), u32> = BTreeMap::new();
    for access in accesses {
        let (file, line) = access.place.counted_line().cloned().unwrap_or_default();
        *made.entry((file, line, access.mnemonic.as_str())).or_default() += 1;
    }
    if made.is_empty() {
        return "it made none".to_owned();
    }
    let each = made.iter().map(|((file, line, what), n)| format!("{n} {what} at {file}:{line}"));
    format!("it made {}", each.collect::<Vec<_>>().join(", "))
}

fn group_of(pick: &Pick, nth: u32, warp: u32, groups: &mut Vec<String>) -> u64 {
    let name = match &pick.group {
        Group::Named(name) => (*name).to_owned(),
        Group::Each { name, accesses } => format!("{name} {}", (nth - pick.nth.start) / (*accesses).max(1)),
        Group::Warp => format!("warp {warp}"),
    };
    let at = groups.iter().position(|there| *there == name).unwrap_or_else(|| {
        groups.push(name);
        groups.len() - 1
    });
    at as u64
}

/// The drawing of a trace, with the pitches that the device chose.
fn drawn(trace: &Trace, bench: &Bench<'_>) -> Result<record::Draw> {
    let matrix = |matrix: &Matrix| -> Result<record::Matrix> {
        let memory = match matrix.memory {
            Memory::Buffer(at) => trace.buffers.get(at).context("there is no such buffer")?.name,
            Memory::Shared => "shared",
            Memory::Symbol(name) => name,
        };
        let (offset, row_bytes, used_bytes, rows) = match (matrix.layout, matrix.memory) {
            (Layout::Rows { offset, row_bytes, used_bytes, rows }, _) => {
                (offset, row_bytes, used_bytes, rows)
            }
            (Layout::Pitched, Memory::Buffer(at)) => {
                let (pitch, width, rows) =
                    bench.rows(at).with_context(|| format!("the buffer `{memory}` has no pitch"))?;
                (0, pitch, width, u32::try_from(rows).context("more rows than can be drawn")?)
            }
            (Layout::Pitched, _) => bail!("`{memory}` has no pitch"),
        };
        Ok(record::Matrix {
            memory: memory.to_owned(),
            label: matrix.label.clone(),
            offset,
            row_bytes,
            used_bytes,
            rows,
            element_bytes: matrix.element,
            columns: matrix.columns.iter().map(|name| (*name).to_owned()).collect(),
            sectors: matrix.sectors,
            halo: matrix.halo,
        })
    };
    Ok(match &trace.draw {
        Draw::Sectors => record::Draw::Sectors,
        Draw::Banks => record::Draw::Banks,
        Draw::Constant => record::Draw::Constant,
        Draw::Texels => record::Draw::Texels,
        Draw::Grid { matrices, threads } => record::Draw::Grid {
            matrices: matrices.iter().map(matrix).collect::<Result<_>>()?,
            threads: *threads,
        },
    })
}

/// Costs of a figure's accesses by one counter, figure and counter by their names, as the embedded H200 counts them.
#[cfg(test)]
pub(crate) fn costs(plan: &Plan) -> Result<impl Fn(&str, &str) -> Vec<u64> + use<>> {
    let sources = sources::gather(plan, &[], &Flags::default(), Compiler::default(), kernels::by_program)?;
    let (traces, notes) = make(plan, &sources, "h200", false)?;
    assert!(notes.is_empty(), "{notes:?}");
    Ok(move |id: &str, counter: &str| {
        let panels = traces.iter().filter(|t| t.id == id).flat_map(|t| &t.panels).flat_map(|p| &p.accesses);
        panels.map(|access| access.cost.get(counter).copied().unwrap_or(0)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ALL;

    fn plan_of(lab: &Lab, measured: bool) -> Result<Plan> {
        let request = Request::new(lab.sizes, &BTreeMap::new(), 5, Scope::Quick, measured)?;
        (lab.plan)(&request, Host { multiprocessors: 132, measured })
    }

    fn traces_of(plan: &Plan, edited: bool) -> Result<(Vec<record::Trace>, Vec<String>)> {
        make(
            plan,
            &sources::gather(plan, &[], &Flags::default(), Compiler::default(), kernels::by_program)?,
            "h200",
            edited,
        )
    }

    #[test]
    fn every_lab_s_figures_are_drawn_and_the_same_in_every_run() -> Result<()> {
        for lab in ALL {
            let plan = plan_of(lab, false)?;
            let (traces, notes) = traces_of(&plan, false).with_context(|| lab.name)?;
            assert!(notes.is_empty());
            for (made, planned) in traces.iter().zip(&plan.traces) {
                assert!(plan.experiments.iter().all(|e| e.id != planned.id), "{}: {}", lab.name, planned.id);
                let mut record = crate::lab_5_5::made_up(true);
                record.traces = vec![made.clone()];
                record.to_json().with_context(|| lab.name)?;
                render::Figure::new(&record, planned.id, "figure").svg().with_context(|| lab.name)?;
            }
            assert_eq!(traces_of(&plan_of(lab, true)?, false)?.0, traces, "{}", lab.name);
        }
        Ok(())
    }

    /// The plan of lab 5.5 with one of its traces, changed.
    fn changed(id: &str, change: impl FnOnce(&mut Trace)) -> Result<Plan> {
        let mut plan = plan_of(&crate::lab_5_5::LAB, false)?;
        plan.traces.retain(|t| t.id == id);
        change(&mut plan.traces[0]);
        Ok(plan)
    }

    #[test]
    fn a_pick_that_finds_nothing_says_what_there_was() -> Result<()> {
        let plan = changed("halo", |t| t.panels[0].picks[0].line = "smem[sidx] = in[index]")?;
        let error = format!("{:#}", traces_of(&plan, false).expect_err("no such line"));
        assert_eq!(
            error,
            "the figure `halo`: no line of kernels/ch5-5/stencil.cu holds `smem[sidx] = in[index]`"
        );
        let plan = changed("halo", |t| t.panels[0].picks[0].kind = record::AccessKind::Atomic)?;
        let error = format!("{:#}", traces_of(&plan, false).expect_err("no atomics there"));
        assert!(
            error.contains("none of the accesses that block [1, 0, 0] of `stencil_constant` made"),
            "{error}"
        );
        assert!(error.contains("1 ld.global.f32 at ch5-5/stencil.cu:"), "{error}");
        let plan = changed("halo", |t| t.panels[0].warps = 7..8)?;
        let error = format!("{:#}", traces_of(&plan, false).expect_err("no such warp"));
        assert!(error.ends_with("it made none"), "{error}");
        Ok(())
    }

    #[test]
    fn an_edited_kernel_loses_a_figure_and_no_more() -> Result<()> {
        let plan = changed("halo", |t| t.panels[0].picks[0].line = "what the reader has changed")?;
        let (traces, notes) = traces_of(&plan, true)?;
        assert!(traces.is_empty());
        assert!(notes.len() == 1 && notes[0].contains("with the kernel as it came this figure is there"));
        Ok(())
    }

    #[test]
    fn steps_are_groups_of_their_own() -> Result<()> {
        let plan = changed("constant-broadcasts", |t| {
            let panel = &mut t.panels[0];
            panel.picks[0] = panel.picks[0].clone().first(6).each("step", 2);
        })?;
        let (traces, _) = traces_of(&plan, false)?;
        let groups: Vec<u64> = traces[0].panels[0].accesses.iter().map(|a| a.group).collect();
        assert_eq!(
            (traces[0].groups[..3].join(" "), groups),
            ("step 0 step 1 step 2".into(), vec![0, 0, 1, 1, 2, 2])
        );
        Ok(())
    }
}
