__device__ float square(float x)
{
    return x * x;

__global__ void apply(float *data)
{
    data[threadIdx.x] = square(data[threadIdx.x]);
}
// ANCHOR: errors
error: expected `}`
 --> missing_brace_function.cu:3:18
  |
2 | {
  | - to match this `{`
3 |     return x * x;
  |                  ^ write `}` after this
