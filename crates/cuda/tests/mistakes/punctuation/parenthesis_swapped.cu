__global__ void k(float *a, int n)
{
    int i = threadIdx.x;
    a(i] = 1.0f;
}
// ANCHOR: errors
error: mismatched closing `]`: it does not match `(`
 --> parenthesis_swapped.cu:4:8
  |
4 |     a(i] = 1.0f;
  |      - ^
  |      |
  |      opened here
  |
help: write `a[…]` for an element, `a(…)` for a call
