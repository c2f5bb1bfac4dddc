__global__ void twice(float *a)
{
    let i: usize = threadIdx.x;
    a[i] = 2.0f * a[i];
}
