// A fraction that is lost in braces.
__global__ void index(int *o, float x)
{
    int cell{x * 8};
    int first[2] = {2.5, 0};
    o[threadIdx.x] = cell + first[threadIdx.x & 1];
}
