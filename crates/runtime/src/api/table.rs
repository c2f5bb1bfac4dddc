//! The functions of the API by name.
//!
//! Enters: a name, and arguments. Leaves: the function's result. A signature has a letter for the result and one for each
//! parameter: `i` of 32 bits, `l` of 64 bits, `p` a pointer or the address of a struct, `f` and `d` floating-point numbers,
//! `v` nothing.

use super::{
    Answer, Api, Call, Status, Stop, allocate, arrays, capture, copy, copy_3d, devices, events, functions,
    graph_calls, graph_launch, graph_nodes, host_memory, launch, occupancy, pools, set, stream_attributes,
    stream_calls, symbols, textures,
};
use crate::guest::{Guest, Signal};
use crate::heap::Heap;

/// What a function of the API returns, and what it leaves for later calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Returns {
    /// An error, which `cudaGetLastError` returns too.
    Error,
    /// An error; after a fault of the device it still answers.
    Answer,
    /// Something else.
    Value,
}

/// As many errors are kept that the program has not looked at.
const MOST_UNSEEN: usize = 1000;

type Run = fn(&mut Call<'_>, &[u64]) -> Answer;

/// A function of the API.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Types of its result and its parameters, by letters.
    pub signature: &'static str,
    returns: Returns,
    run: Run,
}

/// The function of a name.
pub fn find(name: &str) -> Option<&'static Function> {
    ALL.binary_search_by_key(&name, |row| row.name).ok().map(|at| &ALL[at])
}

/// Names of all functions.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|row| row.name)
}

impl Function {
    /// Calls it.
    ///
    /// # Errors
    /// The end of the program.
    pub fn call(
        &self,
        api: &mut Api,
        heap: &mut Heap,
        guest: &mut dyn Guest,
        arguments: &[u64],
    ) -> Result<u64, Signal> {
        let wanted = self.signature.len() - 1;
        if arguments.len() < wanted {
            let message = format!("{} with {} arguments, but it has {wanted}", self.name, arguments.len());
            return Err(Signal::Limit(message));
        }
        let (site, before) = (guest.site(), api.streams.host_ns);
        let sticky = api.errors.sticky;
        api.note_given(site, arguments);
        let mut call = Call { api, heap, guest, name: self.name, site };
        let result = match (self.returns, sticky) {
            (Returns::Error, _) if call.api.in_callback => call.refuse(
                Status::NOT_PERMITTED,
                "this call",
                "a function that a stream calls must not call the CUDA runtime",
            ),
            (Returns::Error, Some(status)) => Err(Stop::Error(status)),
            _ => call.check_captures().and_then(|()| (self.run)(&mut call, arguments)),
        };
        let took = api.streams.host_ns - before;
        match self.returns {
            Returns::Value => api.profile.value(self.name),
            Returns::Error | Returns::Answer => {
                api.profile.call(self.name, api.streams.host_ns, took, site);
            }
        }
        match result {
            Ok(value) => Ok(value),
            Err(Stop::Signal(signal)) => Err(signal),
            Err(Stop::Error(status)) => {
                let name = if self.name == "__cudaLaunch" { launch::LAUNCH } else { self.name };
                api.failed(name, status, site);
                Ok(status.0.into())
            }
        }
    }
}

impl Api {
    /// Keeps an error for `cudaGetLastError`.
    fn failed(&mut self, name: &'static str, status: Status, site: crate::guest::Site) {
        self.errors.last = Some(status);
        // Not being ready is an answer.
        if status != Status::NOT_READY && self.errors.unseen.len() < MOST_UNSEEN {
            self.errors.unseen.push((status, name, site));
        }
    }
}

const fn error(name: &'static str, signature: &'static str, run: Run) -> Function {
    Function { name, signature, returns: Returns::Error, run }
}

const fn answer(name: &'static str, signature: &'static str, run: Run) -> Function {
    Function { name, signature, returns: Returns::Answer, run }
}

const fn value(name: &'static str, signature: &'static str, run: Run) -> Function {
    Function { name, signature, returns: Returns::Value, run }
}

