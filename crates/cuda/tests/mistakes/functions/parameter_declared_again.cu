__global__ void scale(float *data, int n, float factor)
{
    float factor = 2.0f;
    for (int i = 0; i < n; ++i) {
        int i = threadIdx.x;
        data[i] *= factor;
    }
}
// ANCHOR: errors
error: redefinition of `factor`
 --> parameter_declared_again.cu:3:11
  |
1 | __global__ void scale(float *data, int n, float factor)
  |                                                 ------ previous definition is here
2 | {
3 |     float factor = 2.0f;
  |           ^^^^^^
  |
help: rename one of them

error: redefinition of `i`
 --> parameter_declared_again.cu:5:13
  |
4 |     for (int i = 0; i < n; ++i) {
  |              - previous definition is here
5 |         int i = threadIdx.x;
  |             ^
  |
help: rename one of them
