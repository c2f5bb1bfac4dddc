// Formats of texels, by their type.
#pragma once
#include "driver_types.h"
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f)
{
    cudaChannelFormatDesc made = {x, y, z, w, f};
    return made;
}
template <class T> struct __channel {
    enum { bits = 0, count = 0, kind = cudaChannelFormatKindNone };
};
#define CHANNEL(T, COUNT, BITS, KIND)                                                                                           \
    template <> struct __channel<T> {                                                                                           \
        enum { bits = BITS, count = COUNT, kind = KIND };                                                                       \
    };
#define CHANNELS(V, BITS, KIND) CHANNEL(V##1, 1, BITS, KIND) CHANNEL(V##2, 2, BITS, KIND) CHANNEL(V##4, 4, BITS, KIND)
CHANNEL(char, 1, 8, cudaChannelFormatKindSigned)
CHANNEL(signed char, 1, 8, cudaChannelFormatKindSigned)
CHANNEL(unsigned char, 1, 8, cudaChannelFormatKindUnsigned)
CHANNEL(short, 1, 16, cudaChannelFormatKindSigned)
CHANNEL(unsigned short, 1, 16, cudaChannelFormatKindUnsigned)
CHANNEL(int, 1, 32, cudaChannelFormatKindSigned)
CHANNEL(unsigned int, 1, 32, cudaChannelFormatKindUnsigned)
CHANNEL(float, 1, 32, cudaChannelFormatKindFloat)
CHANNELS(char, 8, cudaChannelFormatKindSigned)
CHANNELS(uchar, 8, cudaChannelFormatKindUnsigned)
CHANNELS(short, 16, cudaChannelFormatKindSigned)
CHANNELS(ushort, 16, cudaChannelFormatKindUnsigned)
CHANNELS(int, 32, cudaChannelFormatKindSigned)
CHANNELS(uint, 32, cudaChannelFormatKindUnsigned)
CHANNELS(float, 32, cudaChannelFormatKindFloat)
#undef CHANNELS
#undef CHANNEL
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    const int bits = __channel<T>::bits, count = __channel<T>::count;
    return cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
                                 (cudaChannelFormatKind)__channel<T>::kind);
}
