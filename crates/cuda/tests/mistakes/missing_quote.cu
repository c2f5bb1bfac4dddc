__global__ void hello()
{
    printf("Hello from thread %d\n, threadIdx.x);
}
