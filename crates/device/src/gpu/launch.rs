//! Launches: checks against the kernel and the GPU, and the call of the driver.

use std::ffi::{c_int, c_uint, c_void};

use cudarc::driver::{DriverError, result, sys};

use super::kernel::Kernel;
use super::module::{c_string, kernels, parameters};
use super::{Gpu, driver};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::handle::Module;
use crate::parameter;
use crate::step::Launch;

/// Shared memory a block can have without asking for more, bytes (CUDA C++ Programming Guide, "Compute capabilities").
const SHARED_WITHOUT_ASKING: u64 = 48 << 10;

impl Gpu {
    /// A kernel with what is known of it, found once.
    pub(super) fn kernel(&mut self, module: Module, name: &str) -> Result<Kernel> {
        let loaded = self.modules.get_mut(&module.0).ok_or(simt::Error::ForeignHandle("module"))?;
        if let Some(kernel) = loaded.kernels.get(name) {
            return Ok(kernel.clone());
        }
        let found = c_string(name).and_then(|name| {
            // SAFETY: the module is ours.
            match unsafe { result::module::get_function(loaded.module, name) } {
                Err(DriverError(sys::CUresult::CUDA_ERROR_NOT_FOUND)) => None,
                found => Some(found),
            }
        });
        let Some(found) = found else {
            let (module, there) = (loaded.name.clone(), kernels(loaded.module)?);
            return Err(simt::Error::MissingKernel { kernel: name.to_owned(), module, there }.into());
        };
        let function = found.map_err(driver(format!("kernel {name}")))?;
        let attribute = |attribute| {
            // SAFETY: the function is of a module that is ours.
            let value = unsafe { result::function::get_function_attribute(function, attribute) };
            value.map(i32::unsigned_abs).map_err(driver("cuFuncGetAttribute"))
        };
        use sys::CUfunction_attribute as Attribute;
        let kernel = Kernel {
            function,
            parameters: parameters(function, loaded.declared.parameters.get(name))?,
            threads: attribute(Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            static_shared: attribute(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?.into(),
            constant: attribute(Attribute::CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES)?.into(),
            registers: attribute(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
        };
        loaded.kernels.insert(name.to_owned(), kernel.clone());
        Ok(kernel)
    }

    /// Checks a launch and makes it ready, so that only the driver's own failures are left.
    pub(super) fn prepare(&mut self, launch: &Launch) -> Result<Prepared> {
        self.bind()?;
        let kernel = self.kernel(launch.module, &launch.kernel)?;
        self.check_shape(launch, &kernel)?;
        let dynamic = u64::from(launch.shared_bytes);
        if kernel.static_shared + dynamic > SHARED_WITHOUT_ASKING {
            let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            // check_shape compared it with the limit, an i32.
            let bytes = i32::try_from(dynamic).unwrap_or(i32::MAX);
            // SAFETY: the function is of a module that is ours.
            unsafe { result::function::set_function_attribute(kernel.function, attribute, bytes) }.map_err(
                driver(format!("kernel {} with {bytes} bytes of dynamic shared memory", launch.kernel)),
            )?;
        }

        let arguments = launch
            .args
            .iter()
            .map(|arg| arg.bytes(&|buffer| self.address(buffer)))
            .collect::<Result<Vec<_>>>()?;
        let sizes: Vec<usize> = arguments.iter().map(Vec::len).collect();
        parameter::check(&launch.kernel, &kernel.parameters, &launch.args, &sizes)?;
        // The driver copies from these at each launch; whole words align them as their types want.
        let arguments = arguments
            .iter()
            .map(|bytes| {
                let mut words = vec![0_u64; bytes.len().div_ceil(8)];
                for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
                    let mut whole = [0; 8];
                    whole[..bytes.len()].copy_from_slice(bytes);
                    *word = u64::from_ne_bytes(whole);
                }
                words
            })
            .collect();
        Ok(Prepared { function: kernel.function, arguments })
    }

    /// Refuses what the driver would only call an "invalid argument".
    fn check_shape(&self, launch: &Launch, kernel: &Kernel) -> Result<()> {
        let refused = |message| {
            Err(Error::Simt(simt::Error::TooManyThreads { kernel: launch.kernel.clone(), message }))
        };
        for (what, sizes, limits) in
            [("grid", launch.grid, self.limits.grid), ("block", launch.block, self.limits.block)]
        {
            for ((size, limit), axis) in sizes.into_iter().zip(limits).zip(["x", "y", "z"]) {
                if size == 0 || size > limit {
                    return refused(format!("{what} size {size} in {axis}, must be from 1 to {limit}"));
                }
            }
        }
        let threads: u64 = launch.block.into_iter().map(u64::from).product(); // each at most 1024, as checked
        if threads > u64::from(self.limits.threads) {
            return refused(format!(
                "{threads} threads a block, at most {} are allowed",
                self.limits.threads
            ));
        }
        if threads > u64::from(kernel.threads) {
            let message =
                format!("{threads} threads a block, its registers or bounds allow {}", kernel.threads);
            return refused(message);
        }
        let bytes = kernel.static_shared + u64::from(launch.shared_bytes);
        if bytes > self.limits.shared {
            let (kernel, chip) = (launch.kernel.clone(), self.description.name.clone());
            return Err(Error::Simt(simt::Error::TooMuchShared {
                kernel,
                bytes,
                chip,
                limit: self.limits.shared,
            }));
        }
        if launch.cooperative { self.check_cooperative(launch, kernel) } else { Ok(()) }
    }

    /// Blocks of a launch that a multiprocessor has room for at a time; of one whose shape was checked.
    pub(super) fn resident(&self, launch: &Launch, kernel: &Kernel) -> Result<u32> {
        let threads: u32 = launch.block.into_iter().product();
        let mut of_one = 0;
        // SAFETY: the function is of a module that is ours; writes one int. check_shape compared the threads with the
        // limit, an int.
        unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut of_one,
                kernel.function,
                threads as c_int,
                launch.shared_bytes as usize,
            )
        }
        .result()
        .map_err(driver("cuOccupancyMaxActiveBlocksPerMultiprocessor"))?;
        Ok(of_one.unsigned_abs())
    }

