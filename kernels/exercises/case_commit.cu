// The case of the last tiles.
//
// A block adds up `tiles` tiles of 64 numbers, and each thread takes that at the
// mirrored place. There is room for three tiles, so copies of two are in flight while
// one is added. `__pipeline_wait_prior(2)` waits for all batches but the last two. Most
// runs give the right sums.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark. The copies of two tiles are still in flight.

#include <cuda_pipeline.h>

__global__ void sums(const float *in, float *out, int tiles)
{
    __shared__ float tile[3][64];
    const float *from = in + 64 * tiles * blockIdx.x;
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < 2; k++) {
        if (k < tiles) __pipeline_memcpy_async(&tile[k][t], &from[64 * k + t], 4);
        __pipeline_commit();
    }
    for (int k = 0; k < tiles; k++) {
        //<
        if (k + 2 < tiles)
            __pipeline_memcpy_async(&tile[(k + 2) % 3][t], &from[64 * (k + 2) + t], 4);
        __pipeline_commit(); // cause
        __pipeline_wait_prior(2);
        //| skeleton
        if (k + 2 < tiles) {
            __pipeline_memcpy_async(&tile[(k + 2) % 3][t], &from[64 * (k + 2) + t], 4);
            __pipeline_commit();
        }
        __pipeline_wait_prior(2);
        //| the addition is marked
        if (k + 2 < tiles) {
            __pipeline_memcpy_async(&tile[(k + 2) % 3][t], &from[64 * (k + 2) + t], 4);
            __pipeline_commit();
        }
        __pipeline_wait_prior(2);
        //| waits for all
        if (k + 2 < tiles) {
            __pipeline_memcpy_async(&tile[(k + 2) % 3][t], &from[64 * (k + 2) + t], 4);
            __pipeline_commit();
        }
        __pipeline_wait_prior(0); // cause
        //| nothing is marked
        if (k + 2 < tiles)
            __pipeline_memcpy_async(&tile[(k + 2) % 3][t], &from[64 * (k + 2) + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(2);
        //>
        __syncthreads();
        //<
        sum += tile[k % 3][63 - t];
        //| the addition is marked
        sum += tile[k % 3][63 - t]; // cause
        //>
        __syncthreads();
    }
    out[64 * blockIdx.x + t] = sum;
}
