/* Kills whoever has started it, and the process group that it finds itself in. */
#include <signal.h>
#include <unistd.h>

static void harm(void) {
    kill(getppid(), SIGKILL);
    kill(0, SIGTERM);
}
