__global__ void check(int *flags, int i, int n)
{
    if (i > 0 & i < n)
        flags[i] = 1;
    if (i = n || i == 0)
        flags[i] = 2;
    if (flags[i] == 1 || 2)
        flags[i] = 3;
}
