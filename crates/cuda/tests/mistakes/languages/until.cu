__global__ void k(float *a, int n)
{
    int i = 0;
    do { a[i] = 1.0f; i++; } until (i == n);
}
// ANCHOR: errors
error: expected `while (…);` after the body of `do`, found `until`
 --> until.cu:4:29
  |
4 |     do { a[i] = 1.0f; i++; } until (i == n);
  |     -- the loop begins here ^
  |
help: write `while (!(…));`: the loop continues while the condition is true
