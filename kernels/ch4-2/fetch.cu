// What a warp fetches of a texture: each lane the float below that of the lane before it.

extern "C" __global__ void fetch_column(cudaTextureObject_t image, float *out) {
    out[threadIdx.x] = tex2D<float>(image, 0.5f, threadIdx.x + 0.5f);
}
