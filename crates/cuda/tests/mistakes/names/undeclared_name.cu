__global__ void sum(float *total, const float *values, int count)
{
    float partial = 0.0f;
    for (int i = 0; i < cuont; ++i)
        partial += values[i];
    *total = partail;
}
// ANCHOR: errors
error: use of undeclared identifier `cuont`
 --> undeclared_name.cu:4:25
  |
4 |     for (int i = 0; i < cuont; ++i)
  |                         ^^^^^
  |
help: did you mean `count`?

error: use of undeclared identifier `partail`
 --> undeclared_name.cu:6:14
  |
6 |     *total = partail;
  |              ^^^^^^^
  |
help: did you mean `partial`?
