__global__ void work(float *data, int n)
{
    int i = threadIdx.x
    float x = dta[i];
    if (i < n {
        data[i] = x +;
    }
    else
        data[i] = undefined_function(x);
}
// ANCHOR: errors
error: expected `;` after this declaration
 --> several_errors.cu:3:24
  |
3 |     int i = threadIdx.x
  |                        ^ write `;` here

error: use of undeclared identifier `dta`
 --> several_errors.cu:4:15
  |
4 |     float x = dta[i];
  |               ^^^
  |
help: did you mean `data`?

error: expected `)`
 --> several_errors.cu:5:14
  |
5 |     if (i < n {
  |        -     ^ write `)` here
  |        |
  |        to match this `(`

error: expected an expression, found `;`
 --> several_errors.cu:6:22
  |
6 |         data[i] = x +;
  |                      ^ a value is missing here
