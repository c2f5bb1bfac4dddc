// The case of the odd row.
//
// A block takes 8 rows of 32 floats to shared memory. Then each of 64 threads sums four
// neighbours of a row, which it loads at once. The kernel worked until somebody padded
// the rows against bank conflicts.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark. The four floats are still loaded at once.

__global__ void sum_quads(const float *in, float *out)
{
    //<
    __shared__ __align__(16) float rows[8][32 + 4]; // cause
    //| skeleton
    __shared__ __align__(16) float rows[8][32 + 1];
    //| the load is marked
    __shared__ __align__(16) float rows[8][32 + 1];
    //| one by one
    __shared__ __align__(16) float rows[8][32 + 1]; // cause
    //>
    int x = threadIdx.x, y = threadIdx.y, first = blockIdx.x * 8 * 32;
    rows[y][x] = in[first + y * 32 + x];
    __syncthreads();
    if (x < 8) {
        //<
        float4 quad = *(const float4 *)&rows[y][4 * x];
        //| the load is marked
        float4 quad = *(const float4 *)&rows[y][4 * x]; // cause
        //| one by one
        const float *four = &rows[y][4 * x];
        float4 quad = make_float4(four[0], four[1], four[2], four[3]);
        //>
        out[blockIdx.x * 64 + y * 8 + x] = quad.x + quad.y + quad.z + quad.w;
    }
}
