struct P { float x, float y; };
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    P p = {1, 2};
    out[i] = p.x;
}
// ANCHOR: errors
error: behind this comma comes another name of the same type, and no type
 --> members_with_commas.cu:1:19
  |
1 | struct P { float x, float y; };
  |                   ^
  |
help: write `;` in place of `,`, or leave the type of `y` out
