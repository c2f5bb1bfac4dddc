// The heap.
#pragma once
#include <heap.inc>
