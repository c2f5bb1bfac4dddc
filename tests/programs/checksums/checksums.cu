// Checksums and ciphers, a message a thread: CRC-32 by a table in constant memory, Adler, FNV, SHA-256, MD5, xxHash64,
// SipHash, AES-128 with its S-box in shared memory, and ChaCha20.
#ifdef __clang__
#include "../clang.h"
#endif

struct Crc {
    unsigned v[256];
    __host__ __device__ constexpr Crc() : v()
    {
        for (unsigned n = 0; n < 256; n++) {
            unsigned c = n;
            for (int k = 0; k < 8; k++)
                c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
            v[n] = c;
        }
    }
};
__constant__ Crc crc;

extern "C" __global__ void short_sums(const unsigned char *bytes, unsigned *out, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned char *mine = bytes + i * size;
    unsigned c = ~0u, a = 1, b = 0, f = 2166136261u;
    for (int k = 0; k < size - i % 4; k++) {
        c = crc.v[(c ^ mine[k]) & 255] ^ c >> 8;
        a = (a + mine[k]) % 65521;
        b = (b + a) % 65521;
        f = (f ^ mine[k]) * 16777619u;
    }
    out[3 * i] = ~c;
    out[3 * i + 1] = b << 16 | a;
    out[3 * i + 2] = f;
}

__device__ __forceinline__ unsigned right(unsigned x, int n) { return x >> n | x << (32 - n); }
__device__ __forceinline__ unsigned left(unsigned x, int n) { return x << n | x >> (32 - n); }

