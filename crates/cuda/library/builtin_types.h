// The types have no need of it.
#pragma once
