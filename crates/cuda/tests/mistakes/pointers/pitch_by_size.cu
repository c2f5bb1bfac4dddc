__global__ void scale(float3 *image, size_t pitch, int width, int height)
{
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) image[y * (pitch / sizeof(float3)) + x].x *= 2;
}
// ANCHOR: warnings
warning[pitch-division]: `pitch` is hardly a multiple of 12: this division drops the rest
 --> pitch_by_size.cu:4:45
  |
4 |     if (x < width && y < height) image[y * (pitch / sizeof(float3)) + x].x *= 2;
  |                                             ^^^^^^^^^^^^^^^^^^^^^^ `sizeof(float3)` is 12, and rows of pitched memory are as long as a multiple of a power of two
  |
help: count the rows in bytes, as in `(const T *)((const char *)base + row * pitch) + column`
