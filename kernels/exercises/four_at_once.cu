// Load four elements at once.
//
// Each thread adds four neighbouring elements of two vectors, one after the other, so
// that a warp makes four requests for each vector. Loads of 16 bytes need only one. The
// vectors begin at multiples of 16 bytes, as allocations do, but n is any number: the
// last thread may have fewer than four elements left.
//
// Load and store 16 bytes at a time, as `float4`, wherever there are four elements, and
// add the rest of the vectors one by one. A warp may make one request for each vector,
// and up to three more where the vectors end.

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    //<
    if (i + 3 < n) {
        float4 x = *(const float4 *)(a + i);
        float4 y = *(const float4 *)(b + i);
        *(float4 *)(c + i) = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    } else {
        for (; i < n; i++) c[i] = a[i] + b[i];
    }
    //| skeleton
    for (int end = min(i + 4, n); i < end; i++) c[i] = a[i] + b[i];
    //| leaves the rest out
    if (i + 3 < n) {
        float4 x = *(const float4 *)(a + i);
        float4 y = *(const float4 *)(b + i);
        *(float4 *)(c + i) = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
    //| four for everybody
    if (i < n) {
        float4 x = *(const float4 *)(a + i);
        float4 y = *(const float4 *)(b + i);
        *(float4 *)(c + i) = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
    //| stores one by one
    if (i + 3 < n) {
        float4 x = *(const float4 *)(a + i);
        float4 y = *(const float4 *)(b + i);
        c[i] = x.x + y.x;
        c[i + 1] = x.y + y.y;
        c[i + 2] = x.z + y.z;
        c[i + 3] = x.w + y.w;
    } else {
        for (; i < n; i++) c[i] = a[i] + b[i];
    }
    //>
}
