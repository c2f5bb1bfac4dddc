__global__ void k(float *a)
{
    uint8 small = 3;
    int32 large = 100000;
    float64 exact = 0.1;
    String name = "k";
    a[0] = small + large + exact;
}
