__global__ void count(int *total, int *counts)
{
    atomicAdd(*total, 1);
    atomicAdd(counts[threadIdx.x], 1);
}
// ANCHOR: errors
error: no matching function for call to `atomicAdd`: cannot convert argument 1 from `int` to `int *`
 --> atomic_without_address.cu:3:15
  |
3 |     atomicAdd(*total, 1);
  |               ^^^^^^
  |
help: the first argument is the address of the variable: `atomicAdd(&x, …)`

error: no matching function for call to `atomicAdd`: cannot convert argument 1 from `int` to `int *`
 --> atomic_without_address.cu:4:15
  |
4 |     atomicAdd(counts[threadIdx.x], 1);
  |               ^^^^^^^^^^^^^^^^^^^
  |
help: the first argument is the address of the variable: `atomicAdd(&x, …)`
