struct Solver {
    __global__ void step(float *data) { data[threadIdx.x] += 1.0f; }
};
// ANCHOR: errors
error: a kernel cannot be a member of a class
 --> kernel_in_class.cu:2:21
  |
2 |     __global__ void step(float *data) { data[threadIdx.x] += 1.0f; }
  |                     ^^^^
  |
help: move it out of the class, and pass it what it needs
