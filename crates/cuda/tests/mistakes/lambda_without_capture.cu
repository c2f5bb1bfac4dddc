__global__ void scale(float *data, float factor)
{
    auto scaled = [](float x) { return x * factor; };
    data[threadIdx.x] = scaled(data[threadIdx.x]);
    float (*twice)(float) = [](float x) { return 2.0f * x; };
    data[threadIdx.x] = twice(data[threadIdx.x]);
}
