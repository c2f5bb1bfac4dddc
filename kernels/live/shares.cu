// Each thread colours the element that it would add, a block's threads from dark to light, and the next block's in the
// other colour.
extern "C" __global__ void shares(uchar4 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int light = 200 * threadIdx.x / blockDim.x;
    uchar4 blue = make_uchar4(light / 2, light, 255, 255);
    uchar4 orange = make_uchar4(255, 80 + light * 3 / 4, light, 255);
    if (i < n) out[i] = blockIdx.x % 2 ? orange : blue;
}
