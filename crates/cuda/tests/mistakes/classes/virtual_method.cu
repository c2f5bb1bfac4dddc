struct Shape {
    __device__ virtual float area() const { return 0.0f; }
};

struct Square : Shape {
    float side;
    __device__ float area() const override { return side * side; }
};

__global__ void areas(float *data)
{
    Square square;
    square.side = 2.0f;
    data[threadIdx.x] = square.area();
}
// ANCHOR: errors
error: virtual functions are not supported by this compiler
 --> virtual_method.cu:2:16
  |
2 |     __device__ virtual float area() const { return 0.0f; }
  |                ^^^^^^^
  |
help: make the class a template parameter, or branch on a tag (`switch`)
