__global__ void count(const int *a, int *out)
{
    int sum = 0;
    atomicAdd(&sum, a[threadIdx.x]);
    __syncthreads();
    *out = sum;
}
// ANCHOR: errors
error: an atomic operation on a variable that each thread has for itself: put what is to be shared into `__shared__` or global memory
 --> atomic_on_local.cu:4:5
  |
4 |     atomicAdd(&sum, a[threadIdx.x]);
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
