// One load a lane, with a stride between the lanes and a start: which 32-byte sectors does a warp touch?
//
// `in` has room for every element that is asked for. They are stored side by side, so the stores stay the same.

extern "C" __global__ void gather(const float *in, float *out, int start, int stride, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[start + i * stride];
}
