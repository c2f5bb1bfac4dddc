__global__ void k(float *out)
{
    float x = out[0];
    out[0] = 2(x + 1.0f);
    out[1] = 2x;
}
// ANCHOR: errors
error: called object of type `int` is not a function
 --> product_without_sign.cu:4:14
  |
4 |     out[0] = 2(x + 1.0f);
  |              ^^^^^^^^^^^
  |
help: a product is written with `*`: `2 * (…)`

error: invalid suffix `x` in `2x`
 --> product_without_sign.cu:5:14
  |
5 |     out[1] = 2x;
  |              ^^
  |
help: names begin with a letter or `_`, and a product is written with `*`
