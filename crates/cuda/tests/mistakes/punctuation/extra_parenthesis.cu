__global__ void apply(float *data, int n)
{
    int i = (blockIdx.x * blockDim.x) + threadIdx.x);
    if (i < n))
        data[i] = 1.0f;
}
// ANCHOR: errors
error: unmatched closing `)`
 --> extra_parenthesis.cu:3:52
  |
3 |     int i = (blockIdx.x * blockDim.x) + threadIdx.x);
  |                                                    ^
  |
help: remove the `)`

error: unmatched closing `)`
 --> extra_parenthesis.cu:4:15
  |
4 |     if (i < n))
  |               ^
  |
help: remove the `)`
