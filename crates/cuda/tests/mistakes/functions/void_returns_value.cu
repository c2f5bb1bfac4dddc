__device__ void square(float x)
{
    return x * x;
}
__global__ void squares(float *a)
{
    float y = square(a[threadIdx.x]);
    a[threadIdx.x] = square(y) + sqrtf(square(2.0f));
    printf("%f\n", square(y));
    return 0;
}
// ANCHOR: errors
error: a `void` function returns no value
 --> void_returns_value.cu:3:12
  |
3 |     return x * x;
  |            ^^^^^
  |
help: write `float` in place of the function's `void`, or remove the value

error: a `void` function returns no value
  --> void_returns_value.cu:10:12
   |
10 |     return 0;
   |            ^
   |
help: give it back through a pointer, and write `return;` to leave the kernel