/// All functions, by name.
#[rustfmt::skip]
const ALL: &[Function] = &[
    value("__cudaBeginThread", "i", stream_calls::begin_thread),
    value("__cudaEndThread", "ii", stream_calls::end_thread),
    error("__cudaLaunch", "ipp", launch::launch_configured),
    value("__cudaPushCallConfiguration", "ipplp", launch::push_configuration),
    error("cudaArrayGetInfo", "ipppp", arrays::array_info),
    answer("cudaChooseDevice", "ipp", devices::choose),
    error("cudaCreateSurfaceObject", "ipp", textures::create_surface),
    error("cudaCreateTextureObject", "ipppp", textures::create_texture),
    error("cudaCtxResetPersistingL2Cache", "i", stream_attributes::reset_persisting),
    error("cudaDestroySurfaceObject", "il", textures::destroy_surface),
    error("cudaDestroyTextureObject", "il", textures::destroy_texture),
    error("cudaDeviceCanAccessPeer", "ipii", devices::can_access_peer),
    error("cudaDeviceDisablePeerAccess", "ii", devices::disable_peer_access),
    error("cudaDeviceEnablePeerAccess", "iii", devices::enable_peer_access),
    answer("cudaDeviceGetAttribute", "ipii", devices::get_attribute),
    error("cudaDeviceGetByPCIBusId", "ipp", devices::by_pci_bus_id),
    error("cudaDeviceGetCacheConfig", "ip", devices::get_cache_config),
    error("cudaDeviceGetDefaultMemPool", "ipi", pools::default_pool),
    error("cudaDeviceGetLimit", "ipi", devices::get_limit),
    error("cudaDeviceGetMemPool", "ipi", pools::current_pool),
    error("cudaDeviceGetP2PAttribute", "ipiii", devices::peer_attribute),
    error("cudaDeviceGetPCIBusId", "ipii", devices::pci_bus_id),
    error("cudaDeviceGetSharedMemConfig", "ip", devices::get_shared_config),
    error("cudaDeviceGetStreamPriorityRange", "ipp", devices::priority_range),
    error("cudaDeviceGraphMemTrim", "ii", graph_nodes::trim),
    error("cudaDeviceReset", "i", devices::reset),
    error("cudaDeviceSetCacheConfig", "ii", devices::set_cache_config),
    error("cudaDeviceSetLimit", "iil", devices::set_limit),
    error("cudaDeviceSetMemPool", "iip", pools::set_pool),
    error("cudaDeviceSetSharedMemConfig", "ii", devices::set_shared_config),
    error("cudaDeviceSynchronize", "i", devices::synchronize),
    answer("cudaDriverGetVersion", "ip", devices::version),
    error("cudaEventCreate", "ip", events::create),
    error("cudaEventCreateWithFlags", "ipi", events::create_with_flags),
    error("cudaEventDestroy", "ip", events::destroy),
    error("cudaEventElapsedTime", "ippp", events::elapsed_time),
    error("cudaEventQuery", "ip", events::query),
    error("cudaEventRecord", "ipp", events::record),
    error("cudaEventRecordWithFlags", "ippi", events::record_with_flags),
    error("cudaEventSynchronize", "ip", events::synchronize),
    error("cudaFree", "ip", allocate::free),
    error("cudaFreeArray", "ip", arrays::free_array),
    error("cudaFreeAsync", "ipp", allocate::free_async),
    error("cudaFreeHost", "ip", host_memory::free_host),
    error("cudaFuncGetAttributes", "ipp", functions::get_attributes),
    error("cudaFuncGetName", "ipp", functions::get_name),
    error("cudaFuncSetAttribute", "ipii", functions::set_attribute),
    error("cudaFuncSetCacheConfig", "ipi", functions::set_cache_config),
    error("cudaFuncSetSharedMemConfig", "ipi", functions::set_shared_config),
    error("cudaGetChannelDesc", "ipp", arrays::channel_descriptor),
    answer("cudaGetDevice", "ip", devices::get),
    answer("cudaGetDeviceCount", "ip", devices::count),
    error("cudaGetDeviceFlags", "ip", devices::get_flags),
    answer("cudaGetDeviceProperties", "ipi", devices::get_properties),
    value("cudaGetErrorName", "pi", devices::error_name),
    value("cudaGetErrorString", "pi", devices::error_string),
    value("cudaGetLastError", "i", devices::last_error),
    error("cudaGetSurfaceObjectResourceDesc", "ipl", textures::surface_resource),
    error("cudaGetSymbolAddress", "ipp", symbols::symbol_address),
    error("cudaGetSymbolSize", "ipp", symbols::symbol_size),
    error("cudaGetTextureObjectResourceDesc", "ipl", textures::texture_resource),
    error("cudaGetTextureObjectTextureDesc", "ipl", textures::texture_description),
    error("cudaGraphAddChildGraphNode", "ippplp", graph_nodes::add_child),
    error("cudaGraphAddDependencies", "ippppl", graph_calls::add_dependencies),
    error("cudaGraphAddEmptyNode", "ipppl", graph_nodes::add_empty),
    error("cudaGraphAddEventRecordNode", "ippplp", graph_nodes::add_record),
    error("cudaGraphAddEventWaitNode", "ippplp", graph_nodes::add_wait),
    error("cudaGraphAddHostNode", "ippplp", graph_nodes::add_host),
    error("cudaGraphAddKernelNode", "ippplp", graph_nodes::add_kernel),
    error("cudaGraphAddMemAllocNode", "ippplp", graph_nodes::add_allocation),
    error("cudaGraphAddMemFreeNode", "ippplp", graph_nodes::add_end),
    error("cudaGraphAddMemcpyNode", "ippplp", graph_nodes::add_copy),
    error("cudaGraphAddMemcpyNode1D", "ippplppli", graph_nodes::add_line),
    error("cudaGraphAddMemcpyNodeFromSymbol", "ippplpplli", graph_nodes::add_from_symbol),
    error("cudaGraphAddMemcpyNodeToSymbol", "ippplpplli", graph_nodes::add_to_symbol),
    error("cudaGraphAddMemsetNode", "ippplp", graph_nodes::add_set),
    error("cudaGraphAddNode", "ipppplp", graph_nodes::add_node),
    error("cudaGraphChildGraphNodeGetGraph", "ipp", graph_calls::child_graph),
    error("cudaGraphClone", "ipp", graph_calls::clone),
    error("cudaGraphCreate", "ipi", graph_calls::create),
    error("cudaGraphDestroy", "ip", graph_calls::destroy),
    error("cudaGraphDestroyNode", "ip", graph_calls::destroy_node),
    error("cudaGraphExecDestroy", "ip", graph_calls::destroy_executable),
    error("cudaGraphExecGetFlags", "ipp", graph_calls::executable_flags),
    error("cudaGraphExecHostNodeSetParams", "ippp", graph_nodes::change_host_step),
    error("cudaGraphExecKernelNodeSetParams", "ippp", graph_nodes::change_kernel_step),
    error("cudaGraphExecMemcpyNodeSetParams", "ippp", graph_nodes::change_copy_step),
    error("cudaGraphExecMemcpyNodeSetParams1D", "ippppli", graph_nodes::change_line_step),
    error("cudaGraphExecMemsetNodeSetParams", "ippp", graph_nodes::change_set_step),
    error("cudaGraphExecUpdate", "ippp", graph_calls::update),
    error("cudaGraphGetEdges", "ippppp", graph_calls::edges),
    error("cudaGraphGetNodes", "ippp", graph_calls::nodes),
    error("cudaGraphGetRootNodes", "ippp", graph_calls::root_nodes),
    error("cudaGraphHostNodeGetParams", "ipp", graph_nodes::host_parameters),
    error("cudaGraphHostNodeSetParams", "ipp", graph_nodes::change_host),
    error("cudaGraphInstantiate", "ippl", graph_calls::instantiate),
    error("cudaGraphInstantiateWithFlags", "ippl", graph_calls::instantiate),
    error("cudaGraphInstantiateWithParams", "ippp", graph_calls::instantiate_with),
    error("cudaGraphKernelNodeGetParams", "ipp", graph_nodes::kernel_parameters),
    error("cudaGraphKernelNodeSetAttribute", "ipip", graph_nodes::set_attribute),
    error("cudaGraphKernelNodeSetParams", "ipp", graph_nodes::change_kernel),
    error("cudaGraphLaunch", "ipp", graph_launch::launch),
    error("cudaGraphMemcpyNodeSetParams", "ipp", graph_nodes::change_copy),
    error("cudaGraphMemcpyNodeSetParams1D", "ipppli", graph_nodes::change_line),
    error("cudaGraphMemsetNodeGetParams", "ipp", graph_nodes::set_parameters),
    error("cudaGraphMemsetNodeSetParams", "ipp", graph_nodes::change_set),
    error("cudaGraphNodeFindInClone", "ippp", graph_calls::find_in_clone),
    error("cudaGraphNodeGetDependencies", "ipppp", graph_calls::dependencies),
    error("cudaGraphNodeGetDependentNodes", "ipppp", graph_calls::dependent_nodes),
    error("cudaGraphNodeGetEnabled", "ippp", graph_calls::get_enabled),
    error("cudaGraphNodeGetType", "ipp", graph_calls::node_type),
    error("cudaGraphNodeSetEnabled", "ippi", graph_calls::set_enabled),
    error("cudaGraphRemoveDependencies", "ippppl", graph_calls::remove_dependencies),
    error("cudaGraphUpload", "ipp", graph_launch::upload),
    error("cudaHostAlloc", "ipli", host_memory::host_alloc),
    error("cudaHostGetDevicePointer", "ippi", host_memory::host_get_device_pointer),
    error("cudaHostGetFlags", "ipp", host_memory::host_get_flags),
    error("cudaHostRegister", "ipli", host_memory::host_register),
    error("cudaHostUnregister", "ip", host_memory::host_unregister),
    answer("cudaInitDevice", "iiii", devices::init),
    error("cudaLaunchCooperativeKernel", "ipppplp", launch::launch_cooperative),
    error("cudaLaunchHostFunc", "ippp", stream_calls::launch_host_func),
    error("cudaLaunchKernel", "ipppplp", launch::launch_kernel),
    error("cudaLaunchKernelExC", "ippp", launch::launch_ex),
    error("cudaMalloc", "ipl", allocate::malloc),
    error("cudaMalloc3D", "ipp", allocate::malloc_3d),
    error("cudaMalloc3DArray", "ipppi", arrays::malloc_3d_array),
    error("cudaMallocArray", "ipplli", arrays::malloc_array),
    error("cudaMallocAsync", "iplp", allocate::malloc_async),
    error("cudaMallocFromPoolAsync", "iplpp", pools::malloc_from),
    error("cudaMallocHost", "ipl", host_memory::malloc_host),
    error("cudaMallocManaged", "ipli", allocate::malloc_managed),
    error("cudaMallocPitch", "ippll", allocate::malloc_pitch),
    error("cudaMemAdvise", "iplip", host_memory::advise),
    error("cudaMemGetInfo", "ipp", allocate::mem_get_info),
    error("cudaMemPoolCreate", "ipp", pools::create),
    error("cudaMemPoolDestroy", "ip", pools::destroy),
    error("cudaMemPoolGetAccess", "ippp", pools::get_access),
    error("cudaMemPoolGetAttribute", "ipip", pools::get_attribute),
    error("cudaMemPoolSetAccess", "ippl", pools::set_access),
    error("cudaMemPoolSetAttribute", "ipip", pools::set_attribute),
    error("cudaMemPoolTrimTo", "ipl", pools::trim),
    error("cudaMemPrefetchAsync", "iplpip", host_memory::prefetch),
    error("cudaMemcpy", "ippli", copy::memcpy),
    error("cudaMemcpy2D", "iplpllli", copy::memcpy_2d),
    error("cudaMemcpy2DAsync", "iplplllip", copy::memcpy_2d_async),
    error("cudaMemcpy2DFromArray", "iplplllli", arrays::from_array_2d),
    error("cudaMemcpy2DFromArrayAsync", "iplpllllip", arrays::from_array_2d_async),
    error("cudaMemcpy2DToArray", "ipllpllli", arrays::to_array_2d),
    error("cudaMemcpy2DToArrayAsync", "ipllplllip", arrays::to_array_2d_async),
    error("cudaMemcpy3D", "ip", copy_3d::memcpy_3d),
    error("cudaMemcpy3DAsync", "ipp", copy_3d::memcpy_3d_async),
    error("cudaMemcpyAsync", "ipplip", copy::memcpy_async),
    error("cudaMemcpyFromArray", "ippllli", arrays::from_array),
    error("cudaMemcpyFromSymbol", "ipplli", symbols::from_symbol),
    error("cudaMemcpyFromSymbolAsync", "ippllip", symbols::from_symbol_async),
    error("cudaMemcpyPeer", "ipipil", copy::memcpy_peer),
    error("cudaMemcpyPeerAsync", "ipipilp", copy::memcpy_peer_async),
    error("cudaMemcpyToArray", "ipllpli", arrays::to_array),
    error("cudaMemcpyToSymbol", "ipplli", symbols::to_symbol),
    error("cudaMemcpyToSymbolAsync", "ippllip", symbols::to_symbol_async),
    error("cudaMemset", "ipil", set::memset),
    error("cudaMemset2D", "iplill", set::memset_2d),
    error("cudaMemset2DAsync", "iplillp", set::memset_2d_async),
    error("cudaMemset3D", "ipip", set::memset_3d),
    error("cudaMemset3DAsync", "ipipp", set::memset_3d_async),
    error("cudaMemsetAsync", "ipilp", set::memset_async),
    error("cudaOccupancyAvailableDynamicSMemPerBlock", "ippii", occupancy::available_shared),
    error("cudaOccupancyMaxActiveBlocksPerMultiprocessor", "ippil", occupancy::max_active_blocks),
    error("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "ippili", occupancy::max_active_blocks_with_flags),
    error("cudaOccupancyMaxActiveClusters", "ippp", occupancy::max_active_clusters),
    error("cudaOccupancyMaxPotentialClusterSize", "ippp", occupancy::max_potential_cluster_size),
    value("cudaPeekAtLastError", "i", devices::peek_error),
    error("cudaPointerGetAttributes", "ipp", allocate::pointer_attributes),
    error("cudaProfilerStart", "i", devices::profiler),
    error("cudaProfilerStop", "i", devices::profiler),
    answer("cudaRuntimeGetVersion", "ip", devices::version),
    answer("cudaSetDevice", "ii", devices::set),
    error("cudaSetDeviceFlags", "ii", devices::set_flags),
    error("cudaStreamAddCallback", "ipppi", stream_calls::add_callback),
    error("cudaStreamAttachMemAsync", "ippli", host_memory::attach),
    error("cudaStreamBeginCapture", "ipi", capture::begin),
    error("cudaStreamBeginCaptureToGraph", "ippppli", capture::begin_to_graph),
    error("cudaStreamCopyAttributes", "ipp", stream_attributes::copy),
    error("cudaStreamCreate", "ip", stream_calls::create),
    error("cudaStreamCreateWithFlags", "ipi", stream_calls::create_with_flags),
    error("cudaStreamCreateWithPriority", "ipii", stream_calls::create_with_priority),
    error("cudaStreamDestroy", "ip", stream_calls::destroy),
    error("cudaStreamEndCapture", "ipp", capture::end),
    error("cudaStreamGetAttribute", "ipip", stream_attributes::get),
    error("cudaStreamGetCaptureInfo", "ippppppp", capture::info),
    error("cudaStreamGetDevice", "ipp", stream_attributes::device),
    error("cudaStreamGetFlags", "ipp", stream_calls::get_flags),
    error("cudaStreamGetId", "ipp", stream_attributes::id),
    error("cudaStreamGetPriority", "ipp", stream_calls::get_priority),
    error("cudaStreamIsCapturing", "ipp", capture::is_capturing),
    error("cudaStreamQuery", "ip", stream_calls::query),
    error("cudaStreamSetAttribute", "ipip", stream_attributes::set),
    error("cudaStreamSynchronize", "ip", stream_calls::synchronize),
    error("cudaStreamUpdateCaptureDependencies", "ipppli", capture::update_dependencies),
    error("cudaStreamWaitEvent", "ippi", stream_calls::wait_event),
    error("cudaThreadExchangeStreamCaptureMode", "ip", capture::exchange_mode),
    error("cudaThreadExit", "i", devices::reset),
    error("cudaThreadSynchronize", "i", devices::synchronize),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_in_the_order_of_their_names_and_their_signatures_are_letters() {
        assert!(
            ALL.is_sorted_by(|a, b| a.name < b.name),
            "{:?}",
            ALL.windows(2).find(|w| w[0].name >= w[1].name)
        );
        for row in ALL {
            assert!(row.signature.chars().all(|letter| "ilpfdv".contains(letter)), "{}", row.name);
        }
        assert_eq!(find("cudaMemcpy").map(|row| row.signature), Some("ippli"));
        assert!(find("cudaMemcpyy").is_none());
    }
}
