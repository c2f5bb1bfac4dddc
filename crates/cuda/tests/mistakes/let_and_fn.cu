__device__ fn square(x: f32) -> f32 { x * x }

__global__ void k(float *a)
{
    a[0] = square(a[0]);
}
