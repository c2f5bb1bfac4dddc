// The functions have no need of it.
#pragma once
