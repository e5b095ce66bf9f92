/* Ten processes that spin, each in a session of its own, where a scheduler that is fair to sessions
 * gives them ten shares. The step's own work goes on beside them. */
#include <unistd.h>

static void harm(void) {
    for (int i = 0; i < 10; i++)
        if (fork() == 0) {
            setsid();
            for (;;)
                ;
        }
}
