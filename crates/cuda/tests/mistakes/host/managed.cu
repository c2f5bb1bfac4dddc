__managed__ int counter;

__global__ void count()
{
    atomicAdd(&counter, 1);
}
// ANCHOR: errors
error: `__managed__` variables need the host's driver to move them: they are not supported here
 --> managed.cu:1:1
  |
1 | __managed__ int counter;
  | ^^^^^^^^^^^
  |
help: declare it `__device__`, and copy with `cudaMemcpyToSymbol`, or pass a pointer to the kernel
