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
error: `;` is missing
 --> declarations_run_together.cu:1:19
  |
1 | using real = float
  |                   ^ write `;` here

error: a `,` ends no declaration
 --> declarations_run_together.cu:3:21
  |
3 | const int count = 32,
  |                     ^
  |
help: write `;` in place of `,`

error: `=` is missing
 --> declarations_run_together.cu:6:13
  |
6 |     int last 31;
  |             ^ write `=` here

error: behind this comma comes another name of the same type, and no type
 --> declarations_run_together.cu:7:21
  |
7 |     float a = out[0], float b = fmaxf(out[1], half);
  |                     ^
  |
help: write `;` in place of `,`, or leave the type of `b` out
