// Numbers of cuRAND's device functions, for many seeds, subsequences and offsets: `scripts/small-headers` makes the same of NVIDIA's header.
#include <cstdio>
#include <curand_kernel.h>

#define SEEDS 6
#define PLACES 8
__device__ const unsigned long long seeds[SEEDS] = {0, 1, 1984, 0x123456789abcdefULL, 0xffffffffffffffffULL, 1ULL << 32};
__device__ const unsigned long long places[PLACES] = {
    0, 1, 3, 255, 1000003, 0xfedcba9, 1ULL << 40, 0xabcdef0123ULL};
struct Drawn {
    unsigned words;
    unsigned uniform;
    double normal, wide, logarithmic;
    unsigned poisson[3];
};

// All bits of what was drawn, in one word.
__device__ unsigned mixed(unsigned hash, unsigned word) { return (hash ^ word) * 16777619u; }
__device__ unsigned bits(float v) { return *(unsigned *)&v; }
__device__ unsigned bits(double v) { return *(unsigned long long *)&v >> 32 ^ (unsigned)*(unsigned long long *)&v; }

template <typename State> __device__ void draw(Drawn &drawn, int at)
{
    State state;
    int seed = at % SEEDS, sequence = at / SEEDS % PLACES, offset = at / SEEDS / PLACES;
    curand_init(seeds[seed], places[sequence], places[offset], &state);
    unsigned hash = 2166136261u;
    for (int i = 0; i < 7; i++)
        hash = mixed(hash, curand(&state));
    skipahead(sequence * 1000 + 3, &state);
    skipahead_sequence(offset, &state);
    for (int i = 0; i < 7; i++)
        hash = mixed(hash, curand(&state));
    drawn.words = hash;
    for (int i = 0; i < 5; i++) {
        hash = mixed(hash, bits(curand_uniform(&state)));
        hash = mixed(hash, bits(curand_uniform_double(&state)));
    }
    drawn.uniform = hash;
    drawn.normal = curand_normal(&state) + 2 * curand_normal(&state);
    float2 two = curand_normal2(&state);
    drawn.normal += 3 * two.x + 4 * two.y;
    drawn.wide = curand_normal_double(&state) + 2 * curand_normal_double(&state);
    drawn.logarithmic = curand_log_normal(&state, 0.5f, 0.25f) + curand_log_normal_double(&state, 0.5, 0.25);
    drawn.poisson[0] = curand_poisson(&state, 5.5);
    drawn.poisson[1] = curand_poisson(&state, 300);
    drawn.poisson[2] = curand_poisson(&state, 5000);
}
struct Fours {
    unsigned words;
    uint4 poisson[3];
};
__device__ void draw_four(Fours &drawn, int at)
{
    curandStatePhilox4_32_10_t state;
    curand_init(seeds[at % SEEDS], places[at % PLACES], places[at / PLACES % PLACES], &state);
    unsigned hash = 2166136261u;
    for (int i = 0; i < 4; i++) {
        uint4 v = curand4(&state);
        float4 u = curand_uniform4(&state);
        double2 w = curand_uniform2_double(&state);
        hash = mixed(mixed(mixed(mixed(hash, v.x), v.y), v.z), v.w);
        hash = mixed(mixed(mixed(mixed(hash, bits(u.x)), bits(u.y)), bits(u.z)), bits(u.w));
        hash = mixed(mixed(hash, bits(w.x)), bits(w.y));
    }
    drawn.words = hash;
    drawn.poisson[0] = curand_poisson4(&state, 5.5);
    drawn.poisson[1] = curand_poisson4(&state, 300);
    drawn.poisson[2] = curand_poisson4(&state, 5000);
}

#define CASES (SEEDS * PLACES * PLACES)
__global__ void all(Drawn *drawn, Fours *fours, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    draw<curandStateXORWOW_t>(drawn[i], i);
    draw<curandStatePhilox4_32_10_t>(drawn[n + i], i);
    draw<curandStateMRG32k3a_t>(drawn[2 * n + i], i);
    draw_four(fours[i], i);
}

int main()
{
    Drawn *drawn;
    Fours *fours;
    cudaMallocManaged(&drawn, 3 * CASES * sizeof(Drawn));
    cudaMallocManaged(&fours, CASES * sizeof(Fours));
    all<<<(CASES + 63) / 64, 64>>>(drawn, fours, CASES);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    const char *names[] = {"XORWOW", "Philox", "MRG32k3a"};
    for (int kind = 0; kind < 3; kind++) {
        unsigned words = 2166136261u, uniform = words, poisson = words;
        for (int i = 0; i < CASES; i++) {
            Drawn &one = drawn[kind * CASES + i];
            words = (words ^ one.words) * 16777619u;
            uniform = (uniform ^ one.uniform) * 16777619u;
            for (int k = 0; k < 3; k++)
                poisson = (poisson ^ one.poisson[k]) * 16777619u;
        }
        printf("%s: all words %08x, with uniform numbers %08x\n", names[kind], words, uniform);
        for (int i = 5; i < CASES; i += 61) {
            Drawn &one = drawn[kind * CASES + i];
            printf("%4d %08x %08x %8.3f %8.4f %8.3f %u %u %u\n", i, one.words, one.uniform, one.normal, one.wide, one.logarithmic,
                one.poisson[0], one.poisson[1], one.poisson[2]);
        }
    }
    unsigned hash = 2166136261u;
    for (int i = 0; i < CASES; i++)
        hash = (hash ^ fours[i].words) * 16777619u;
    for (int i = 5; i < CASES; i += 61) {
        printf("%4d", i);
        for (const uint4 &v : fours[i].poisson)
            printf(" %u %u %u %u", v.x, v.y, v.z, v.w);
        printf("\n");
    }
    printf("four at a time: %08x\nstates: %d %d %d bytes\n", hash, (int)sizeof(curandState), (int)sizeof(curandStatePhilox4_32_10_t),
        (int)sizeof(curandStateMRG32k3a_t));
}
