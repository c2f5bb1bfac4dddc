extern "C" __global__ void names(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, r;
    switch (in[i]) {
    case 0: r = 31; break;
    case 1: r = 28; break;
    case 2: r = 31; break;
    case 3: r = 30; break;
    case 4: r = 31; break;
    case 5: r = 30; break;
    case 6: r = 31; break;
    case 7: r = 33; break;
    case 8: r = 30; break;
    case 9: r = 35; break;
    default: r = -1;
    }
    out[i] = r;
}
extern "C" __global__ void states(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, state = 0, steps = 0;
    while (state != 5 && steps < 40) {
        int v = in[(i + steps) & 1023];
        switch (state) {
        case 0: state = v < 6 ? 1 : 2; break;
        case 1: state = v & 1 ? 3 : 0; break;
        case 2: state = v > 8 ? 5 : 4; break;
        case 3: state = v > 3 ? 4 : 2; break;
        case 4: state = (v + steps) % 3 ? 0 : 5; break;
        }
        steps++;
    }
    out[i] = steps;
}
