// New values for a kernel before each launch, by three ways: through a constant variable that is copied to, as an
// argument, and through a pointer to where they lie already.
//
// It is the way that is timed, so the kernels do next to nothing: out[thread] is the sum of four words, the first, the
// last and two between. A value that stayed behind shows in it.

#define MOST 16384 // words: 64 KiB, all the constant memory that a module can have

// ANCHOR: table
__constant__ unsigned table[MOST];

extern "C" __global__ void look_constant(unsigned *out, int words) {
    out[threadIdx.x] = table[0] + table[words / 3] + table[words / 2] + table[words - 1];
}
// ANCHOR_END: table

// ANCHOR: pointer
extern "C" __global__ void look_pointer(unsigned *out, int words, const unsigned *values) {
    out[threadIdx.x] = values[0] + values[words / 3] + values[words / 2] + values[words - 1];
}
// ANCHOR_END: pointer

// ANCHOR: argument
// All parameters together may have 4,096 bytes (32,764 with compute capability 7.0 and CUDA 12.1 or later). They lie in
// constant memory too, in a bank of their own that every launch fills.
template <int WORDS> struct Values { unsigned word[WORDS]; };

#define LOOK_ARGUMENT(WORDS)                                                                                           \
    extern "C" __global__ void look_argument_##WORDS(unsigned *out, Values<WORDS> values) {                            \
        out[threadIdx.x] =                                                                                             \
            values.word[0] + values.word[WORDS / 3] + values.word[WORDS / 2] + values.word[WORDS - 1];                 \
    }
LOOK_ARGUMENT(4)
LOOK_ARGUMENT(16)
LOOK_ARGUMENT(64)
LOOK_ARGUMENT(256)
LOOK_ARGUMENT(1000)
// ANCHOR_END: argument
