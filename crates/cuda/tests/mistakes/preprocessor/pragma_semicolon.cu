__global__ void sums(const float *in, float *out, int n)
{
    float sum = 0.0f;
#pragma unroll 4;
    for (int i = 0; i < n; i++) sum += in[i * blockDim.x + threadIdx.x];
    out[threadIdx.x] = sum;
}
// ANCHOR: warnings
warning[pragma-semicolon]: extra `;` at the end of `#pragma unroll`
 --> pragma_semicolon.cu:4:17
  |
4 | #pragma unroll 4;
  |                 ^
  |
help: remove the `;`
