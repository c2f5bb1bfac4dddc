__global__ void fill(float3 *positions, float s)
{
    positions[threadIdx.x] = 0.0f;
    float3 one = make_float3({s, s, s});
    positions[threadIdx.x + 1] = one;
}
// ANCHOR: errors
error: `float` cannot be converted to `float3`
 --> number_for_vector.cu:3:30
  |
3 |     positions[threadIdx.x] = 0.0f;
  |                              ^^^^
  |
help: write all its parts: `make_float3(…)`

error: `make_float3` cannot be called like this: it takes 3 arguments, not 1
 --> number_for_vector.cu:4:18
  |
4 |     float3 one = make_float3({s, s, s});
  |                  ^^^^^^^^^^^
  |
help: leave out the braces: `make_float3(…)`
