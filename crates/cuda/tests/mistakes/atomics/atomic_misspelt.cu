__global__ void count(int *total)
{
    atomicadd(total, 1);
    AtomicAdd(total, 1);
    atomic_add(total, 1);
}
// ANCHOR: errors
error: use of undeclared identifier `atomicadd`
 --> atomic_misspelt.cu:3:5
  |
3 |     atomicadd(total, 1);
  |     ^^^^^^^^^
  |
help: did you mean `atomicAdd`?

error: use of undeclared identifier `AtomicAdd`
 --> atomic_misspelt.cu:4:5
  |
4 |     AtomicAdd(total, 1);
  |     ^^^^^^^^^
  |
help: did you mean `atomicAdd`?

error: use of undeclared identifier `atomic_add`
 --> atomic_misspelt.cu:5:5
  |
5 |     atomic_add(total, 1);
  |     ^^^^^^^^^^
  |
help: did you mean `atomicAdd`?
