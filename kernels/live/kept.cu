// A table of constants, which the host fills by name, and a variable of the program, which keeps its value from launch to
// launch. One thread makes a step; each launch is one.
__constant__ float table[8];
__device__ float total;

extern "C" __global__ void step(float *out, int launch) {
    total += table[launch % 8];
    out[launch] = total;
}
