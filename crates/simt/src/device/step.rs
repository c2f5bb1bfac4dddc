//! Single steps of a launch: a run up to one of them, of which nothing is left on the device.

use super::{Device, Launch};
use crate::error::{Error, Place};
use crate::exec::{self, RawState, Recorded, Run, Stepping};
use crate::hash::HashMap;
use crate::heap::Heap;
use crate::ir::{Kernel, Named, Origin, Program};
use crate::memory::Contents;
use crate::options::Options;
use crate::resolve::resolve;
use crate::step::{Event, Meeting, Path, RegisterState, State, StepTo, Stepped, Stretch, WarpState};
use crate::trace::Trace;

/// What a launch can change.
struct Saved {
    buffers: Vec<Contents>,
    arrays: Vec<Contents>,
    heap: Option<Heap>,
}

impl Device {
    /// Runs a launch up to a step of a block, and tells the block's state after it. Memory is afterwards as it was, so the
    /// same call gives the same state, and a step backwards is a call with the number before.
    ///
    /// Blocks run one after the other ([`Options::deterministic`]), and the first fault ends the launch. Its counters, its
    /// output and the grids that it would launch are left out. A warp-wide operation that parts of a warp come to one after
    /// the other is executed when the last has come, and so are, for these steps, the instructions of its basic block before it.
    ///
    /// # Errors
    /// As [`Device::launch`], but for faults; a block or warp that the launch does not have; [`Error::OutOfMemory`] where
    /// memory cannot be kept.
    pub fn step(&mut self, launch: &Launch<'_>, to: StepTo) -> Result<Stepped, Error> {
        self.prepare(launch.module, launch.kernel)?;
        let own = self.options;
        let trace = Trace { block: Some(to.block), warps: u32::MAX, space: None, most: u32::MAX };
        self.options = Options {
            deterministic: true,
            keep_going: false,
            profile: false,
            executed: false,
            trace: Some(trace),
            ..own
        };
        let stepped = self.step_and_restore(launch, to);
        self.options = own;
        stepped
    }

    fn step_and_restore(&mut self, launch: &Launch<'_>, to: StepTo) -> Result<Stepped, Error> {
        let number = self.number(launch)?;
        self.prepare_heap(launch, number)?;
        self.prepare_workspace(launch)?;
        let saved = self.save()?;
        self.begin_launch();
        let stepped = self.run_to(launch, number, to);
        self.restore(saved);
        stepped
    }

    fn save(&mut self) -> Result<Saved, Error> {
        let buffers = self.memory.allocations.iter().map(|buffer| buffer.contents());
        let buffers = buffers.collect::<Result<_, _>>()?;
        let arrays = self.textures.arrays_mut().map(|array| array.memory.contents());
        Ok(Saved {
            buffers,
            arrays: arrays.collect::<Result<_, _>>()?,
            heap: self.heap.as_ref().map(Heap::copy),
        })
    }

    fn restore(&mut self, saved: Saved) {
        for (buffer, contents) in self.memory.allocations.iter_mut().zip(&saved.buffers) {
            buffer.put_back(contents);
        }
        for (array, contents) in self.textures.arrays_mut().zip(&saved.arrays) {
            array.memory.put_back(contents);
        }
        self.heap = saved.heap;
    }

    fn run_to(&self, launch: &Launch<'_>, number: usize, to: StepTo) -> Result<Stepped, Error> {
        let (loaded, kernel) = self.numbered(launch.module, number);
        let checked = self.checked(loaded, kernel, launch)?;
        let runtime = self.runtime(loaded, kernel);
        let run = Run { runtime: runtime.as_ref(), ..self.run(loaded, kernel, launch, &checked) };
        self.check_cooperative(&run)?;
        let block = block_number(kernel, &run, to)?;
        let Lines { table, lines, files } = lines(&loaded.program, kernel);
        let names = loaded.program.registers(launch.kernel)?;
        let stepping = Stepping::new(to, block, &loaded.program, names, table);
        let run = Run { stepping: Some(&stepping), ..run };
        let fault = exec::run(&run).err();
        let fault = fault.map(|failed| Box::new(self.fault(&loaded.program, kernel, &run, *failed.fault)));
        let found = stepping.take_found();
        let state = found.state.as_deref();
        let state = state.map(|raw| Box::new(named_state(&loaded.program, &run, &stepping.names, raw)));
        Ok(Stepped { state, fault: fault.filter(|_| !found.left), ..path(&found, &lines, files) })
    }
}

