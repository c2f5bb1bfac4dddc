// Templates of classes that take templates, with defaults, aliases and packs of types.
template <typename T> struct Plain { typedef T *type; };
template <typename T> using Constant = Plain<const T>;
template <typename T, template <typename U> class Traits = Plain> struct View { typename Traits<T>::type p; };
namespace n { template <class T, int N> struct Array { T values[N]; }; }
template <template <class, int> class Of, class T> struct Four { Of<T, 4> all; };
template <typename T, template <typename> typename Policy> __global__ void unused(T *p);
__global__ void k(View<float> v, View<float, Plain> w, View<float, Constant> c, Four<n::Array, int> f)
{
    v.p[0] = w.p[0] + c.p[1] + f.all.values[2];
}
