__global__ void weights(float *a)
{
    float w[3] = {0.25f, 0.5f, 0.25f, 0.0f};
    int none[0], less[-2];
    float half[2.5];
    a[threadIdx.x] = w[0] + none[0] + less[0] + half[0];
}
// ANCHOR: errors
error: excess elements in initialiser list
 --> too_many_initialisers.cu:3:39
  |
3 |     float w[3] = {0.25f, 0.5f, 0.25f, 0.0f};
  |                                       ^^^^

error: an array must have at least one element
 --> too_many_initialisers.cu:4:14
  |
4 |     int none[0], less[-2];
  |              ^

error: an array cannot have -2 elements
 --> too_many_initialisers.cu:4:23
  |
4 |     int none[0], less[-2];
  |                       ^^

error: the length of an array must be known at compile time
 --> too_many_initialisers.cu:5:16
  |
5 |     float half[2.5];
  |                ^^^ expected an integer constant, found `double`
  |
help: use a constant (`#define`, `constexpr int`, a template parameter), or `extern __shared__ T name[];` with the size given at the launch
