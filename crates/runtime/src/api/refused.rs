//! Functions of the runtime and the driver API that are refused, by name.
//!
//! Enters: a name that a program uses and that is declared nowhere. Leaves: why it is not there, and what to write instead.

/// Beginnings of names, with the reason; the longest that fits counts.
const REFUSED: &[(&str, &str)] = &[
    (
        "CUjit",
        "modules are files of nvcc, and `cudarun` makes none: write the kernel in this file and launch it with `<<<…>>>`",
    ),
    ("cuArray", "arrays of the driver API are not supported: use `cudaMallocArray`"),
    ("cuCtx", "contexts are supported as far as `cuda.h` declares them: use the runtime API"),
    ("cuFunc", "kernels are those of the program: launch them with `<<<…>>>`"),
    ("cuKernel", "kernels are those of the program: launch them with `<<<…>>>`"),
    ("cuLaunch", "kernels are those of the program: launch them with `<<<…>>>`"),
    ("cuLibrary", "kernels are those of the program: launch them with `<<<…>>>`"),
    ("cuLink", "there is no linker at run time: give all files to `cudarun`"),
    ("cuMemAddress", "memory cannot be mapped by hand: use `cudaMalloc`"),
    ("cuMemCreate", "memory cannot be mapped by hand: use `cudaMalloc`"),
    ("cuMemExport", "there are no other processes"),
    ("cuMemGetAllocation", "memory cannot be mapped by hand: use `cudaMalloc`"),
    ("cuMemMap", "memory cannot be mapped by hand: use `cudaMalloc`"),
    ("cuMemRelease", "memory cannot be mapped by hand: use `cudaMalloc`"),
    ("cuMemSetAccess", "memory cannot be mapped by hand: use `cudaMalloc`"),
    ("cuMemUnmap", "memory cannot be mapped by hand: use `cudaMalloc`"),
    (
        "cuModule",
        "modules are files of nvcc, and `cudarun` makes none: write the kernel in this file and launch it with `<<<…>>>`",
    ),
    ("cuTensorMap", "tensor maps are not supported: load tiles with `cp.async` or `ld.global`"),
    ("cuTexRef", "texture references were removed in CUDA 12: make an object with `cudaCreateTextureObject`"),
    ("cudaArrayGetMemoryRequirements", "sparse arrays are not supported: use `cudaMallocArray`"),
    ("cudaArrayGetPlane", "arrays of several planes are not supported: use an array for each"),
    ("cudaArrayGetSparseProperties", "sparse arrays are not supported: use `cudaMallocArray`"),
    (
        "cudaBindSurface",
        "surface references were removed in CUDA 12: make an object with `cudaCreateSurfaceObject`",
    ),
    (
        "cudaBindTexture",
        "texture references were removed in CUDA 12: make an object with `cudaCreateTextureObject`",
    ),
    ("cudaConfigureCall", "it was removed in CUDA 10.1: launch with `<<<…>>>` or `cudaLaunchKernel`"),
    ("cudaDestroyExternal", "there is no memory of other interfaces"),
    ("cudaDeviceFlushGPUDirectRDMAWrites", "there are no other devices"),
    ("cudaDeviceGetGraphMemAttribute", "memory of graphs is not counted: use `cudaMemGetInfo`"),
    ("cudaDeviceGetNvSciSyncAttributes", "there is no memory of other interfaces"),
    ("cudaDeviceRegisterAsyncNotification", "the device notifies of nothing"),
    ("cudaDeviceSetGraphMemAttribute", "memory of graphs is not counted: use `cudaMemGetInfo`"),
    ("cudaDeviceUnregisterAsyncNotification", "the device notifies of nothing"),
    ("cudaEGL", "there is no graphics to share memory with: copy with `cudaMemcpy`"),
    ("cudaExternal", "there is no memory of other interfaces"),
    ("cudaFreeMipmappedArray", "mipmapped arrays are not supported: use `cudaMallocArray`"),
    ("cudaGL", "there is no OpenGL: use `cudaSetDevice`"),
    ("cudaGetDriverEntryPoint", "there is no driver to ask"),
    ("cudaGetExportTable", "there is no driver to ask"),
    ("cudaGetFuncBySymbol", "kernels are those of the program: launch them with `<<<…>>>`"),
    ("cudaGetKernel", "kernels are those of the program: launch them with `<<<…>>>`"),
    ("cudaGetMipmappedArrayLevel", "mipmapped arrays are not supported: use `cudaMallocArray`"),
    ("cudaGetSurfaceReference", "surface references were removed in CUDA 12: use surface objects"),
    ("cudaGetTextureReference", "texture references were removed in CUDA 12: use texture objects"),
    ("cudaGraphAddExternalSemaphores", "there is no memory of other interfaces"),
    ("cudaGraphCond", "conditional nodes are not supported: decide on the host which graph to launch"),
    ("cudaGraphConditional", "conditional nodes are not supported: decide on the host which graph to launch"),
    (
        "cudaGraphExecChildGraphNodeSetParams",
        "child graphs of an executable graph cannot be changed: update it with `cudaGraphExecUpdate`",
    ),
    (
        "cudaGraphExecEvent",
        "events of an executable graph cannot be changed: update it with `cudaGraphExecUpdate`",
    ),
    (
        "cudaGraphExecMemcpyNodeSetParamsFromSymbol",
        "give the address of `cudaGetSymbolAddress` to `cudaGraphExecMemcpyNodeSetParams1D`",
    ),
    (
        "cudaGraphExecMemcpyNodeSetParamsToSymbol",
        "give the address of `cudaGetSymbolAddress` to `cudaGraphExecMemcpyNodeSetParams1D`",
    ),
    ("cudaGraphExternalSemaphores", "there is no memory of other interfaces"),
    ("cudaGraphMemAttr", "memory of graphs is not counted: use `cudaMemGetInfo`"),
    (
        "cudaGraphMemcpyNodeSetParamsFromSymbol",
        "give the address of `cudaGetSymbolAddress` to `cudaGraphMemcpyNodeSetParams1D`",
    ),
    (
        "cudaGraphMemcpyNodeSetParamsToSymbol",
        "give the address of `cudaGetSymbolAddress` to `cudaGraphMemcpyNodeSetParams1D`",
    ),
    (
        "cudaGraphSetConditional",
        "conditional nodes are not supported: decide on the host which graph to launch",
    ),
    ("cudaGraphics", "there is no graphics to share memory with: copy with `cudaMemcpy`"),
    ("cudaImportExternal", "there is no memory of other interfaces"),
    ("cudaIpc", "there are no other processes"),
    ("cudaKernel", "kernels are those of the program: launch them with `<<<…>>>`"),
    ("cudaLaunchCooperativeKernelMultiDevice", "there is one device: use `cudaLaunchCooperativeKernel`"),
    ("cudaLibrary", "kernels are those of the program: launch them with `<<<…>>>`"),
    ("cudaLogs", "look at the messages of `cudarun`"),
    ("cudaMallocMipmappedArray", "mipmapped arrays are not supported: use `cudaMallocArray`"),
    ("cudaMemDiscard", "batches are not supported"),
    ("cudaMemPoolExport", "there are no other processes"),
    ("cudaMemPoolImport", "there are no other processes"),
    ("cudaMemPrefetchBatchAsync", "batches are not supported: use `cudaMemPrefetchAsync`"),
    ("cudaMemRangeGetAttribute", "where managed memory is makes no difference here"),
    ("cudaMemcpy3DBatch", "batches are not supported: use `cudaMemcpy3DAsync`"),
    ("cudaMemcpy3DPeer", "there is one device: use `cudaMemcpy3D`"),
    ("cudaMemcpyBatch", "batches are not supported: use `cudaMemcpyAsync`"),
    ("cudaMemcpyFromArrayAsync", "use `cudaMemcpy2DFromArrayAsync`"),
    ("cudaMemcpyToArrayAsync", "use `cudaMemcpy2DToArrayAsync`"),
    ("cudaMipmappedArray", "mipmapped arrays are not supported: use `cudaMallocArray`"),
    ("cudaProfilerInitialize", "it was removed in CUDA 12: use `--profile` of `cudarun`"),
    ("cudaSetValidDevices", "there is one device"),
    ("cudaSetupArgument", "it was removed in CUDA 10.1: launch with `<<<…>>>` or `cudaLaunchKernel`"),
    ("cudaSignalExternal", "there is no memory of other interfaces"),
    ("cudaThreadGetCacheConfig", "it was removed: use `cudaDeviceGetCacheConfig`"),
    ("cudaThreadGetLimit", "it was removed: use `cudaDeviceGetLimit`"),
    ("cudaThreadSetCacheConfig", "it was removed: use `cudaDeviceSetCacheConfig`"),
    ("cudaThreadSetLimit", "it was removed: use `cudaDeviceSetLimit`"),
    ("cudaUnbindTexture", "texture references were removed in CUDA 12: use `cudaDestroyTextureObject`"),
    (
        "cudaUserObject",
        "objects that graphs own are not supported: free what the host function uses when the program ends",
    ),
    ("cudaVDPAU", "there is no graphics to share memory with: copy with `cudaMemcpy`"),
    ("cudaWaitExternal", "there is no memory of other interfaces"),
];

/// Why a function of CUDA's is not there, and what to write instead; `None` for any other name.
pub fn refusal(name: &str) -> Option<&'static str> {
    let fits = REFUSED.iter().filter(|(start, _)| name.starts_with(start));
    fits.max_by_key(|(start, _)| start.len()).map(|(_, why)| *why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::find;

    #[test]
    fn what_is_refused_says_what_to_write_instead_and_is_in_no_other_table() {
        assert!(refusal("cudaBindTexture2D").is_some_and(|why| why.contains("cudaCreateTextureObject")));
        assert!(refusal("cudaGraphicsMapResources").is_some_and(|why| why.contains("cudaMemcpy")));
        assert!(refusal("cudaIpcMemHandle_t").is_some_and(|why| why.contains("processes")));
        for name in
            ["printf", "cudaright", "cublasCreate", "cudaCheckErrors", "cudaMalloc", "cudaGraphLaunch"]
        {
            assert_eq!(refusal(name), None, "{name}");
        }
        for (name, _) in REFUSED {
            assert!(find(name).is_none(), "{name}");
        }
        assert!(REFUSED.is_sorted_by(|a, b| a.0 < b.0));
    }
}
