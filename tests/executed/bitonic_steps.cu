extern "C" __global__ void step(float *data, unsigned j, unsigned k)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
    if (other > i) {
        if ((i & k) == 0) {
            if (data[i] > data[other]) {
                float t = data[i];
                data[i] = data[other];
                data[other] = t;
            }
        } else {
            if (data[i] < data[other]) {
                float t = data[i];
                data[i] = data[other];
                data[other] = t;
            }
        }
    }
}
