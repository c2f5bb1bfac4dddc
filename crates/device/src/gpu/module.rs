//! Modules: loading them, and what is in them.

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_uint, c_void};

use cudarc::driver::{DriverError, result, sys};

use super::kernel::Kernel;
use super::{Gpu, driver, text};
use crate::error::{Error, Result};
use crate::handle::Module;
use crate::region::within;

pub(super) struct Loaded {
    pub(super) module: sys::CUmodule,
    pub(super) name: String,
    pub(super) declared: Declared,
    pub(super) kernels: HashMap<String, Kernel>,
}

/// Declarations in a module's PTX that its driver does not report. Of PTX that the driver reads and our parser does not,
/// nothing.
#[derive(Default)]
pub(super) struct Declared {
    /// `__constant__` and `__device__` variables: their names, and the types of their elements.
    pub(super) variables: Vec<(String, String)>,
    /// Kernels' parameters; their sizes and places are the driver's to say.
    pub(super) parameters: HashMap<String, Vec<simt::Parameter>>,
}

impl Declared {
    pub(super) fn of(ptx: &str) -> Declared {
        // Of bodies, nothing is needed.
        let Ok(module) = ptx::parse_some(ptx, |_| false) else { return Declared::default() };
        let variables = module.variables.iter().filter(|v| matches!(v.space, "const" | "global"));
        let parameter = |declared: &ptx::Variable<'_>| simt::Parameter {
            name: declared.name.to_owned(),
            ty: declared.ty.to_owned(),
            is_pointer: declared.pointer,
            is_array: !declared.dimensions.is_empty() || declared.vector > 1,
            offset: 0,
            bytes: 0,
            align: declared.align.and_then(|align| u32::try_from(align).ok()).unwrap_or(u32::MAX),
        };
        let kernels = module.functions.iter().filter(|function| function.is_kernel);
        Declared {
            variables: variables.map(|v| (v.name.to_owned(), v.ty.to_owned())).collect(),
            parameters: kernels
                .map(|kernel| (kernel.name.to_owned(), kernel.parameters.iter().map(parameter).collect()))
                .collect(),
        }
    }
}

impl Gpu {
    pub(super) fn loaded(&self, module: Module) -> Result<&Loaded> {
        Ok(self.modules.get(&module.0).ok_or(simt::Error::ForeignHandle("module"))?)
    }

    /// The address `offset` bytes past a module's variable, of which `len` bytes are inside it.
    pub(super) fn variable(
        &self,
        module: Module,
        name: &str,
        offset: u64,
        len: u64,
    ) -> Result<sys::CUdeviceptr> {
        let (address, size) = self.found(module, name)?;
        within(&format!("variable `{name}`"), offset, len, size)?;
        Ok(address + offset)
    }

    /// The address and the size of a module's variable.
    pub(super) fn found(&self, module: Module, name: &str) -> Result<(sys::CUdeviceptr, u64)> {
        self.bind()?;
        let loaded = self.loaded(module)?;
        let found = c_string(name).and_then(|name| {
            // SAFETY: the module is ours.
            match unsafe { result::module::get_global(loaded.module, name) } {
                Err(DriverError(sys::CUresult::CUDA_ERROR_NOT_FOUND)) => None,
                found => Some(found),
            }
        });
        let Some(found) = found else {
            let module = loaded.name.clone();
            let there = loaded.declared.variables.iter().map(|(name, _)| name.clone()).collect();
            return Err(simt::Error::MissingSymbol { symbol: name.to_owned(), module, there }.into());
        };
        let (address, size) = found.map_err(driver(format!("symbol {name}")))?;
        Ok((address, size as u64))
    }
}

/// A name for the driver; an empty one, or one with a NUL in it, names nothing.
pub(super) fn c_string(name: &str) -> Option<CString> {
    if name.is_empty() { None } else { CString::new(name).ok() }
}

