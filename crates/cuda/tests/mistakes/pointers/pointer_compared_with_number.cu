__global__ void find(float *a, float *end, int n)
{
    for (float *p = a; p < n; p++)
        if (p == 3.0f) *p = 0;
    if (a > 0 && end != n) *end = a;
}
// ANCHOR: errors
error: invalid operands of `<`: `float *` and `int`
 --> pointer_compared_with_number.cu:3:26
  |
3 |     for (float *p = a; p < n; p++)
  |                          ^
  |
help: one is a pointer: write `*` before it, or an index after it, for what it points to

error: invalid operands of `==`: `float *` and `float`
 --> pointer_compared_with_number.cu:4:15
  |
4 |         if (p == 3.0f) *p = 0;
  |               ^^
  |
help: one is a pointer: write `*` before it, or an index after it, for what it points to

error: invalid operands of `!=`: `float *` and `int`
 --> pointer_compared_with_number.cu:5:22
  |
5 |     if (a > 0 && end != n) *end = a;
  |                      ^^
  |
help: one is a pointer: write `*` before it, or an index after it, for what it points to

error: cannot convert `float *` to `float`
 --> pointer_compared_with_number.cu:5:35
  |
5 |     if (a > 0 && end != n) *end = a;
  |                                   ^
  |
help: this is an address: write `*` before it, or an index after it, for what it points to
