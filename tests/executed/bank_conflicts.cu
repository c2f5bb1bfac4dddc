extern "C" __global__ void strides(float *out, int s)
{
    __shared__ float a[512];
    for (int i = threadIdx.x; i < 512; i += 32)
        a[i] = i;
    __syncthreads();
    float v = 0;
    for (int k = 0; k < 8; k++)
        v += a[(threadIdx.x * s + k) & 511];
    out[threadIdx.x] = v;
}
extern "C" __global__ void columns(float *out)
{
    __shared__ float a[32][16];
    a[threadIdx.x][threadIdx.y] = threadIdx.x + threadIdx.y;
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = a[threadIdx.x][threadIdx.y] + a[31 - threadIdx.x][0];
}
