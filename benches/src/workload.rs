//! The workloads: a device with its memory filled and a launch that can be repeated.

use anyhow::{Context, Result};
use kernels::Source;
use simt::{Arg, Buffer, Chip, Device, Launch, ModuleId, Outcome};

/// A launch on a device of its own.
pub struct Workload {
    /// Name of the workload, with its size.
    pub name: &'static str,
    /// Its computation's name in C.
    pub reference: &'static str,
    /// Its size: elements, rows, bodies, pixels.
    pub n: u32,
    /// Input of the C program.
    pub reference_input: Vec<f32>,
    /// Acceptable ratio of its time to that of C, where there is a goal.
    pub ratio_goal: Option<f64>,
    /// Time of gpuocelot's JIT on two cores, in ms, where known.
    pub gpuocelot_ms: Option<f64>,
    device: Device,
    launch: Launch<'static>,
    output: Buffer,
    /// Bytes to skip, and to read.
    output_range: (u64, usize),
}

impl Workload {
    /// Runs it once, with the checks that find races and unwritten memory, or without them.
    ///
    /// # Errors
    /// As [`Device::launch`].
    pub fn run(&mut self, checks: bool) -> Result<Outcome> {
        self.device.options().checks = simt::Checks::all_or_none(checks);
        Ok(self.device.launch(&self.launch)?)
    }

    /// Runs it once and counts for every instruction.
    ///
    /// # Errors
    /// As [`Device::launch`].
    pub fn profile(&mut self) -> Result<Outcome> {
        self.device.options().profile = true;
        let outcome = self.run(false);
        self.device.options().profile = false;
        outcome
    }

    /// Output of the last run, as bytes.
    ///
    /// # Errors
    /// As [`Device::read`].
    pub fn output(&self) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.output_range.1];
        self.device.read(self.output, self.output_range.0, &mut bytes)?;
        Ok(bytes)
    }
}

/// All workloads.
///
/// # Errors
/// A kernel that does not decode or launch, which tests would have found.
pub fn all() -> Result<Vec<Workload>> {
    Ok(vec![
        stencil("stencil 2^20", 1 << 20, None, Some(80.0))?,
        stencil("stencil 2^24", 1 << 24, Some(12.0), None)?,
        product("product 256^3", 256, None, Some(34.0))?,
        product("product 512^3", 512, Some(20.0), None)?,
        forces("N-body 4096", 4096)?,
        render("ray tracer 1024^2", 1024)?,
    ])
}

/// A kernel that does nothing, with this many blocks of 32.
///
/// # Errors
/// As [`all`].
pub fn empty(blocks: u32) -> Result<(Device, Launch<'static>)> {
    let (device, module) = load(kernels::EMPTY.file, kernels::EMPTY.ptx)?;
    let launch = Launch {
        module,
        kernel: "empty",
        grid: [blocks, 1, 1],
        block: [32, 1, 1],
        shared_bytes: 0,
        args: vec![],
        cluster: None,
        cooperative: false,
    };
    Ok((device, launch))
}

/// A device with one module.
///
/// # Errors
/// As [`Device::load`].
pub fn load(name: &str, ptx: &str) -> Result<(Device, ModuleId)> {
    let mut device = Device::new(Chip::by_name("h200").context("no chip h200")?);
    let module = device.load(name, ptx)?;
    Ok((device, module))
}

fn stencil(
    name: &'static str,
    n: u32,
    ratio_goal: Option<f64>,
    gpuocelot_ms: Option<f64>,
) -> Result<Workload> {
    const RADIUS: usize = 4;
    const HALO: u64 = 4 * RADIUS as u64;
    let (mut device, module) = open(kernels::STENCIL)?;
    let coefficients = [0.0f32, 0.8, -0.2, 0.03809, -0.00357];
    device.write_symbol(module, "coef", 0, bytemuck::cast_slice(&coefficients))?;
    let values = noise(n as usize + 2 * RADIUS, 0.0, 1.0);
    let x = filled(&mut device, &values)?;
    let y = device.allocate(4 * values.len() as u64)?;
    Ok(Workload {
        name,
        reference: "stencil",
        n,
        reference_input: [&coefficients[..], &values].concat(),
        ratio_goal,
        gpuocelot_ms,
        device,
        launch: Launch {
            module,
            kernel: "stencil_constant",
            grid: [n / 256, 1, 1],
            block: [256, 1, 1],
            shared_bytes: (256 + 2 * RADIUS as u32) * 4,
            args: vec![Arg::Buffer(x, HALO), Arg::Buffer(y, HALO), size(n)],
            cluster: None,
            cooperative: false,
        },
        output: y,
        output_range: (HALO, 4 * n as usize),
    })
}

