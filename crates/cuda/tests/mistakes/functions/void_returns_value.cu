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
error: `void` function should not return a value
 --> void_returns_value.cu:3:12
  |
3 |     return x * x;
  |            ^^^^^
  |
help: change the return type from `void` to `float`, or remove the value

error: `void` function should not return a value
  --> void_returns_value.cu:10:12
   |
10 |     return 0;
   |            ^
   |
help: store it through a pointer, and write `return;` to leave the kernel
