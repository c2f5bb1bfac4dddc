__global__ void wait(int *flags, int n)
{
    int done = 0;
    while (done = 0)
        done = flags[threadIdx.x];
    if (n =! 3)
        flags[0] = 1;
    flags[1] =+ 2;
}