fn product(
    name: &'static str,
    n: u32,
    ratio_goal: Option<f64>,
    gpuocelot_ms: Option<f64>,
) -> Result<Workload> {
    let (mut device, module) = open(kernels::PRODUCT)?;
    let elements = (n * n) as usize;
    let values = noise(2 * elements, -1.0, 1.0);
    let (a, b) = (filled(&mut device, &values[..elements])?, filled(&mut device, &values[elements..])?);
    let c = device.allocate(4 * elements as u64)?;
    Ok(Workload {
        name,
        reference: "product",
        n,
        reference_input: values,
        ratio_goal,
        gpuocelot_ms,
        device,
        launch: Launch {
            module,
            kernel: "product",
            grid: [n / 16, n / 16, 1],
            block: [16, 16, 1],
            shared_bytes: 0,
            args: vec![Arg::Buffer(a, 0), Arg::Buffer(b, 0), Arg::Buffer(c, 0), size(n)],
            cluster: None,
            cooperative: false,
        },
        output: c,
        output_range: (0, 4 * elements),
    })
}

fn forces(name: &'static str, n: u32) -> Result<Workload> {
    let (mut device, module) = open(kernels::NBODY)?;
    let mut values = noise(4 * n as usize, -1.0, 1.0);
    for body in values.as_chunks_mut::<4>().0 {
        body[3] = (body[3] + 1.5) / n as f32; // masses are positive
    }
    let bodies = filled(&mut device, &values)?;
    let accelerations = device.allocate(4 * values.len() as u64)?;
    Ok(Workload {
        name,
        reference: "forces",
        n,
        output_range: (0, 4 * values.len()),
        reference_input: values,
        ratio_goal: None,
        gpuocelot_ms: None,
        device,
        launch: Launch {
            module,
            kernel: "forces",
            grid: [n / 256, 1, 1],
            block: [256, 1, 1],
            shared_bytes: 0,
            args: vec![Arg::Buffer(bodies, 0), Arg::Buffer(accelerations, 0), size(n)],
            cluster: None,
            cooperative: false,
        },
        output: accelerations,
    })
}

fn render(name: &'static str, n: u32) -> Result<Workload> {
    let (mut device, module) = open(kernels::RAYTRACER)?;
    // Red, green, blue, radius and place of each, in the ranges of the book that the scene is from.
    let (low, high) =
        ([0.0, 0.0, 0.0, 20.0, -500.0, -500.0, -500.0], [1.0, 1.0, 1.0, 120.0, 500.0, 500.0, 500.0]);
    let spheres: Vec<f32> = noise(7 * 20, 0.0, 1.0)
        .iter()
        .enumerate()
        .map(|(i, v)| low[i % 7] + v * (high[i % 7] - low[i % 7]))
        .collect();
    device.write_symbol(module, "spheres", 0, bytemuck::cast_slice(&spheres))?;
    let bytes = 4 * (n * n) as usize;
    let image = device.allocate(bytes as u64)?;
    Ok(Workload {
        name,
        reference: "render",
        n,
        reference_input: spheres,
        ratio_goal: None,
        gpuocelot_ms: None,
        device,
        launch: Launch {
            module,
            kernel: "render",
            grid: [n / 16, n / 16, 1],
            block: [16, 16, 1],
            shared_bytes: 0,
            args: vec![Arg::Buffer(image, 0)],
            cluster: None,
            cooperative: false,
        },
        output: image,
        output_range: (0, bytes),
    })
}

fn open(source: Source) -> Result<(Device, ModuleId)> {
    load(source.file, source.ptx)
}

fn filled(device: &mut Device, values: &[f32]) -> Result<Buffer> {
    let buffer = device.allocate(4 * values.len() as u64)?;
    device.write(buffer, 0, bytemuck::cast_slice(values))?;
    Ok(buffer)
}

fn size(n: u32) -> Arg {
    Arg::Value(n.to_le_bytes().to_vec())
}

/// Numbers without a pattern, the same in every run.
fn noise(count: usize, low: f32, high: f32) -> Vec<f32> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    (0..count).map(|_| low + next() * (high - low)).collect()
}
