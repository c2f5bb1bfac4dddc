struct Timer {
    long long *out, start;
    __device__ Timer(long long *o) : out(o), start(clock64()) {}
    ~Timer() { *out = clock64() - start; }
};

__global__ void work(float *data, long long *ticks)
{
    Timer timer(ticks);
    data[threadIdx.x] *= 2.0f;
}
