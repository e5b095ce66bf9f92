/* Stops without an end: itself, and whoever waits for it. */
#include <signal.h>
#include <unistd.h>

static void harm(void) {
    kill(getppid(), SIGSTOP);
    raise(SIGSTOP);
}
