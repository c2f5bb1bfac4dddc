//! Functions of the runtime API that are refused, by name.
//!
//! Enters: a name. Leaves: why it is not there, and what to write instead. A name that is in neither table is none of the
//! runtime API.

/// Beginnings of names, with the reason; the longest that fits counts.
const REFUSED: &[(&str, &str)] = &[
    (
        "cudaBindTexture",
        "texture references were removed in CUDA 12: make an object with `cudaCreateTextureObject`",
    ),
    ("cudaUnbindTexture", "texture references were removed in CUDA 12: use `cudaDestroyTextureObject`"),
    ("cudaGetTextureReference", "texture references were removed in CUDA 12: use texture objects"),
    (
        "cudaBindSurface",
        "surface references were removed in CUDA 12: make an object with `cudaCreateSurfaceObject`",
    ),
    ("cudaGraphics", "there is no graphics to share memory with: copy with `cudaMemcpy`"),
    ("cudaGL", "there is no OpenGL: use `cudaSetDevice`"),
    ("cudaGraph", "graphs are not supported: launch the kernels on a stream"),
    ("cudaStreamBeginCapture", "graphs are not supported: launch the kernels on a stream"),
    ("cudaStreamEndCapture", "graphs are not supported: launch the kernels on a stream"),
    ("cudaStreamGetCaptureInfo", "graphs are not supported: launch the kernels on a stream"),
    ("cudaIpc", "there are no other processes"),
    ("cudaImportExternal", "there is no memory of other interfaces"),
    ("cudaExternal", "there is no memory of other interfaces"),
    ("cudaMallocMipmappedArray", "mipmapped arrays are not supported: use `cudaMallocArray`"),
    ("cudaFreeMipmappedArray", "mipmapped arrays are not supported: use `cudaMallocArray`"),
    ("cudaGetMipmappedArrayLevel", "mipmapped arrays are not supported: use `cudaMallocArray`"),
    ("cudaMemcpy2DArrayToArray", "copies from array to array are not supported: copy through linear memory"),
    ("cudaMemcpyArrayToArray", "copies from array to array are not supported: copy through linear memory"),
    ("cudaMemcpy3DPeer", "there is one device: use `cudaMemcpy3D`"),
    ("cudaMemcpyBatch", "batches are not supported: use `cudaMemcpyAsync`"),
    ("cudaMemcpy3DBatch", "batches are not supported: use `cudaMemcpy3DAsync`"),
    ("cudaMemPool", "pools are not supported: use `cudaMallocAsync`, which has one of its own"),
    ("cudaMallocFromPool", "pools are not supported: use `cudaMallocAsync`"),
    (
        "cudaDeviceGetDefaultMemPool",
        "pools are not supported: use `cudaMallocAsync`, which has one of its own",
    ),
    ("cudaDeviceGetMemPool", "pools are not supported: use `cudaMallocAsync`, which has one of its own"),
    ("cudaDeviceSetMemPool", "pools are not supported: use `cudaMallocAsync`, which has one of its own"),
    ("cudaMemRangeGetAttribute", "where managed memory is makes no difference here"),
    ("cudaLibrary", "kernels are those of the program: launch them with `<<<…>>>`"),
    ("cudaKernel", "kernels are those of the program: launch them with `<<<…>>>`"),
    ("cudaGetDriverEntryPoint", "there is no driver to ask"),
    ("cudaOccupancyMaxActiveClusters", "the occupancy of clusters is not modelled"),
    ("cudaOccupancyMaxPotentialClusterSize", "the occupancy of clusters is not modelled"),
    ("cudaDeviceGetP2PAttribute", "there is one device"),
    ("cudaLaunchCooperativeKernelMultiDevice", "there is one device: use `cudaLaunchCooperativeKernel`"),
    ("cudaSetValidDevices", "there is one device"),
    ("cudaUserObject", "graphs are not supported: launch the kernels on a stream"),
    ("cuda", "it is not supported"),
];

/// Why a function of the runtime API is not there; `None` for a name that is none of the API's.
pub fn refusal(name: &str) -> Option<&'static str> {
    let fits = REFUSED.iter().filter(|(start, _)| {
        let rest = name.strip_prefix(start);
        // `cuda` alone begins names such as `cudaMalloc`, and not `cudaright` ones.
        rest.is_some_and(|rest| *start != "cuda" || rest.starts_with(|c: char| c.is_ascii_uppercase()))
    });
    fits.max_by_key(|(start, _)| start.len()).map(|(_, why)| *why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::find;

    #[test]
    fn what_is_refused_says_what_to_write_instead_and_is_in_no_other_table() {
        assert!(refusal("cudaBindTexture2D").is_some_and(|why| why.contains("cudaCreateTextureObject")));
        assert!(refusal("cudaGraphLaunch").is_some_and(|why| why.contains("stream")));
        assert!(refusal("cudaGraphicsMapResources").is_some_and(|why| why.contains("cudaMemcpy")));
        assert_eq!(refusal("cudaFutureThing"), Some("it is not supported"));
        assert_eq!((refusal("printf"), refusal("cudaright"), refusal("cublasCreate")), (None, None, None));
        for (name, _) in REFUSED.iter().filter(|(name, _)| *name != "cuda") {
            assert!(find(name).is_none(), "{name}");
        }
    }
}
