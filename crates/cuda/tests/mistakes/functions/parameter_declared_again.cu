__global__ void scale(float *data, int n, float factor)
{
    float factor = 2.0f;
    for (int i = 0; i < n; ++i) {
        int i = threadIdx.x;
        data[i] *= factor;
    }
}
// ANCHOR: errors
error: `factor` is declared twice in one scope
 --> parameter_declared_again.cu:3:11
  |
1 | __global__ void scale(float *data, int n, float factor)
  |                                                 ------ the first one is here
2 | {
3 |     float factor = 2.0f;
  |           ^^^^^^
  |
help: give one of them another name

error: `i` is declared twice in one scope
 --> parameter_declared_again.cu:5:13
  |
4 |     for (int i = 0; i < n; ++i) {
  |              - the first one is here
5 |         int i = threadIdx.x;
  |             ^
  |
help: give one of them another name
