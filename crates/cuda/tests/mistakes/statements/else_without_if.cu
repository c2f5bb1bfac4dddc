__global__ void apply(float *data, int n)
{
    if (threadIdx.x < n);
        data[threadIdx.x] = 1.0f;
    else
        data[threadIdx.x] = 0.0f;
}
// ANCHOR: errors
warning[empty-body]: `if` statement has an empty body: this `;`
 --> else_without_if.cu:3:25
  |
3 |     if (threadIdx.x < n);
  |                         ^
  |
help: remove the `;`

error: `else` without a previous `if`
 --> else_without_if.cu:5:5
  |
5 |     else
  |     ^^^^
  |
help: only one statement can be between `if (…)` and `else`: several need braces, and no `;` follows `)`
