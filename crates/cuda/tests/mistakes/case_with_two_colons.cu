__global__ void pick(int *out, int n)
{
    switch (n) {
    case 0::
        out[0] = 1;
        break;
    default::
        out[0] = 2;
    }
}
