__global__ void sum(int n, ...)
{
}
