__global__ void show(const float *data, const int *counts)
{
    printf("%d %f\n", data[threadIdx.x], counts[threadIdx.x]);
    printf("%d and %d\n", counts[0]);
    printf("done\n", counts[0]);
}
