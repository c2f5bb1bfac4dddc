// Variables of a module: constants that the job writes, initialisers of every type, addresses of other variables and
// of functions as initialisers, and values that stay from one launch to the next.

__constant__ int table[6];      // written by the job
__constant__ double factor = 1; // and overwritten by it
__constant__ char text[] = "a warp is 32 lanes";
__constant__ struct {
    short a;
    float b[2];
    long long c;
} mixed = {-3, {0.5f, 1e10f}, 1ll << 40};

__device__ int numbers[3][2] = {{1, 2}, {3}, {5, 6}};
__device__ float *row_of_floats;
__device__ int *second_row = &numbers[1][0];
__device__ const char *middle = text + 7;
__device__ int *const *pointer_to_pointer = &second_row;
__device__ unsigned char flags[7] = {1, 0, 255};
__device__ float tiny = 1e-40f, negative_zero = -0.0f;
__device__ double third = 1.0 / 3;
struct List {
    int value;
    List *next;
};
__device__ List last = {30, nullptr}, inner = {20, &last}, first = {10, &inner};
static __device__ int launches;

extern "C" __global__ void read(long long *out, float *reals)
{
    int i = threadIdx.x;
    long long sum = 0;
    for (List *l = &first; l; l = l->next)
        sum = sum * 100 + l->value;
    long long values[10] = {
        table[i % 6], (long long)(factor * 1000), text[i % 18], middle[i % 11], mixed.a + mixed.c, numbers[i % 3][i & 1],
        second_row[i & 1], (*pointer_to_pointer)[2], flags[i % 7], sum,
    };
    for (int k = 0; k < 10; k++)
        out[10 * i + k] = values[k];
    reals[4 * i] = tiny;
    reals[4 * i + 1] = negative_zero;
    reals[4 * i + 2] = (float)third + mixed.b[i & 1];
    reals[4 * i + 3] = row_of_floats == nullptr ? 1.0f : 0.0f;
}

extern "C" __global__ void change(int by)
{
    if (threadIdx.x == 0) {
        launches += by;
        second_row = &numbers[0][1];
        numbers[2][1] += launches;
        last.value = launches * 11;
    }
    atomicAdd(&numbers[0][0], threadIdx.x);
}
