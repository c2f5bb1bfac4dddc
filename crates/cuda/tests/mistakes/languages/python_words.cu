__global__ void scale(float *a, int n)
{
    int i = threadIdx.x;
    bool found = False;
    float *p = None;
    var x = a[i];
    if (not found and i < n) a[i] = x;
    elif (i == n) a[i] = 0;
}
// ANCHOR: errors
error: use of undeclared identifier `False`
 --> python_words.cu:4:18
  |
4 |     bool found = False;
  |                  ^^^^^
  |
help: C++ writes `false`

error: use of undeclared identifier `None`
 --> python_words.cu:5:16
  |
5 |     float *p = None;
  |                ^^^^
  |
help: the null pointer is `nullptr`

error: unknown type name `var`
 --> python_words.cu:6:5
  |
6 |     var x = a[i];
  |     ^^^
  |
help: write the type, as in `float x`, or `auto` for the type of the value

error: C has no `elif`
 --> python_words.cu:8:5
  |
8 |     elif (i == n) a[i] = 0;
  |     ^^^^
  |
help: write `else if (…)`
