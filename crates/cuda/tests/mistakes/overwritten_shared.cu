__global__ void twice(float *data, int n)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = data[y * n + x];
    __syncthreads();
    float value = tile[x][y];
    tile[y][x] = value * 2.0f;
    __syncthreads();
    data[y * n + x] = tile[x][y];
}
