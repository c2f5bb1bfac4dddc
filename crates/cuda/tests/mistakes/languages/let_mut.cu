__global__ void k(float *out)
{
    let mut x = 1.0;
    x += out[0];
    out[0] = x;
}
// ANCHOR: errors
error: unknown type name `let`
 --> let_mut.cu:3:5
  |
3 |     let mut x = 1.0;
  |     ^^^
  |
help: write the type, as in `float x`, or `auto` for the type of the value
