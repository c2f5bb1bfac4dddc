__global__ void noise(float *a, int n)
{
    srand(threadIdx.x);
    a[threadIdx.x] = rand() / (float)RAND_MAX;
    if (n == 0) exit(1);
    cout << n;
}
// ANCHOR: errors
error: nothing is called `srand`
 --> random_in_kernel.cu:3:5
  |
3 |     srand(threadIdx.x);
  |     ^^^^^
  |
help: a kernel has no `rand`: keep a state of your own for each thread and step it by hand

error: nothing is called `rand`
 --> random_in_kernel.cu:4:22
  |
4 |     a[threadIdx.x] = rand() / (float)RAND_MAX;
  |                      ^^^^
  |
help: a kernel has no `rand`: keep a state of your own for each thread and step it by hand

error: nothing is called `RAND_MAX`
 --> random_in_kernel.cu:4:38
  |
4 |     a[threadIdx.x] = rand() / (float)RAND_MAX;
  |                                      ^^^^^^^^
  |
help: this belongs to `rand`, which is the host's

error: nothing is called `exit`
 --> random_in_kernel.cu:5:17
  |
5 |     if (n == 0) exit(1);
  |                 ^^^^
  |
help: a thread ends with `return`; `__trap()` ends the kernel with an error

error: nothing is called `cout`
 --> random_in_kernel.cu:6:5
  |
6 |     cout << n;
  |     ^^^^
  |
help: in a kernel, write with `printf`
