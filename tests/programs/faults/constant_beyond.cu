// A table of 16 coefficients in constant memory, looked up with an index that reaches 16.
__constant__ float table[16];

extern "C" __global__ void look_up(const int *indices, float *out)
{
    out[threadIdx.x] = table[indices[threadIdx.x]]; // fault
}
