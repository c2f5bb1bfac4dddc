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
error: `Particle *` is a pointer: `.` wants the object itself
 --> dot_of_pointer.cu:9:24
  |
9 |     out[threadIdx.x] = particle.mass + particles[0]->mass;
  |                        ^^^^^^^^^^^^^
  |
help: write `->mass`

error: `->` wants a pointer, and this is `Particle`
 --> dot_of_pointer.cu:9:40
  |
9 |     out[threadIdx.x] = particle.mass + particles[0]->mass;
  |                                        ^^^^^^^^^^^^
  |
help: write `.` instead of `->`
