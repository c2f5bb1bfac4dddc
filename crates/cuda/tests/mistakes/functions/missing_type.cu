__global__ void sum(const float *data, int n)
{
    total = 0.0f;
    for (i = 0; i < n; ++i)
        total += data[i];
}
// ANCHOR: errors
error: use of undeclared identifier `total`
 --> missing_type.cu:3:5
  |
3 |     total = 0.0f;
  |     ^^^^^
  |
help: a new variable needs a type before its name, as in `int total = …;`

error: use of undeclared identifier `i`
 --> missing_type.cu:4:10
  |
4 |     for (i = 0; i < n; ++i)
  |          ^
  |
help: a new variable needs a type before its name, as in `int i = …;`
