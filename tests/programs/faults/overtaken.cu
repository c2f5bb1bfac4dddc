// One warp hands numbers over to another one. Nothing tells it that the last number has been read, so it arrives at the
// barrier again before the other warp has come for the first time.
extern "C" __global__ void hand_over(const int *in, int *out)
{
    __shared__ int tile[32];
    int lane = threadIdx.x % 32, sum = 0;
    for (int round = 0; round < 3; round++) {
        if (threadIdx.x < 32) {
            tile[lane] = in[round * 32 + lane];
            asm volatile("barrier.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("barrier.sync 1, 64;" ::: "memory"); // fault
            sum += tile[31 - lane];
        }
    }
    out[threadIdx.x] = sum;
}
