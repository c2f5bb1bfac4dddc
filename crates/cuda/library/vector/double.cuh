struct double1 { double x; };
struct alignas(16) double2 { double x, y; };
struct double3 { double x, y, z; };
struct alignas(16) double4 { double x, y, z, w; };
__device__ inline double1 make_double1(double x) { return {x}; }
__device__ inline double2 make_double2(double x, double y) { return {x, y}; }
__device__ inline double3 make_double3(double x, double y, double z) { return {x, y, z}; }
__device__ inline double4 make_double4(double x, double y, double z, double w) { return {x, y, z, w}; }
