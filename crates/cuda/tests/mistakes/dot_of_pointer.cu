struct Particle {
    float3 position;
    float mass;
};

__global__ void masses(Particle *particles, float *out)
{
    Particle *particle = &particles[threadIdx.x];
    out[threadIdx.x] = particle.mass + particles[0]->mass;
}
