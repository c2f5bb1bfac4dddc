// The driver's interface is for the host; of its types a kernel's parameters may be handles.
#pragma once
typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUsurfObject;
typedef unsigned long long CUtexObject;
