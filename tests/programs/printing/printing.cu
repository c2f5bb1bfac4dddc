// What printf writes: every conversion with flags, widths and precisions, by one thread at a time, so that the order is
// certain. printing.printed.txt is what a GPU's driver wrote.

#ifndef __CUDACC_RTC__
#include <cstdio>
#endif

extern "C" __global__ void integers(int *returned)
{
    long long big = -1234567890123456789ll;
    returned[0] = printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d|\n", 42, 42, 42, 42, 42, 42, 7, -7, 7);
    returned[1] = printf("[%u] [%x] [%X] [%#x] [%#X] [%o] [%#o] [%08x] [%-8X]\n", 4000000000u, 48879, 48879, 255, 255, 8, 8, 0xabc, 0xabc);
    returned[2] = printf("[%lld] [%llu] [%llx] [%20lld] [%ld] [%lu] [%lx]\n", big, (unsigned long long)big, (unsigned long long)big, big, (long)big, 5ul, ~0ul);
    returned[3] = printf("[%hd] [%hu] [%i] [%d] [%u] [%d]\n", (short)-5, (unsigned short)65535, -2147483647 - 1, 2147483647, -1, true);
    returned[4] = printf("plain\n");
    returned[5] = printf("100%% of %d%%\n", 7);
    returned[6] = printf("");
}

extern "C" __global__ void reals(const double *in, int n)
{
    for (int i = 0; i < n; i++) {
        double v = in[i];
        printf("%f|%e|%g|%.0f|%.1e|%.3g|%10.2f|%-10.2f|%+.4f|%010.3f|% g|%#.0f|%E|%G\n", v, v, v, v, v, v, v, v, v, v, v, v, v, v);
    }
    printf("%f %g %e\n", 1.5f, 0.1f, 3e38f);
    printf("%a %A\n", 1.0, -0.15625);
}

extern "C" __global__ void texts(int by)
{
    const char *words[] = {"", "a", "warp", "a longer text with\ttab"};
    for (int i = 0; i < 4; i++)
        printf("<%s> <%10s> <%-10s> <%.2s> <%c> <%3c>\n", words[i], words[i], words[i], words[i], 'a' + i * by, 'z');
    printf("%s and %d and %s and %f and %c and %lld and %u\n", "one", 2, "three", 4.5, '5', 6ll, 7u);
    printf("no end of line");
    printf(", %d ", by);
    printf("and here\n");
}

// One thread of each block, one block after the other by launches; lanes of a warp in turn.
extern "C" __global__ void turns(int block)
{
    for (int lane = 0; lane < 4; lane++) {
        if (threadIdx.x == lane && blockIdx.x == block)
            printf("block %d lane %d: %5.2f\n", blockIdx.x, threadIdx.x, threadIdx.x * 0.25 + block);
        __syncwarp();
    }
}
