__global__ void blur(float *out, const float *in)
{
    if (threadIdx.x - 1 >= 0)
        out[threadIdx.x] = in[threadIdx.x - 1];
    if (threadIdx.x < 0)
        out[0] = 0.0f;
}
// ANCHOR: warnings
warning[unsigned-comparison]: `threadIdx.x - 1` is unsigned, so this comparison is always true
 --> negative_thread_index.cu:3:9
  |
3 |     if (threadIdx.x - 1 >= 0)
  |         ^^^^^^^^^^^^^^^^^^^^ always true
  |
help: convert it first, as in `(int)threadIdx.x - 1 < 0`, or compare without going below zero

warning[unsigned-comparison]: `threadIdx.x` is unsigned, so this comparison is always false
 --> negative_thread_index.cu:5:9
  |
5 |     if (threadIdx.x < 0)
  |         ^^^^^^^^^^^^^^^ always false
  |
help: convert it first, as in `(int)threadIdx.x - 1 < 0`, or compare without going below zero
