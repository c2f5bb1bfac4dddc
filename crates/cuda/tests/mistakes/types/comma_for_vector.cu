struct Particle { float x, y, mass; };

__device__ float length(float3 v)
{
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

__global__ void fill(float3 *positions, Particle *particles, float *out)
{
    int i = threadIdx.x;
    positions[i] = (1.0f, 2.0f, 3.0f);
    float3 centre = (0.0f, i, 1.0f);
    out[i] = length((1.0f, 0.0f, 0.0f));
    Particle first = (1.0f, 2.0f, 0.5f);
    particles[i] = first;
}
// ANCHOR: errors
error: cannot convert `float` to `float3`
  --> comma_for_vector.cu:11:21
   |
11 |     positions[i] = (1.0f, 2.0f, 3.0f);
   |                     ^^^^^^^^^^^^^^^^
   |
help: a comma between values keeps only the last: write `make_float3(1.0f, 2.0f, 3.0f)`

error: cannot convert `float` to `float3`
  --> comma_for_vector.cu:12:22
   |
12 |     float3 centre = (0.0f, i, 1.0f);
   |                      ^^^^^^^^^^^^^
   |
help: a comma between values keeps only the last: write `make_float3(0.0f, i, 1.0f)`

error: no matching function for call to `length`: cannot convert argument 1 from `float` to `float3`
  --> comma_for_vector.cu:13:22
   |
 3 | __device__ float length(float3 v)
   |                  ------ declared here
...
13 |     out[i] = length((1.0f, 0.0f, 0.0f));
   |                      ^^^^^^^^^^^^^^^^
   |
help: a comma between values keeps only the last: write `make_float3(1.0f, 0.0f, 0.0f)`

error: cannot convert `float` to `Particle`
  --> comma_for_vector.cu:14:23
   |
14 |     Particle first = (1.0f, 2.0f, 0.5f);
   |                       ^^^^^^^^^^^^^^^^
   |
help: a comma between values keeps only the last: write `Particle{1.0f, 2.0f, 0.5f}`
