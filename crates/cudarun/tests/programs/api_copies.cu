// Copies and memory: every form that no other program here calls. `nvcc api_copies.cu` makes a program that prints the same on an H200.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
// What a call gives, where that is not success.
#define OK(call) do { cudaError_t st_ = (call); if (st_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(st_)); } while (0)
#define SHOW(call) printf("%s: %s\n", #call, cudaGetErrorName(call))
__device__ int symbol[8];
__global__ void fill() { symbol[threadIdx.x] = 10 * threadIdx.x; }
static int a[6][8], b[6][8];
static void show(const char *what, int rows)
{
    printf("%s:", what);
    for (int y = 0; y < rows; y++)
        printf(" %d %d %d", b[y][0], b[y][3], b[y][7]);
    printf("\n");
    memset(b, 0, sizeof b);
}
int main()
{
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 8; x++)
            a[y][x] = 100 * y + x;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaHostRegister(a, sizeof a, cudaHostRegisterDefault));
    OK(cudaHostRegister(b, sizeof b, cudaHostRegisterDefault));
    int *rows, *other;
    size_t pitch;
    OK(cudaMallocPitch(&rows, &pitch, sizeof a[0], 6));
    SHOW(cudaMemcpy2DAsync(rows, pitch, a, sizeof a[0], sizeof a[0], 6, cudaMemcpyHostToDevice, stream));
    SHOW(cudaMemcpy2DAsync(b, sizeof b[0], rows, pitch, sizeof b[0], 6, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    show("rows", 6);
    SHOW(cudaMemcpy2DAsync(b, 4, rows, pitch, sizeof b[0], 6, cudaMemcpyDeviceToHost, stream));
    SHOW(cudaMemset2DAsync(rows, pitch, 1, 4, 6, stream));
    OK(cudaMemcpy2DAsync(b, sizeof b[0], rows, pitch, sizeof b[0], 6, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    show("first column", 2);
    SHOW(cudaMemset2DAsync(rows, 4, 1, 8, 6, stream));
    // Arrays of two and three dimensions.
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t flat, cube;
    OK(cudaMallocArray(&flat, &format, 8, 6));
    SHOW(cudaMemcpy2DToArrayAsync(flat, 0, 0, a, sizeof a[0], sizeof a[0], 6, cudaMemcpyHostToDevice, stream));
    SHOW(cudaMemcpy2DFromArrayAsync(b, sizeof b[0], flat, 0, 2, sizeof b[0], 4, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    show("from row 2", 4);
    SHOW(cudaMemcpy2DFromArrayAsync(b, sizeof b[0], flat, 0, 4, sizeof b[0], 4, cudaMemcpyDeviceToHost, stream));
    SHOW(cudaMalloc3DArray(&cube, &format, make_cudaExtent(8, 3, 2)));
    cudaMemcpy3DParms parms;
    memset(&parms, 0, sizeof parms);
    parms.srcPtr = make_cudaPitchedPtr(a, sizeof a[0], 8, 3);
    parms.dstArray = cube;
    parms.extent = make_cudaExtent(8, 3, 2);
    parms.kind = cudaMemcpyHostToDevice;
    SHOW(cudaMemcpy3DAsync(&parms, stream));
    memset(&parms, 0, sizeof parms);
    parms.srcArray = cube;
    parms.srcPos = make_cudaPos(0, 0, 1);
    parms.dstPtr = make_cudaPitchedPtr(b, sizeof b[0], 8, 3);
    parms.extent = make_cudaExtent(8, 3, 1);
    parms.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3DAsync(&parms, stream));
    OK(cudaStreamSynchronize(stream));
    show("second slice", 3);
    cudaPitchedPtr slices;
    OK(cudaMalloc3D(&slices, make_cudaExtent(sizeof a[0], 3, 2)));
    SHOW(cudaMemset3DAsync(slices, 0x11, make_cudaExtent(sizeof a[0], 3, 2), stream));
    memset(&parms, 0, sizeof parms);
    parms.srcPtr = slices;
    parms.dstPtr = make_cudaPitchedPtr(b, sizeof b[0], sizeof b[0], 3);
    parms.extent = make_cudaExtent(sizeof a[0], 3, 2);
    parms.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3DAsync(&parms, stream));
    OK(cudaStreamSynchronize(stream));
    show("slices", 6);
    // Symbols, and a device and itself.
    fill<<<1, 8, 0, stream>>>();
    SHOW(cudaMemcpyFromSymbolAsync(b, symbol, 5 * sizeof(int), 3 * sizeof(int), cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    show("symbol", 1);
    SHOW(cudaMemcpyFromSymbolAsync(b, symbol, 9 * sizeof(int), 0, cudaMemcpyDeviceToHost, stream));
    OK(cudaMalloc(&other, sizeof a));
    OK(cudaMemcpy(rows, a, sizeof a[0], cudaMemcpyHostToDevice));
    SHOW(cudaMemcpyPeer(other, 0, rows, 0, sizeof a[0]));
    SHOW(cudaMemcpyPeerAsync(other + 8, 0, rows, 0, sizeof a[0], stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpy(b, other, 2 * sizeof b[0], cudaMemcpyDeviceToHost));
    show("peers", 2);
    SHOW(cudaMemcpyPeer(other, 99, rows, 0, 4));
    // Managed and pinned memory.
    int *managed, *pinned;
    OK(cudaMallocManaged(&managed, sizeof a));
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    SHOW(cudaMemAdvise(managed, sizeof a, cudaMemAdviseSetReadMostly, here));
    SHOW(cudaMemAdvise(managed, 0, cudaMemAdviseSetReadMostly, here));
    SHOW(cudaMemPrefetchAsync(managed, sizeof a, here, 0, stream));
    OK(cudaStreamSynchronize(stream));
    unsigned flags = 0;
    OK(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped | cudaHostAllocWriteCombined));
    SHOW(cudaHostGetFlags(&flags, pinned));
    printf("mapped %d, write-combined %d\n", (flags & cudaHostAllocMapped) != 0, (flags & cudaHostAllocWriteCombined) != 0);
    SHOW(cudaHostGetFlags(&flags, &pitch));
    SHOW(cudaGetLastError());
    // Access to a pool is that of the device that has it.
    cudaMemPool_t pool;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    cudaMemAccessFlags access = cudaMemAccessFlagsProtNone;
    SHOW(cudaMemPoolGetAccess(&access, pool, &here));
    printf("read and write %d\n", access == cudaMemAccessFlagsProtReadWrite);
    cudaMemAccessDesc grant = {here, cudaMemAccessFlagsProtReadWrite};
    SHOW(cudaMemPoolSetAccess(pool, &grant, 1));
    OK(cudaHostUnregister(a));
    OK(cudaHostUnregister(b));
    OK(cudaFreeHost(pinned));
    OK(cudaFree(managed));
    OK(cudaFree(other));
    OK(cudaFree(rows));
    OK(cudaFree(slices.ptr));
    OK(cudaFreeArray(flat));
    OK(cudaFreeArray(cube));
    OK(cudaStreamDestroy(stream));
}
