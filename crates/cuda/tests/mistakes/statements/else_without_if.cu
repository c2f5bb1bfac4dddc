__global__ void apply(float *data, int n)
{
    if (threadIdx.x < n);
        data[threadIdx.x] = 1.0f;
    else
        data[threadIdx.x] = 0.0f;
}
// ANCHOR: errors
warning[empty-body]: this `;` is all that the `if` decides about
 --> else_without_if.cu:3:25
  |
3 |     if (threadIdx.x < n);
  |                         ^
  |
help: remove the `;`

error: this `else` has no `if` before it
 --> else_without_if.cu:5:5
  |
5 |     else
  |     ^^^^
  |
help: between `if (…)` and `else` is one statement: several need braces, and no `;` follows `)`
