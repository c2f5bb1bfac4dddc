__global__ void copy(float *in, float *out)
{
    float4 four = reinterpret_cast<float4>(in)[threadIdx.x];
    out[threadIdx.x] = four.x;
}
// ANCHOR: errors
error: cannot cast `float *` to `float4`
 --> cast_to_vector.cu:3:19
  |
3 |     float4 four = reinterpret_cast<float4>(in)[threadIdx.x];
  |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: a pointer can only be cast to another pointer: write `float4 *`
