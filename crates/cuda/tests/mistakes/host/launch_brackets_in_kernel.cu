__global__ void child(float *a) { a[0] = 1.0f; }

__global__ void k(float *a)
{
    child<<1, 32>>(a);
}
// ANCHOR: errors
error: a launch is written with `<<<` and `>>>`
 --> launch_brackets_in_kernel.cu:5:10
  |
5 |     child<<1, 32>>(a);
  |          ^^
  |
help: write `child<<<…, …>>>(…)`
