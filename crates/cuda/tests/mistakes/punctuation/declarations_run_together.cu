using real = float
__device__ real half = 0.5f;
const int count = 32,
__global__ void k(float *out)
{
    int last 31;
    float a = out[0], float b = fmaxf(out[1], half);
    out[last] = a + b * count;
}
// ANCHOR: errors
error: expected `;`
 --> declarations_run_together.cu:1:19
  |
1 | using real = float
  |                   ^ write `;` here

error: a declaration ends with `;`
 --> declarations_run_together.cu:3:21
  |
3 | const int count = 32,
  |                     ^
  |
help: write `;` instead of `,`

error: expected `=`
 --> declarations_run_together.cu:6:13
  |
6 |     int last 31;
  |             ^ write `=` here

error: expected another name of the same type after this comma, found a type
 --> declarations_run_together.cu:7:21
  |
7 |     float a = out[0], float b = fmaxf(out[1], half);
  |                     ^
  |
help: write `;` instead of `,`, or remove the type of `b`
