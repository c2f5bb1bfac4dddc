__global__ void k(int n)
{
    printf("%s\n", n);
}
