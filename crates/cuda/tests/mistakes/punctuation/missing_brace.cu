__global__ void scale(float *data, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        data[i] *= factor;
}

__global__ void add(float *data, float term, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += term;
}
// ANCHOR: errors
error: expected `}`
 --> missing_brace.cu:5:27
  |
4 |     if (i < n) {
  |                - to match this `{`
5 |         data[i] *= factor;
  |                           ^ write `}` after this
