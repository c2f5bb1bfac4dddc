__global__ void norms(float *out, const float3 *in)
{
    float3 v = in[threadIdx.x];
    out[threadIdx.x] = v.x * v.x + v.y * v.y + v.w * v.w;
    v = v * 2.0f;
    float4 w = {1.0f, 2.0f};
    w = v;
}
// ANCHOR: errors
error: no member named `w` in `float3`
 --> member_of_vector.cu:4:50
  |
4 |     out[threadIdx.x] = v.x * v.x + v.y * v.y + v.w * v.w;
  |                                                  ^
  |
help: it has `x`, `y`, `z`

error: invalid operands of `*`: `float3` and `float`
 --> member_of_vector.cu:5:11
  |
5 |     v = v * 2.0f;
  |           ^
  |
help: apply it to the members (`.x`, `.y` …), or define the operator for the type

error: cannot convert `float3` to `float4`
 --> member_of_vector.cu:7:9
  |
7 |     w = v;
  |         ^
