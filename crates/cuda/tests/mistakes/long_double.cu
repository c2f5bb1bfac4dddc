__global__ void sum(double *data)
{
    long double total = data[0];
    __int128 wide = 1;
    data[0] = total + wide;
}
