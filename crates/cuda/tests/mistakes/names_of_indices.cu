using namespace cooperative_groups;
__global__ void fill(float *a)
{
    thread_block block = this_thread_block();
    a[0] = laneId + warp_id;
    a[1] = blockSize * gridSize;
}