/// The number of the block that a step is of, if the launch has it and the warp.
fn block_number(kernel: &Kernel, run: &Run<'_>, to: StepTo) -> Result<u64, Error> {
    let refuse = |message: String| Err(Error::TooManyThreads { kernel: kernel.name.clone(), message });
    if to.block.iter().zip(run.grid).any(|(n, size)| *n >= size) {
        return refuse(format!("a step of block {:?}, but the grid is {:?}", to.block, run.grid));
    }
    let warps = run.warps_per_block();
    if let Some(warp) = to.warp.filter(|warp| u64::from(*warp) >= warps) {
        return refuse(format!("a step of warp {warp}, but a block has {warps}, from 0"));
    }
    let [x, y, z] = to.block.map(u64::from);
    Ok(x + u64::from(run.grid[0]) * (y + u64::from(run.grid[1]) * z))
}

/// Source lines of a kernel.
struct Lines {
    /// For each entry of the kernel's listing the number of its line.
    table: Vec<u32>,
    /// File and line, by that number.
    lines: Vec<(u32, u32)>,
    files: Vec<String>,
}

fn lines(program: &Program, kernel: &Kernel) -> Lines {
    let (mut lines, mut files): (Vec<(u32, u32)>, Vec<String>) = (vec![], vec![]);
    let mut numbers = HashMap::default();
    let mut number = |origin: Origin| {
        let place = program.place(kernel, origin);
        let (file, line) = match place.counted_line() {
            Some((file, line)) => (file, *line),
            None => (&place.ptx, place.at.0),
        };
        let file = files.iter().position(|known| known == file).unwrap_or_else(|| {
            files.push(file.clone());
            files.len() - 1
        });
        *numbers.entry((file, line)).or_insert_with(|| {
            lines.push((file as u32, line));
            lines.len() as u32 - 1
        })
    };
    let table = kernel.listing.iter().map(|listed| number(listed.origin)).collect();
    Lines { table, lines, files }
}

/// All but the state.
fn path(found: &Recorded, lines: &[(u32, u32)], files: Vec<String>) -> Stepped {
    let stretch = |raw: &exec::RawStretch| {
        let (file, line) = lines[raw.line as usize];
        Stretch { at: raw.at, warp: raw.warp, file, line, active: raw.active }
    };
    let path = found.path.iter().map(stretch).collect();
    let Recorded { executed, ended, counters, path_left_out, .. } = *found;
    Stepped { state: None, executed, ended, counters, fault: None, path, path_left_out, files }
}

/// A state with places and names in place of numbers.
fn named_state(program: &Program, run: &Run<'_>, names: &[Vec<Named>], raw: &RawState) -> State {
    let kernel = run.kernel;
    let origin = |listed: u32| kernel.listing.get(listed as usize).map(|l| l.origin).unwrap_or_default();
    let place = |listed: u32| program.place(kernel, origin(listed));
    let names = &names[raw.function as usize];
    let register = |(n, values, written): &(usize, [u64; crate::WARP], exec::Steps)| RegisterState {
        name: names[*n].name.clone(),
        ty: names[*n].ty.clone(),
        values: *values,
        written: *written,
    };
    let warp = |warp: &exec::RawWarp| WarpState {
        lanes: warp.lanes,
        executed: warp.executed,
        paths: warp
            .paths
            .iter()
            .map(|(lanes, at, does)| Path { lanes: *lanes, at: place(*at), does: *does })
            .collect(),
        meetings: warp
            .meetings
            .iter()
            .map(|(at, expected, arrived)| Meeting {
                place: place(*at),
                expected: *expected,
                arrived: *arrived,
            })
            .collect(),
    };
    let (steps, noted): (Vec<u64>, Vec<_>) = raw.events.iter().cloned().unzip();
    let events = steps.into_iter().zip(resolve(program, run, &noted));
    let called = raw.callers.iter().flat_map(|origin| {
        let Place { source, inlined_at, .. } = program.place(kernel, *origin);
        source.into_iter().chain(inlined_at)
    });
    State {
        at: raw.at,
        warp: raw.warp,
        place: Place { called_at: called.collect(), ..place(raw.listed) },
        instruction: program.instruction(origin(raw.listed)),
        active: raw.active,
        executed: raw.executed,
        registers: raw.registers.iter().map(register).collect(),
        shared: raw.shared.clone(),
        shared_written: raw.shared_written.clone(),
        shared_variables: kernel.shared_variables.clone(),
        warps: raw.warps.iter().map(warp).collect(),
        events: events.map(|(at, access)| Event { at, access }).collect(),
        events_left_out: raw.events_left_out,
    }
}
