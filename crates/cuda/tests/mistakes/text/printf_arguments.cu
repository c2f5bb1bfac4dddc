__global__ void show(const float *data, const int *counts)
{
    printf("%d %f\n", data[threadIdx.x], counts[threadIdx.x]);
    printf("%d and %d\n", counts[0]);
    printf("done\n", counts[0]);
}
// ANCHOR: warnings
warning[format]: format `%d` expects an `int`, but the argument has type `double`
 --> printf_arguments.cu:3:23
  |
3 |     printf("%d %f\n", data[threadIdx.x], counts[threadIdx.x]);
  |                       ^^^^^^^^^^^^^^^^^
  |
help: write `%f`

warning[format]: format `%f` expects a `float` or `double`, but the argument has type `int`
 --> printf_arguments.cu:3:42
  |
3 |     printf("%d %f\n", data[threadIdx.x], counts[threadIdx.x]);
  |                                          ^^^^^^^^^^^^^^^^^^^
  |
help: write `%d`

warning[format]: the format expects 2 values, but 1 is given
 --> printf_arguments.cu:4:12
  |
4 |     printf("%d and %d\n", counts[0]);
  |            ^^^^^^^^^^^^^

warning[format]: the format expects 0 values, but 1 is given
 --> printf_arguments.cu:5:12
  |
5 |     printf("done\n", counts[0]);
  |            ^^^^^^^^
