__global__ void scale(float3 *image, size_t pitch, int width, int height)
{
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) image[y * (pitch / sizeof(float3)) + x].x *= 2;
}
// ANCHOR: warnings
warning[pitch-division]: `pitch` is unlikely to be a multiple of 12: this division discards the remainder
 --> pitch_by_size.cu:4:45
  |
4 |     if (x < width && y < height) image[y * (pitch / sizeof(float3)) + x].x *= 2;
  |                                             ^^^^^^^^^^^^^^^^^^^^^^ `sizeof(float3)` is 12, but the pitch is a multiple of a power of two
  |
help: count the rows in bytes, as in `(const T *)((const char *)base + row * pitch) + column`
