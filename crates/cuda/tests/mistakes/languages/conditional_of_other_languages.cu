__global__ void clamp(const float *in, float *out, int n)
{
    int i = threadIdx.x;
    float x = in[i] if i < n else 0.0f;
    out[i] = if x > 1.0f { 1.0f } else { x };
}
// ANCHOR: errors
error: C has no `if` inside an expression
 --> conditional_of_other_languages.cu:4:21
  |
4 |     float x = in[i] if i < n else 0.0f;
  |                     ^^^^^^^^^^^^^
  |
help: write `condition ? value : other`

error: `if` is a statement in C and has no value
 --> conditional_of_other_languages.cu:5:14
  |
5 |     out[i] = if x > 1.0f { 1.0f } else { x };
  |              ^^
  |
help: write `condition ? value : other`
