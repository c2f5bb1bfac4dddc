struct Particle {
    float3 position;
    float mass;
};

__global__ void masses(Particle *particles, float *out)
{
    Particle *particle = &particles[threadIdx.x];
    out[threadIdx.x] = particle.mass + particles[0]->mass;
}
// ANCHOR: errors
error: member reference type `Particle *` is a pointer
 --> dot_of_pointer.cu:9:24
  |
9 |     out[threadIdx.x] = particle.mass + particles[0]->mass;
  |                        ^^^^^^^^^^^^^
  |
help: write `->mass` instead of `.mass`

error: member reference type `Particle` is not a pointer
 --> dot_of_pointer.cu:9:40
  |
9 |     out[threadIdx.x] = particle.mass + particles[0]->mass;
  |                                        ^^^^^^^^^^^^
  |
help: write `.` instead of `->`
