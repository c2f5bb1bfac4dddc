__global__ void add(int *p) { p[threadIdx.x] += 1; }

int main()
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    return i;
}
