__constant__ float taps[8];

__global__ void filter(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += coef[k] * in[i + k];
    if (i < N && ture) out[i] = cosff(sum) + tap[0] + __ldgg(in);
}
// ANCHOR: errors
error: use of undeclared identifier `coef`
 --> names_like_others.cu:7:40
  |
7 |     for (int k = 0; k < 8; ++k) sum += coef[k] * in[i + k];
  |                                        ^^^^

error: use of undeclared identifier `N`
 --> names_like_others.cu:8:13
  |
8 |     if (i < N && ture) out[i] = cosff(sum) + tap[0] + __ldgg(in);
  |             ^
  |
help: did you mean `n`?

error: use of undeclared identifier `ture`
 --> names_like_others.cu:8:18
  |
8 |     if (i < N && ture) out[i] = cosff(sum) + tap[0] + __ldgg(in);
  |                  ^^^^
  |
help: did you mean `true`?

error: use of undeclared identifier `cosff`
 --> names_like_others.cu:8:33
  |
8 |     if (i < N && ture) out[i] = cosff(sum) + tap[0] + __ldgg(in);
  |                                 ^^^^^
  |
help: did you mean `cosf`?

error: use of undeclared identifier `tap`
 --> names_like_others.cu:8:46
  |
8 |     if (i < N && ture) out[i] = cosff(sum) + tap[0] + __ldgg(in);
  |                                              ^^^
  |
help: did you mean `taps`?

error: use of undeclared identifier `__ldgg`
 --> names_like_others.cu:8:55
  |
8 |     if (i < N && ture) out[i] = cosff(sum) + tap[0] + __ldgg(in);
  |                                                       ^^^^^^
  |
help: did you mean `__ldg`?
