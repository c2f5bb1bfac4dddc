struct Particle {
    float3 position;
    float mass;
}

__global__ void masses(const Particle *particles, float *out)
{
    out[threadIdx.x] = particles[threadIdx.x].mass;
}
