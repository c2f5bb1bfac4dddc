struct Counter {
    int n;
    __device__ int get() { return n; }
};

__device__ void increase(int *p) { *p += 1; }
__device__ void clear(int &x) { x = 0; }

__global__ void count(const int *data, int *out, const Counter *counter)
{
    int i = threadIdx.x;
    increase(&data[i]);
    clear(data[i]);
    out[i] = counter->get();
}
