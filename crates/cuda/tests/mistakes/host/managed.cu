__managed__ int counter;

__global__ void count()
{
    atomicAdd(&counter, 1);
}
// ANCHOR: errors
error: `__managed__` variables are not supported by this compiler: the host driver would have to move them
 --> managed.cu:1:1
  |
1 | __managed__ int counter;
  | ^^^^^^^^^^^
  |
help: declare it `__device__`, and copy with `cudaMemcpyToSymbol`, or pass a pointer to the kernel
