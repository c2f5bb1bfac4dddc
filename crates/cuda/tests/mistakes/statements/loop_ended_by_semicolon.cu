__global__ void k(float *x, int n)
{
    float sum = 0.0f;
    for (int j = 0; j < n; j++);
        sum += x[threadIdx.x];
    x[threadIdx.x] = sum;
    while (x[0] < sum);
    {
        x[1] = sum;
    }
}
// ANCHOR: warnings
warning[empty-body]: `for` loop has an empty body: this `;`
 --> loop_ended_by_semicolon.cu:4:32
  |
4 |     for (int j = 0; j < n; j++);
  |                                ^
  |
help: remove the `;`

warning[empty-body]: `while` loop has an empty body: this `;`
 --> loop_ended_by_semicolon.cu:7:23
  |
7 |     while (x[0] < sum);
  |                       ^
  |
help: remove the `;`
