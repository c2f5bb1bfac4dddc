struct Row {
    float *data;
    __device__ float &opertor[](int i) { return data[i]; }
};

__global__ void k(float *out)
{
    Row row{out};
    row[2] = 1.0f;
}
