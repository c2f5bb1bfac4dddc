__global__ void twice(float *a)
{
    let i: usize = threadIdx.x;
    a[i] = 2.0f * a[i];
}
// ANCHOR: errors
error: unknown type name `let`
 --> let_with_type.cu:3:5
  |
3 |     let i: usize = threadIdx.x;
  |     ^^^
  |
help: write the type, as in `float x`, or `auto` for the type of the value
