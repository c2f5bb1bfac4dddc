__global__ void sum(const float *data, float *out, int n)
{
    float total = 0.0f;
    for (int i = 0; i < n; ++i)
        total[i] += data;
    out = total;
}
// ANCHOR: errors
error: `float` is no array and no pointer: it has no elements
 --> index_of_number.cu:5:9
  |
5 |         total[i] += data;
  |         ^^^^^^^^
  |
help: an array has its length in brackets where it is declared: `float total[…]`

error: `float` cannot be converted to `float *`
 --> index_of_number.cu:6:11
  |
6 |     out = total;
  |           ^^^^^
  |
help: write `&` before it for its address
