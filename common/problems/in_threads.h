/* For drawing strips and preparing indexes, which every process of a step waits for: work on all
 * processors, in threads that end with it. The threads of judge/timing/cores.h are for one caller
 * at a time, and a strip is drawn while another is checked. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "judge/timing/cores.h"

struct thread_share {
    void (*work)(void *argument, size_t thread, size_t threads);
    void *argument;
    size_t thread, threads;
};

static inline size_t threads_count(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > MOST_CORES ? MOST_CORES : (size_t)processors;
}

static inline void *thread_share_work(void *argument) {
    struct thread_share *share = argument;
    share->work(share->argument, share->thread, share->threads);
    return NULL;
}

/* work(argument, thread, threads) for each of threads_count() threads. cores_begin() divides things
 * among them. */
static inline void in_threads(void (*work)(void *argument, size_t thread, size_t threads),
                              void *argument) {
    pthread_t threads[MOST_CORES];
    struct thread_share shares[MOST_CORES];
    bool started[MOST_CORES];
    size_t count = threads_count();
    for (size_t t = 0; t < count; t++) {
        shares[t] = (struct thread_share){work, argument, t, count};
        started[t] = t > 0 && pthread_create(&threads[t], NULL, thread_share_work, &shares[t]) == 0;
    }
    for (size_t t = 0; t < count; t++) {
        if (started[t])
            pthread_join(threads[t], NULL);
        else
            thread_share_work(&shares[t]); /* the first, and where no thread could be had */
    }
}