/// Loads PTX into the current context, optimised at a level of 0 to 4 if one is given. The log of the driver's compiler is in the
/// error.
pub(super) fn load(name: &str, ptx: &str, optimization: Option<u32>) -> Result<sys::CUmodule> {
    let bad = |line, message: String| {
        let place = simt::Place::in_ptx(name, (line, 1));
        Error::Simt(simt::Error::BadPtx { place: place.into(), message })
    };
    // The driver also takes machine code, by its first bytes, and then reads as far as that says.
    let (Ok(image), true) = (CString::new(ptx), ptx.contains(".version") && !ptx.starts_with('\x7f')) else {
        return Err(bad(1, "this is not PTX: it has no .version directive, or a NUL".to_owned()));
    };

    let mut log = [0_u8; 8 << 10];
    let mut options = [
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        sys::CUjit_option::CU_JIT_GENERATE_LINE_INFO, // for profilers
        sys::CUjit_option::CU_JIT_OPTIMIZATION_LEVEL, // the last: it may be left out
    ];
    let count = options.len() - usize::from(optimization.is_none());
    let mut values: [*mut c_void; 4] = [
        log.as_mut_ptr().cast(),
        std::ptr::without_provenance_mut(log.len()),
        std::ptr::without_provenance_mut(1),
        std::ptr::without_provenance_mut(optimization.unwrap_or_default() as usize),
    ];
    let mut module = std::ptr::null_mut();
    // SAFETY: the image is text that ends with a NUL; each option has its value, integers as the manual wants them; the
    // log is as long as it says and outlives the call.
    let status = unsafe {
        sys::cuModuleLoadDataEx(
            &mut module,
            image.as_ptr().cast(),
            count as c_uint,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    let log = CStr::from_bytes_until_nul(&log).map(CStr::to_string_lossy).unwrap_or_default();
    let log = log.trim();
    match status.result() {
        Ok(()) => Ok(module),
        Err(DriverError(sys::CUresult::CUDA_ERROR_INVALID_PTX)) if !log.is_empty() => {
            Err(bad(line(log), log.to_owned()))
        }
        Err(error) => {
            let mut message = text(error);
            if error.0 == sys::CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION {
                message += "\n  a compiler newer than the driver made it: update the driver";
            }
            if !log.is_empty() {
                message = format!("{message}\n{log}");
            }
            Err(Error::Driver { call: format!("loading {name}"), message })
        }
    }
}

/// The line that ptxas names first (`ptxas application ptx input, line 7; error : …`), or 1.
fn line(log: &str) -> u32 {
    let digits = log.split_once(", line ").map_or("", |(_, rest)| rest);
    let end = digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().unwrap_or(1)
}

/// Names of a module's kernels.
pub(super) fn kernels(module: sys::CUmodule) -> Result<Vec<String>> {
    let mut count: c_uint = 0;
    // SAFETY: the module is ours; writes one int.
    unsafe { sys::cuModuleGetFunctionCount(&mut count, module) }
        .result()
        .map_err(driver("cuModuleGetFunctionCount"))?;
    let mut functions: Vec<sys::CUfunction> = vec![std::ptr::null_mut(); count as usize];
    // SAFETY: the module is ours; there is room for `count` functions.
    unsafe { sys::cuModuleEnumerateFunctions(functions.as_mut_ptr(), count, module) }
        .result()
        .map_err(driver("cuModuleEnumerateFunctions"))?;
    functions
        .into_iter()
        .map(|function| {
            let mut name = std::ptr::null();
            // SAFETY: the function is of our module; writes one pointer.
            unsafe { sys::cuFuncGetName(&mut name, function) }.result().map_err(driver("cuFuncGetName"))?;
            // SAFETY: a C string that lives as long as the module, by the manual.
            Ok(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
        })
        .collect()
}

/// A kernel's parameters: their sizes by the driver, the rest as its PTX declares them, where that is known.
pub(super) fn parameters(
    function: sys::CUfunction,
    declared: Option<&Vec<simt::Parameter>>,
) -> Result<Vec<simt::Parameter>> {
    let mut parameters: Vec<simt::Parameter> = Vec::new();
    loop {
        let (mut offset, mut size) = (0, 0);
        let number = parameters.len();
        // SAFETY: the function is of a module of ours; writes two integers.
        match unsafe { sys::cuFuncGetParamInfo(function, number, &mut offset, &mut size) } {
            sys::CUresult::CUDA_SUCCESS => {
                let known = declared.and_then(|all| all.get(number)).cloned();
                let bytes = u32::try_from(size).unwrap_or(u32::MAX);
                parameters.push(simt::Parameter {
                    bytes,
                    offset: u32::try_from(offset).unwrap_or(u32::MAX),
                    ..known.unwrap_or_else(|| unknown(number, bytes))
                });
            }
            sys::CUresult::CUDA_ERROR_INVALID_VALUE => return Ok(parameters), // the index after the last
            error => return Err(driver("cuFuncGetParamInfo")(DriverError(error))),
        }
    }
}

/// A parameter of which nothing but its size is known: anything of that size fits.
fn unknown(number: usize, bytes: u32) -> simt::Parameter {
    let ty = format!("b{}", u64::from(bytes) * 8);
    simt::Parameter {
        name: number.to_string(),
        ty,
        is_array: false,
        is_pointer: false,
        offset: 0,
        bytes,
        align: u32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_in_ptxas_log_is_found() {
        assert_eq!(line("ptxas application ptx input, line 17; error   : Unknown symbol 'x'"), 17);
        assert_eq!(line("ptxas fatal   : something"), 1);
    }

    #[test]
    fn variables_of_a_module_are_listed_and_nothing_else() {
        let ptx = r#"
            .version 8.0 .target sm_52 .address_size 64
            // .const .f32 in_a_comment;
            .const .align 4 .b8 coef[20];
            .visible .global .align 8 .u64 counter = 7;
            .global .align 4 .f32 table[2] = {0f3F800000, 0f40000000};
            .extern .shared .align 16 .b8 smem[];
            .visible .entry k(.param .u64 p) {
                .reg .f32 %f<2>;
                ld.const.f32 %f1, [coef];
                st.global.f32 [%rd1], %f1;
                ret;
            }
            .file 1 ".const .u32 in_a_string;"
            .global .f32 last;"#;
        let declared = Declared::of(ptx);
        let wanted = [("coef", "b8"), ("counter", "u64"), ("table", "f32"), ("last", "f32")];
        assert_eq!(declared.variables, wanted.map(|(name, ty)| (name.to_owned(), ty.to_owned())));
        let parameters = &declared.parameters["k"];
        assert_eq!((parameters.len(), parameters[0].ty.as_str(), parameters[0].is_array), (1, "u64", false));
    }

    #[test]
    fn text_that_is_not_ptx_has_no_variables() {
        for text in ["", "/*", "//", "\"", "}}{;=[", ".const", "ä.const ö;"] {
            assert!(Declared::of(text).variables.is_empty(), "{text}");
        }
    }
}
