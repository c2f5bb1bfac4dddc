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
  |                     the loop continues while this is true
  |
help: write `++i`

warning[endless-loop]: nothing in this loop modifies `n` or `j`
 --> endless_loop.cu:6:12
  |
6 |     while (j < n)
  |            ^^^^^ once true, this stays true: the loop never ends
  |
help: modify the variable in the loop, or leave the loop with `break`
