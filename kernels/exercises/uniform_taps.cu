// Make the reads uniform.
//
// Each thread computes one output of a filter with 16 taps. The loop is staggered:
// neighbouring lanes begin with neighbouring taps, as you would do in shared memory to
// spread the reads of a warp over the banks. In constant memory nothing could be worse,
// since the warp repeats the read for each address that its lanes ask for.
//
// Change the loop so that all lanes of a warp read the same tap at the same time: no
// read may be replayed. The taps stay in constant memory, and a warp makes no more
// requests to global memory than now. The results stay the same.

#define TAPS 16

//<
__constant__ float tap[TAPS];
//| in global memory
__device__ float tap[TAPS];
//>

__global__ void filter(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    //<
    for (int k = 0; k < TAPS; k++) {
        sum += tap[k] * in[i + k];
    }
    //| skeleton
    for (int step = 0; step < TAPS; step++) {
        int k = (threadIdx.x + step) % TAPS;
        sum += tap[k] * in[i + k];
    }
    //| a half-warp each
    for (int step = 0; step < TAPS; step++) {
        int k = (threadIdx.x / 16 + step) % TAPS;
        sum += tap[k] * in[i + k];
    }
    //| in a local array
    float copy[TAPS];
    for (int k = 0; k < TAPS; k++) copy[k] = tap[k];
    for (int step = 0; step < TAPS; step++) {
        int k = (threadIdx.x + step) % TAPS;
        sum += copy[k] * in[i + k];
    }
    //| one tap too few
    for (int k = 1; k < TAPS; k++) {
        sum += tap[k] * in[i + k];
    }
    //>
    out[i] = sum;
}
