__global__ void sum(float *data, int n)
{
    float value = data[0];
    int value = 1;
    int n = 2;
    data[0] = value + n;
}
// ANCHOR: errors
error: redefinition of `value`
 --> redeclared.cu:4:9
  |
3 |     float value = data[0];
  |           ----- previous definition is here
4 |     int value = 1;
  |         ^^^^^
  |
help: rename one of them

error: redefinition of `n`
 --> redeclared.cu:5:9
  |
1 | __global__ void sum(float *data, int n)
  |                                      - previous definition is here
...
5 |     int n = 2;
  |         ^
  |
help: rename one of them
