struct Timer {
    long long *out, start;
    __device__ Timer(long long *o) : out(o), start(clock64()) {}
    __device__ ~Timer() { *out = clock64() - start; }
};

__device__ void finish(Timer timer, float *data)
{
    data[threadIdx.x] += 1.0f;
}

__global__ void work(float *data, long long *ticks)
{
    Timer(ticks);
    data[threadIdx.x] *= 2.0f;
    Timer second(ticks + 1);
    finish(second, data);
}
