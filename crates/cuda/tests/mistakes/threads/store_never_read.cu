__global__ void scale(float *data, float factor)
{
    float scaled = data[threadIdx.x] * factor;
    __shared__ float tile[256];
    tile[threadIdx.x] = scaled;
}
// ANCHOR: warnings
warning[unread-store]: value stored to `tile` is never read
 --> store_never_read.cu:5:5
  |
4 |     __shared__ float tile[256];
  |                      ---- `tile` is declared here
5 |     tile[threadIdx.x] = scaled;
  |     ^^^^ this store has no effect
  |
help: use `tile`, or remove it: the compiler removes stores that are never read
