__global__ void scale(float *data, float factor)
{
    auto scaled = [](float x) { return x * factor; };
    data[threadIdx.x] = scaled(data[threadIdx.x]);
    float (*twice)(float) = [](float x) { return 2.0f * x; };
    data[threadIdx.x] = twice(data[threadIdx.x]);
}
// ANCHOR: errors
error: the lambda does not capture `factor`
 --> lambda_without_capture.cu:3:44
  |
3 |     auto scaled = [](float x) { return x * factor; };
  |                                            ^^^^^^
  |
help: write `[&]`, `[=]`, or `[factor]`
