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
