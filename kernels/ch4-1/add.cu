// The sum of two vectors, as lab 4.1 runs it: linear memory, one thread an element, or one for four of them.

// ANCHOR: add
extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
// ANCHOR_END: add

// ANCHOR: add4
// Four elements a thread, which loads and stores 16 bytes at once. All three addresses are multiples of 16, as those of an
// allocation are. Where the vectors end within the four, a thread takes what is left one by one.
extern "C" __global__ void add4(const float *a, const float *b, float *c, int n) {
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 x = *(const float4 *)(a + i), y = *(const float4 *)(b + i);
        *(float4 *)(c + i) = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    } else {
        for (; i < n; i++) c[i] = a[i] + b[i];
    }
}
// ANCHOR_END: add4

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
