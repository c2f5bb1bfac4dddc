enum class C { Red, Green };
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int c = C::Red;
    out[i] = c;
}
// ANCHOR: errors
error: cannot convert `C` to `int`
 --> enum_class_as_number.cu:5:13
  |
5 |     int c = C::Red;
  |             ^^^^^^
  |
help: an `enum class` does not convert to a number: write `(int)` before it for its value
