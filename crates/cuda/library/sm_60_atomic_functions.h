// What it declares has no need of it.
#pragma once
