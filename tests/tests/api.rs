//! The book's table of host calls (`book/api.toml`): every name of cudarc's is compiled here, and every place in this
//! repository is looked up.

use cudarc::driver::{
    self, CudaContext, CudaEvent, CudaFunction, CudaModule, CudaStream, LaunchArgs, result, sys,
};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

type Error = Box<dyn std::error::Error>;

#[derive(Deserialize)]
struct Calls {
    part: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    call: Vec<Call>,
}

#[derive(Deserialize)]
struct Call {
    runtime: String,
    driver: Vec<String>,
    raw: Vec<String>,
    safe: Vec<String>,
    here: Vec<String>,
}

/// Compiles each function's name, and returns the names as the table writes them: without type arguments.
macro_rules! compiled {
    ($($name:expr;)*) => {
        [$({
            let _ = $name;
            let written: String = stringify!($name).split_whitespace().collect();
            written.split("::<").next().unwrap_or_default().to_owned()
        }),*]
    };
}

/// Functions of cudarc's thin layers over the driver.
fn thin() -> Vec<String> {
    use result::DriverError;
    let names = compiled![
        result::primary_ctx::retain;
        result::primary_ctx::release;
        result::ctx::set_current;
        result::ctx::synchronize;
        result::device::get_name;
        result::device::get_attribute;
        result::device::total_mem;
        result::DriverError::error_name;
        result::DriverError::error_string;
        result::malloc_sync;
        result::free_sync;
        result::malloc_host;
        result::free_host;
        result::memset_d8_sync;
        result::memcpy_htod_sync::<f32>;
        result::memcpy_dtoh_sync::<f32>;
        result::memcpy_dtod_sync;
        result::memcpy_htod_async::<f32>;
        result::memcpy_dtoh_async::<f32>;
        result::memcpy_dtod_async;
        result::module::load_data;
        result::module::get_function;
        result::module::get_global;
        result::launch_kernel;
        result::function::set_function_attribute;
        result::stream::create;
        result::stream::synchronize;
        result::event::create;
        result::event::record;
        result::event::synchronize;
        result::event::elapsed;
        result::event::destroy;
        sys::cuDevicePrimaryCtxReset_v2;
        sys::cuMemAllocPitch_v2;
        sys::cuMemsetD32_v2;
        sys::cuMemcpy;
        sys::cuMemcpy2D_v2;
        sys::cuMemcpy3D_v2;
        sys::cuLaunchKernelEx;
        sys::cuModuleLoadDataEx;
    ];
    let _: Option<DriverError> = None;
    names.into()
}

/// Methods of cudarc's safe layer.
fn safe() -> Vec<String> {
    type Host = Vec<f32>;
    type Memory = driver::CudaSlice<f32>;
    let names = compiled![
        CudaContext::new;
        CudaContext::bind_to_thread;
        CudaContext::name;
        CudaContext::attribute;
        CudaContext::total_mem;
        CudaContext::synchronize;
        CudaContext::check_err;
        CudaContext::alloc_pinned_with_flags::<f32>;
        CudaContext::load_module;
        CudaContext::new_stream;
        CudaContext::default_stream;
        CudaContext::new_event;
        CudaStream::alloc::<f32>;
        CudaStream::alloc_zeros::<f32>;
        CudaStream::memset_zeros::<f32, Memory>;
        CudaStream::memcpy_htod::<f32, Host, Memory>;
        CudaStream::clone_htod::<f32, Host>;
        CudaStream::memcpy_dtoh::<f32, Memory, Host>;
        CudaStream::clone_dtoh::<f32, Memory>;
        CudaStream::memcpy_dtod::<f32, Memory, Memory>;
        CudaStream::clone_dtod::<f32, Memory>;
        CudaStream::launch_builder;
        CudaStream::synchronize;
        CudaStream::record_event;
        CudaModule::get_global;
        CudaModule::load_function;
        CudaFunction::set_attribute;
        CudaEvent::record;
        CudaEvent::synchronize;
        CudaEvent::elapsed_ms;
        LaunchArgs::launch;
    ];
    names.into()
}

fn names() -> BTreeSet<String> {
    thin().into_iter().chain(safe()).collect()
}

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn calls() -> Result<Vec<Call>, Error> {
    let calls: Calls = toml::from_str(&std::fs::read_to_string(root().join("book/api.toml"))?)?;
    Ok(calls.part.into_iter().flat_map(|part| part.call).collect())
}

#[test]
fn cudarc_has_every_name_of_the_table() -> Result<(), Error> {
    let names = names();
    let calls = calls()?;
    for call in &calls {
        for name in call.raw.iter().chain(&call.safe) {
            assert!(names.contains(name), "{}: `{name}` is not compiled in this test", call.runtime);
        }
    }
    // And nothing is compiled here for a row that is gone.
    let shown: BTreeSet<&String> = calls.iter().flat_map(|call| call.raw.iter().chain(&call.safe)).collect();
    for name in &names {
        assert!(shown.contains(name), "{name} is in no row");
    }
    Ok(())
}

#[test]
fn every_place_it_names_makes_one_of_the_calls() -> Result<(), Error> {
    for Call { runtime, driver, raw, here, .. } in calls()? {
        let mut makes = here.is_empty();
        for place in &here {
            let (file, function) = place.split_once(':').ok_or_else(|| format!("{runtime}: {place}"))?;
            let text =
                std::fs::read_to_string(root().join(file)).map_err(|e| format!("{runtime}: {file}: {e}"))?;
            assert!(
                text.contains(&format!("fn {function}(")) || text.contains(&format!("fn {function}<")),
                "{runtime}: no {function} in {file}"
            );
            let last = |name: &String| format!("{}(", name.rsplit("::").next().unwrap_or_default());
            let called = raw.iter().any(|name| text.contains(&last(name)));
            let named = driver.iter().any(|name| text.contains(name));
            makes |= called || named || raw.is_empty();
        }
        assert!(makes, "{runtime}: none of {raw:?} in {here:?}");
    }
    Ok(())
}
