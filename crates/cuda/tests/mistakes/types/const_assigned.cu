__global__ void scale(const float *in, float *out)
{
    const int i = threadIdx.x;
    const float factor;
    factor = 2;
    i += 1;
    out[i] = in[i] * factor;
}
// ANCHOR: errors
error: `const` variable `factor` is not initialised
 --> const_assigned.cu:4:17
  |
4 |     const float factor;
  |                 ^^^^^^
  |
help: initialise it: `factor = …`

error: cannot assign to `i`: it is `const`
 --> const_assigned.cu:6:5
  |
3 |     const int i = threadIdx.x;
  |               - `i` is declared `const` here
...
6 |     i += 1;
  |     ^^^^^^
  |
help: remove that `const` if the variable is meant to change
