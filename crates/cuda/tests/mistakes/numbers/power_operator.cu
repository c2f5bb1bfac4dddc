__global__ void square(float *data)
{
    int i = threadIdx.x;
    data[i] = data[i] ^ 2;
    data[i] = data[i] ** 2;
}
// ANCHOR: errors
error: invalid operands of `^`: `float` and `int`
 --> power_operator.cu:4:23
  |
4 |     data[i] = data[i] ^ 2;
  |                       ^
  |
help: `^` combines bits; a power is `powf(x, y)`, a square `x * x`

error: `*` requires a pointer operand, not `int`
 --> power_operator.cu:5:24
  |
5 |     data[i] = data[i] ** 2;
  |                        ^^^
  |
help: there is no operator `**`: a power is `powf(x, y)`, a square `x * x`
