struct Point { float x, y; };
__device__ float norm(Point p) { return sqrtf(p.x * p.x + p.y * p.y); }

__global__ void work(float *data)
{
    data[threadIdx.x] = norm(data[0], data[1]);
}
// ANCHOR: errors
error: no matching function for call to `norm`: it takes 1 argument, not 2
 --> overload_with_library.cu:6:25
  |
2 | __device__ float norm(Point p) { return sqrtf(p.x * p.x + p.y * p.y); }
  |                  ---- declared here
...
6 |     data[threadIdx.x] = norm(data[0], data[1]);
  |                         ^^^^
