__global__ void k(float *out)
{
    float my-sum = 0.0f;
    my-sum = out[0];
}
// ANCHOR: errors
error: a name must be one word of letters, digits and `_`
 --> name_with_dash.cu:3:11
  |
3 |     float my-sum = 0.0f;
  |           ^^^^^^
  |
help: write `my_sum`

error: expression is not assignable: it is a value, not a variable
 --> name_with_dash.cu:4:5
  |
4 |     my-sum = out[0];
  |     ^^^^^^
