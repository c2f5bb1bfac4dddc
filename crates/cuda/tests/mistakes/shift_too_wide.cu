__global__ void bits(unsigned long long *out)
{
    out[threadIdx.x] = 1 << 40;
    out[threadIdx.x] |= 1u << 32;
    out[threadIdx.x] |= 1 << -1;
}
