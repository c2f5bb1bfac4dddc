__global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float local[4];
    local[0] = in[i];
    local[1] = 2.0f;
    float result = in[i] * 2.0f;
    result = in[i] * 3.0f;
    out[i] = result;
}
// ANCHOR: warnings
warning[unread-store]: value stored to `local` is never read
 --> dead_store.cu:5:5
  |
4 |     float local[4];
  |           ----- `local` is declared here
5 |     local[0] = in[i];
  |     ^^^^^ this store has no effect
  |
help: use `local`, or remove it: the compiler removes stores that are never read

warning[unread-store]: value stored to `result` is never read
 --> dead_store.cu:7:5
  |
7 |     float result = in[i] * 2.0f;
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ this store has no effect
8 |     result = in[i] * 3.0f;
  |     --------------------- overwritten here before it is read
  |
help: remove one of the two stores, or use the first value before the second is stored
