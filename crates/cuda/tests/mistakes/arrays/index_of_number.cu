__global__ void sum(const float *data, float *out, int n)
{
    float total = 0.0f;
    for (int i = 0; i < n; ++i)
        total[i] += data;
    out = total;
}
// ANCHOR: errors
error: subscripted value of type `float` is not an array or pointer
 --> index_of_number.cu:5:9
  |
5 |         total[i] += data;
  |         ^^^^^^^^
  |
help: an array is declared with its length in brackets: `float total[…]`

error: cannot convert `float` to `float *`
 --> index_of_number.cu:6:11
  |
6 |     out = total;
  |           ^^^^^
  |
help: write `&` before it for its address
