// Local memory: arrays indexed at run time, copies of bytes with heads and tails, and structs set and copied whole.

// The k-th permutation of 0 … 8, by the factorial number system.
extern "C" __global__ void permutations(unsigned char *out, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = first + i;
    unsigned char left[9], made[9];
    int factorial[9] = {1};
    for (int d = 1; d < 9; d++)
        factorial[d] = factorial[d - 1] * d;
    for (int d = 0; d < 9; d++)
        left[d] = d;
    for (int d = 8, at = 0; d >= 0; d--, at++) {
        int pick = k / factorial[d] % (d + 1);
        made[at] = left[pick];
        for (int j = pick; j < d; j++)
            left[j] = left[j + 1];
    }
    for (int d = 0; d < 9; d++)
        out[i * 9 + d] = made[d];
}

// Copies with wide words where both ends are aligned alike, and with bytes elsewhere.
__device__ __noinline__ void copy_bytes(char *to, const char *from, unsigned long long n)
{
    if ((((unsigned long long)to ^ (unsigned long long)from) & 7) == 0) {
        while (n > 0 && ((unsigned long long)to & 7) != 0) {
            *to++ = *from++;
            n--;
        }
        for (; n >= 8; n -= 8, to += 8, from += 8)
            *(unsigned long long *)to = *(const unsigned long long *)from;
    }
    while (n-- > 0)
        *to++ = *from++;
}

extern "C" __global__ void copies(const char *in, char *out, int row)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    char buffer[80];
    memset(buffer, i, sizeof buffer);
    copy_bytes(buffer + i % 11, in + i % 7, 13 + i % 40); // global to local
    copy_bytes(out + i * row, buffer, row);             // local to global, at any alignment
}

struct Record {
    int id;
    short parts[10];
    double value;
    char name[13];
};

__device__ __noinline__ Record made(int i)
{
    Record r;
    memset(&r, 0, sizeof r);
    r.id = i;
    r.value = i * 0.5;
    for (int k = 0; k < 10; k++)
        r.parts[(k * i) % 10] += k;
    for (int k = 0; k < i % 13; k++)
        r.name[k] = 'a' + k;
    return r;
}

extern "C" __global__ void records(Record *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Record some[4];
    for (int k = 0; k < 4; k++)
        some[k] = made(i * 4 + k);
    Record r = some[i * 7 % 4];
    if (i % 3 == 0)
        memcpy(&r.name, &some[i % 4].parts, sizeof r.name);
    Record *to = &out[i];
    memset(to, 0xee, sizeof r); // so that the padding is known too
    to->id = r.id;
    to->value = r.value;
    for (int k = 0; k < 10; k++)
        to->parts[k] = r.parts[k];
    memcpy(to->name, r.name, 13);
}
