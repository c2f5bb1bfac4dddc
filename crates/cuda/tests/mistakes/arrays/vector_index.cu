__global__ void sum(const float4 *a, float *out)
{
    float4 v = a[threadIdx.x];
    float s = 0;
    for (int i = 0; i < 4; i++) s += v[i];
    out[threadIdx.x] = s;
}
// ANCHOR: errors
error: `float4` has no `operator[]`, so it cannot be used like this
 --> vector_index.cu:5:38
  |
5 |     for (int i = 0; i < 4; i++) s += v[i];
  |                                      ^^^^
  |
help: its members are `.x`, `.y` and so on
