__global__ void k(float *a)
{
    let i = threadIdx.x;
    a[i] = 1.0f;
}
// ANCHOR: errors
error: unknown type name `let`
 --> let.cu:3:5
  |
3 |     let i = threadIdx.x;
  |     ^^^
  |
help: write the type, as in `float x`, or `auto` for the type of the value
