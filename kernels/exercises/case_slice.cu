// The case of the third dimension.
//
// The kernel doubles each element of a volume of `depth` slices, with `height` rows of
// `width` floats each. Rows are `pitch` bytes apart. It was tried with cubes, and all
// of them came out right.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark.

__global__ void twice(float *volume, size_t pitch, int width, int height, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    for (int z = 0; z < depth; z++) {
        //<
        char *slice = (char *)volume + z * height * pitch; // cause
        //| skeleton
        char *slice = (char *)volume + z * width * pitch;
        //| the access is marked
        char *slice = (char *)volume + z * width * pitch;
        //| without the pitch
        char *slice = (char *)volume + z * height * width * sizeof(float); // cause
        //>
        float *row = (float *)(slice + y * pitch);
        //<
        row[x] *= 2.0f;
        //| the access is marked
        row[x] *= 2.0f; // cause
        //>
    }
}
