// Size of memory of which the alignment is known.
#pragma once
namespace cuda {
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    __device__ explicit constexpr aligned_size_t(size_t size) : value(size) {}
    __device__ constexpr operator size_t() const { return value; }
};
}
