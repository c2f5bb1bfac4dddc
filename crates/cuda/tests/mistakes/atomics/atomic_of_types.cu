__global__ void sum(float *total, int *count, const float *data)
{
    atomicAdd(total, 1);
    atomicAdd(count, data[threadIdx.x]);
    atomicMax(total, data[threadIdx.x]);
}
// ANCHOR: errors
error: no matching function for call to `atomicMax`: there is no overload for `float`, only for `int`, `unsigned int`, `long long`, `unsigned long long`
 --> atomic_of_types.cu:5:15
  |
5 |     atomicMax(total, data[threadIdx.x]);
  |               ^^^^^
  |
help: numbers that are not negative compare like their bits: `atomicMax((int *)p, __float_as_int(x))`; for others, use `atomicCAS` on the bits in a loop
