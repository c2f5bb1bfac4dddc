class Matrix {
    float *data;
    int width;
};

__global__ void clear(Matrix m)
{
    m.data[threadIdx.x] = 0.0f;
}
// ANCHOR: errors
error: `data` is a private member of `Matrix`: only methods of `Matrix` may use it
 --> private_member.cu:8:7
  |
2 |     float *data;
  |            ---- declared here
...
8 |     m.data[threadIdx.x] = 0.0f;
  |       ^^^^
  |
help: write `public:` before it in the class, or give the class a method for it
