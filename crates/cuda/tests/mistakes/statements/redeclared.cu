__global__ void sum(float *data, int n)
{
    float value = data[0];
    int value = 1;
    int n = 2;
    data[0] = value + n;
}
// ANCHOR: errors
error: `value` is declared twice in one scope
 --> redeclared.cu:4:9
  |
3 |     float value = data[0];
  |           ----- the first one is here
4 |     int value = 1;
  |         ^^^^^
  |
help: give one of them another name

error: `n` is declared twice in one scope
 --> redeclared.cu:5:9
  |
1 | __global__ void sum(float *data, int n)
  |                                      - the first one is here
...
5 |     int n = 2;
  |         ^
  |
help: give one of them another name
