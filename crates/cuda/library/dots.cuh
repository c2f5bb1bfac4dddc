// Dot products of bytes and half-words in vector types.
__device__ inline unsigned __builtin_word(char4 v) { return *(unsigned *)&v; }
__device__ inline unsigned __builtin_word(uchar4 v) { return *(unsigned *)&v; }
__device__ inline unsigned __builtin_word(short2 v) { return *(unsigned *)&v; }
__device__ inline unsigned __builtin_word(ushort2 v) { return *(unsigned *)&v; }
__device__ inline int __dp4a(char4 a, char4 b, int c) { return __dp4a((int)__builtin_word(a), (int)__builtin_word(b), c); }
__device__ inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) { return __dp4a(__builtin_word(a), __builtin_word(b), c); }
__device__ inline int __dp2a_lo(short2 a, char4 b, int c) { return __dp2a_lo((int)__builtin_word(a), (int)__builtin_word(b), c); }
__device__ inline unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) { return __dp2a_lo(__builtin_word(a), __builtin_word(b), c); }
__device__ inline int __dp2a_hi(short2 a, char4 b, int c) { return __dp2a_hi((int)__builtin_word(a), (int)__builtin_word(b), c); }
__device__ inline unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) { return __dp2a_hi(__builtin_word(a), __builtin_word(b), c); }
