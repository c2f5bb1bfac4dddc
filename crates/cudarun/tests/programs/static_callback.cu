// A static method by its name, in the class itself: a pointer to a function.
#include <stdio.h>
#include <cuda_runtime.h>
class Operator {
    int n = 3;
    void print() { printf("n: %d\n", n); }

  public:
    static void CUDART_CB called(cudaStream_t stream, cudaError_t error, void *data);
    void start(cudaStream_t stream) {
        cudaStreamAddCallback(stream, Operator::called, this, 0);
        cudaStreamAddCallback(stream, called, this, 0);
        cudaStreamAddCallback(stream, &Operator::called, this, 0);
    }
};
void CUDART_CB Operator::called(cudaStream_t stream, cudaError_t error, void *data) { ((Operator *)data)->print(); }
int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    Operator one;
    one.start(stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
