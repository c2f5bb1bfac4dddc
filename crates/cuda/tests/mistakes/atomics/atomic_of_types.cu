__global__ void sum(float *total, int *count, const float *data)
{
    atomicAdd(total, 1);
    atomicAdd(count, data[threadIdx.x]);
    atomicMax(total, data[threadIdx.x]);
}
// ANCHOR: errors
error: `atomicMax` cannot be called like this: there is none for `float`, only for `int`, `unsigned int`, `long long`, `unsigned long long`
 --> atomic_of_types.cu:5:15
  |
5 |     atomicMax(total, data[threadIdx.x]);
  |               ^^^^^
  |
help: the bits of numbers that are not negative are in their order: `atomicMax((int *)p, __float_as_int(x))`; for others let an `atomicCAS` of the bits decide in a loop
