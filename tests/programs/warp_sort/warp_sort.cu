// Stable merge sort of pairs by the threads of a warp, or of part of one: each thread sorts what it holds by a network of
// exchanges, then neighbouring runs are merged over and over, each thread finding its share by a search along the merge's
// diagonal. Warps share no barrier; the groups within a warp may hold different numbers of items.

template <typename K>
struct Item {
    K key;
    int value;
};

template <typename K, int EACH, int LANES>
__device__ void sort_group(Item<K> (&held)[EACH], Item<K> *shared, int valid)
{
    int lane = threadIdx.x % LANES;
    unsigned mask = LANES == 32 ? ~0u : ((1u << LANES) - 1) << (threadIdx.x / LANES * LANES % 32);
    // An odd-even network moves equal keys past each other never, so it is stable.
#pragma unroll
    for (int round = 0; round < EACH; round++)
#pragma unroll
        for (int i = round & 1; i + 1 < EACH; i += 2)
            if (held[i + 1].key < held[i].key) {
                Item<K> t = held[i];
                held[i] = held[i + 1];
                held[i + 1] = t;
            }
    for (int run = 1; run < LANES; run *= 2) { // in threads
        __syncwarp(mask);
#pragma unroll
        for (int i = 0; i < EACH; i++)
            shared[lane * EACH + i] = held[i];
        __syncwarp(mask);
        int first = lane / (2 * run) * 2 * run * EACH, diagonal = lane % (2 * run) * EACH;
        int a = min(first, valid), middle = min(first + run * EACH, valid), end = min(first + 2 * run * EACH, valid);
        diagonal = min(diagonal, end - a);
        int low = max(0, diagonal - (end - middle)), high = min(diagonal, middle - a);
        while (low < high) {
            int at = (low + high) / 2;
            if (shared[middle + diagonal - 1 - at].key < shared[a + at].key)
                high = at;
            else
                low = at + 1;
        }
        int left = a + low, right = middle + diagonal - low;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            if (left >= middle && right >= end)
                break;
            bool from_right = left >= middle || right < end && shared[right].key < shared[left].key;
            held[i] = shared[from_right ? right++ : left++];
        }
    }
}

template <typename K, int EACH, int LANES>
__device__ void sort(const K *keys, K *sorted, int *places, const int *counts, K last)
{
    extern __shared__ char memory[];
    int group = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    Item<K> *shared = (Item<K> *)memory + group * LANES * EACH, held[EACH];
    int number = blockIdx.x * (blockDim.x / LANES) + group, valid = counts[number], first = number * LANES * EACH;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        int at = lane * EACH + i;
        held[i].key = at < valid ? keys[first + at] : last;
        held[i].value = at;
    }
    sort_group<K, EACH, LANES>(held, shared, valid);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        int at = lane * EACH + i;
        if (at < valid) {
            sorted[first + at] = held[i].key;
            places[first + at] = held[i].value;
        }
    }
}

extern "C" __global__ void sort_ints(const int *keys, int *sorted, int *places, const int *counts) { sort<int, 5, 32>(keys, sorted, places, counts, 0x7fffffff); }
extern "C" __global__ void sort_doubles(const double *keys, double *sorted, int *places, const int *counts) { sort<double, 3, 16>(keys, sorted, places, counts, 1e300); }
extern "C" __global__ void sort_bytes(const unsigned char *keys, unsigned char *sorted, int *places, const int *counts) { sort<unsigned char, 8, 4>(keys, sorted, places, counts, 255); }
