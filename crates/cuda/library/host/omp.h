// OpenMP's functions: parallel regions run on one thread.
#pragma once
extern "C" {
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_num_threads(int count);
void omp_set_dynamic(int dynamic);
void omp_set_nested(int nested);
double omp_get_wtime(void);
double omp_get_wtick(void);
}
