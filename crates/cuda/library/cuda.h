// What it declares is for the host.
#pragma once
