/* Leaves a process behind, in a session of its own, with everything still open; then does its work.
 */
#include <sys/prctl.h>
#include <unistd.h>

static void harm(void) {
    if (fork())
        return;
    setsid();
    if (fork())
        _exit(0);
    prctl(PR_SET_NAME, "left-behind");
    for (;;)
        sleep(1);
}
