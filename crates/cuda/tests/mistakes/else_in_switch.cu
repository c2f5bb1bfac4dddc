__global__ void name(int *out, int n)
{
    switch (n) {
    case 0:
        out[0] = 1;
        break;
    else:
        out[0] = 2;
    }
}
