// Read each slice once.
//
// A volume has `depth` slices of `height` rows of `width` floats. Rows are `pitch`
// bytes apart, and slices `height` rows. Write to each element of `out`, which is laid
// out like `in`, the mean of three elements of `in`: of its own, of the one in the
// slice before it, and of the one in the slice after it. Where there is no such slice,
// its own element counts twice.
//
// The grid has a thread for each element of one slice, in blocks of 32 × 4. A thread
// goes through all slices. What it has read once it can keep: a warp makes one request
// for each of its elements of a slice, and no more.

__global__ void smooth(const float *in, float *out, size_t pitch,
                       int width, int height, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    //<
    if (x >= width || y >= height) return;
    size_t slice = height * pitch, place = y * pitch + x * sizeof(float);
    const char *from = (const char *)in + place;
    char *to = (char *)out + place;
    float here = *(const float *)from, before = here;
    for (int z = 0; z < depth; z++) {
        float after = z + 1 < depth ? *(const float *)(from + (z + 1) * slice) : here;
        *(float *)(to + z * slice) = (before + here + after) / 3.0f;
        before = here;
        here = after;
    }
    //| skeleton
    // YOUR CODE
    //| one block does all
    if (blockIdx.x > 0 || blockIdx.y > 0) return;
    for (; y < height; y += 4) {
        for (int x = threadIdx.x; x < width; x += 32) {
            size_t slice = height * pitch, place = y * pitch + x * sizeof(float);
            const char *from = (const char *)in + place;
            char *to = (char *)out + place;
            float here = *(const float *)from, before = here;
            for (int z = 0; z < depth; z++) {
                const char *next = from + (z + 1) * slice;
                float after = z + 1 < depth ? *(const float *)next : here;
                *(float *)(to + z * slice) = (before + here + after) / 3.0f;
                before = here;
                here = after;
            }
        }
    }
    //| three loads for each element
    if (x >= width || y >= height) return;
    size_t slice = height * pitch, place = y * pitch + x * sizeof(float);
    const char *from = (const char *)in + place;
    char *to = (char *)out + place;
    for (int z = 0; z < depth; z++) {
        float before = *(const float *)(from + max(z - 1, 0) * slice);
        float here = *(const float *)(from + z * slice);
        float after = *(const float *)(from + min(z + 1, depth - 1) * slice);
        *(float *)(to + z * slice) = (before + here + after) / 3.0f;
    }
    //| a slice too far
    if (x >= width || y >= height) return;
    size_t slice = height * pitch, place = y * pitch + x * sizeof(float);
    const char *from = (const char *)in + place;
    char *to = (char *)out + place;
    float here = *(const float *)from, before = here;
    for (int z = 0; z < depth; z++) {
        float after = *(const float *)(from + (z + 1) * slice);
        *(float *)(to + z * slice) = (before + here + after) / 3.0f;
        before = here;
        here = after;
    }
    //| slices without padding
    if (x >= width || y >= height) return;
    size_t slice = height * width * sizeof(float);
    size_t place = y * pitch + x * sizeof(float);
    const char *from = (const char *)in + place;
    char *to = (char *)out + place;
    float here = *(const float *)from, before = here;
    for (int z = 0; z < depth; z++) {
        float after = z + 1 < depth ? *(const float *)(from + (z + 1) * slice) : here;
        *(float *)(to + z * slice) = (before + here + after) / 3.0f;
        before = here;
        here = after;
    }
    //| the sum so far
    if (x >= width || y >= height) return;
    size_t slice = height * pitch, place = y * pitch + x * sizeof(float);
    const char *from = (const char *)in + place;
    char *to = (char *)out + place;
    float here = *(const float *)from, before = here;
    for (int z = 0; z < depth; z++) {
        float after = z + 1 < depth ? *(const float *)(from + (z + 1) * slice) : here;
        here = (before + here + after) / 3.0f;
        *(float *)(to + z * slice) = here;
        before = here;
        here = after;
    }
    //>
}
