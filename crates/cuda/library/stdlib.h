// malloc, free and abs are the compiler's.
#pragma once
