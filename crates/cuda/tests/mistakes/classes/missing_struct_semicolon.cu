struct Particle {
    float3 position;
    float mass;
}

__global__ void masses(const Particle *particles, float *out)
{
    out[threadIdx.x] = particles[threadIdx.x].mass;
}
// ANCHOR: errors
error: expected `;` after this `struct`
 --> missing_struct_semicolon.cu:4:2
  |
4 | }
  |  ^ write `;` here
