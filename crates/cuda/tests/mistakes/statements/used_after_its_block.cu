__global__ void k(float *x, int n)
{
    if (threadIdx.x < n) {
        float first = x[threadIdx.x];
    }
    for (int j = 1; j < n; j++) x[j] += x[j - 1];
    x[j] = first;
}
// ANCHOR: errors
error: use of undeclared identifier `j`
 --> used_after_its_block.cu:7:7
  |
6 |     for (int j = 1; j < n; j++) x[j] += x[j - 1];
  |              - declared here, in a block or loop that has ended
7 |     x[j] = first;
  |       ^
  |
help: declare `j` before that block, so that it is still in scope

error: use of undeclared identifier `first`
 --> used_after_its_block.cu:7:12
  |
4 |         float first = x[threadIdx.x];
  |               ----- declared here, in a block or loop that has ended
...
7 |     x[j] = first;
  |            ^^^^^
  |
help: declare `first` before that block, so that it is still in scope
