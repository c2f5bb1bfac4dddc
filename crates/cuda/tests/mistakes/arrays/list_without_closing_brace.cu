__global__ void rows(float *out)
{
    int rows[2][2] = {{1, 2}, {3, 4};
    out[0] = rows[1][0];
}
// ANCHOR: errors
error: expected `}`
 --> list_without_closing_brace.cu:3:37
  |
3 |     int rows[2][2] = {{1, 2}, {3, 4};
  |                      -              ^ write `}` after this
  |                      |
  |                      to match this `{`
