__device__ float mix(float x, float y) { return x + y; }
__global__ void k(float *a)
{
    a[0] = mix(a[1] a[2]);
}
// ANCHOR: errors
error: expected `,` or `)` after this argument, found `a`
 --> comma_missing_call.cu:4:20
  |
4 |     a[0] = mix(a[1] a[2]);
  |                    ^ write `,` or an operator here
