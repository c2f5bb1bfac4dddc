fn square(x: f32) -> f32 {
    x * x
}
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = square(x[i]);
}
