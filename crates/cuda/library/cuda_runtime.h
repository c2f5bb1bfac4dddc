// What it declares for kernels has no need of it.
#pragma once
