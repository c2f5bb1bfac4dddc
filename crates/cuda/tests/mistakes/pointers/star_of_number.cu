__global__ void sum(const float *data, float *out, int n)
{
    float total = 0.0f;
    for (int i = 0; i < n; ++i)
        total += *data[i];
    *out = *total;
}
// ANCHOR: errors
error: `*` requires a pointer operand, not `float`
 --> star_of_number.cu:5:18
  |
5 |         total += *data[i];
  |                  ^^^^^^^^
  |
help: `data[i]` is already the value: remove the `*`

error: `*` requires a pointer operand, not `float`
 --> star_of_number.cu:6:12
  |
6 |     *out = *total;
  |            ^^^^^^
  |
help: `total` is already the value: remove the `*`
