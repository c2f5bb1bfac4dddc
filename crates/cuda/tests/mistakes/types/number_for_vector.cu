__global__ void fill(float3 *positions, float s)
{
    positions[threadIdx.x] = 0.0f;
    float3 one = make_float3({s, s, s});
    positions[threadIdx.x + 1] = one;
}
// ANCHOR: errors
error: cannot convert `float` to `float3`
 --> number_for_vector.cu:3:30
  |
3 |     positions[threadIdx.x] = 0.0f;
  |                              ^^^^
  |
help: write all its members: `make_float3(…)`

error: no matching function for call to `make_float3`: it takes 3 arguments, not 1
 --> number_for_vector.cu:4:18
  |
4 |     float3 one = make_float3({s, s, s});
  |                  ^^^^^^^^^^^
  |
help: remove the braces: `make_float3(…)`
