__global__ void k(int n)
{
    print("n = %d\n", n);
}
