extern "C" __global__ void calculate(const unsigned char *op, int *a, const int *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = a[i], y = b[i];
    switch (op[i]) {
    case 0: x += y; break;
    case 1: x -= y; break;
    case 2: x *= y; break;
    case 3: x /= y; break;
    case 4: x %= y; break;
    case 5: x ^= y; break;
    case 6: x = __popc(x) + b[y]; break;
    case 7: x = min(x, y) << 2; break;
    default: x = -x;
    }
    a[i] = x;
}
