__global__ void choose(int *a, int n)
{
    int low = 1;
    switch (a[threadIdx.x]) {
    case low: a[threadIdx.x] = 2; break;
    case n: a[threadIdx.x] = 3; break;
    case 4: a[threadIdx.x] = 5; break;
    case 4: a[threadIdx.x] = 6; break;
    }
}
