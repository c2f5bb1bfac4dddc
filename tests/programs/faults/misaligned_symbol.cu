// Writes a word one byte behind the start of a variable.
__device__ int word[2];

extern "C" __global__ void set(int by)
{
    *(int *)((char *)word + by) = 42; // fault
}
