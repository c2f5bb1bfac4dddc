// The sum of two vectors, as lab 4.1 runs it: linear memory, one thread an element.

// ANCHOR: add
extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
// ANCHOR_END: add

// ANCHOR: walk
// Linear memory is reached by pointers, so what lies in it may point to what else lies in it: here a list.
struct Node {
    const Node *next;
    unsigned value;
};

extern "C" __global__ void walk(const Node *at, unsigned *out) {
    unsigned place = 0, sum = 0;
    for (; at; at = at->next) sum += ++place * at->value;
    *out = sum;
}
// ANCHOR_END: walk
