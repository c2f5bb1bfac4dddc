struct P { float x, float y; };
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    P p = {1, 2};
    out[i] = p.x;
}
// ANCHOR: errors
error: expected another name of the same type after this comma, found a type
 --> members_with_commas.cu:1:19
  |
1 | struct P { float x, float y; };
  |                   ^
  |
help: write `;` instead of `,`, or remove the type of `y`
