__global__ void show(const float *data, const int *counts)
{
    printf("%d %f\n", data[threadIdx.x], counts[threadIdx.x]);
    printf("%d and %d\n", counts[0]);
    printf("done\n", counts[0]);
}
// ANCHOR: warnings
warning[format]: `%d` wants an `int`, and this is `double`
 --> printf_arguments.cu:3:23
  |
3 |     printf("%d %f\n", data[threadIdx.x], counts[threadIdx.x]);
  |                       ^^^^^^^^^^^^^^^^^
  |
help: write `%f`

warning[format]: `%f` wants a `float` or `double`, and this is `int`
 --> printf_arguments.cu:3:42
  |
3 |     printf("%d %f\n", data[threadIdx.x], counts[threadIdx.x]);
  |                                          ^^^^^^^^^^^^^^^^^^^
  |
help: write `%d`

warning[format]: the format wants 2 values, and 1 is given
 --> printf_arguments.cu:4:12
  |
4 |     printf("%d and %d\n", counts[0]);
  |            ^^^^^^^^^^^^^

warning[format]: the format wants 0 values, and 1 is given
 --> printf_arguments.cu:5:12
  |
5 |     printf("done\n", counts[0]);
  |            ^^^^^^^^
