__global__ void k(float *a, int n)
{
    int i = threadIdx.x;
    if (!i == 5) a[i] = 1;
    if (!n > i) a[i] = 2;
    if (!(i == 5) == (n > 2) && !n == 1) a[i] = 3;
    if (i == 2 || 1) a[i] = 4;
    if (i == 2 || 0) a[i] = 5;
    while (1 && i < n) i++;
}
// ANCHOR: warnings
warning[negated-comparison]: `!` is only applied to the left side of this comparison
 --> negation_compared.cu:4:9
  |
4 |     if (!i == 5) a[i] = 1;
  |         ^^^^^^^ `i` becomes 0 or 1, which is then compared
  |
help: write `a != b`, or `!(a < b)`

warning[negated-comparison]: `!` is only applied to the left side of this comparison
 --> negation_compared.cu:5:9
  |
5 |     if (!n > i) a[i] = 2;
  |         ^^^^^^ `n` becomes 0 or 1, which is then compared
  |
help: write `a != b`, or `!(a < b)`

warning[constant-condition]: `1` alone is always true
 --> negation_compared.cu:7:19
  |
7 |     if (i == 2 || 1) a[i] = 4;
  |                   ^
  |
help: repeat the whole comparison, as in `x == 2 || x == 1`

warning[constant-condition]: `0` alone is always false
 --> negation_compared.cu:8:19
  |
8 |     if (i == 2 || 0) a[i] = 5;
  |                   ^
  |
help: repeat the whole comparison, as in `x == 1 || x == 0`
