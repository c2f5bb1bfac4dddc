__global__ void count(int *total, int *counts)
{
    atomicAdd(*total, 1);
    atomicAdd(counts[threadIdx.x], 1);
}
// ANCHOR: errors
error: `atomicAdd` cannot be called like this: argument 1: `int` cannot be converted to `int *`
 --> atomic_without_address.cu:3:15
  |
3 |     atomicAdd(*total, 1);
  |               ^^^^^^
  |
help: the first argument is the address of what is changed: `atomicAdd(&x, …)`

error: `atomicAdd` cannot be called like this: argument 1: `int` cannot be converted to `int *`
 --> atomic_without_address.cu:4:15
  |
4 |     atomicAdd(counts[threadIdx.x], 1);
  |               ^^^^^^^^^^^^^^^^^^^
  |
help: the first argument is the address of what is changed: `atomicAdd(&x, …)`
