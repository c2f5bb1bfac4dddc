__global__ void k(float *out, int n)
{
    f32 sum = 0;
    i64 large = n;
    out[0] = sum + large;
}
// ANCHOR: errors
error: unknown type name `f32`
 --> types_of_rust.cu:3:5
  |
3 |     f32 sum = 0;
  |     ^^^
  |
help: C++ calls it `float`

error: unknown type name `i64`
 --> types_of_rust.cu:4:5
  |
4 |     i64 large = n;
  |     ^^^
  |
help: C++ calls it `long long`
