__global__ void k(int n)
{
    std::cout << n << std::endl;
}
