__global__ void sum(const float *data, float *out, int n)
{
    float total;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        total += data[i];
    atomicAdd(out, total);
}
// ANCHOR: warnings
warning[uninitialised]: `total` is uninitialised when used here
 --> uninitialised.cu:5:9
  |
3 |     float total;
  |           ----- declared here without a value
4 |     for (int i = threadIdx.x; i < n; i += blockDim.x)
5 |         total += data[i];
  |         ^^^^^ nothing has been stored in it yet
  |
help: initialise it where it is declared, as in `total = 0`
