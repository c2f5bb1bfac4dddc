extern "C" __global__ void shift(char *text, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    char c = text[i];
    if (c >= 'a' && c <= 'z')
        text[i] = 'a' + (c - 'a' + by) % 26;
    else if (c >= 'A' && c <= 'Z')
        text[i] = 'A' + (c - 'A' + by) % 26;
}
extern "C" __global__ void upper(char *text, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && text[i] >= 'a' && text[i] <= 'z')
        text[i] -= 32;
}
