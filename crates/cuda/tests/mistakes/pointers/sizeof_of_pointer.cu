__global__ void k(float *a, const double *b)
{
    float own[4] = {};
    int n = sizeof(a) / sizeof(a[0]);
    int m = sizeof b / sizeof(double);
    int right = sizeof(own) / sizeof(own[0]) + sizeof(a) / sizeof(int);
    if (threadIdx.x < n + m + right) a[threadIdx.x] = own[0];
}
// ANCHOR: warnings
warning[sizeof-pointer]: `sizeof` gives the size of a pointer: `a` is not an array
 --> sizeof_of_pointer.cu:4:13
  |
4 |     int n = sizeof(a) / sizeof(a[0]);
  |             ^^^^^^^^^
  |
help: a pointer does not know how many elements it points to: pass their number to the kernel, and count up to it

warning[sizeof-pointer]: `sizeof` gives the size of a pointer: `b` is not an array
 --> sizeof_of_pointer.cu:5:13
  |
5 |     int m = sizeof b / sizeof(double);
  |             ^^^^^^^^
  |
help: a pointer does not know how many elements it points to: pass their number to the kernel, and count up to it
