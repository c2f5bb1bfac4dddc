// Objects that a kernel makes with `new`: virtual functions, destructors, bases, arrays.
#include <cstdio>

class Shape {
  public:
    __device__ virtual float area() const = 0;
    __device__ virtual const char *name() const { return "shape"; }
    __device__ virtual ~Shape() {}
};
class Square : public Shape {
  public:
    __device__ Square(float side) : side(side) {}
    __device__ virtual float area() const { return side * side; }
    float side;
};
struct Named {
    int number = 7;
    __device__ virtual int twice() const { return 2 * number; }
};
class Circle : public Named, public Shape {
  public:
    __device__ Circle(float radius) : radius(radius) {}
    __device__ float area() const override { return 3 * radius * radius; }
    __device__ const char *name() const override { return "circle"; }
    __device__ int twice() const override { return 100 + number; }
    __device__ ~Circle() { printf("the circle of %g ends\n", radius); }
    float radius;
};
class List : public Shape {
  public:
    __device__ List(Shape **all, int count) : all(all), count(count) {}
    __device__ virtual float area() const
    {
        float sum = 0;
        for (int i = 0; i < count; i++)
            sum += all[i]->area();
        return sum;
    }
    __device__ virtual ~List()
    {
        for (int i = 0; i < count; i++)
            delete all[i];
        delete[] all;
    }
    Shape **all;
    int count;
};

__global__ void make(Shape **world, int count)
{
    Shape **all = new Shape *[count];
    for (int i = 0; i < count; i++)
        if (i % 2)
            all[i] = new Circle(i);
        else
            all[i] = new Square(i);
    *world = new List(all, count);
}
__global__ void measure(Shape *const *world, float *areas, int count)
{
    List *list = static_cast<List *>(*world);
    // Each thread its own function.
    if (threadIdx.x < count)
        areas[threadIdx.x] = list->all[threadIdx.x]->area();
    if (threadIdx.x == count)
        areas[count] = (*world)->area();
    if (threadIdx.x == 1) {
        Circle *circle = static_cast<Circle *>(list->all[1]);
        const Named &named = *circle;
        printf("%s, %s, %d\n", list->all[1]->name(), (*world)->name(), named.twice());
        Circle local(10);
        const Shape &shape = local;
        printf("%s of %g\n", shape.name(), shape.area());
    }
}
__global__ void end(Shape **world) { delete *world; }

int main()
{
    const int count = 5;
    Shape **world;
    float *areas;
    cudaMalloc(&world, sizeof *world);
    cudaMallocManaged(&areas, (count + 1) * sizeof(float));
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
    make<<<1, 1>>>(world, count);
    measure<<<1, 32>>>(world, areas, count);
    end<<<1, 1>>>(world);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i <= count; i++)
        printf("%g ", areas[i]);
    printf("\n");
}
