// Of numbers of both precisions; of one, it is the compiler's.
__device__ inline double copysign(double x, float y) { return copysign(x, (double)y); }
__device__ inline double copysign(float x, double y) { return copysign((double)x, y); }
