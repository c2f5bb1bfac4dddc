extern "C" __global__ void search(const int *sorted, const int *keys, int *out, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    int key = keys[i], low = 0, high = n - 1, at = -1;
    while (low <= high) {
        int mid = (low + high) / 2;
        if (sorted[mid] == key) {
            at = mid;
            break;
        }
        if (sorted[mid] < key)
            low = mid + 1;
        else
            high = mid - 1;
    }
    out[i] = at;
}
