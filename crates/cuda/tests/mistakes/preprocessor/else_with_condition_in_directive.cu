#define WIDTH 8
#if WIDTH > 16
#define STEP 2
#else if WIDTH > 4
#define STEP 1
#endif
__global__ void fill(float *a)
{
    a[threadIdx.x] = STEP;
}
// ANCHOR: errors
error: `#else` takes no condition
 --> else_with_condition_in_directive.cu:4:1
  |
4 | #else if WIDTH > 4
  | ^^^^^^^^
  |
help: write `#elif` and the condition
