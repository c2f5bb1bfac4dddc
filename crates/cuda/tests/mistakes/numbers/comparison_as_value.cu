__global__ void sum(const float *in, float *out, int n)
{
    float total == 0.0f;
    for (int i == 0; i < n; i++) total += in[i];
    out[0] = total;
}
// ANCHOR: errors
error: invalid `==` in the declaration of `total`
 --> comparison_as_value.cu:3:17
  |
3 |     float total == 0.0f;
  |                 ^^
  |
help: write `=` to initialise it

error: invalid `==` in the declaration of `i`
 --> comparison_as_value.cu:4:16
  |
4 |     for (int i == 0; i < n; i++) total += in[i];
  |                ^^
  |
help: write `=` to initialise it
