// The sum of two vectors, as lab 4.1 runs it: linear memory, one thread an element.

// ANCHOR: add
extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
// ANCHOR_END: add

// Nothing but its own pointer: where linear memory lies.
// ANCHOR: where
extern "C" __global__ void where(unsigned long long *out) { *out = (unsigned long long)out; }
// ANCHOR_END: where
