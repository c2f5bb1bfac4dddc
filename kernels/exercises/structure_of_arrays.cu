// Make a structure of arrays.
//
// `data` holds n points. One kernel writes their coordinates, another reads them. Only
// `place` decides their layout in `data`. At present, a point is a structure of three
// floats, and data is an array of structures: the lanes of a warp, a point each, find
// their x 12 bytes apart, and a request takes 12 sectors.
//
// Change `place` so that no request takes more than 4 sectors, on average, for any n.
// `data` has room for three floats a point, with n rounded up to a multiple of 32.

// Index in `data` of coordinate `axis` of point i; axis: 0 for x, 1 for y, 2 for z.
__device__ int place(int axis, int i, int n)
{
    //<
    int length = (n + 7) / 8 * 8;
    return axis * length + i;
    //| skeleton
    return 3 * i + axis;
    //| arrays without a gap
    return axis * n + i;
    //| arrays of whole blocks
    int length = (n + 255) / 256 * 256;
    return axis * length + i;
    //| axes that overlap
    return axis * 32 + i;
    //>
}

__global__ void gather(const float *x, const float *y, const float *z, float *data,
                       int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    data[place(0, i, n)] = x[i];
    data[place(1, i, n)] = y[i];
    data[place(2, i, n)] = z[i];
}

__global__ void lengths(const float *data, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = data[place(0, i, n)];
    float y = data[place(1, i, n)];
    float z = data[place(2, i, n)];
    out[i] = sqrtf(x * x + y * y + z * z);
}
