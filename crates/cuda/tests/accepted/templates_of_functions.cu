// Function templates that take templates: their names are said, with defaults and in namespaces.
namespace op {
template <class T> struct Square { static __device__ T run(T x) { return x * x; } };
template <class T> struct Twice { static __device__ T run(T x) { return x + x; } };
}
template <class T> struct Plain { static __device__ T run(T x) { return x; } };
template <template <class> class Op, class T> __device__ T once(T x) { return Op<T>::run(x); }
template <template <class> class Op = Plain> __global__ void apply(float *p) { *p = Op<float>::run(*p); }
template <typename T, template <typename> class First, template <typename> class... Rest>
__global__ void all(T *p) { *p = First<T>::run(*p); }
void host(float *p)
{
    apply<op::Square><<<1, 1>>>(p);
    apply<><<<1, 1>>>(p);
    all<float, op::Twice><<<1, 1>>>(p);
}
__global__ void k(float *p) { p[0] = once<op::Square>(p[1]) + once<op::Twice, float>(p[2]) + once<Plain>(p[3]); }
