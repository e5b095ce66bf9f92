#define _GNU_SOURCE
#include "cores.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "judge/fault.h"

static struct {
    size_t count; /* 0: not started */
    int cpu[MOST_CORES];
    pthread_barrier_t begin, end;
    void (*work)(void *argument, size_t core, size_t cores);
    void *argument;
    size_t runs;
} pool;

static void find_cpus(void) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_ZERO(&allowed);
    for (int cpu = 0; cpu < CPU_SETSIZE && pool.count < MOST_CORES; cpu++)
        if (CPU_ISSET(cpu, &allowed))
            pool.cpu[pool.count++] = cpu;
    if (!pool.count)
        pool.count = 1;
}

size_t cores_count(void) {
    if (!pool.count)
        find_cpus();
    return pool.count;
}

/* Where a thread stays, its memory stays near. A machine that forbids it has the thread all the
 * same. */
static void stay_on(size_t core) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(pool.cpu[core], &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

static void *wait_for_work(void *core) {
    stay_on((uintptr_t)core);
    for (;;) {
        pthread_barrier_wait(&pool.begin);
        pool.work(pool.argument, (uintptr_t)core, pool.count);
        pthread_barrier_wait(&pool.end);
    }
    return NULL;
}

static void start(void) {
    size_t count = cores_count();
    if (pthread_barrier_init(&pool.begin, NULL, count) ||
        pthread_barrier_init(&pool.end, NULL, count))
        fault("cannot make a barrier for %zu threads", count);
    for (size_t core = 1; core < count; core++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, wait_for_work, (void *)core))
            fault("cannot start %zu threads", count);
        pthread_detach(thread);
    }
}

size_t cores_runs(void) { return pool.runs; }

void cores_run(void (*work)(void *argument, size_t core, size_t cores), void *argument) {
    if (!pool.runs++)
        start();
    /* The caller stays where the others are not, for as long as they work. */
    cpu_set_t before;
    bool known = pthread_getaffinity_np(pthread_self(), sizeof before, &before) == 0;
    stay_on(0);
    pool.work = work;
    pool.argument = argument;
    pthread_barrier_wait(&pool.begin);
    work(argument, 0, pool.count);
    pthread_barrier_wait(&pool.end);
    if (known)
        pthread_setaffinity_np(pthread_self(), sizeof before, &before);
}
