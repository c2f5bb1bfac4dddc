__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    char c = "a";
    out[i] = c;
}
// ANCHOR: errors
error: cannot convert `const char[2]` to `char`
 --> string_for_character.cu:4:14
  |
4 |     char c = "a";
  |              ^^^
  |
help: a single character is written in single quotes: `'a'`
