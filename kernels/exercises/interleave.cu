// Fill the sectors that you write.
//
// Two channels of sound are in two arrays, `left` and `right`, of n samples each. Write
// them to `out` alternately: left[0], right[0], left[1], right[1] and so on. The grid
// has a thread for each pair, in blocks of 256, and n is any number.
//
// A store that leaves gaps fills its sectors only in part, and another store has to
// visit the same sectors again. Fill each sector of `out` with one store, and read each
// sector of `left` and `right` once. All three arrays begin at multiples of 256 bytes.

__global__ void interleave(const float *left, const float *right, float *out, int n)
{
    //<
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ((float2 *)out)[i] = make_float2(left[i], right[i]);
    //| skeleton
    // YOUR CODE
    //| a store for each channel
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[2 * i] = left[i];
        out[2 * i + 1] = right[i];
    }
    //| two pairs a thread
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        float4 both = make_float4(left[i], right[i], left[i + 1], right[i + 1]);
        ((float4 *)out)[i / 2] = both;
    } else if (i < n) {
        ((float2 *)out)[i] = make_float2(left[i], right[i]);
    }
    //| one warp does all
    if (blockIdx.x > 0 || threadIdx.x >= 32) return;
    for (int i = threadIdx.x; i < n; i += 32) {
        ((float2 *)out)[i] = make_float2(left[i], right[i]);
    }
    //| no guard
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ((float2 *)out)[i] = make_float2(left[i], right[i]);
    //| one channel after the other
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = left[i];
        out[n + i] = right[i];
    }
    //>
}
