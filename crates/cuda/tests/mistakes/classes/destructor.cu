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
// ANCHOR: errors
error: `Timer` has a destructor: passing it by value is not supported by this compiler
 --> destructor.cu:7:30
  |
4 |     __device__ ~Timer() { *out = clock64() - start; }
  |                ------ destructor declared here
...
7 | __device__ void finish(Timer timer, float *data)
  |                              ^^^^^
  |
help: pass it by reference (`Timer &`)

error: `Timer` has a destructor: temporary objects of it are not supported by this compiler
  --> destructor.cu:14:5
   |
 4 |     __device__ ~Timer() { *out = clock64() - start; }
   |                ------ destructor declared here
...
14 |     Timer(ticks);
   |     ^^^^^^^^^^^^
   |
help: give it a name, as in `Timer one(…);`: it is destroyed at the end of the enclosing block