__constant__ unsigned sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// Of the first 64 - i % 9 - 9 bytes, with the padding.
extern "C" __global__ void sha256(const unsigned char *bytes, unsigned *out, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, length = 55 - i % 9;
    const unsigned char *mine = bytes + i * size;
    unsigned char block[64];
    for (int k = 0; k < 64; k++)
        block[k] = k < length ? mine[k % size] : k == length ? 0x80 : 0;
    block[62] = (unsigned char)(length * 8 >> 8);
    block[63] = (unsigned char)(length * 8);
    unsigned w[64], h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, s[8];
    for (int k = 0; k < 16; k++)
        w[k] = block[4 * k] << 24 | block[4 * k + 1] << 16 | block[4 * k + 2] << 8 | block[4 * k + 3];
    for (int k = 16; k < 64; k++)
        w[k] = w[k - 16] + (right(w[k - 15], 7) ^ right(w[k - 15], 18) ^ w[k - 15] >> 3) + w[k - 7] + (right(w[k - 2], 17) ^ right(w[k - 2], 19) ^ w[k - 2] >> 10);
    for (int k = 0; k < 8; k++)
        s[k] = h[k];
    for (int k = 0; k < 64; k++) {
        unsigned t1 = s[7] + (right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + sha_k[k] + w[k];
        unsigned t2 = (right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + t1, s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = t1 + t2;
    }
    for (int k = 0; k < 8; k++)
        out[8 * i + k] = h[k] + s[k];
}

// xxHash64's rounds and SipHash-2-4 over whole words.
extern "C" __global__ void wide_hashes(const unsigned long long *words, unsigned long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto turn = [](unsigned long long x, int r) { return x << r | x >> (64 - r); };
    const unsigned long long p1 = 11400714785074694791ull, p2 = 14029467366897019727ull, p3 = 1609587929392839161ull;
    unsigned long long h = i + 2870177450012600261ull + n * 8;
    unsigned long long v0 = 0x736f6d6570736575ull ^ i, v1 = 0x646f72616e646f6dull, v2 = 0x6c7967656e657261ull ^ i, v3 = 0x7465646279746573ull;
    auto round = [&]() {
        v0 += v1, v1 = turn(v1, 13) ^ v0, v0 = turn(v0, 32), v2 += v3, v3 = turn(v3, 16) ^ v2;
        v0 += v3, v3 = turn(v3, 21) ^ v0, v2 += v1, v1 = turn(v1, 17) ^ v2, v2 = turn(v2, 32);
    };
    for (int k = 0; k < n; k++) {
        unsigned long long w = words[(i + k) % 64];
        h ^= turn(w * p2, 31) * p1;
        h = turn(h, 27) * p1 + 9650029242287828579ull;
        v3 ^= w;
        round();
        round();
        v0 ^= w;
    }
    h ^= h >> 33, h *= p2, h ^= h >> 29, h *= p3, h ^= h >> 32;
    v2 ^= 255;
    for (int k = 0; k < 4; k++)
        round();
    out[2 * i] = h;
    out[2 * i + 1] = v0 ^ v1 ^ v2 ^ v3;
}

__device__ unsigned char twice(unsigned char a) { return (unsigned char)(a << 1 ^ (a & 128 ? 0x1b : 0)); }

// The S-box is found by the block itself: inverses in GF(2^8), then the affine step.
extern "C" __global__ void aes(const unsigned char *in, const unsigned char *key, unsigned char *out, unsigned char *table)
{
    __shared__ unsigned char box[256], keys[176];
    for (int v = threadIdx.x; v < 256; v += blockDim.x) {
        unsigned char inverse = 0;
        for (int w = 1; w < 256 && v && !inverse; w++) {
            unsigned char a = v, product = 0;
            for (int b = w; b; b >>= 1, a = twice(a))
                if (b & 1)
                    product ^= a;
            if (product == 1)
                inverse = w;
        }
        unsigned char s = inverse;
        for (int k = 1; k < 5; k++)
            s ^= inverse << k | inverse >> (8 - k);
        box[v] = s ^ 0x63;
        if (blockIdx.x == 0)
            table[v] = s ^ 0x63;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 0; k < 16; k++)
            keys[k] = key[k];
        unsigned char constant = 1;
        for (int k = 16; k < 176; k += 4) {
            unsigned char t[4] = {keys[k - 4], keys[k - 3], keys[k - 2], keys[k - 1]};
            if (k % 16 == 0) {
                unsigned char first = t[0];
                t[0] = box[t[1]] ^ constant, t[1] = box[t[2]], t[2] = box[t[3]], t[3] = box[first];
                constant = twice(constant);
            }
            for (int b = 0; b < 4; b++)
                keys[k + b] = keys[k - 16 + b] ^ t[b];
        }
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char s[16], t[16];
    for (int k = 0; k < 16; k++)
        s[k] = in[16 * i + k] ^ keys[k];
    for (int round = 1; round <= 10; round++) {
        for (int k = 0; k < 16; k++)
            t[k] = box[s[(k + 4 * (k % 4)) % 16]];
        for (int c = 0; c < 16; c += 4)
            if (round < 10) {
                unsigned char all = t[c] ^ t[c + 1] ^ t[c + 2] ^ t[c + 3];
                for (int k = 0; k < 4; k++)
                    s[c + k] = t[c + k] ^ all ^ twice(t[c + k] ^ t[c + (k + 1) % 4]);
            } else
                for (int k = 0; k < 4; k++)
                    s[c + k] = t[c + k];
        for (int k = 0; k < 16; k++)
            s[k] ^= keys[16 * round + k];
    }
    for (int k = 0; k < 16; k++)
        out[16 * i + k] = s[k];
}

extern "C" __global__ void chacha(unsigned *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 1, 2, 3, 4, 5, 6, 7, 8, (unsigned)i, 9, 10, 11}, x[16];
    for (int k = 0; k < 16; k++)
        x[k] = start[k];
    auto quarter = [&x](int a, int b, int c, int d) {
        x[a] += x[b], x[d] = left(x[d] ^ x[a], 16), x[c] += x[d], x[b] = left(x[b] ^ x[c], 12);
        x[a] += x[b], x[d] = left(x[d] ^ x[a], 8), x[c] += x[d], x[b] = left(x[b] ^ x[c], 7);
    };
    for (int r = 0; r < rounds; r += 2) {
        for (int k = 0; k < 4; k++)
            quarter(k, k + 4, k + 8, k + 12);
        for (int k = 0; k < 4; k++)
            quarter(k, (k + 1) % 4 + 4, (k + 2) % 4 + 8, (k + 3) % 4 + 12);
    }
    for (int k = 0; k < 16; k++)
        out[16 * i + k] = x[k] + start[k];
}
