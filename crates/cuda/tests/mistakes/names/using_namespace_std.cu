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
// ANCHOR: errors
error: unknown type name `complex`
 --> using_namespace_std.cu:9:5
  |
9 |     complex<float> z(data[0], data[1]);
  |     ^^^^^^^^^^^^^^
  |
help: keep the real and the imaginary part in a `float2`

error: unknown type name `string`
  --> using_namespace_std.cu:10:5
   |
10 |     string name = "roots";
   |     ^^^^^^
   |
help: host containers do not exist in kernels: pass a pointer and a length

error: use of undeclared identifier `cout`
  --> using_namespace_std.cu:11:5
   |
11 |     cout << name << endl;
   |     ^^^^
   |
help: in a kernel, print with `printf`

error: use of undeclared identifier `endl`
  --> using_namespace_std.cu:11:21
   |
11 |     cout << name << endl;
   |                     ^^^^
   |
help: in a kernel, print with `printf`
