__global__ void fill(float4 *out)
{
    float4 v = float4(1.0f, 2.0f, 3.0f, 4.0f);
    float4 w = out[0];
    w[0] = 5.0f;
    if (threadIdx.x < 4) then out[threadIdx.x] = v;
}
// ANCHOR: errors
error: `float4` has no constructor
 --> vectors_as_classes.cu:3:16
  |
3 |     float4 v = float4(1.0f, 2.0f, 3.0f, 4.0f);
  |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: write `make_float4(…)`

error: `float4` has no `operator[]`, so it cannot be used like this
 --> vectors_as_classes.cu:5:5
  |
5 |     w[0] = 5.0f;
  |     ^^^^
  |
help: its members are `.x`, `.y` and so on

error: unknown type name `then`
 --> vectors_as_classes.cu:6:26
  |
6 |     if (threadIdx.x < 4) then out[threadIdx.x] = v;
  |                          ^^^^
  |
help: C has no `then`: the statement follows the parentheses of `if`
