// `friend` with the name of a class, a parameter of a template or a member of one.
class App;
struct Other;
namespace n { class Inner; }
template <class T> class Box {
    int x;
    friend T;
    friend typename T::inner;
    friend class App;
    friend class n::Inner;
    friend n::Inner;
    friend struct Other;
    template <class U> friend class Box;
};
class Option {
    int x;
    friend App;
    friend ::Other;
};
class App {
public:
    __device__ int get(const Option &option) { return option.x; }
};
struct Outer { struct inner {}; };
__global__ void k(int *p, Option option)
{
    p[0] = App().get(option);
    p[1] = sizeof(Box<Outer>);
}
