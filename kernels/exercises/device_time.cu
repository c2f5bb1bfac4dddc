// Keep a value on the device.
//
// A simulation keeps its time on the device. `advance` is launched with one thread and
// adds a step to the time, `wave` uses the time, and after each step the host copies it
// from the symbol `now`. At present, each kernel has its own variable, which is gone
// when its thread ends.
//
// Let both kernels use one variable of the program, a `float` named `now` that starts
// as 0 and outlives them.

//<
__device__ float now = 0.0f;
//| skeleton
//| as a double
__device__ double now = 0.0;
//| in constant memory
__constant__ float now = 0.0f;
//>

__global__ void advance(float step)
{
    //<
    //| skeleton
    float now = 0.0f;
    //>
    now += step;
}

__global__ void wave(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    //<
    //| skeleton
    float now = 0.0f;
    //| one left behind
    float now = 0.0f;
    //>
    out[i] = i - 10.0f * now;
}
