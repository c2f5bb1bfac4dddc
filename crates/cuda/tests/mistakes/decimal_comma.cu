__global__ void area(float *a)
{
    float pi = 3,14159;
    a[threadIdx.x] *= pi;
}
