__global__ void choose(int *data, int mode)
{
    switch (mode) {
    case 0:
        int value = 3;
        data[threadIdx.x] = value;
        break;
    default:
        data[threadIdx.x] = value;
    }
}
