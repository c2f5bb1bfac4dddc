__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    char c = "a";
    out[i] = c;
}
// ANCHOR: errors
error: `const char[2]` cannot be converted to `char`
 --> string_for_character.cu:4:14
  |
4 |     char c = "a";
  |              ^^^
  |
help: a single character stands in single quotes: `'a'`
