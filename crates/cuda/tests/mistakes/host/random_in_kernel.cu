__global__ void noise(float *a, int n)
{
    srand(threadIdx.x);
    a[threadIdx.x] = rand() / (float)RAND_MAX;
    if (n == 0) exit(1);
    cout << n;
}
// ANCHOR: errors
error: use of undeclared identifier `srand`
 --> random_in_kernel.cu:3:5
  |
3 |     srand(threadIdx.x);
  |     ^^^^^
  |
help: kernels have no `rand`: keep a generator state for each thread, and advance it yourself

error: use of undeclared identifier `rand`
 --> random_in_kernel.cu:4:22
  |
4 |     a[threadIdx.x] = rand() / (float)RAND_MAX;
  |                      ^^^^
  |
help: kernels have no `rand`: keep a generator state for each thread, and advance it yourself

error: use of undeclared identifier `RAND_MAX`
 --> random_in_kernel.cu:4:38
  |
4 |     a[threadIdx.x] = rand() / (float)RAND_MAX;
  |                                      ^^^^^^^^
  |
help: this belongs to `rand`, a host function

error: use of undeclared identifier `exit`
 --> random_in_kernel.cu:5:17
  |
5 |     if (n == 0) exit(1);
  |                 ^^^^
  |
help: a thread ends with `return`; `__trap()` ends the kernel with an error

error: use of undeclared identifier `cout`
 --> random_in_kernel.cu:6:5
  |
6 |     cout << n;
  |     ^^^^
  |
help: in a kernel, print with `printf`
