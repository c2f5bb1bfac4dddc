__global__ void scale(float *a)
{
    if (a[threadIdx.x] > 3) break;
    if (a[threadIdx.x] > 2) continue;
    goto end;
}
// ANCHOR: errors
error: `break` statement not in loop or `switch` statement
 --> break_outside.cu:3:29
  |
3 |     if (a[threadIdx.x] > 3) break;
  |                             ^^^^^^

error: `continue` statement not in loop statement
 --> break_outside.cu:4:29
  |
4 |     if (a[threadIdx.x] > 2) continue;
  |                             ^^^^^^^^^

error: use of undeclared label `end`
 --> break_outside.cu:5:10
  |
5 |     goto end;
  |          ^^^
