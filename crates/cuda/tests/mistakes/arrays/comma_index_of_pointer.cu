__global__ void scale(float *image, int width)
{
    int x = threadIdx.x, y = blockIdx.x;
    image[y, x] *= 2.0f;
    image[y * width, x] += 1.0f;
}
// ANCHOR: warnings
warning[unused-value]: expression result unused
 --> comma_index_of_pointer.cu:4:11
  |
4 |     image[y, x] *= 2.0f;
  |           ^ this has no effect
  |
help: a comma in brackets keeps only the last index: write `[row * width + column]` for a pointer, `[row][column]` for an array of rows

warning[unused-value]: expression result unused
 --> comma_index_of_pointer.cu:5:11
  |
5 |     image[y * width, x] += 1.0f;
  |           ^^^^^^^^^ this has no effect
  |
help: a comma in brackets keeps only the last index: write `[row * width + column]` for a pointer, `[row][column]` for an array of rows
