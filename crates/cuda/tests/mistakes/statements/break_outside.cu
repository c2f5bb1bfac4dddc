__global__ void scale(float *a)
{
    if (a[threadIdx.x] > 3) break;
    if (a[threadIdx.x] > 2) continue;
    goto end;
}
// ANCHOR: errors
error: `break` stands in no loop and no `switch`
 --> break_outside.cu:3:29
  |
3 |     if (a[threadIdx.x] > 3) break;
  |                             ^^^^^^

error: `continue` stands in no loop
 --> break_outside.cu:4:29
  |
4 |     if (a[threadIdx.x] > 2) continue;
  |                             ^^^^^^^^^

error: there is no label `end` in this function
 --> break_outside.cu:5:10
  |
5 |     goto end;
  |          ^^^
