__global__ void child(float *a) { a[threadIdx.x] = 1; }
__global__ void parent(float *a)
{
    if (threadIdx.x == 0) child<<<1, 32>>>(a);
}
// ANCHOR: warnings

