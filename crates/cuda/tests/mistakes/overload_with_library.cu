struct Point { float x, y; };
__device__ float norm(Point p) { return sqrtf(p.x * p.x + p.y * p.y); }

__global__ void work(float *data)
{
    data[threadIdx.x] = norm(data[0], data[1]);
}
