__global__ void k(float *out, int n)
{
    f32 sum = 0;
    i64 large = n;
    out[0] = sum + large;
}
// ANCHOR: errors
error: there is no type `f32`
 --> types_of_rust.cu:3:5
  |
3 |     f32 sum = 0;
  |     ^^^
  |
help: it is called `float` here

error: there is no type `i64`
 --> types_of_rust.cu:4:5
  |
4 |     i64 large = n;
  |     ^^^
  |
help: it is called `long long` here
