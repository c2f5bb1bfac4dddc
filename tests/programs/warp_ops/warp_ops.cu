// What a warp's lanes do together: votes, matches, shuffles of every kind and width, reductions, with all lanes and with some.
typedef unsigned long long u64;

extern "C" __global__ void together(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    int v = in[i % n] * 5 % 17;
    int *mine = out + 12 * i;
    mine[0] = __any_sync(~0u, v == 3) + 2 * __all_sync(~0u, v < 20);
    mine[1] = __ballot_sync(~0u, v & 4);
    mine[2] = __shfl_sync(~0u, v, lane * 3 + 1);
    mine[3] = __shfl_sync(~0u, v, 2, 8);
    mine[4] = __shfl_up_sync(~0u, v, 3, 16);
    mine[5] = __shfl_down_sync(~0u, v, 5, 8);
    mine[6] = __shfl_xor_sync(~0u, v, 9);
    u64 wide = __shfl_xor_sync(~0u, (u64)v << 33 | i, 17);
    mine[7] = (int)(wide >> 32) ^ (int)wide;
    mine[8] = (int)(__shfl_down_sync(~0u, (double)v / 4, 1) * 100);
#if __CUDA_ARCH__ >= 700
    int all_alike;
    mine[9] = __match_any_sync(~0u, v);
    mine[10] = __match_all_sync(~0u, v / 17, &all_alike) + all_alike * 2;
    mine[11] = __match_any_sync(~0u, (u64)(v & 3) << 40);
#endif
#if __CUDA_ARCH__ >= 800
    mine[0] += 10 * __reduce_add_sync(~0u, v);
    mine[1] ^= __reduce_max_sync(~0u, v) << 8 ^ __reduce_min_sync(~0u, (unsigned)v + 3) << 16;
    mine[2] += 100 * (__reduce_and_sync(~0u, v | 8) + __reduce_or_sync(~0u, v) + __reduce_xor_sync(~0u, v));
#endif
}

// Some lanes only: the others are elsewhere, or have left.
extern "C" __global__ void some(int *out)
{
    __shared__ int exchange[96];
    int lane = threadIdx.x & 31;
    int *mine = out + 6 * threadIdx.x;
    if (threadIdx.x >= 90)
        return;
    unsigned here = threadIdx.x < 64 ? ~0u : (1u << 26) - 1;
    mine[0] = __popc(__activemask() & here) > 0; // how many it names is the hardware's own matter
    if (lane % 3 == 0) {
        unsigned third = here & 0x49249249u;
        mine[1] = __ballot_sync(third, lane > 10);
        mine[2] = __shfl_sync(third, lane * 2, lane / 2 / 3 * 3);
        exchange[threadIdx.x] = lane * lane;
        __syncwarp(third);
        mine[3] = exchange[threadIdx.x / 32 * 32 + (lane + 3) % 24 / 3 * 3];
    } else {
        unsigned rest = here & ~0x49249249u;
        mine[1] = __any_sync(rest, lane == 25);
        mine[2] = __shfl_xor_sync(rest, lane, 0);
        mine[3] = -lane;
    }
    __syncwarp(here);
    mine[4] = __ballot_sync(here, mine[3] > 100);
    unsigned masks[5];
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(masks[0]));
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(masks[1]));
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(masks[2]));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(masks[3]));
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(masks[4]));
    unsigned id, warp;
    asm("mov.u32 %0, %%laneid;" : "=r"(id));
    asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(warp));
    mine[5] = (masks[0] ^ masks[3]) + (masks[1] ^ masks[4]) + (masks[2] == 1u << id) + (warp > 0);
}
