// Go through the table once.
//
// For each of its eight samples, a thread looks for the nearest of `entries` values of
// a table in constant memory, and writes how far away that is. All lanes read the same
// entry at the same time, so no read is replayed. But the table has up to 16 KiB, and
// the first constant cache of a multiprocessor holds 2 KiB: by the end of the table,
// its beginning is no longer there, and each sample has to fetch it again.
//
// Change the order of the loops so that far fewer reads miss that cache. The table
// stays in constant memory, and each sample is read once from global memory.

#define SAMPLES 8

__constant__ float entry[4096];

__global__ void nearest(const float *in, float *out, int entries, int n)
{
    int first = SAMPLES * blockIdx.x * blockDim.x + threadIdx.x;
    //<
    float x[SAMPLES], best[SAMPLES];
    for (int s = 0; s < SAMPLES; s++) {
        int i = first + s * blockDim.x;
        x[s] = i < n ? in[i] : 0.0f;
        best[s] = 1e30f;
    }
    for (int k = 0; k < entries; k++) {
        for (int s = 0; s < SAMPLES; s++) {
            best[s] = fminf(best[s], fabsf(x[s] - entry[k]));
        }
    }
    for (int s = 0; s < SAMPLES; s++) {
        int i = first + s * blockDim.x;
        if (i < n) out[i] = best[s];
    }
    //| skeleton
    for (int s = 0; s < SAMPLES; s++) {
        int i = first + s * blockDim.x;
        if (i >= n) return;
        float x = in[i], best = 1e30f;
        for (int k = 0; k < entries; k++) best = fminf(best, fabsf(x - entry[k]));
        out[i] = best;
    }
    //| a different beginning for each warp
    for (int s = 0; s < SAMPLES; s++) {
        int i = first + s * blockDim.x;
        if (i >= n) return;
        float x = in[i], best = 1e30f;
        int from = threadIdx.x / 32 * entries / 8;
        for (int k = 0; k < entries; k++) {
            best = fminf(best, fabsf(x - entry[(from + k) % entries]));
        }
        out[i] = best;
    }
    //| the samples are read again for each entry
    float best[SAMPLES];
    for (int s = 0; s < SAMPLES; s++) best[s] = 1e30f;
    for (int k = 0; k < entries; k++) {
        for (int s = 0; s < SAMPLES; s++) {
            int i = first + s * blockDim.x;
            if (i < n) best[s] = fminf(best[s], fabsf(in[i] - entry[k]));
        }
    }
    for (int s = 0; s < SAMPLES; s++) {
        int i = first + s * blockDim.x;
        if (i < n) out[i] = best[s];
    }
    //| as many samples as there are
    float x[SAMPLES], best[SAMPLES];
    int count = min(SAMPLES, (n - first + 255) / 256);
    for (int s = 0; s < count; s++) {
        x[s] = in[first + s * 256];
        best[s] = 1e30f;
    }
    for (int k = 0; k < entries; k++) {
        for (int s = 0; s < count; s++) {
            best[s] = fminf(best[s], fabsf(x[s] - entry[k]));
        }
    }
    for (int s = 0; s < count; s++) out[first + s * 256] = best[s];
    //| a copy in shared memory
    __shared__ float copy[4096];
    for (int k = threadIdx.x; k < entries; k += blockDim.x) copy[k] = entry[k];
    __syncthreads();
    for (int s = 0; s < SAMPLES; s++) {
        int i = first + s * blockDim.x;
        if (i >= n) return;
        float x = in[i], best = 1e30f;
        for (int k = 0; k < entries; k++) best = fminf(best, fabsf(x - copy[k]));
        out[i] = best;
    }
    //| the first part alone
    float x[SAMPLES], best[SAMPLES];
    for (int s = 0; s < SAMPLES; s++) {
        int i = first + s * blockDim.x;
        x[s] = i < n ? in[i] : 0.0f;
        best[s] = 1e30f;
    }
    for (int k = 0; k < min(entries, 512); k++) {
        for (int s = 0; s < SAMPLES; s++) {
            best[s] = fminf(best[s], fabsf(x[s] - entry[k]));
        }
    }
    for (int s = 0; s < SAMPLES; s++) {
        int i = first + s * blockDim.x;
        if (i < n) out[i] = best[s];
    }
    //>
}
