// How many clusters a device has at a time, as a model of the H200 that was asked.
#include <cstdio>
__global__ void plain(int *p) { *p = 1; }
__global__ void __cluster_dims__(2, 2, 1) of_four(int *p) { *p = 1; }
__global__ void __launch_bounds__(256) bounded(int *p) { *p = 1; }

template <class T> void ask(const char *name, T *kernel, dim3 grid, int threads, size_t bytes, dim3 cluster)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = threads;
    config.dynamicSmemBytes = bytes;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {cluster.x, cluster.y, cluster.z};
    config.attrs = &attribute;
    config.numAttrs = cluster.x != 0;
    int clusters = -1, blocks = -1;
    int error = cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
    int other = cudaOccupancyMaxPotentialClusterSize(&blocks, kernel, &config);
    printf("%s: %d %d, %d %d\n", name, error, clusters, other, blocks);
    cudaGetLastError();
}

int main()
{
    cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);
    // With one block a multiprocessor.
    for (int size = 1; size <= 9; size++)
        ask("one", plain, 2520, 1024, 200000, size);
    ask("two", plain, 800, 1024, 100000, 8);
    ask("small", plain, 2520, 32, 0, 1);
    ask("many", plain, dim3(64, 64), 128, 0, dim3(4, 2));
    ask("too much", plain, 800, 1024, 300000, 8);
    ask("own", of_four, dim3(64, 64), 256, 0, 0);
    ask("own", of_four, dim3(64, 64), 256, 0, dim3(2, 2));
    ask("not its own", of_four, dim3(64, 64), 256, 0, 4);
    ask("none", plain, 64, 256, 0, 0);
    ask("not whole", plain, 12, 256, 0, 8);
    ask("bounded", bounded, 64, 512, 0, 8);
}
