__global__ void k(float *a)
{
    for (int i = 0; i < len(a); i++) a[i] = 0.0f;
}
// ANCHOR: errors
error: use of undeclared identifier `len`
 --> len_of_array.cu:3:25
  |
3 |     for (int i = 0; i < len(a); i++) a[i] = 0.0f;
  |                         ^^^
  |
help: a pointer does not know how many elements it points to: pass their number to the kernel, and count up to it
