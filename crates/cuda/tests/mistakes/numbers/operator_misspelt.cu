struct Row {
    float *data;
    __device__ float &opertor[](int i) { return data[i]; }
};

__global__ void k(float *out)
{
    Row row{out};
    row[2] = 1.0f;
}
// ANCHOR: errors
error: `opertor` is not a C++ keyword
 --> operator_misspelt.cu:3:23
  |
3 |     __device__ float &opertor[](int i) { return data[i]; }
  |                       ^^^^^^^
  |
help: did you mean `operator`?
