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
// ANCHOR: errors
error: `Timer::~Timer` is a host function: a kernel cannot call it
 --> destructor_of_host.cu:9:11
  |
4 |     ~Timer() { *out = clock64() - start; }
  |     ------ declared here, without `__device__`
...
9 |     Timer timer(ticks);
  |           ^^^^^
  |
help: write `__device__` before the declaration of `Timer::~Timer`
