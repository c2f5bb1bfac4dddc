// What another file defines, and nothing here needs.
extern __constant__ float taps[4];
extern __device__ int counter;
__device__ int helper(int x);
__device__ int unused(int x) { return helper(x) + counter; }
extern __constant__ float weights[2];
extern __device__ int steps;
__device__ int next(int x);
__global__ void k(float *p) { p[next(steps)] = weights[1]; }
__constant__ float weights[2] = {1, 2};
__device__ int steps = 3;
__device__ int next(int x) { return x + 1; }
