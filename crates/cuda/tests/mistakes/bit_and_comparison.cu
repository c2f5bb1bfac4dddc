__global__ void even(int *data)
{
    int i = threadIdx.x;
    if (i & 1 == 0)
        data[i] = 0;
}
