template <typname T>
__device__ T twice(T x)
{
    return x + x;
}

__global__ void k(float *out)
{
    out[0] = twice(out[0]);
}
// ANCHOR: errors
error: unknown type name `typname`
 --> typename_misspelt.cu:1:11
  |
1 | template <typname T>
  |           ^^^^^^^
  |
help: did you mean `typename`?
