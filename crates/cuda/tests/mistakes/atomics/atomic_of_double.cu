__global__ void extremes(const double *in, const float *values, double *most, float *least, long *sum, char *seen)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(most, in[i]);
    atomicMin(least, values[i]);
    atomicAdd(sum, 1);
    atomicAdd(seen, 1);
    atomicSub(least, 1.0f);
}
// ANCHOR: errors
error: no matching function for call to `atomicMax`: there is no overload for `double`, only for `int`, `unsigned int`, `long long`, `unsigned long long`
 --> atomic_of_double.cu:4:15
  |
4 |     atomicMax(most, in[i]);
  |               ^^^^
  |
help: numbers that are not negative compare like their bits: `atomicMax((long long *)p, __double_as_longlong(x))`; for others, use `atomicCAS` on the bits in a loop

error: no matching function for call to `atomicMin`: there is no overload for `float`, only for `int`, `unsigned int`, `long long`, `unsigned long long`
 --> atomic_of_double.cu:5:15
  |
5 |     atomicMin(least, values[i]);
  |               ^^^^^
  |
help: numbers that are not negative compare like their bits: `atomicMin((int *)p, __float_as_int(x))`; for others, use `atomicCAS` on the bits in a loop

error: no matching function for call to `atomicAdd`: there is no overload for `long`, only for `int`, `unsigned int`, `unsigned long long`, `float`, `double`
 --> atomic_of_double.cu:6:15
  |
6 |     atomicAdd(sum, 1);
  |               ^^^
  |
help: cast the address: `(unsigned long long *)p`, which adds and compares the same bits

error: no matching function for call to `atomicAdd`: there is no overload for `char`, only for `int`, `unsigned int`, `unsigned long long`, `float`, `double`
 --> atomic_of_double.cu:7:15
  |
7 |     atomicAdd(seen, 1);
  |               ^^^^
  |
help: declare it `int` or `unsigned int`: smaller integers have no atomic operations

error: no matching function for call to `atomicSub`: there is no overload for `float`, only for `int`, `unsigned int`
 --> atomic_of_double.cu:8:15
  |
8 |     atomicSub(least, 1.0f);
  |               ^^^^^
  |
help: write `atomicAdd(p, -x)`
