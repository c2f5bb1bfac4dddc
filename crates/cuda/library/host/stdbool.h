// bool, true and false, which are the language's.
#pragma once
#define __bool_true_false_are_defined 1