    /// The blocks of a cooperative launch must fit the GPU together.
    fn check_cooperative(&self, launch: &Launch, kernel: &Kernel) -> Result<()> {
        let of_one = self.resident(launch, kernel)?;
        let multiprocessors = self.description.multiprocessors;
        let capacity = u64::from(of_one) * u64::from(multiprocessors);
        let blocks: u64 = launch.grid.into_iter().map(u64::from).fold(1, u64::saturating_mul);
        if blocks <= capacity {
            return Ok(());
        }
        let message = format!(
            "{blocks} blocks in a cooperative launch, but {} has room for {capacity} at a time: {of_one} on each of its \
             {multiprocessors} multiprocessors",
            self.description.name
        );
        Err(Error::Simt(simt::Error::TooManyThreads { kernel: launch.kernel.clone(), message }))
    }

    /// Queues a prepared launch.
    pub(super) fn enqueue(&self, launch: &Launch, prepared: &mut Prepared) -> Result<()> {
        let mut pointers: Vec<*mut c_void> =
            prepared.arguments.iter_mut().map(|words| words.as_mut_ptr().cast()).collect();
        use sys::CUlaunchAttributeID as Id;
        let attribute = |id, value| sys::CUlaunchAttribute { id, pad: [0; 4], value };
        let mut attributes = vec![];
        if let Some([x, y, z]) = launch.cluster {
            let cluster = sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x, y, z };
            let value = sys::CUlaunchAttributeValue { clusterDim: cluster };
            attributes.push(attribute(Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, value));
        }
        if launch.cooperative {
            let value = sys::CUlaunchAttributeValue { cooperative: 1 };
            attributes.push(attribute(Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE, value));
        }
        let config = sys::CUlaunchConfig {
            gridDimX: launch.grid[0],
            gridDimY: launch.grid[1],
            gridDimZ: launch.grid[2],
            blockDimX: launch.block[0],
            blockDimY: launch.block[1],
            blockDimZ: launch.block[2],
            sharedMemBytes: launch.shared_bytes,
            hStream: self.stream,
            attrs: attributes.as_mut_ptr(),
            numAttrs: attributes.len() as c_uint,
        };
        // SAFETY: the function is of a module that is ours and so is the stream; there is one pointer for each
        // parameter, to as many bytes as it has, and as many attributes as `config` says. What the kernel does with
        // device memory cannot reach the host's.
        unsafe {
            sys::cuLaunchKernelEx(&config, prepared.function, pointers.as_mut_ptr(), std::ptr::null_mut())
        }
        .result()
        .map_err(driver(format!("launch of kernel {}", launch.kernel)))
    }
}

/// A launch that fits its kernel.
pub(super) struct Prepared {
    function: sys::CUfunction,
    /// Each argument as whole words.
    arguments: Vec<Vec<u64>>,
}
