__global__ void sign(int *a)
{
    int i = threadIdx.x;
    if (a[i] > 0) a[i] = 1;
    else (a[i] < 0) a[i] = -1;
}
// ANCHOR: errors
error: expected `;` after this expression, found `a`
 --> else_with_condition.cu:5:20
  |
5 |     else (a[i] < 0) a[i] = -1;
  |                    ^
  |
help: `else` takes no condition: a second condition is written `else if (…)`
