// The qualifiers are the compiler's.
#pragma once
