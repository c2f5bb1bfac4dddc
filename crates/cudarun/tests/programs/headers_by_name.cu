// Headers that are known by name only: what is used of them is reported with the header and what to write instead.
#include <GL/freeglut.h>
#include <cublas_v2.h>
#include <helper_cuda_drvapi.h>
#include <helper_multiprocess.h>
#include <mpi.h>
#include <nvrtc_helper.h>
#include <thrust/device_vector.h>
#include <termios.h>
#include <version>

int main(int argc, char **argv)
{
    glutInit(&argc, argv);
    cublasHandle_t handle;
    int device = findCudaDeviceDRV(argc, argv);
    sharedMemoryCreate("name", 8, 0);
    MPI_Init(&argc, &argv);
    compileFileToCUBIN("kernel.cu", argc, argv, 0, 0, 0);
    thrust::device_vector<int> numbers(3);
    termios *terminal = 0;
}
