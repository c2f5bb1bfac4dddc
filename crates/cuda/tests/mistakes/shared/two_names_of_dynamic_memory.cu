__global__ void move(const int *in, int *out)
{
    extern __shared__ int offsets[];
    extern __shared__ int places[];
    offsets[threadIdx.x] = in[threadIdx.x];
    places[threadIdx.x] = 2 * in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = places[threadIdx.x];
}
// ANCHOR: warnings
warning[one-shared-memory]: `offsets` and `places` share the same memory
 --> two_names_of_dynamic_memory.cu:4:27
  |
3 |     extern __shared__ int offsets[];
  |                           ------- all `extern __shared__` arrays begin at the same address
4 |     extern __shared__ int places[];
  |                           ^^^^^^
  |
help: make one of them begin after the other, as in `int *places = (int *)&offsets[blockDim.x];`
