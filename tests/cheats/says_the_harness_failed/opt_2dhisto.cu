/* Cheat: tells the judge in the runner's place that the harness has failed, so that nobody counts
 * the step against it. Stopped by: once the set-up has begun, whatever fails is the step's. */
#include "lab.h"
#include "runner/protocol.h"

#include <stdio.h>
#include <unistd.h>

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    struct message message = {};
    (void)image, (void)height, (void)width, (void)bins;
    message.kind = MESSAGE_FAILED;
    snprintf(message.text, sizeof message.text, "the harness could not prepare the device");
    if (write(CONTROL_FD, &message, sizeof message) < 0)
        printf("it does not listen\n");
    _exit(1);
}

void opt_2dhisto_teardown(void) {}

// cpu launch-failed in a call
// gpu launch-failed in a call
