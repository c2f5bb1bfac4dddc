extern "C" __global__ void sort(float *data, int n)
{
    float *mine = data + threadIdx.x * n;
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (mine[j] > mine[j + 1]) {
                float t = mine[j];
                mine[j] = mine[j + 1];
                mine[j + 1] = t;
            }
}
