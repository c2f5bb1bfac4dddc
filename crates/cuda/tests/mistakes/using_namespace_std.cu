#include <complex>
#include <iostream>
#include <math.h>

using namespace std;

__global__ void roots(float *data)
{
    complex<float> z(data[0], data[1]);
    string name = "roots";
    cout << name << endl;
    data[0] = sqrt(data[0]);
}
