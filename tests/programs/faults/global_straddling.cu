// An 8-byte store whose second half lies beyond the buffer, which holds an odd number of words.
extern "C" __global__ void pairs(int2 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i < n)
        out[i] = make_int2(i, -i); // fault
}
