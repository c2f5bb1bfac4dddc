__global__ void scale(const float *in, float *out)
{
    const int i = threadIdx.x;
    const float factor;
    factor = 2;
    i += 1;
    out[i] = in[i] * factor;
}
// ANCHOR: errors
error: `factor` is `const` and never given a value
 --> const_assigned.cu:4:17
  |
4 |     const float factor;
  |                 ^^^^^^
  |
help: write its value: `factor = …`

error: `i` is `const`, so it cannot be changed
 --> const_assigned.cu:6:5
  |
3 |     const int i = threadIdx.x;
  |               - `i` is declared here, with `const`
...
6 |     i += 1;
  |     ^^^^^^
  |
help: remove the `const` there if it is to be changed
