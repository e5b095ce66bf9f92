/* Kills each process that it may: only in a namespace of its own is that nobody else's. */
#include <signal.h>

static void harm(void) { kill(-1, SIGKILL); }
