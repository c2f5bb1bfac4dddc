// Of two function templates, the one that has a value where the other has a parameter is the more special.
template <int N, class P> struct Part {};
template <int N, class P> __device__ char which(const Part<N, P> &);
template <class P> __device__ double which(const Part<64, P> &);
__global__ void k(int *out)
{
    static_assert(sizeof(which(Part<64, int>())) == sizeof(double));
    static_assert(sizeof(which(Part<32, int>())) == sizeof(char));
    *out = 1;
}
