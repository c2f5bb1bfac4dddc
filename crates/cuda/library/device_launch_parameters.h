// The built-in variables are the compiler's.
#pragma once
