// printf is the compiler's.
#pragma once
