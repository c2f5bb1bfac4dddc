__global__ void count(const int *a, int *out)
{
    int sum = 0;
    atomicAdd(&sum, a[threadIdx.x]);
    __syncthreads();
    *out = sum;
}
// ANCHOR: errors
error: atomic operation on a variable that is private to each thread: put what is to be shared in `__shared__` or global memory
 --> atomic_on_local.cu:4:5
  |
4 |     atomicAdd(&sum, a[threadIdx.x]);
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
