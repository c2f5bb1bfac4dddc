__global__ __device__ void k(int *a) { a[0] = 1; }
__device__ __constant__ float c[3];
__shared__ __constant__ float d[3];
__global__ void k2(int *a) { __device__ int x = 3; static __shared__ int y = 3; a[0] = x + y; }
