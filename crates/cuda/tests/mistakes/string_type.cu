__global__ void k(float *a)
{
    string name = "k";
    a[0] = 1.0f;
}
