__global__ void wait(volatile int *flag, float *data, int n)
{
    for (int i = 0; i < n; --i)
        data[i] = 0.0f;
    int j = 0;
    while (j < n)
        data[j] = 1.0f;
}
// ANCHOR: warnings
warning[endless-loop]: `i` counts down, away from its bound
 --> endless_loop.cu:3:28
  |
3 |     for (int i = 0; i < n; --i)
  |                     -----  ^^^
  |                     |
  |                     the loop goes on as long as this is true
  |
help: write `++i`

warning[endless-loop]: nothing in this loop changes `n` or `j`
 --> endless_loop.cu:6:12
  |
6 |     while (j < n)
  |            ^^^^^ once true, this stays true: the loop never ends
  |
help: change the variable in the loop, or leave it with `break`
